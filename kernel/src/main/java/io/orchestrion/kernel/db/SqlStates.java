package io.orchestrion.kernel.db;

import io.orchestrion.kernel.db.StoreException.Kind;

import java.sql.SQLException;

/// The meaning of each SQLSTATE for us. This is the only such list.
final class SqlStates {
    private SqlStates() {}

    static StoreException translate(SQLException e, boolean committing) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        return new StoreException(
                kind(state, committing), String.valueOf(e.getMessage()), e, state);
    }

    private static Kind kind(String state, boolean committing) {
        boolean connectionGone =
                state.startsWith("08") || state.startsWith("57P") || state.isEmpty();
        if (connectionGone) {
            return committing ? Kind.OUTCOME_UNKNOWN : Kind.UNAVAILABLE;
        }
        // Errors of the system below the database, such as I/O errors. At commit they end in a
        // panic whose outcome only recovery decides.
        if (state.startsWith("58")) {
            return committing ? Kind.OUTCOME_UNKNOWN : Kind.UNAVAILABLE;
        }
        return switch (state) {
            case "40001", "40P01" -> Kind.CONFLICT;
            case "55P03" -> Kind.LOCKED;
            // A statement, a transaction that did nothing, and a transaction that took too long.
            case "57014", "25P03", "25P04" -> Kind.TIMED_OUT;
            case "53100" -> Kind.NO_ROOM;
            case "53200" -> Kind.OVERLOADED;
            // No more connections, and a server that only reads: another connection may do better.
            case "53300", "25006" -> Kind.UNAVAILABLE;
            default -> committing && state.startsWith("XX") ? Kind.OUTCOME_UNKNOWN : Kind.REJECTED;
        };
    }
}
