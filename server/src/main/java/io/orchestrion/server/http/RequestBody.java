package io.orchestrion.server.http;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;

/// The body of a request, read once and within a bound.
interface RequestBody {
    RequestBody NONE =
            new RequestBody() {
                @Override
                public byte[] read(int maxBytes) {
                    return new byte[0];
                }

                @Override
                public Lines lines(int maxLineBytes, int heldBytes) {
                    return Lines.NONE;
                }

                @Override
                public @Nullable Long length() {
                    return 0L;
                }

                @Override
                public InputStream stream(int heldBytes) {
                    return InputStream.nullInputStream();
                }
            };

    /// All of it; the same bytes when asked again.
    ///
    /// @throws Refusal when it is longer than the bound, there is no room for it, or its framing is
    ///     broken
    byte[] read(int maxBytes);

    /// The same body line by line. A caller uses either this or the whole.
    ///
    /// @param heldBytes how much of it is held at once beside a line
    /// @throws Refusal when there is no room for so much
    Lines lines(int maxLineBytes, int heldBytes);

    /// How long it is; null when that was not sent.
    @Nullable Long length();

    /// The same body part by part, so that its length needs no bound. A caller uses this or one of
    /// the others.
    ///
    /// @param heldBytes how much memory the caller takes beside the part that is read
    /// @throws Refusal when there is no room for so much
    InputStream stream(int heldBytes);
}
