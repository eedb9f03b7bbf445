package io.orchestrion.server.contract;

/// What can go wrong at every endpoint of a door. Each door says which error of its own that is.
public enum CommonError {
    MISSING_KEY,
    INVALID_KEY,
    INSUFFICIENT_SCOPE,
    INVALID_REQUEST,
    NOT_FOUND,
    METHOD_NOT_ALLOWED,
    RATE_LIMITED,
    OVERLOADED,
    INSUFFICIENT_STORAGE,

    /// A failure of the server. Its last status is that of a store that cannot be reached.
    SERVER_ERROR
}
