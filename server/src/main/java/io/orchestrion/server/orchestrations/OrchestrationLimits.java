package io.orchestrion.server.orchestrations;

import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.limits.RateLimit.Share;

import java.util.List;

/// The rate limits of this door's endpoints.
public final class OrchestrationLimits {
    private OrchestrationLimits() {}

    public static final String START = "orchestration-start";
    public static final String WRITE = "orchestration-write";
    public static final String READ = "orchestration-read";

    public static final List<RateLimit> ALL =
            List.of(
                    RateLimit.byKey(
                            START, "POST " + OrchestrationsDoor.EXECUTIONS, 120, Share.CREATES),
                    RateLimit.byKey(WRITE, "Changing orchestration endpoints", 1200, Share.FIXED),
                    RateLimit.byKey(READ, "Reading orchestration endpoints", 3600, Share.FIXED));
}
