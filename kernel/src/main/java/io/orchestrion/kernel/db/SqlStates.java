package io.orchestrion.kernel.db;

import io.orchestrion.kernel.db.StoreException.Kind;

import java.sql.SQLException;

/// Which SQLSTATE means what to us; the only such list.
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
        return switch (state) {
            case "40001", "40P01" -> Kind.CONFLICT;
            case "55P03" -> Kind.LOCKED;
            case "57014" -> Kind.TIMED_OUT;
            case "53100", "53200", "25006" -> Kind.NO_ROOM;
            case "53300" -> Kind.UNAVAILABLE;
            // I/O errors at commit (XX, 58) end in a panic whose outcome only recovery decides.
            default ->
                    committing && (state.startsWith("XX") || state.startsWith("58"))
                            ? Kind.OUTCOME_UNKNOWN
                            : Kind.REJECTED;
        };
    }
}
