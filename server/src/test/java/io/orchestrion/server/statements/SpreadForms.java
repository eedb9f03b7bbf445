package io.orchestrion.server.statements;

import io.orchestrion.kernel.db.Tables.Place;
import io.orchestrion.server.statements.Catalogue.Table;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Finds the forms in a statement that a PostgreSQL which is spread by account refuses, or does on
/// all its machines at once. Each was tried on a cluster; docs/guides/distributed.md has the list.
final class SpreadForms {
    /// What PostgreSQL calls the commands in its trees.
    private static final long UPDATE = 2;

    private static final long INSERT = 3;
    private static final long DELETE = 4;

    /// The kinds of entries of a range table.
    private static final long RELATION = 0;

    private static final long SUBQUERY = 1;
    private static final String NO_ACCOUNT = "names no account for ";

    private final Catalogue catalogue;

    SpreadForms(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    /// Whether it is only the account that is missing.
    static boolean isOverAllAccounts(List<String> wrong) {
        return !wrong.isEmpty() && wrong.stream().allMatch(each -> each.startsWith(NO_ACCOUNT));
    }

    /// What is wrong with it; empty when nothing is.
    List<String> wrongWith(String text) throws SQLException {
        Node query = catalogue.analyzed(text);
        return query == null ? List.of() : new OneStatement(query).wrong();
    }

    /// Whether it only reads and locks nothing.
    boolean onlyReads(String text) throws SQLException {
        Node query = catalogue.analyzed(text);
        return query != null
                && query.all()
                        .filter(node -> node.is("QUERY"))
                        .noneMatch(each -> writes(each) || each.has("rowMarks"));
    }

    private static boolean writes(Node query) {
        return query.number("commandType") > 1;
    }

    private final class OneStatement {
        private final Node root;
        private final List<Node> queries;
        private final List<String> wrong = new ArrayList<>();

        /// Which parameters say an account.
        private final Set<Long> accounts = new TreeSet<>();

        OneStatement(Node root) {
            this.root = root;
            this.queries = root.all().filter(node -> node.is("QUERY")).toList();
        }

        List<String> wrong() {
            boolean touches =
                    queries.stream().flatMap(SpreadForms::entries).anyMatch(this::isByAccount);
            queries.forEach(this::checkLocks);
            if (touches) {
                queries.forEach(this::checkReferences);
                checkFunctions();
                queries.stream()
                        .filter(query -> query.number("commandType") == INSERT)
                        .forEach(this::checkInsert);
                checkMixture();
            }
            if (accounts.size() > 1) {
                wrong.add("serves several accounts");
            }
            return wrong;
        }

        private boolean isByAccount(Node entry) {
            Table table = catalogue.table(entry);
            return table != null && table.isByAccount();
        }

        /// Each reference to a table of accounts is compared with a parameter, in its own query.
        private void checkReferences(Node query) {
            List<Node> conditions = conditions(query);
            List<Node> entries = query.nodes("rtable");
            for (int i = 0; i < entries.size(); i++) {
                Table table = catalogue.table(entries.get(i));
                if (table == null || !table.isByAccount() || isInserted(query, i + 1)) {
                    continue;
                }
                Long parameter = accountOf(conditions, i + 1, table);
                if (parameter == null) {
                    wrong.add(NO_ACCOUNT + table.name());
                } else {
                    accounts.add(parameter);
                }
            }
        }

        /// What an insert writes to, and the row that it could not write.
        private static boolean isInserted(Node query, int entry) {
            Node conflict = query.node("onConflict");
            return query.number("commandType") == INSERT
                    && (query.number("resultRelation") == entry
                            || (conflict != null && conflict.number("exclRelIndex") == entry));
        }

        private @Nullable Long accountOf(List<Node> conditions, int entry, Table table) {
            for (Node condition : conditions) {
                if (condition.is("OPEXPR") && catalogue.called(condition).startsWith("uuid_eq(")) {
                    List<Node> sides = condition.nodes("args");
                    for (int left = 0; left < sides.size(); left++) {
                        Node one = sides.get(left);
                        Node other = sides.get(1 - left);
                        if (one.is("VAR")
                                && one.number("varno") == entry
                                && one.number("varlevelsup") == 0
                                && one.number("varattno") == table.account()
                                && other.is("PARAM")) {
                            return other.number("paramid");
                        }
                    }
                }
            }
            return null;
        }

        /// A change of such rows is made where they are, and takes what is immutable alone. What is
        /// inserted is worked out once, and may be stable, but not what it returns or takes over.
        private void checkFunctions() {
            boolean changes =
                    queries.stream()
                            .anyMatch(
                                    query ->
                                            query.number("commandType") == UPDATE
                                                    || query.number("commandType") == DELETE);
            if (changes) {
                root.all().forEach(node -> checkCall(node, "i", "in an update or delete"));
                return;
            }
            queries.stream()
                    .filter(SpreadForms::writes)
                    .forEach(
                            query -> {
                                query.all().forEach(n -> checkCall(n, "is", "in an insert"));
                                Stream.concat(
                                                query.nodes("returningList").stream(),
                                                Stream.ofNullable(query.node("onConflict")))
                                        .flatMap(Node::all)
                                        .forEach(n -> checkCall(n, "i", "after an insert"));
                            });
        }

        private void checkCall(Node node, String allowed, String where) {
            String volatility = catalogue.volatility(node);
            if (volatility != null && !allowed.contains(volatility)) {
                wrong.add("calls " + catalogue.called(node) + " " + where);
            }
        }

        private void checkInsert(Node query) {
            Node target = query.nodes("rtable").get((int) query.number("resultRelation") - 1);
            Table table = catalogue.table(target);
            if (table == null || !table.isByAccount()) {
                return;
            }
            if (root != query || root.has("cteList")) {
                wrong.add("inserts beside common table expressions");
                return;
            }
            Node account = valueOf(query, table.account());
            Node source = subquery(query, account);
            if (source == null) {
                if (account == null || !account.is("PARAM")) {
                    wrong.add("inserts rows whose account is not a parameter");
                }
                checkSubselects(query);
                return;
            }
            checkSubselects(source);
            Node column = valueOf(source, account == null ? 0 : account.number("varattno"));
            Table from =
                    column == null || !column.is("VAR")
                            ? null
                            : catalogue.table(
                                    source.nodes("rtable").get((int) column.number("varno") - 1));
            if (from == null
                    || !from.isByAccount()
                    || column == null
                    || column.number("varattno") != from.account()) {
                wrong.add("inserts rows whose account comes from no row of the account");
            }
            if (query.has("returningList") && target.node("alias") == null) {
                wrong.add("returns what it inserts without an alias");
            }
        }

        /// The value of a column of what the query writes or gives.
        private static @Nullable Node valueOf(Node query, long column) {
            return query.nodes("targetList").stream()
                    .filter(each -> each.number("resno") == column)
                    .map(each -> each.node("expr"))
                    .filter(java.util.Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }

        /// The query that a value of an insert comes from.
        private static @Nullable Node subquery(Node query, @Nullable Node value) {
            if (value == null || !value.is("VAR")) {
                return null;
            }
            Node entry = query.nodes("rtable").get((int) value.number("varno") - 1);
            return entry.number("rtekind") == SUBQUERY ? entry.node("subquery") : null;
        }

        /// A look at another table while values are put together.
        private void checkSubselects(Node query) {
            query.nodes("targetList").stream()
                    .flatMap(Node::all)
                    .filter(node -> node.is("SUBLINK"))
                    .flatMap(Node::all)
                    .filter(node -> node.is("RANGETBLENTRY") && node.number("rtekind") == RELATION)
                    .map(catalogue::table)
                    .filter(java.util.Objects::nonNull)
                    .forEach(table -> wrong.add("inserts what it looks up in " + table.name()));
        }

        /// A copy of the row is on each machine, and all of them cannot be passed by when locked.
        private void checkLocks(Node query) {
            if (root == query && !root.has("cteList")) {
                return;
            }
            for (Node mark : query.nodes("rowMarks")) {
                Table table =
                        catalogue.table(query.nodes("rtable").get((int) mark.number("rti") - 1));
                if (table != null && table.place() == Place.EVERYWHERE) {
                    wrong.add("locks rows of " + table.name() + " inside of a statement");
                }
            }
        }

        /// Tables that are on other machines than the rows of accounts.
        private void checkMixture() {
            queries.stream()
                    .flatMap(SpreadForms::entries)
                    .map(catalogue::table)
                    .filter(java.util.Objects::nonNull)
                    .filter(table -> table.place() == Place.AT_THE_ENTRY)
                    .forEach(table -> wrong.add("joins rows of accounts with " + table.name()));
        }
    }

    private static Stream<Node> entries(Node query) {
        return query.nodes("rtable").stream();
    }

    /// What holds of every row of the query, from its condition and those of its joins.
    private static List<Node> conditions(Node query) {
        Node from = query.node("jointree");
        var conditions = new ArrayList<Node>();
        if (from != null) {
            from.allOfOneQuery()
                    .filter(node -> node.is("FROMEXPR") || node.is("JOINEXPR"))
                    .map(node -> node.node("quals"))
                    .forEach(quals -> split(quals, conditions));
        }
        return conditions;
    }

    private static void split(@Nullable Node condition, List<Node> into) {
        if (condition == null) {
            return;
        }
        if (condition.is("BOOLEXPR") && condition.word("boolop").equals("and")) {
            condition.nodes("args").forEach(each -> split(each, into));
        } else {
            into.add(condition);
        }
    }
}
