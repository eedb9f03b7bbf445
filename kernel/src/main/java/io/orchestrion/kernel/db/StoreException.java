package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;

/// The store could not do what was asked. The kind says what the caller may conclude about the
/// write.
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// What is known about the write that was asked for.
    public enum Kind {
        /// No connection, or it broke before the commit was sent: nothing was written.
        UNAVAILABLE,
        /// The connection broke while the commit was under way: it may or may not be there.
        OUTCOME_UNKNOWN,
        /// A deadlock or serialization failure: nothing was written, the same again may pass.
        CONFLICT,
        /// A lock was not had in time: nothing was written.
        LOCKED,
        /// The statement ran into its time limit: nothing was written. Never repeated by
        /// itself: under load that is how a slow database becomes a dead one.
        TIMED_OUT,
        /// The disk is full, or nearly: nothing was written.
        NO_ROOM,
        /// Too much is under way already: nothing was tried.
        OVERLOADED,
        /// The database refused the data itself: nothing was written.
        REJECTED
    }

    private final Kind kind;
    private final String sqlState;

    public StoreException(Kind kind, String message, @Nullable Throwable cause, String sqlState) {
        super(message, cause);
        this.kind = kind;
        this.sqlState = sqlState;
    }

    public StoreException(Kind kind, String message) {
        this(kind, message, null, "");
    }

    public Kind kind() {
        return kind;
    }

    /// Whether the failure is about the store as a whole, so that the next request would fail in
    /// the same way.
    public static boolean ofWholeStore(Throwable failure) {
        return failure instanceof StoreException store
                && switch (store.kind) {
                    case UNAVAILABLE, OUTCOME_UNKNOWN, NO_ROOM, OVERLOADED -> true;
                    case CONFLICT, LOCKED, TIMED_OUT, REJECTED -> false;
                };
    }

    /// The SQLSTATE, or empty where the database gave none.
    public String sqlState() {
        return sqlState;
    }
}
