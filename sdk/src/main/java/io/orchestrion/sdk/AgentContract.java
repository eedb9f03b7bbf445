package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// What the server says can be done next with the subject of an answer.
///
/// ```java
/// Task task = client.get(id);
/// task.contract().recommended().ifPresent(next -> System.out.println(next.action()));
/// ```
///
/// @param retryable whether the same request may be sent again
/// @param nextActions everything that can be done next
/// @param leaseExpiresInSeconds of an answer about a claimed task: the rest of its lease; 0 once it
///     has run out
/// @param heartbeatSeconds how often the server wants a heartbeat from the holder
public record AgentContract(
        boolean retryable,
        List<NextAction> nextActions,
        @Nullable Long leaseExpiresInSeconds,
        @Nullable Long heartbeatSeconds) {
    public AgentContract {
        nextActions = List.copyOf(nextActions);
    }

    /// The action to choose when in doubt.
    public Optional<NextAction> recommended() {
        return recommended(nextActions);
    }

    static Optional<NextAction> recommended(List<NextAction> actions) {
        return actions.stream().filter(NextAction::recommended).findFirst();
    }

    /// How long to wait before the same request, where the server names a time.
    Optional<Long> retryAfterSeconds() {
        return nextActions.stream()
                .map(NextAction::retryAfterSeconds)
                .filter(Objects::nonNull)
                .findFirst();
    }
}
