package io.orchestrion.server.jobs;

import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Which errors an endpoint of the door can answer with: those it declares, and those that gates
/// and pipeline give before its handler is asked.
public final class JobsErrors {
    private JobsErrors() {}

    /// In the order of the catalogue of errors.
    public static List<JobsError> of(Endpoint endpoint) {
        Set<JobsError> found =
                EnumSet.of(
                        JobsError.REQUEST_MALFORMED,
                        JobsError.REQUEST_NOT_ACCEPTABLE,
                        JobsError.INTERNAL,
                        JobsError.STORAGE_DB_ERROR,
                        JobsError.STORAGE_UNAVAILABLE,
                        JobsError.REQUEST_OVERLOADED,
                        JobsError.EXEC_TIMEOUT,
                        JobsError.CONFIG_INVALID);
        for (String code : endpoint.errors()) {
            JobsError named = JobsError.coded(code);
            if (named == null) {
                throw new IllegalStateException("no error is called " + code);
            }
            found.add(named);
        }
        if (endpoint.access() == Access.KEY) {
            found.add(JobsError.AUTH_INVALID_CREDENTIALS);
            found.add(JobsError.AUTH_TOKEN_EXPIRED);
            found.add(JobsError.AUTH_API_KEY_DISABLED);
        }
        if (!endpoint.scopes().isEmpty()) {
            found.add(JobsError.AUTH_FORBIDDEN);
        }
        if (!endpoint.limit().equals(RateLimits.NONE)) {
            found.add(JobsError.REQUEST_RATE_LIMITED);
        }
        if (endpoint.request() != null) {
            found.add(JobsError.REQUEST_PAYLOAD_TOO_LARGE);
            found.add(JobsError.REQUEST_UNSUPPORTED_MEDIA_TYPE);
        }
        // A path that only looks like this one, such as an id with an encoded slash.
        if (!endpoint.pathParameters().isEmpty()) {
            found.add(JobsError.REQUEST_NOT_FOUND);
        }
        return List.copyOf(found);
    }
}
