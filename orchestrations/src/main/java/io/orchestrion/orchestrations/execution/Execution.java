package io.orchestrion.orchestrations.execution;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// One execution as its row has it. Times are the database's, in epoch milliseconds.
///
/// @param seq of its newest event
/// @param attemptCount 1, and one more for each manual restart
public record Execution(
        UUID account,
        UUID id,
        DefinitionRef definition,
        ExecutionStatus status,
        int seq,
        Asked asked,
        Times times,
        int attemptCount,
        Ending ending) {

    /// The one version of a definition that it follows.
    public record DefinitionRef(UUID id, int version) {}

    public record Target(String type, String id) {}

    /// The execution whose step started this one.
    ///
    /// @param depth how many such starts lie before the parent itself
    public record Parent(UUID execution, int depth) {}

    /// What its creator said.
    ///
    /// @param input JSON text
    /// @param digest of definition, target and input: the same key with another digest is a
    ///     conflict
    /// @param parent null where no step started it
    public record Asked(
            Target target,
            String input,
            String idempotencyKey,
            String correlationId,
            @Nullable String trace,
            UUID digest,
            @Nullable Parent parent) {}

    /// @param activeMs how long it was running before `runningSinceMs`
    /// @param runningSinceMs null while it is not running
    /// @param timeoutMs how long it may be running in all; null for no such bound
    /// @param timer the open item that looks at that time; null for none
    public record Times(
            long startedMs,
            @Nullable Long completedMs,
            long activeMs,
            @Nullable Long runningSinceMs,
            @Nullable Long timeoutMs,
            @Nullable UUID timer) {

        /// How long it has been running in all.
        long activeAt(long nowMs) {
            return activeMs + (runningSinceMs == null ? 0 : Math.max(0, nowMs - runningSinceMs));
        }

        private Times in(ExecutionStatus to, long nowMs) {
            return new Times(
                    startedMs,
                    to.isTerminal() ? Long.valueOf(nowMs) : null,
                    activeAt(nowMs),
                    to == ExecutionStatus.RUNNING ? Long.valueOf(nowMs) : null,
                    timeoutMs,
                    timer);
        }

        /// With all of its time before it.
        private Times anew() {
            return new Times(startedMs, completedMs, 0, runningSinceMs, timeoutMs, timer);
        }

        private Times with(@Nullable UUID other) {
            return new Times(startedMs, completedMs, activeMs, runningSinceMs, timeoutMs, other);
        }
    }

    /// @param output JSON text of a success
    /// @param error why it failed
    /// @param compensated whether what a failed step had done was undone
    /// @param reviewed whether a person has looked at its failure and closed it
    public record Ending(
            @Nullable String output,
            @Nullable StepError error,
            boolean compensated,
            boolean reviewed) {
        static final Ending NONE = new Ending(null, null, false, false);
    }

    Execution in(ExecutionStatus to, long nowMs) {
        if (!status.mayBecome(to)) {
            throw new IllegalStateException(
                    "execution " + id + " cannot go from " + status + " to " + to);
        }
        return new Execution(
                account,
                id,
                definition,
                to,
                seq + 1,
                asked,
                times.in(to, nowMs),
                attemptCount,
                ending);
    }

    Execution ending(Ending other) {
        return new Execution(
                account, id, definition, status, seq, asked, times, attemptCount, other);
    }

    Execution withTimer(@Nullable UUID timer) {
        return new Execution(
                account,
                id,
                definition,
                status,
                seq,
                asked,
                times.with(timer),
                attemptCount,
                ending);
    }

    /// Once more, after somebody asked for it, and for as long as at first.
    Execution restarted() {
        return new Execution(
                account,
                id,
                definition,
                status,
                seq,
                asked,
                times.anew(),
                attemptCount + 1,
                Ending.NONE);
    }

    /// The same with one more event that is no change of status.
    Execution told() {
        return new Execution(
                account, id, definition, status, seq + 1, asked, times, attemptCount, ending);
    }
}
