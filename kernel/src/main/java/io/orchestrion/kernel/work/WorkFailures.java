package io.orchestrion.kernel.work;

/// The sentences for failures that the kernel itself finds.
public final class WorkFailures {
    private WorkFailures() {}

    public static final String LEASE_EXPIRED =
            "lease expired: the holder sent no heartbeat in time";
    public static final String GAVE_UP = "given up: it was not done by the time that it was given";
    public static final String TIMED_OUT = "timed out: the attempt ran longer than it may";
    public static final String NO_REASON = "failed without a reason";
    public static final String GIVEN_BACK = "given back: the holder stopped before it was done";
}
