package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;

import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// A named statement with its parameters being set. Runs once and closes itself.
public final class Bound {

    /// Reads one row.
    @FunctionalInterface
    public interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private final PreparedStatement statement;
    private final NamedSql.Parsed parsed;
    private int bound;

    Bound(PreparedStatement statement, NamedSql.Parsed parsed) {
        this.statement = statement;
        this.parsed = parsed;
    }

    public Bound uuid(String name, @Nullable UUID value) throws SQLException {
        return set(name, value, Types.OTHER);
    }

    public Bound text(String name, @Nullable String value) throws SQLException {
        return set(name, value, Types.VARCHAR);
    }

    public Bound integer(String name, @Nullable Integer value) throws SQLException {
        return set(name, value, Types.INTEGER);
    }

    public Bound bigint(String name, @Nullable Long value) throws SQLException {
        return set(name, value, Types.BIGINT);
    }

    public Bound bool(String name, boolean value) throws SQLException {
        return set(name, value, Types.BOOLEAN);
    }

    public Bound bytes(String name, byte[] value) throws SQLException {
        return set(name, value, Types.BINARY);
    }

    public Bound uuids(String name, List<@Nullable UUID> values) throws SQLException {
        return array(name, "uuid", values.toArray());
    }

    public Bound texts(String name, List<@Nullable String> values) throws SQLException {
        return array(name, "text", values.toArray());
    }

    /// An array made from one value of each element.
    public <T> Bound column(
            String name, String type, List<T> rows, Function<T, @Nullable Object> value)
            throws SQLException {
        // The driver takes byte strings in an array of their own type only.
        @Nullable Object[] values =
                type.equals("bytea") ? new byte[rows.size()][] : new @Nullable Object[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value.apply(rows.get(i));
        }
        return array(name, type, values);
    }

    private Bound array(String name, String type, @Nullable Object[] values) throws SQLException {
        Array array = statement.getConnection().createArrayOf(type, values);
        return set(name, array, Types.ARRAY);
    }

    private Bound set(String name, @Nullable Object value, int type) throws SQLException {
        List<Integer> positions = parsed.positions().get(name);
        if (positions == null) {
            throw new IllegalArgumentException(parsed.name() + " has no parameter " + name);
        }
        for (int position : positions) {
            if (value == null) {
                statement.setNull(position, type);
            } else {
                statement.setObject(position, value, type);
            }
            bound++;
        }
        return this;
    }

    public int update() throws SQLException {
        try (statement) {
            checkAllBound();
            return statement.executeUpdate();
        }
    }

    public <T> List<T> list(RowReader<T> reader) throws SQLException {
        try (statement) {
            checkAllBound();
            var rows = new ArrayList<T>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    rows.add(reader.read(result));
                }
            }
            return rows;
        }
    }

    /// The one row, or null when there is none; two rows are a mistake in the statement.
    public <T> @Nullable T one(RowReader<T> reader) throws SQLException {
        List<T> rows = list(reader);
        if (rows.size() > 1) {
            throw new IllegalStateException(parsed.name() + " gave " + rows.size() + " rows");
        }
        return rows.isEmpty() ? null : rows.getFirst();
    }

    private void checkAllBound() {
        int wanted = parsed.positions().values().stream().mapToInt(List::size).sum();
        if (bound != wanted) {
            throw new IllegalStateException(
                    parsed.name() + ": " + bound + " of " + wanted + " parameters are set");
        }
    }

    /// Null-safe readers for nullable columns.
    public static @Nullable Long nullableLong(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }
}
