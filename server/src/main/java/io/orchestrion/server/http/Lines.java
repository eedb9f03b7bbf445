package io.orchestrion.server.http;

import org.jspecify.annotations.Nullable;

/// A request body read line by line, so that its length needs no bound.
@FunctionalInterface
public interface Lines {
    Lines NONE = () -> null;

    /// The next line without its end (`\n` or `\r\n`), null after the last. The last line need not
    /// have an end.
    ///
    /// A line that is too long or a body that is broken ends the call with the door's refusal; one
    /// that takes longer than the body time ends the connection.
    byte @Nullable [] next();
}
