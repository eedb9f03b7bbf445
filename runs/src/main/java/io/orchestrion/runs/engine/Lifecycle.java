package io.orchestrion.runs.engine;

import io.orchestrion.runs.run.RecordSql;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.Timeouts;
import io.orchestrion.runs.run.Times;
import io.orchestrion.runs.run.Transition;
import io.orchestrion.runs.state.RunStatus;

import org.jspecify.annotations.Nullable;

/// The one way in which a run changes its status: with its clocks, a transition and an event.
final class Lifecycle {
    private Lifecycle() {}

    /// The first status of a run that is being made.
    static void created(Turn turn, Requester by) {
        Run run = turn.run();
        RecordSql.add(
                turn.tx(),
                run.account(),
                new Transition(
                        run.id(),
                        1,
                        run.attempt(),
                        null,
                        run.status(),
                        by.word(),
                        null,
                        turn.nowMs()));
        turn.tell(Subjects.of(null, run, null, by, null));
    }

    /// @throws IllegalStateException if the table of statuses does not have it
    static Run change(Turn turn, RunStatus to, Requester by, @Nullable String reason) {
        Run before = turn.run();
        if (!before.status().mayBecome(to)) {
            throw new IllegalStateException(
                    "run " + before.id() + " cannot go from " + before.status() + " to " + to);
        }
        long now = turn.nowMs();
        Times halted =
                before.status() == RunStatus.RUNNING ? before.times().halted(now) : before.times();
        Run next = before.in(to).with(timesIn(to, halted, before.bounds().timeouts(), now));
        RecordSql.add(
                turn.tx(),
                before.account(),
                new Transition(
                        before.id(),
                        0,
                        before.attempt(),
                        before.status(),
                        to,
                        by.word(),
                        reason,
                        now));
        turn.tell(Subjects.of(before.status(), next, null, by, reason));
        return turn.change(next);
    }

    private static Times timesIn(RunStatus to, Times times, Timeouts timeouts, long now) {
        return switch (to) {
            case CREATED -> times;
            case PENDING ->
                    (times.startedMs() == null ? times.started(now) : times)
                            .endingBy(now + timeouts.pendingMs());
            case RUNNING ->
                    times.running(now)
                            .endingBy(now + Math.max(1, timeouts.runningMs() - times.activeMs()));
            case PAUSED -> times.endingBy(now + timeouts.pausedMs());
            case RESUMING -> times.endingBy(now + timeouts.resumingMs());
            case RETRYING -> times.endingBy(now + timeouts.retryingMs());
            case COMPLETED, FAILED, SKIPPED ->
                    times.ended(new Times.Ends(now, null, lasted(times, now), null));
            case CANCELLED -> times.ended(new Times.Ends(null, now, lasted(times, now), null));
        };
    }

    private static long lasted(Times times, long now) {
        return times.startedMs() == null ? 0 : Math.max(0, now - times.startedMs());
    }
}
