package io.orchestrion.server.http;

/// The body of a request, read once and within a bound.
interface RequestBody {
    RequestBody NONE = maxBytes -> new byte[0];

    /// All of it; the same bytes when asked again.
    ///
    /// @throws Refusal when it is longer than the bound or its framing is broken
    byte[] read(int maxBytes);
}
