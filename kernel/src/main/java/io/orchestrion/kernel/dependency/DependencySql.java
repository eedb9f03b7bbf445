package io.orchestrion.kernel.dependency;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.Dependency;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Binds and reads the statements of `dependency.sql`.
public final class DependencySql {
    private static final NamedSql SQL = NamedSql.beside(DependencySql.class, "dependency.sql");

    private DependencySql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// An end of which the children are to be told.
    ///
    /// @param ended how, in case that the parent is gone
    /// @param afterId children up to this one have been told
    public record End(UUID workId, int eventSeq, WorkState ended, @Nullable UUID afterId) {}

    /// @param place of the parent among those asked for, from zero
    public record Child(int place, UUID workId) {}

    /// What a child is to be told of a parent.
    public record Told(UUID workId, UUID parentId, WorkState ended) {}

    private record Row(UUID workId, int place, Dependency on) {}

    public static void insert(Tx tx, UUID account, Map<UUID, List<Dependency>> parents)
            throws SQLException {
        var rows = new ArrayList<Row>();
        parents.forEach(
                (id, list) -> {
                    for (int i = 0; i < list.size(); i++) {
                        rows.add(new Row(id, i, list.get(i)));
                    }
                });
        SQL.on(tx, "insert_dependencies")
                .uuid("account", account)
                .column("work_ids", "uuid", rows, Row::workId)
                .column("parent_ids", "uuid", rows, row -> row.on().parentId())
                .column("places", "int4", rows, Row::place)
                .column("ends", "text", rows, row -> word(row.on().ended()))
                .update();
    }

    public static void markParents(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        SQL.on(tx, "mark_parents").uuid("account", account).uuids("ids", List.copyOf(ids)).update();
    }

    /// The dependencies of each child, in the order in which they were given.
    public static Map<UUID, List<Dependency>> of(Tx tx, UUID account, List<UUID> children)
            throws SQLException {
        var parents = new HashMap<UUID, List<Dependency>>();
        SQL.on(tx, "dependencies_of")
                .uuid("account", account)
                .uuids("ids", List.copyOf(children))
                .list(
                        row -> {
                            String ended = row.getString("ended");
                            return parents.computeIfAbsent(
                                            row.getObject("work_id", UUID.class),
                                            _ -> new ArrayList<>())
                                    .add(
                                            new Dependency(
                                                    row.getObject("parent_id", UUID.class),
                                                    ended == null ? null : WorkState.of(ended),
                                                    row.getBoolean("waived")));
                        });
        return parents;
    }

    static void insertEnds(Tx tx, UUID account, List<WorkItem> ended) throws SQLException {
        SQL.on(tx, "insert_ends")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("work_ids", "uuid", ended, WorkItem::id)
                .column("event_seqs", "int4", ended, item -> item.place().eventSeq())
                .column("ends", "text", ended, item -> item.state().word())
                .update();
    }

    public static List<UUID> accountsWithEnds(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_ends")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject(1, UUID.class));
    }

    public static List<End> takeEnds(Tx tx, UUID account, int most) throws SQLException {
        return SQL.on(tx, "take_ends")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(
                        row ->
                                new End(
                                        row.getObject("work_id", UUID.class),
                                        row.getInt("event_seq"),
                                        WorkState.of(row.getString("ended")),
                                        row.getObject("after_id", UUID.class)));
    }

    public static List<Child> childrenOf(Tx tx, UUID account, List<End> ends, int most)
            throws SQLException {
        return SQL.on(tx, "children_of")
                .uuid("account", account)
                .column("parents", "uuid", ends, End::workId)
                .column("afters", "uuid", ends, End::afterId)
                .integer("most", most)
                .list(
                        row ->
                                new Child(
                                        row.getInt("place") - 1,
                                        row.getObject("work_id", UUID.class)));
    }

    public static void markEnded(Tx tx, UUID account, List<Told> told) throws SQLException {
        SQL.on(tx, "mark_ended")
                .uuid("account", account)
                .column("work_ids", "uuid", told, Told::workId)
                .column("parent_ids", "uuid", told, Told::parentId)
                .column("ends", "text", told, one -> one.ended().word())
                .update();
    }

    static void waive(Tx tx, UUID account, List<UUID> children) throws SQLException {
        SQL.on(tx, "waive").uuid("account", account).uuids("ids", List.copyOf(children)).update();
    }

    public static void moveOn(Tx tx, UUID account, End end, UUID after) throws SQLException {
        SQL.on(tx, "move_on")
                .uuid("account", account)
                .uuid("id", end.workId())
                .integer("seq", end.eventSeq())
                .uuid("after", after)
                .update();
    }

    public static void deleteEnds(Tx tx, UUID account, List<End> ends) throws SQLException {
        SQL.on(tx, "delete_ends")
                .uuid("account", account)
                .column("ids", "uuid", ends, End::workId)
                .column("seqs", "int4", ends, End::eventSeq)
                .update();
    }

    public static int postpone(Tx tx, UUID account, End end, long untilMs) throws SQLException {
        return SQL.on(tx, "postpone")
                .uuid("account", account)
                .uuid("id", end.workId())
                .integer("seq", end.eventSeq())
                .bigint("until", untilMs)
                .update();
    }

    private static @Nullable String word(@Nullable WorkState state) {
        return state == null ? null : state.word();
    }
}
