package io.orchestrion.server.runs;

import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.limits.RateLimit.Share;

import java.time.Duration;
import java.util.List;

/// The rate limits of this door's endpoints.
public final class RunLimits {
    private RunLimits() {}

    public static final String CREATE = "run-create";
    public static final String WRITE = "run-write";
    public static final String READ = "run-read";

    /// Of workers, for what their steps write: ten pieces a second.
    public static final String OUTPUT = "run-output";

    /// Of those who were given a signed address and have no key.
    public static final String SHARED = "run-shared";

    public static final List<RateLimit> ALL =
            List.of(
                    RateLimit.byKey(CREATE, "POST " + RunsDoor.RUNS, 120, Share.CREATES),
                    RateLimit.byKey(WRITE, "Changing run endpoints", 1200, Share.FIXED),
                    RateLimit.byKey(READ, "Reading run endpoints", 3600, Share.FIXED),
                    RateLimit.byKey(OUTPUT, "Output of steps", 36_000, Share.FIXED),
                    RateLimit.byAddress(
                            SHARED, "Signed addresses of artifacts", 600, Duration.ofMinutes(1)));
}
