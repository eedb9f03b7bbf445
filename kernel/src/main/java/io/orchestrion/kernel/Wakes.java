package io.orchestrion.kernel;

import io.orchestrion.kernel.events.ItemLogFeed;
import io.orchestrion.kernel.policy.PolicyWaiters;
import io.orchestrion.kernel.policy.Requirements;
import io.orchestrion.kernel.verbs.ClaimMarks;
import io.orchestrion.kernel.wake.ReadyBell;
import io.orchestrion.kernel.wake.Waiters;
import io.orchestrion.kernel.wake.WakeHints;
import io.orchestrion.kernel.wake.WakeSink;

import org.jspecify.annotations.Nullable;

import java.util.UUID;
import java.util.function.BiConsumer;

/// Wakes claims and readers of this node, and of other nodes.
final class Wakes implements WakeSink {
    private final ClaimMarks marks;
    private final Waiters waiters;
    private final PolicyWaiters policyWaiters;
    private final ReadyBell bell;
    private final ItemLogFeed itemLogs;
    private final @Nullable WakeHints hints;
    private final BiConsumer<UUID, String> told;

    /// @param hints null where this node sends none
    /// @param told called with the account and the log of what happened
    Wakes(
            ClaimMarks marks,
            Waiters waiters,
            PolicyWaiters policyWaiters,
            ReadyBell bell,
            ItemLogFeed itemLogs,
            @Nullable WakeHints hints,
            BiConsumer<UUID, String> told) {
        this.marks = marks;
        this.waiters = waiters;
        this.policyWaiters = policyWaiters;
        this.bell = bell;
        this.itemLogs = itemLogs;
        this.hints = hints;
        this.told = told;
    }

    @Override
    public void ready(UUID accountId, String queue, String kind, int count) {
        marks.again(accountId, queue, kind);
        policyWaiters.wake(accountId, queue, kind);
        created(accountId, queue, kind, count);
    }

    @Override
    public void fits(UUID accountId, String queue, String kind, Requirements requirements) {
        policyWaiters.wake(accountId, queue, kind, requirements);
    }

    @Override
    public void logged(UUID accountId, UUID workId) {
        itemLogs.told(accountId, workId);
    }

    @Override
    public void created(UUID accountId, String queue, String kind, int count) {
        bell.ring(queue);
        var key = new Waiters.Key(accountId, queue, kind);
        waiters.wake(key, count);
        if (hints != null) {
            hints.ready(key, count);
        }
    }

    @Override
    public void happened(UUID accountId, String queue) {
        told.accept(accountId, queue);
        if (hints != null) {
            hints.happened(accountId, queue);
        }
    }
}
