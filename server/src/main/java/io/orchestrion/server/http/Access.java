package io.orchestrion.server.http;

/// Who may call an endpoint.
public enum Access {
    /// Anyone.
    PUBLIC,
    /// Only a caller with a key.
    KEY
}
