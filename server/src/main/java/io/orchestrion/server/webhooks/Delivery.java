package io.orchestrion.server.webhooks;

import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/// One event for one receiver, as it is shown.
///
/// @param subject the item that the event is of
/// @param nextMs when it is tried next; null when it is not, or is now
public record Delivery(
        UUID id,
        UUID receiver,
        boolean callback,
        long place,
        String queue,
        UUID subject,
        UUID eventId,
        String eventName,
        String url,
        @Nullable UUID redeliveryOf,
        long createdMs,
        State state,
        int attempt,
        int maxAttempts,
        @Nullable Long nextMs,
        @Nullable Long finishedMs,
        @Nullable String failure,
        List<Attempt> attempts) {

    public enum State {
        PENDING(EnumSet.of(WorkState.WAITING, WorkState.READY, WorkState.LEASED)),
        DELIVERING(EnumSet.of(WorkState.RUNNING)),
        DELIVERED(EnumSet.of(WorkState.SUCCEEDED)),
        FAILED(EnumSet.of(WorkState.FAILED, WorkState.DEAD)),
        CANCELED(EnumSet.of(WorkState.CANCELLED));

        public static final List<String> WORDS = Arrays.stream(values()).map(State::word).toList();

        private final Set<WorkState> states;

        State(Set<WorkState> states) {
            this.states = states;
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        List<String> stored() {
            return states.stream().map(WorkState::word).toList();
        }

        public static State of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }

        static State of(WorkState state) {
            for (State each : values()) {
                if (each.states.contains(state)) {
                    return each;
                }
            }
            throw new IllegalStateException("no state for " + state);
        }
    }

    /// One try. Without a duration it is under way, or was cut off with its server.
    public record Attempt(
            UUID delivery,
            long number,
            long startedMs,
            @Nullable Long durationMs,
            @Nullable Integer status,
            @Nullable String error,
            @Nullable String detail,
            @Nullable String answer,
            @Nullable Long nextMs) {}

    Delivery with(List<Attempt> tries) {
        return new Delivery(
                id,
                receiver,
                callback,
                place,
                queue,
                subject,
                eventId,
                eventName,
                url,
                redeliveryOf,
                createdMs,
                state,
                attempt,
                maxAttempts,
                nextMs,
                finishedMs,
                failure,
                tries);
    }
}
