package io.orchestrion.server.door;

import io.orchestrion.kernel.db.StoreException;

/// What a failure of the store means to whoever asked, whichever door was used.
public enum StoreTrouble {
    OVERLOADED("Too much is under way at the moment; nothing was done."),
    OUTCOME_UNKNOWN(
            "The connection to the store broke while this was being written: it may or may not have"
                    + " been done. Check before sending it again, or send it again with the same"
                    + " idempotency key."),
    UNAVAILABLE("The store cannot be reached; nothing was done."),
    NO_ROOM("The store has no room left; nothing was done."),
    /// Also whatever is no failure of the store at all.
    INTERNAL("Something went wrong on the server; it is logged under the request id.");

    private final String message;

    StoreTrouble(String message) {
        this.message = message;
    }

    /// For the caller: it says whether something was done.
    public String message() {
        return message;
    }

    public static StoreTrouble of(Throwable failure) {
        if (!(failure instanceof StoreException store)) {
            return INTERNAL;
        }
        return switch (store.kind()) {
            case OVERLOADED -> OVERLOADED;
            case OUTCOME_UNKNOWN -> OUTCOME_UNKNOWN;
            case UNAVAILABLE -> UNAVAILABLE;
            case NO_ROOM -> NO_ROOM;
            case CONFLICT, LOCKED, TIMED_OUT, REJECTED -> INTERNAL;
        };
    }

    /// Whether it is of a kind that will happen, so that a line in the log is enough.
    public static boolean expected(Throwable failure) {
        return failure instanceof StoreException store
                && store.kind() != StoreException.Kind.REJECTED;
    }
}
