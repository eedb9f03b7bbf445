package io.orchestrion.server.http;

/// The body of a request, read once and within a bound.
interface RequestBody {
    RequestBody NONE =
            new RequestBody() {
                @Override
                public byte[] read(int maxBytes) {
                    return new byte[0];
                }

                @Override
                public Lines lines(int maxLineBytes) {
                    return Lines.NONE;
                }
            };

    /// All of it; the same bytes when asked again.
    ///
    /// @throws Refusal when it is longer than the bound or its framing is broken
    byte[] read(int maxBytes);

    /// The same body line by line instead; only one of the two is asked for.
    Lines lines(int maxLineBytes);
}
