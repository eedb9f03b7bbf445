package io.orchestrion.sdk;

import java.util.Optional;

/// The answer to a claim: a [ClaimedTask], or [NothingToClaim].
///
/// ```java
/// switch (client.claim("hello", "worker-1", Duration.ofSeconds(20))) {
///     case ClaimedTask task -> client.complete(task, "{\"greeting\":\"hello\"}");
///     case NothingToClaim(Duration askAgainAfter) -> Thread.sleep(askAgainAfter);
/// }
/// ```
public sealed interface Claim permits ClaimedTask, NothingToClaim {
    /// The task, if there was one.
    default Optional<ClaimedTask> taken() {
        return this instanceof ClaimedTask claimed ? Optional.of(claimed) : Optional.empty();
    }
}
