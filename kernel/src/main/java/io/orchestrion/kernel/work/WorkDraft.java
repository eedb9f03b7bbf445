package io.orchestrion.kernel.work;

import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.kernel.work.WorkItem.Settled;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// A work item being changed: what stays is not a field here. Only the decider and the submitter
/// make one.
final class WorkDraft {
    private final WorkItem from;
    WorkState state;
    @Nullable WaitReason waitReason;
    @Nullable Long runAtMs;
    int attempt;
    int retries;
    int leaseSeconds;
    long leaseNumber;
    @Nullable UUID leaseToken;
    @Nullable Long leaseUntilMs;
    @Nullable String holder;
    @Nullable Long deadlineMs;
    StopRequest stop;
    long updatedMs;
    @Nullable Long claimedMs;
    @Nullable Long heartbeatMs;
    @Nullable Long finishedMs;
    @Nullable Long failedMs;
    @Nullable String failure;
    int eventSeq;
    long eventMs;
    @Nullable Long purgeAfterMs;
    boolean hasDependents;
    @Nullable Settled settled;
    @Nullable Long giveUpMs;
    TimeInState stay;

    WorkDraft(WorkItem from) {
        this.from = from;
        state = from.state();
        waitReason = from.waitReason();
        runAtMs = from.runAtMs();
        attempt = from.attempt();
        retries = from.retries();
        leaseSeconds = from.leaseSeconds();
        leaseNumber = from.leaseNumber();
        leaseToken = from.leaseToken();
        leaseUntilMs = from.leaseUntilMs();
        holder = from.holder();
        deadlineMs = from.deadlineMs();
        stop = from.stop();
        updatedMs = from.updatedMs();
        claimedMs = from.claimedMs();
        heartbeatMs = from.heartbeatMs();
        finishedMs = from.finishedMs();
        failedMs = from.failedMs();
        failure = from.failure();
        eventSeq = from.eventSeq();
        eventMs = from.eventMs();
        purgeAfterMs = from.purgeAfterMs();
        hasDependents = from.hasDependents();
        settled = from.settled();
        giveUpMs = from.giveUpMs();
        stay = from.stay();
    }

    WorkItem build() {
        OwnerRef owner = from.owner();
        return new WorkItem(
                from.accountId(),
                from.id(),
                from.profile(),
                from.queue(),
                from.kind(),
                state,
                waitReason,
                from.priority(),
                runAtMs,
                attempt,
                from.maxAttempts(),
                retries,
                leaseSeconds,
                leaseNumber,
                leaseToken,
                leaseUntilMs,
                holder,
                from.timeoutMs(),
                deadlineMs,
                stop,
                owner,
                from.createdMs(),
                updatedMs,
                claimedMs,
                heartbeatMs,
                finishedMs,
                failedMs,
                failure,
                eventSeq,
                eventMs,
                purgeAfterMs,
                from.keys(),
                from.ifParentFails(),
                hasDependents,
                settled,
                from.trace(),
                from.correlationId(),
                giveUpMs,
                stay);
    }
}
