package io.orchestrion.kernel.lanes;

import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.combine.Gate;
import io.orchestrion.kernel.combine.OfAccount;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.itemlog.Appended;
import io.orchestrion.kernel.itemlog.LogLine;
import io.orchestrion.kernel.memory.DocumentRoom;
import io.orchestrion.kernel.policy.PolicyWaiters;
import io.orchestrion.kernel.verbs.WorkBatches;
import io.orchestrion.kernel.wake.Waiters;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.kernel.work.PolicyClaim;
import io.orchestrion.kernel.work.Profiles;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

/// The lanes of workers that claim by policy and write logs.
final class PolicyWorkerLanes implements AutoCloseable {
    private static final String QUEUE = Profiles.QUEUE.queue();

    private record Wish(UUID accountId, PolicyClaim claim) implements OfAccount {}

    private final Database database;
    private final PolicyWaiters waiters;
    private final DocumentRoom room;
    private final Combiner<Wish, Claimed> claims;
    private final Combiner<LogLine, Appended> lines;
    private volatile boolean claimsClosed;

    PolicyWorkerLanes(
            Database database,
            WorkBatches batches,
            PolicyWaiters waiters,
            DocumentRoom room,
            Gate gate,
            Work.Options options) {
        this.database = database;
        this.waiters = waiters;
        this.room = room;
        this.claims =
                new Combiner<>(
                        Work.lane("claim-policy", 1, options),
                        database,
                        (tx, wishes) ->
                                batches.claimByPolicy(
                                        tx, QUEUE, wishes, Wish::accountId, Wish::claim),
                        gate);
        // A lane of its own, because a worker that writes many lines must not delay heartbeats.
        this.lines = new Combiner<>(Work.lane("log", 1, options), database, batches::append);
    }

    Claimed claim(UUID account, PolicyClaim claim) {
        if (claimsClosed) {
            throw Work.stopping();
        }
        database.checkRoom();
        return room.reading(
                claim.count(),
                DocumentLengths.most(QUEUE),
                () -> claims.call(new Wish(account, claim)),
                claimed -> DocumentLengths.of(claimed.items()));
    }

    /// Looks whenever an item came that fits, and once a second in any case.
    Claimed claim(UUID account, Supplier<PolicyClaim> claim, Duration wait) {
        PolicyClaim first = claim.get();
        if (wait.isZero()) {
            return claim(account, first);
        }
        long deadline = Waiters.deadlineAfter(wait.toMillis());
        try (var waiter = waiters.enlist(account, QUEUE, first.policy())) {
            Claimed claimed = claim(account, first);
            while (claimed.items().isEmpty() && Waiters.nanosUntil(deadline) > 0) {
                waiter.await(Waiters.nanosUntil(deadline));
                PolicyClaim now = claim.get();
                waiter.heldTo(now.policy());
                claimed = claim(account, now);
            }
            return claimed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "interrupted", e, "");
        }
    }

    Appended append(LogLine line) {
        database.checkRoom();
        return lines.call(line);
    }

    /// From now on nobody is handed work.
    void closeClaims() {
        claimsClosed = true;
        waiters.wakeAll();
    }

    @Override
    public void close() {
        claims.close();
        lines.close();
    }
}
