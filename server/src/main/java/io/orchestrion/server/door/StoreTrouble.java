package io.orchestrion.server.door;

import io.orchestrion.kernel.db.StoreException;

/// What a failure of the store means to the caller, at every door.
public enum StoreTrouble {
    OVERLOADED("Too much is under way at the moment; nothing was done."),
    /// Something else held what was needed, or the store was slow.
    BUSY("The store could not do this in time; nothing was done."),
    OUTCOME_UNKNOWN(
            "The connection to the store broke while this was being written: it may or may not have"
                    + " been done. Check before sending it again, or send it again with the same"
                    + " idempotency key."),
    UNAVAILABLE("The store cannot be reached; nothing was done."),
    NO_ROOM(
            "The store's disk is full, so no new work is taken; nothing was done. Whoever holds"
                + " work can go on. The operator has to free room on the disk of the database; new"
                + " work is taken again by itself then."),
    /// Also any failure that is not the store's.
    INTERNAL("Something went wrong on the server; it is logged under the request id.");

    private final String message;

    StoreTrouble(String message) {
        this.message = message;
    }

    /// The message for the caller, which says whether something was done.
    public String message() {
        return message;
    }

    /// When to retry. A full disk needs a person, which takes a while.
    public int waitSeconds() {
        return this == NO_ROOM ? 30 : 1;
    }

    public static StoreTrouble of(Throwable failure) {
        if (!(failure instanceof StoreException store)) {
            return INTERNAL;
        }
        return switch (store.kind()) {
            case OVERLOADED -> OVERLOADED;
            case CONFLICT, LOCKED, TIMED_OUT -> BUSY;
            case OUTCOME_UNKNOWN -> OUTCOME_UNKNOWN;
            case UNAVAILABLE -> UNAVAILABLE;
            case NO_ROOM -> NO_ROOM;
            case REJECTED -> INTERNAL;
        };
    }

    /// Whether such failures are part of operation. The store itself logs how it fares, so that
    /// nothing is logged for each request.
    public static boolean expected(Throwable failure) {
        return of(failure) != INTERNAL;
    }
}
