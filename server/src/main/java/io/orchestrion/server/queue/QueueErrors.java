package io.orchestrion.server.queue;

import io.orchestrion.server.http.Endpoint;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Which errors an endpoint of the door can answer with: those it declares, and those that gates
/// and pipeline give before its handler is asked.
public final class QueueErrors {
    private QueueErrors() {}

    /// In the order of the catalogue of errors.
    public static List<QueueError> of(Endpoint endpoint) {
        Set<QueueError> found =
                EnumSet.of(
                        QueueError.INVALID_REQUEST,
                        QueueError.AMBIGUOUS_CREDENTIALS,
                        QueueError.NO_CREDENTIAL,
                        QueueError.INVALID_CREDENTIAL,
                        QueueError.INSUFFICIENT_SCOPE,
                        QueueError.RATE_LIMITED,
                        QueueError.SERVER_ERROR,
                        QueueError.OUTCOME_UNKNOWN,
                        QueueError.ISSUER_UNAVAILABLE,
                        QueueError.OVERLOADED,
                        QueueError.UNAVAILABLE,
                        QueueError.INSUFFICIENT_STORAGE);
        for (String code : endpoint.errors()) {
            found.add(named(code));
        }
        if (endpoint.request() != null) {
            found.add(QueueError.BODY_TOO_LARGE);
            found.add(QueueError.UNSUPPORTED_MEDIA_TYPE);
        }
        if (QueueEndpoints.forWorkers(endpoint)) {
            found.add(QueueError.WRONG_WORKER);
        }
        // A path that only looks like this one, such as an id with an encoded slash.
        if (!endpoint.pathParameters().isEmpty()) {
            found.add(QueueError.NOT_FOUND);
        }
        return List.copyOf(found);
    }

    private static QueueError named(String code) {
        return Arrays.stream(QueueError.values())
                .filter(error -> error.code().equals(code))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no error is called " + code));
    }
}
