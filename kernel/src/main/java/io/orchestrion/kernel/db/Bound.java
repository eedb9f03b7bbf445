package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// A named statement with its parameters being set. Runs once.
public final class Bound {

    /// Reads one row.
    @FunctionalInterface
    public interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /// An array is made when the statement is sent, because the driver makes it.
    private record ArrayOf(String type, @Nullable Object[] values) {}

    private final Tx tx;
    private final NamedSql.Parsed parsed;
    private final @Nullable Object[] values;
    private final int[] types;
    private int bound;
    private int wantedRows = ANY;
    private String otherwise = "";
    private boolean allOrNone;
    private @Nullable RowReader<?> reader;

    private static final int ANY = -1;

    Bound(Tx tx, NamedSql.Parsed parsed) {
        this.tx = tx;
        this.parsed = parsed;
        this.values = new @Nullable Object[parsed.parameters()];
        this.types = new int[parsed.parameters()];
    }

    public Bound uuid(String name, @Nullable UUID value) {
        return set(name, value, Types.OTHER);
    }

    public Bound text(String name, @Nullable String value) {
        return set(name, value, Types.VARCHAR);
    }

    public Bound integer(String name, @Nullable Integer value) {
        return set(name, value, Types.INTEGER);
    }

    public Bound bigint(String name, @Nullable Long value) {
        return set(name, value, Types.BIGINT);
    }

    public Bound decimal(String name, @Nullable BigDecimal value) {
        return set(name, value, Types.NUMERIC);
    }

    public Bound bool(String name, boolean value) {
        return set(name, value, Types.BOOLEAN);
    }

    /// The same for one that may be left out.
    public Bound boolOrNull(String name, @Nullable Boolean value) {
        return set(name, value, Types.BOOLEAN);
    }

    public Bound bytes(String name, byte[] value) {
        return set(name, value, Types.BINARY);
    }

    public Bound uuids(String name, List<@Nullable UUID> values) {
        return array(name, "uuid", values.toArray());
    }

    /// The same for a list that may be left out.
    public Bound uuidsOrNull(String name, @Nullable List<UUID> values) {
        return values == null
                ? set(name, null, Types.ARRAY)
                : array(name, "uuid", values.toArray());
    }

    public Bound texts(String name, List<@Nullable String> values) {
        return array(name, "text", values.toArray(String[]::new));
    }

    /// The same for a list that may be left out.
    public Bound textsOrNull(String name, @Nullable List<String> values) {
        return values == null
                ? set(name, null, Types.ARRAY)
                : array(name, "text", values.toArray(String[]::new));
    }

    /// An array made from one value of each element.
    public <T> Bound column(
            String name, String type, List<T> rows, Function<T, @Nullable Object> value) {
        @Nullable Object[] values = arrayOf(type, rows.size());
        for (int i = 0; i < values.length; i++) {
            values[i] = value.apply(rows.get(i));
        }
        return array(name, type, values);
    }

    /// The driver sends arrays of these types in binary form. Arrays of other types it sends as
    /// text, which is built here and parsed there. Byte strings it only takes in this form.
    private static @Nullable Object[] arrayOf(String type, int size) {
        return switch (type) {
            case "bytea" -> new byte[size][];
            case "int4" -> new Integer[size];
            case "int8" -> new Long[size];
            case "bool" -> new Boolean[size];
            case "text" -> new String[size];
            default -> new @Nullable Object[size];
        };
    }

    private Bound array(String name, String type, @Nullable Object[] elements) {
        return set(name, new ArrayOf(type, elements), Types.ARRAY);
    }

    private Bound set(String name, @Nullable Object value, int type) {
        List<Integer> positions = parsed.positions().get(name);
        if (positions == null) {
            throw new IllegalArgumentException(parsed.name() + " has no parameter " + name);
        }
        for (int position : positions) {
            values[position - 1] = value;
            types[position - 1] = type;
            bound++;
        }
        return this;
    }

    public int update() throws SQLException {
        return tx.send(this, this::checked);
    }

    /// Sends the statement together with the next one, or just before the commit: one round trip
    /// for all that wait. For statements whose answer nobody reads.
    public void later() {
        checkAllBound();
        tx.sayLater(this);
    }

    /// The same for a statement that has to write so many rows. Fewer or more end the transaction.
    public void later(int rows, String otherwise) {
        this.wantedRows = rows;
        this.otherwise = otherwise;
        later();
    }

    /// The same for a statement that writes either all of the rows or none. When it wrote none,
    /// that may be found out after the commit without harm. Other statements that are sent with it
    /// must then write nothing either.
    public void laterAllOrNone(int rows, String otherwise) {
        this.allOrNone = true;
        later(rows, otherwise);
    }

    /// The same for a query. Its rows are read when it is sent.
    public void later(RowReader<?> reader) {
        this.reader = reader;
        later();
    }

    public <T> List<T> list(RowReader<T> reader) throws SQLException {
        return tx.send(this, statement -> rows(statement, reader));
    }

    private static <T> List<T> rows(PreparedStatement answered, RowReader<T> reader)
            throws SQLException {
        var rows = new ArrayList<T>();
        try (ResultSet result = answered.getResultSet()) {
            while (result.next()) {
                rows.add(reader.read(result));
            }
        }
        return rows;
    }

    /// The one row, or null when there is none; two rows are a mistake in the statement.
    public <T> @Nullable T one(RowReader<T> reader) throws SQLException {
        List<T> rows = list(reader);
        if (rows.size() > 1) {
            throw new IllegalStateException(parsed.name() + " gave " + rows.size() + " rows");
        }
        return rows.isEmpty() ? null : rows.getFirst();
    }

    NamedSql.Parsed parsed() {
        return parsed;
    }

    /// Sets its parameters from the given place on and says where the next statement's begin.
    int bind(PreparedStatement statement, int from) throws SQLException {
        checkAllBound();
        Connection connection = statement.getConnection();
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            switch (value) {
                case null -> statement.setNull(from + i, types[i]);
                case ArrayOf(var type, var elements) when type.equals("uuid") ->
                        statement.setObject(from + i, new UuidArray(elements));
                case ArrayOf(var type, var elements) ->
                        statement.setArray(from + i, connection.createArrayOf(type, elements));
                default -> statement.setObject(from + i, value, types[i]);
            }
        }
        return from + values.length;
    }

    /// Whether its answer is looked at: it may end the transaction, or somebody reads it.
    boolean isChecked() {
        return wantedRows != ANY || reader != null;
    }

    /// Whether its answer may be looked at when it is committed already.
    boolean isAllOrNone() {
        return allOrNone;
    }

    /// How many rows it wrote, which are as many as are wanted.
    int checked(PreparedStatement answered) throws SQLException {
        if (reader != null) {
            return rows(answered, reader).size();
        }
        int rows = answered.getUpdateCount();
        if (wantedRows != ANY && rows != wantedRows) {
            throw new StoreException(StoreException.Kind.REJECTED, otherwise);
        }
        return rows;
    }

    private void checkAllBound() {
        if (bound != values.length) {
            throw new IllegalStateException(
                    parsed.name() + ": " + bound + " of " + values.length + " parameters are set");
        }
    }

    /// Null-safe readers for nullable columns.
    public static @Nullable Long nullableLong(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }
}
