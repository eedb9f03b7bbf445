package io.orchestrion.server.webhooks;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.UUID;

/// The target of deliveries: a webhook that was registered, or a server that callbacks lead to.
///
/// @param fromPosition events up to this position came before it, and are not sent
/// @param failures tries in a row that failed
/// @param opened how often in a row the circuit was opened
/// @param openUntilMs null while the circuit is closed; in the past, the next try is a probe
public record Receiver(
        UUID accountId,
        UUID id,
        boolean callback,
        String url,
        List<String> events,
        String description,
        State state,
        @Nullable String reason,
        long fromPosition,
        long createdMs,
        long updatedMs,
        int failures,
        @Nullable Long failingSinceMs,
        int opened,
        @Nullable Long openUntilMs,
        @Nullable Long lastSuccessMs,
        @Nullable String lastFailure) {

    public enum State {
        ACTIVE,
        PAUSED,
        DELETED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static State of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    /// Whether tries go through.
    public enum Circuit {
        CLOSED,
        OPEN,
        HALF_OPEN;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Circuit circuit(long nowMs) {
        if (openUntilMs == null) {
            return Circuit.CLOSED;
        }
        return openUntilMs > nowMs ? Circuit.OPEN : Circuit.HALF_OPEN;
    }

    /// The kind of its items of work.
    String kind() {
        return id.toString();
    }
}
