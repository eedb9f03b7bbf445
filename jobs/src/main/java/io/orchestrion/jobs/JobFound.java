package io.orchestrion.jobs;

public sealed interface JobFound {
    record Found(Job job) implements JobFound {}

    record NotFound() implements JobFound {}

    /// It is another account's.
    record Foreign() implements JobFound {}
}
