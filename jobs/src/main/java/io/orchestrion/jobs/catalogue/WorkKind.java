package io.orchestrion.jobs.catalogue;

import org.jspecify.annotations.Nullable;

/// The catalogue of simulated work, a row each as it was published: how long, whether it fails, how
/// much it produces, and how it must end. What a row does while it lasts is its [Load].
public enum WorkKind {
    SUCCESS_FAST(1_000, false, 4, Expected.SUCCEEDED),
    SUCCESS_NORMAL(10_000, false, 16, Expected.SUCCEEDED),
    SUCCESS_SLOW(90_000, false, 32, Expected.SUCCEEDED),
    FAIL_IMMEDIATE(500, true, 1, Expected.FAILED),
    FAIL_AFTER_PROGRESS(20_000, true, 8, Expected.FAILED),
    FAIL_AFTER_RETRYABLE(5_000, true, 8, Expected.FAILED_RETRYABLE),
    RUNS_LONG(110_000, false, 32, Expected.SUCCEEDED),
    /// Its duration is one second more than a job may run, whatever that is set to.
    RUNS_OVER_TIMEOUT(WorkKind.OVER_THE_LIMIT, true, 8, Expected.TIMED_OUT),
    CPU_BURST(8_000, false, 4, Expected.SUCCEEDED, Load.CPU),
    MEMORY_SPIKE(12_000, false, 64, Expected.SUCCEEDED, Load.MEMORY),
    IO_HEAVY(15_000, false, 32, Expected.SUCCEEDED, Load.DISK),
    MANY_SMALL_OUTPUTS(9_000, false, 16, Expected.SUCCEEDED, Load.SMALL_PIECES),
    LARGE_OUTPUT(9_000, false, 256, Expected.SUCCEEDED),
    CANCEL_BEFORE_START(5_000, false, 4, Expected.CANCELED_BEFORE_START),
    CANCEL_DURING_RUN(10_000, false, 4, Expected.CANCELED_DURING_RUN),
    RETRY_ON_FAIL(3_000, true, 4, Expected.FAILED_THEN_SUCCEEDED),
    RETRY_LIMIT_REACHED(3_000, true, 4, Expected.FAILED_ON_EVERY_ATTEMPT),
    DUPLICATE_SUBMIT_SAME_KEY(2_000, false, 4, Expected.ONE_JOB_SUCCEEDED),
    DUPLICATE_SUBMIT_DIFFERENT_KEY(2_000, false, 4, Expected.TWO_JOBS_SUCCEEDED),
    WEBHOOK_SUCCESS(2_000, false, 4, Expected.SUCCEEDED_AND_DELIVERED),
    WEBHOOK_TIMEOUT(2_000, false, 4, Expected.SUCCEEDED_WITH_RETRIED_DELIVERY),
    WEBHOOK_5XX(2_000, false, 4, Expected.SUCCEEDED_WITH_RETRIED_DELIVERY),
    WEBHOOK_RETRIES_EXHAUSTED(2_000, false, 4, Expected.SUCCEEDED_WITH_FAILED_DELIVERY),
    WEBHOOK_SLOW_RECEIVER(2_000, false, 4, Expected.SUCCEEDED_AND_DELIVERED_LATE),
    SCHEDULED_ON_TIME(2_000, false, 4, Expected.SUCCEEDED_ON_TIME),
    SCHEDULED_LATE_RECOVERY(2_000, false, 4, Expected.SUCCEEDED_AFTER_DOWNTIME),
    SCHEDULED_FAR_FUTURE(2_000, false, 4, Expected.WAITS_THEN_SUCCEEDED),
    PAYLOAD_SMALL(2_000, false, 1, Expected.SUCCEEDED),
    PAYLOAD_MEDIUM(2_000, false, 16, Expected.SUCCEEDED),
    PAYLOAD_LARGE(2_000, false, 256, Expected.SUCCEEDED),
    PAYLOAD_INVALID(0, false, 0, Expected.REJECTED);

    private static final long OVER_THE_LIMIT = -1;
    private static final long OVER_BY_MS = 1_000;
    private static final int KIB = 1024;

    private final long durationMs;
    private final boolean shouldFail;
    private final int payloadKib;
    private final Expected expected;
    private final Load load;

    WorkKind(long durationMs, boolean shouldFail, int payloadKib, Expected expected) {
        this(durationMs, shouldFail, payloadKib, expected, Load.WAIT);
    }

    WorkKind(long durationMs, boolean shouldFail, int payloadKib, Expected expected, Load load) {
        this.durationMs = durationMs;
        this.shouldFail = shouldFail;
        this.payloadKib = payloadKib;
        this.expected = expected;
        this.load = load;
    }

    /// The kind of this name, exactly as it is written; null when there is none.
    public static @Nullable WorkKind named(String name) {
        for (WorkKind kind : values()) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        return null;
    }

    /// @param maxRuntimeMs how long a job may run, which one kind goes beyond
    public long durationMs(long maxRuntimeMs) {
        return durationMs == OVER_THE_LIMIT ? maxRuntimeMs + OVER_BY_MS : durationMs;
    }

    public boolean shouldFail() {
        return shouldFail;
    }

    public int payloadSizeBytes() {
        return payloadKib * KIB;
    }

    public Expected expected() {
        return expected;
    }

    public Load load() {
        return load;
    }

    /// Whether a job of this kind is turned away when it is submitted.
    public boolean refused() {
        return expected == Expected.REJECTED;
    }

    /// Whether this attempt ends badly by itself.
    public boolean failsOn(int attempt) {
        return shouldFail && (this != RETRY_ON_FAIL || attempt == 1);
    }

    /// Whether a failure of this kind is one that trying again may help against.
    public boolean retryable() {
        return this == FAIL_AFTER_RETRYABLE || this == RETRY_ON_FAIL;
    }
}
