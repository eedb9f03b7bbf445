package io.orchestrion.jobs.runner;

/// Simulated work has come to the end of the time that it may run, by its own scaled clock.
final class TimeOver extends Exception {
    private static final long serialVersionUID = 1;
}
