package io.orchestrion.jobs.runner;

import io.orchestrion.jobs.Assigned;
import io.orchestrion.jobs.JobState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// Somebody who watches a runner, such as a person at a terminal. Called on the runner's threads.
public interface RunnerListener {
    RunnerListener NONE = new RunnerListener() {};

    default void started(Assigned job) {}

    /// @param state that the job was left in; null when it was not this runner's any more
    /// @param why it did not succeed, or why it was let go; empty when it succeeded
    default void ended(Assigned job, @Nullable JobState state, String why, Duration took) {}

    /// The database cannot be reached, or can be again.
    default void trouble(String what) {}
}
