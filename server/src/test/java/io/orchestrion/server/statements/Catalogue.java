package io.orchestrion.server.statements;

import io.orchestrion.kernel.db.Tables.Place;

import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLWarning;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a database with our schema knows: which function is immutable, which table is which, and
/// how it understands a statement.
final class Catalogue implements AutoCloseable {
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z][a-z0-9_]*)");
    private static final String ACCOUNT = "account";

    /// @param place null for one of PostgreSQL's own
    /// @param account the number of its column `account_id`, 0 without one
    record Table(String name, @Nullable Place place, int account) {
        boolean isByAccount() {
            return place == Place.BY_ACCOUNT;
        }
    }

    private final Connection connection;
    private final Map<Long, Table> tables = new HashMap<>();
    private final Map<Long, String> volatilities = new HashMap<>();
    private final Map<Long, String> functions = new HashMap<>();

    /// Of a type the functions that read and write it as text.
    private record Texts(long in, long out) {}

    private final Map<Long, Texts> types = new HashMap<>();

    Catalogue(Connection connection) throws SQLException {
        this.connection = connection;
        read(
                """
                select c.oid, c.relname, c.relkind, coalesce(a.attnum, 0)
                  from pg_class c
                  left join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
                 where c.relkind in ('r', 'v') and c.relnamespace = 'orchestrion'::regnamespace
                """,
                row ->
                        tables.put(
                                row.getLong(1),
                                new Table(
                                        row.getString(2),
                                        row.getString(3).equals("v")
                                                ? Place.BY_ACCOUNT
                                                : place(row),
                                        row.getInt(4))));
        read(
                "select oid, provolatile, oid::regprocedure from pg_proc",
                row -> {
                    volatilities.put(row.getLong(1), row.getString(2));
                    functions.put(row.getLong(1), row.getString(3));
                });
        read(
                "select oid, typinput::oid, typoutput::oid from pg_type",
                row -> types.put(row.getLong(1), new Texts(row.getLong(2), row.getLong(3))));
        execute("set client_min_messages = log");
        execute("set debug_pretty_print = off");
    }

    private static @Nullable Place place(ResultSet row) throws SQLException {
        for (Place place : Place.values()) {
            if (EveryPart.SCHEMA.at(place).contains(row.getString(2))) {
                return place;
            }
        }
        return null;
    }

    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    private void read(String query, RowReader reader) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                reader.read(rows);
            }
        }
    }

    private void execute(String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    @Nullable Table table(Node entry) {
        return tables.get(entry.number("relid"));
    }

    /// `i` for immutable, `s` for stable, `v` for volatile; null where the node calls nothing.
    @Nullable String volatility(Node node) {
        return switch (node.name()) {
            case "FUNCEXPR" -> volatilities.get(node.number("funcid"));
            case "OPEXPR", "DISTINCTEXPR", "NULLIFEXPR", "SCALARARRAYOPEXPR" ->
                    volatilities.get(node.number("opfuncid"));
            case "AGGREF" -> volatilities.get(node.number("aggfnoid"));
            case "WINDOWFUNC" -> volatilities.get(node.number("winfnoid"));
            case "COERCEVIAIO" -> worse(node);
            case "SQLVALUEFUNCTION", "NEXTVALUEEXPR" -> "s";
            default -> null;
        };
    }

    private @Nullable String worse(Node cast) {
        Texts to = types.get(cast.number("resulttype"));
        Node from = cast.node("arg");
        Texts of = from == null ? null : types.get(typeOf(from));
        String in = to == null ? null : volatilities.get(to.in());
        String out = of == null ? "i" : volatilities.get(of.out());
        return "i".equals(in) ? out : in;
    }

    private static long typeOf(Node node) {
        for (String field :
                new String[] {
                    "vartype",
                    "paramtype",
                    "opresulttype",
                    "funcresulttype",
                    "consttype",
                    "minmaxtype",
                    "casetype",
                    "coalescetype",
                    "resulttype",
                    "aggtype",
                    "wintype"
                }) {
            if (!node.word(field).isEmpty()) {
                return node.number(field);
            }
        }
        return -1;
    }

    String called(Node node) {
        for (String field : new String[] {"funcid", "opfuncid", "aggfnoid", "winfnoid"}) {
            if (!node.word(field).isEmpty()) {
                return functions.getOrDefault(node.number(field), node.name());
            }
        }
        return node.name().toLowerCase(java.util.Locale.ROOT);
    }

    /// What the server makes of it; null for a statement that is no query. The account has one
    /// number wherever it stands, everything else one for each place, as the driver numbers it.
    @Nullable Node analyzed(String text) throws SQLException {
        if (text.startsWith("set ")) {
            return null;
        }
        var numbered = new StringBuilder();
        Matcher matcher = PARAMETER.matcher(text);
        int next = 2;
        while (matcher.find()) {
            String number = matcher.group(1).equals(ACCOUNT) ? "1" : Integer.toString(next++);
            matcher.appendReplacement(numbered, "\\$" + number);
        }
        matcher.appendTail(numbered);
        execute("set debug_print_parse = on");
        try (Statement statement = connection.createStatement()) {
            statement.execute("prepare looked_at(uuid) as " + numbered);
            return last(statement.getWarnings());
        } finally {
            execute("set debug_print_parse = off");
            execute("deallocate all");
        }
    }

    private static Node last(@Nullable SQLWarning first) {
        String tree = null;
        for (SQLWarning each = first; each != null; each = each.getNextWarning()) {
            if (each instanceof PSQLWarning warning
                    && warning.getServerErrorMessage().getDetail() instanceof String detail) {
                // After the statement as it was said, the same as it is understood.
                tree = detail;
            }
        }
        if (tree == null) {
            throw new IllegalStateException("the server did not print its tree");
        }
        return Node.parse(tree);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
