package io.orchestrion.kernel.work;

import java.util.UUID;

/// Told after a commit that work has become claimable.
@FunctionalInterface
public interface WakeSink {
    WakeSink NONE = (_, _, _, _) -> {};

    void ready(UUID accountId, String queue, String kind, int count);
}
