package io.orchestrion.server.tasks;

import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Which errors an endpoint of the door can answer with: those it declares, and those that gates
/// and pipeline give before its handler is asked.
public final class TaskErrors {
    private TaskErrors() {}

    /// In the order of the catalogue of errors.
    public static List<TaskError> of(Endpoint endpoint) {
        Set<TaskError> found =
                EnumSet.of(
                        TaskError.INVALID_REQUEST,
                        TaskError.SERVER_ERROR,
                        TaskError.OVERLOADED,
                        TaskError.INSUFFICIENT_STORAGE);
        for (String code : endpoint.errors()) {
            found.add(named(code));
        }
        if (endpoint.access() == Access.KEY) {
            found.add(TaskError.MISSING_API_KEY);
            found.add(TaskError.INVALID_API_KEY);
        }
        if (!endpoint.scopes().isEmpty()) {
            found.add(TaskError.INSUFFICIENT_SCOPE);
        }
        if (!endpoint.limit().equals(RateLimits.NONE)) {
            found.add(TaskError.RATE_LIMITED);
        }
        // A path that only looks like this one, such as an id with an encoded slash.
        if (!endpoint.pathParameters().isEmpty()) {
            found.add(TaskError.NOT_FOUND);
        }
        return List.copyOf(found);
    }

    private static TaskError named(String code) {
        return Arrays.stream(TaskError.values())
                .filter(error -> error.code().equals(code))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no error is called " + code));
    }
}
