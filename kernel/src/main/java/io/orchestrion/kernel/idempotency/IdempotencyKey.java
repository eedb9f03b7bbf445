package io.orchestrion.kernel.idempotency;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;

/// Says which requests are the same one, and for how long.
///
/// @param surface the door
/// @param scope the owner of the key: an API key, a client, an organisation
/// @param action what is being done, so that one key can serve two actions
/// @param requestHash the request without its key; another hash under the key is a conflict
/// @param life how long the answer is kept
/// @param staleAfter after which time a placeholder without an answer counts as abandoned
public record IdempotencyKey(
        String surface,
        UUID scope,
        String action,
        String key,
        byte[] requestHash,
        Duration life,
        Duration staleAfter) {

    /// Whether both name the same stored answer, even if the requests differ.
    boolean sameSlot(IdempotencyKey other) {
        return surface.equals(other.surface)
                && scope.equals(other.scope)
                && action.equals(other.action)
                && key.equals(other.key);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IdempotencyKey that
                && sameSlot(that)
                && Arrays.equals(requestHash, that.requestHash);
    }

    @Override
    public int hashCode() {
        return Objects.hash(surface, scope, action, key);
    }
}
