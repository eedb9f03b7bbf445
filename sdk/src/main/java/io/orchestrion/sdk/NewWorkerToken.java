package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A worker token to create. Each method returns a changed copy. What is not set is not restricted.
///
/// ```java
/// client.workerTokens().create(
///         NewWorkerToken.of("executor-01").withTypes(List.of("codex_exec")));
/// ```
///
/// @param workerId the worker's name, to which the token is bound
/// @param repositories whole names, or `owner/*`; null for all
/// @param types types of jobs; null for all
public record NewWorkerToken(
        String workerId,
        @Nullable String description,
        @Nullable List<String> repositories,
        @Nullable List<String> types,
        @Nullable List<String> capabilities,
        @Nullable Integer expiresInDays) {

    /// A token for the worker of this name, without restrictions.
    public static NewWorkerToken of(String workerId) {
        return new NewWorkerToken(workerId, null, null, null, null, null);
    }

    public NewWorkerToken withDescription(String description) {
        return new NewWorkerToken(
                workerId, description, repositories, types, capabilities, expiresInDays);
    }

    /// Whole names, or `owner/*`.
    public NewWorkerToken withRepositories(List<String> repositories) {
        return new NewWorkerToken(
                workerId,
                description,
                List.copyOf(repositories),
                types,
                capabilities,
                expiresInDays);
    }

    public NewWorkerToken withTypes(List<String> types) {
        return new NewWorkerToken(
                workerId,
                description,
                repositories,
                List.copyOf(types),
                capabilities,
                expiresInDays);
    }

    public NewWorkerToken withCapabilities(List<String> capabilities) {
        return new NewWorkerToken(
                workerId,
                description,
                repositories,
                types,
                List.copyOf(capabilities),
                expiresInDays);
    }

    public NewWorkerToken expiringInDays(int days) {
        return new NewWorkerToken(workerId, description, repositories, types, capabilities, days);
    }
}
