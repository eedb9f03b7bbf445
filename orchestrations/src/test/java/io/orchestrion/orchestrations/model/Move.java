package io.orchestrion.orchestrations.model;

import io.orchestrion.orchestrations.model.Rules.Failure;

import org.jspecify.annotations.Nullable;

/// What somebody does to one execution. Attempts are named, dead letters and approvals numbered in
/// the order in which they came.
sealed interface Move {
    record Pause() implements Move {}

    record Resume() implements Move {}

    record Cancel() implements Move {}

    record Retry(@Nullable String step, boolean confirm) implements Move {}

    record Decide(int approval, boolean approve, boolean other) implements Move {}

    record Complete(String attempt, String result) implements Move {}

    record Fail(String attempt, Failure failure) implements Move {}

    record Beat(String attempt) implements Move {}

    record Reprocess(int letter, boolean confirm) implements Move {}

    record Compensate(int letter) implements Move {}

    record Mark(int letter) implements Move {}

    record Resolve(int letter) implements Move {}

    record Close() implements Move {}
}
