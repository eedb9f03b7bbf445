package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.history.EventRow;
import io.orchestrion.kernel.history.HistoryEntry;
import io.orchestrion.kernel.history.HistoryLine;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.IfParentFails;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WaitReason;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkFilter;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.kernel.work.WorkItem.Settled;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.kernel.work.WorkView;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/// Binds and reads the statements of `work.sql`; decides nothing.
public final class WorkSql {
    private static final NamedSql SQL = NamedSql.beside(WorkSql.class, "work.sql", "item.sql");

    private WorkSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// A holder's fence for one item, with the digest that is kept if the item ends.
    ///
    /// @param outcome what is to be kept of it if it succeeds
    record Fenced(
            UUID id,
            Fence fence,
            @Nullable Long purgeAfterMs,
            @Nullable Settled settled,
            @Nullable OutcomeRow outcome) {}

    /// The outcome of an item: a result or an error, and what else was reported.
    record OutcomeRow(UUID id, @Nullable String result, @Nullable String outputRef, Report report) {
        static OutcomeRow of(UUID id, Command.Complete complete) {
            return new OutcomeRow(id, complete.result(), complete.outputRef(), complete.report());
        }
    }

    static void insertWork(Tx tx, UUID account, List<WorkView> views) {
        bindItems(SQL.on(tx, "insert_work"), tx, account, views)
                .column("event_seqs", "int4", views, view -> view.item().place().eventSeq())
                .column("give_ups", "int8", views, view -> view.item().turn().giveUpMs())
                .laterAllOrNone(views.size(), "account " + account + " does not exist");
    }

    /// Binds the columns that all new items have, whatever the profile.
    static Bound bindItems(Bound insert, Tx tx, UUID account, List<WorkView> views) {
        List<WorkItem> items = views.stream().map(WorkView::item).toList();
        return insert.uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", items, WorkItem::id)
                .column("profiles", "text", items, WorkItem::profile)
                .column("queues", "text", items, WorkItem::queue)
                .column("kinds", "text", items, WorkItem::kind)
                .column("states", "text", items, item -> item.state().word())
                .column("wait_reasons", "text", items, item -> word(item.waitReason()))
                .column("priorities", "int4", items, item -> item.turn().priority())
                .column("orders", "int8", items, WorkSql::orderMs)
                .column("run_ats", "int8", items, item -> item.turn().runAtMs())
                .column("max_attempts", "int4", items, item -> item.attempts().most())
                .column("lease_seconds", "int4", items, item -> item.lease().seconds())
                .column("timeouts", "int8", items, item -> item.attempts().timeoutMs())
                .column("owner_kinds", "text", items, WorkSql::ownerKind)
                .column("owner_ids", "uuid", items, WorkSql::ownerId)
                .column(
                        "concurrency_keys",
                        "text",
                        items,
                        item -> item.links().keys().concurrency())
                .column("rate_keys", "text", items, item -> item.links().keys().rate())
                .column("unique_keys", "text", items, item -> item.links().keys().unique())
                .column(
                        "if_parent_fails",
                        "text",
                        items,
                        item -> word(item.links().ifParentFails()))
                .column("traces", "text", items, item -> item.trail().trace())
                .column("correlation_ids", "text", items, item -> item.trail().correlationId())
                .column("payloads", "text", views, view -> view.documents().payload())
                .column("histories", "text", items, item -> history(tx, item));
    }

    private static String history(Tx tx, WorkItem item) {
        return EventRow.ofNew(item).stream()
                .map(event -> HistoryLine.whole(tx, event))
                .collect(Collectors.joining());
    }

    static List<WorkItem> heartbeat(Tx tx, UUID account, String queue, List<Fenced> beats)
            throws SQLException {
        return SQL.on(tx, "heartbeat")
                .uuid("account", account)
                .text("queue", queue)
                .bigint("now", tx.nowMillis())
                .integer("many", beats.size())
                .column("ids", "uuid", beats, Fenced::id)
                .column("tokens", "uuid", beats, beat -> beat.fence().token())
                .column("numbers", "int8", beats, beat -> beat.fence().number())
                .list(WorkRowSql::item);
    }

    static List<WorkItem> complete(Tx tx, UUID account, Profile profile, List<Fenced> ends)
            throws SQLException {
        return SQL.on(tx, "complete")
                .uuid("account", account)
                .text("profile", profile.name())
                .bigint("now", tx.nowMillis())
                .bigint("tx", tx.id())
                .integer("many", ends.size())
                .column("ids", "uuid", ends, Fenced::id)
                .column("tokens", "uuid", ends, end -> end.fence().token())
                .column("numbers", "int8", ends, end -> end.fence().number())
                .column("purge_afters", "int8", ends, Fenced::purgeAfterMs)
                .column("settled_tokens", "uuid", ends, end -> token(end.settled()))
                .column("settled_digests", "uuid", ends, end -> digest(end.settled()))
                .column("results", "text", ends, end -> result(end.outcome()))
                .column("output_refs", "text", ends, end -> outputRef(end.outcome()))
                .column("usages", "text", ends, end -> report(end).usage())
                .column("logs_refs", "text", ends, end -> report(end).logsRef())
                .list(WorkRowSql::item);
    }

    public static Map<UUID, WorkItem> lock(Tx tx, UUID account, List<UUID> ids, boolean wait)
            throws SQLException {
        var items = new HashMap<UUID, WorkItem>();
        SQL.on(tx, wait ? "lock" : "lock_unless_busy")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(WorkRowSql::item)
                .forEach(item -> items.put(item.id(), item));
        return items;
    }

    /// The owner of an item, which never changes.
    ///
    /// @param lapsed whether the item is held under a lease that has run out
    record Owned(OwnerRef owner, boolean lapsed) {}

    static Map<UUID, Owned> ownersOf(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        var owners = new HashMap<UUID, Owned>();
        SQL.on(tx, "owners_of")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .uuids("ids", List.copyOf(ids))
                .list(
                        row ->
                                owners.put(
                                        row.getObject("id", UUID.class),
                                        new Owned(
                                                new OwnerRef(
                                                        row.getString("owner_kind"),
                                                        row.getObject("owner_id", UUID.class)),
                                                row.getBoolean("lapsed"))));
        return owners;
    }

    public static @Nullable WorkView get(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "get")
                .uuid("account", account)
                .uuid("id", id)
                .one(row -> WorkRowSql.view(tx, row));
    }

    static Map<UUID, Documents> documents(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        var documents = new HashMap<UUID, Documents>();
        SQL.on(tx, "documents")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(
                        row ->
                                documents.put(
                                        row.getObject("id", UUID.class),
                                        WorkRowSql.documents(row, 1)));
        return documents;
    }

    public static List<HistoryEntry> history(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "history")
                .uuid("account", account)
                .uuid("id", id)
                .list(
                        row ->
                                new HistoryEntry(
                                        row.getInt("seq"),
                                        row.getLong("at_ms"),
                                        WorkEvent.of(row.getString("event")),
                                        row.getString("from_state") == null
                                                ? null
                                                : WorkState.of(row.getString("from_state")),
                                        WorkState.of(row.getString("to_state")),
                                        row.getInt("attempt"),
                                        row.getLong("lease_number"),
                                        row.getString("holder"),
                                        row.getString("detail"),
                                        row.getString("error")));
    }

    public static List<WorkView> list(Tx tx, WorkFilter filter) throws SQLException {
        return SQL.on(tx, "list")
                .uuid("account", filter.accountId())
                .text("queue", filter.queue())
                .column("profiles", "text", filter.profiles(), Profile::name)
                .column("states", "text", List.copyOf(filter.states()), WorkState::word)
                .text("kind", filter.kind())
                .uuid("before", filter.before())
                .integer("most", filter.most())
                .list(row -> WorkRowSql.view(tx, row));
    }

    /// The item's place among those of its priority. Among equal ones the id decides, and so the
    /// time of creation.
    static long orderMs(WorkItem item) {
        return switch (Profiles.named(item.profile()).claims().order()) {
            case PRIORITY_SCHEDULE_CREATION ->
                    item.turn().runAtMs() == null ? 0 : item.turn().runAtMs();
            case PRIORITY_CREATION, CREATION -> 0;
        };
    }

    static @Nullable String word(@Nullable WaitReason reason) {
        return reason == null ? null : reason.word();
    }

    private static @Nullable String word(@Nullable IfParentFails rule) {
        return rule == null ? null : rule.word();
    }

    static @Nullable UUID token(@Nullable Settled settled) {
        return settled == null ? null : settled.token();
    }

    static @Nullable UUID digest(@Nullable Settled settled) {
        return settled == null ? null : settled.digest();
    }

    static @Nullable String result(@Nullable OutcomeRow outcome) {
        return outcome == null ? null : outcome.result();
    }

    static @Nullable String outputRef(@Nullable OutcomeRow outcome) {
        return outcome == null ? null : outcome.outputRef();
    }

    private static Report report(Fenced end) {
        OutcomeRow outcome = end.outcome();
        return outcome == null ? Report.NONE : outcome.report();
    }

    private static @Nullable String ownerKind(WorkItem item) {
        OwnerRef owner = item.owner();
        return owner == null ? null : owner.kind();
    }

    private static @Nullable UUID ownerId(WorkItem item) {
        OwnerRef owner = item.owner();
        return owner == null ? null : owner.id();
    }
}
