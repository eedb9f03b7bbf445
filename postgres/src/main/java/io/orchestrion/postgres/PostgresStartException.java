package io.orchestrion.postgres;

import org.jspecify.annotations.Nullable;

/// The embedded PostgreSQL could not be started. The message is written for the person who has to
/// act on it: it names the path and the way out, and ends with the server's own last lines where
/// there are any.
public final class PostgresStartException extends Exception {
    private static final long serialVersionUID = 1L;

    /// What stands in the way, for callers that answer differently to each.
    public enum Reason {
        /// Another process owns the data folder.
        LOCKED,
        /// The volume is full, or too full to begin.
        NO_DISK,
        /// A folder cannot be created, entered or written by the user the server runs as.
        NOT_WRITABLE,
        /// No PostgreSQL is bundled for this system, or the system lacks what is needed to run it.
        UNSUPPORTED_PLATFORM,
        /// The data folder was written by another major version.
        WRONG_VERSION,
        /// Anything else; the message carries the server's words.
        FAILED
    }

    private final Reason reason;

    PostgresStartException(Reason reason, String message) {
        this(reason, message, null);
    }

    PostgresStartException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
