package io.orchestrion.testkit.sample;

import io.orchestrion.kernel.lifecycle.TransitionTable;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.testkit.CallHandler;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/// One errand as its row has it, and what follows from the ends of its items. Pure.
///
/// @param seq of its newest event
record Errand(UUID account, UUID id, Asked asked, State state, int seq, Step step, int attempt) {
    private static final int ATTEMPTS = 3;
    private static final long BACKOFF_MS = 5_000;
    private static final long REST_MS = 60_000;

    /// What another attempt may not meet, beside what a status says.
    private static final Set<String> PASSING =
            Set.of(
                    WorkError.LEASE_EXPIRED.code(),
                    WorkError.GIVEN_BACK.code(),
                    CallHandler.NO_ANSWER);

    /// @param input JSON for the worker and for the call, with the `url` to be called
    record Asked(String input, @Nullable String correlationId) {}

    /// An errand is told of by the state that it got into: `errand.succeeded`.
    enum State {
        RUNNING,
        PAUSED,
        SUCCEEDED,
        FAILED,
        CANCELLED;

        final String word = name().toLowerCase(Locale.ROOT);
    }

    /// In this order, each an item of its profile.
    enum Step {
        WORK(Profiles.STEPS),
        REST(Profiles.TIMERS),
        CALL(Profiles.BUILTIN);

        final Profile profile;
        final String kind = "errand_" + name().toLowerCase(Locale.ROOT);

        Step(Profile profile) {
            this.profile = profile;
        }
    }

    static final TransitionTable<State, State> TABLE =
            TransitionTable.<State, State>empty()
                    .row(State.RUNNING, State.PAUSED, State.PAUSED)
                    .row(State.PAUSED, State.RUNNING, State.RUNNING)
                    .row(State.RUNNING, State.CANCELLED, State.CANCELLED)
                    .row(State.PAUSED, State.CANCELLED, State.CANCELLED)
                    .row(State.RUNNING, State.SUCCEEDED, State.SUCCEEDED)
                    .row(State.PAUSED, State.SUCCEEDED, State.SUCCEEDED)
                    .row(State.RUNNING, State.FAILED, State.FAILED)
                    .row(State.PAUSED, State.FAILED, State.FAILED);

    Errand in(State to) {
        return new Errand(account, id, asked, to, seq + 1, step, attempt);
    }

    /// @param error why its item failed; null where it did not
    Errand after(@Nullable WorkError error) {
        if (error == null) {
            return step == Step.CALL
                    ? in(State.SUCCEEDED)
                    : at(Step.values()[step.ordinal() + 1], 1);
        }
        int status = error.httpStatus() == null ? 0 : error.httpStatus();
        boolean passing = status == 429 || status >= 500 || PASSING.contains(error.code());
        return passing && attempt < ATTEMPTS ? at(step, attempt + 1) : in(State.FAILED);
    }

    private Errand at(Step next, int nth) {
        return new Errand(account, id, asked, state, seq, next, nth);
    }

    /// How long its next item waits.
    long delayMs(@Nullable WorkError error) {
        Integer wanted = error == null ? null : error.retryAfterSeconds();
        long own = step == Step.REST ? REST_MS : (attempt - 1) * BACKOFF_MS;
        return Math.max(own, wanted == null ? 0 : wanted * 1_000L);
    }
}
