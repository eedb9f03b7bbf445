package io.orchestrion.server.runs.tuning;

/// The most that a run may ask for, whatever a server's settings say of those that ask for nothing.
public final class RunBounds {
    private RunBounds() {}

    public static final int ATTEMPTS = 20;
    public static final int AGENTS = 100;
    public static final int REPLANS = 100;
    public static final int TOKENS = 1_000_000_000;

    /// Tasks of an agent, and steps of a task.
    public static final int AT_ONCE = 100;
}
