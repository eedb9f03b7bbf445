package io.orchestrion.runs.run;

import io.orchestrion.runs.state.RunStatus;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// A run as it is stored.
///
/// @param seq the number of its newest event
/// @param driver the item of its driver; null while nobody is to drive it
public record Run(
        UUID account,
        UUID id,
        int seq,
        RunStatus status,
        Asked asked,
        Bounds bounds,
        State state,
        Times times,
        Note note) {

    /// What changes all the time.
    public record State(Progress progress, Credits credits, @Nullable UUID driver) {}

    public static Run created(UUID account, UUID id, Asked asked, Bounds bounds, long nowMs) {
        return new Run(
                account,
                id,
                1,
                RunStatus.CREATED,
                asked,
                bounds,
                new State(Progress.FIRST, Credits.NONE, null),
                Times.created(nowMs),
                Note.NONE);
    }

    public Progress progress() {
        return state.progress;
    }

    public Counts counts() {
        return state.progress.counts();
    }

    public Credits credits() {
        return state.credits;
    }

    public @Nullable UUID driver() {
        return state.driver;
    }

    public int attempt() {
        return state.progress.attempt();
    }

    /// In another status, which is an event.
    public Run in(RunStatus next) {
        return new Run(account, id, seq + 1, next, asked, bounds, state, times, note);
    }

    /// After an event that changes no status.
    public Run told() {
        return new Run(account, id, seq + 1, status, asked, bounds, state, times, note);
    }

    public Run with(Progress other) {
        return with(new State(other, state.credits, state.driver));
    }

    public Run with(Counts other) {
        return with(state.progress.with(other));
    }

    public Run with(Credits other) {
        return with(new State(state.progress, other, state.driver));
    }

    public Run drivenBy(@Nullable UUID item) {
        return with(new State(state.progress, state.credits, item));
    }

    public Run with(State other) {
        return new Run(account, id, seq, status, asked, bounds, other, times, note);
    }

    public Run with(Times other) {
        return new Run(account, id, seq, status, asked, bounds, state, other, note);
    }

    public Run with(Note other) {
        return new Run(account, id, seq, status, asked, bounds, state, times, other);
    }

    /// At the beginning of the next attempt.
    public Run again(Credits credits) {
        return with(new State(state.progress.next(), credits, null)).with(times.again());
    }
}
