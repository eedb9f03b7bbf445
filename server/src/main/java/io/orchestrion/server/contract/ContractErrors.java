package io.orchestrion.server.contract;

import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.door.StoreTrouble;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The catalogue of errors of one door, and which of them stands for what can go wrong at every
/// door: keys, scopes, limits, paths, the store.
///
/// @param <E> the door's errors
public abstract class ContractErrors<E extends DoorError> {
    /// Every error, in the order of the documents.
    public abstract List<E> all();

    /// The door's own error for it.
    public abstract E of(CommonError common);

    /// What a caller can do next after an error.
    ///
    /// @param method with `path`, the request that was refused
    public abstract AgentContract guidance(E error, String method, String path);

    public final E of(StoreTrouble trouble) {
        return switch (trouble) {
            case OVERLOADED, BUSY -> of(CommonError.OVERLOADED);
            case NO_ROOM -> of(CommonError.INSUFFICIENT_STORAGE);
            case OUTCOME_UNKNOWN, UNAVAILABLE, INTERNAL -> of(CommonError.SERVER_ERROR);
        };
    }

    /// The errors that an endpoint can answer with: those that it declares, and those that the
    /// gates and the pipeline give before its handler is called.
    public final List<E> of(Endpoint endpoint) {
        Set<E> found = new HashSet<>();
        found.add(of(CommonError.INVALID_REQUEST));
        found.add(of(CommonError.SERVER_ERROR));
        found.add(of(CommonError.OVERLOADED));
        found.add(of(CommonError.INSUFFICIENT_STORAGE));
        endpoint.errors().forEach(code -> found.add(named(code)));
        if (endpoint.access() == Access.KEY) {
            found.add(of(CommonError.MISSING_KEY));
            found.add(of(CommonError.INVALID_KEY));
        }
        if (!endpoint.scopes().isEmpty()) {
            found.add(of(CommonError.INSUFFICIENT_SCOPE));
        }
        if (!endpoint.limit().equals(RateLimits.NONE)) {
            found.add(of(CommonError.RATE_LIMITED));
        }
        // A path that only looks like this one, such as an id with an encoded slash.
        if (!endpoint.pathParameters().isEmpty()) {
            found.add(of(CommonError.NOT_FOUND));
        }
        return all().stream().filter(found::contains).toList();
    }

    private E named(String code) {
        return all().stream()
                .filter(error -> error.code().equals(code))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no error is called " + code));
    }
}
