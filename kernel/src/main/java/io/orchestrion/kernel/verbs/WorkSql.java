package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.history.EventRow;
import io.orchestrion.kernel.history.HistoryEntry;
import io.orchestrion.kernel.history.HistoryLine;
import io.orchestrion.kernel.verbs.ClaimMarks.Mark;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.IfParentFails;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.StopRequest;
import io.orchestrion.kernel.work.Transition;
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

    private static final List<String> LEASED_FIRST =
            Profiles.ALL.stream()
                    .filter(profile -> !profile.claims().startWork())
                    .map(Profile::name)
                    .toList();

    private WorkSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// One item wanted by one claimer.
    record Grant(
            String kind, UUID token, @Nullable String holder, @Nullable Integer leaseSeconds) {}

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

    /// Stores the results of items that just succeeded.
    static void keepOutcomes(Tx tx, UUID account, List<OutcomeRow> outcomes) {
        if (outcomes.isEmpty()) {
            return;
        }
        SQL.on(tx, "keep_outcomes")
                .uuid("account", account)
                .column("ids", "uuid", outcomes, OutcomeRow::id)
                .column("results", "text", outcomes, OutcomeRow::result)
                .column("output_refs", "text", outcomes, OutcomeRow::outputRef)
                .later(outcomes.size(), "an outcome is of an item that did not succeed");
    }

    /// @param mark its place among the ready items
    record Taken(WorkView view, @Nullable Mark mark) {}

    /// Claims the first items of each kind, as many as are counted.
    ///
    /// @param grants kind by kind, in the order of the counts
    static List<Taken> claim(
            Tx tx, UUID account, String queue, Map<String, Integer> counts, List<Grant> grants)
            throws SQLException {
        return taken(
                tx,
                counts.size() == 1
                        ? claimingOne(tx, account, queue, counts, grants)
                        : claiming(tx, "claim", account, queue, counts, grants));
    }

    private static Bound claimingOne(
            Tx tx, UUID account, String queue, Map<String, Integer> counts, List<Grant> grants) {
        Map.Entry<String, Integer> one = counts.entrySet().iterator().next();
        return granting(tx, "claim_one", account, queue, grants)
                .text("kind", one.getKey())
                .integer("count", one.getValue());
    }

    /// The same, beginning at a mark for each of the kinds.
    static List<Taken> claimFrom(
            Tx tx,
            UUID account,
            String queue,
            Map<String, Integer> counts,
            List<Grant> grants,
            Map<String, Mark> marks)
            throws SQLException {
        List<Mark> from = counts.keySet().stream().map(marks::get).toList();
        return taken(
                tx,
                claiming(tx, "claim_from", account, queue, counts, grants)
                        .column("mark_ranks", "int8", from, Mark::rank)
                        .column("mark_orders", "int8", from, Mark::orderMs)
                        .column("mark_ids", "uuid", from, Mark::id));
    }

    private static Bound claiming(
            Tx tx,
            String statement,
            UUID account,
            String queue,
            Map<String, Integer> counts,
            List<Grant> grants) {
        List<String> kinds = List.copyOf(counts.keySet());
        var firsts = new HashMap<String, Integer>();
        int first = 0;
        for (String kind : kinds) {
            firsts.put(kind, first);
            first += counts.getOrDefault(kind, 0);
        }
        return granting(tx, statement, account, queue, grants)
                .texts("kinds", List.copyOf(kinds))
                .column("counts", "int4", kinds, counts::get)
                .column("firsts", "int4", kinds, firsts::get)
                .integer("many", kinds.size());
    }

    private static Bound granting(
            Tx tx, String statement, UUID account, String queue, List<Grant> grants) {
        return bindLeased(SQL.on(tx, statement), tx, account)
                .text("queue", queue)
                .column("grant_tokens", "uuid", grants, Grant::token)
                .column("grant_holders", "text", grants, Grant::holder)
                .column("grant_lease_seconds", "int4", grants, Grant::leaseSeconds);
    }

    /// Binds what every statement that leases needs.
    static Bound bindLeased(Bound claim, Tx tx, UUID account) {
        return claim.uuid("account", account)
                .bigint("now", tx.nowMillis())
                .bigint("tx", tx.id())
                .texts("leased_first", List.copyOf(LEASED_FIRST));
    }

    private static List<Taken> taken(Tx tx, Bound claim) throws SQLException {
        return claim.list(
                row -> {
                    WorkView view = WorkRowSql.view(tx, row);
                    return new Taken(
                            view,
                            Mark.of(
                                    row.getLong("rank"),
                                    row.getLong("order_ms"),
                                    view.item().id()));
                });
    }

    /// Leases these items of one kind, one for each grant.
    static List<WorkView> take(
            Tx tx, UUID account, String queue, String lastKey, List<UUID> ids, List<Grant> grants)
            throws SQLException {
        return SQL.on(tx, "take")
                .uuid("account", account)
                .text("queue", queue)
                .text("kind", grants.getFirst().kind())
                .text("last_key", lastKey)
                .bigint("now", tx.nowMillis())
                .bigint("tx", tx.id())
                .uuids("ids", List.copyOf(ids))
                .column("tokens", "uuid", grants, Grant::token)
                .column("holders", "text", grants, Grant::holder)
                .column("lease_seconds", "int4", grants, Grant::leaseSeconds)
                .texts("leased_first", List.copyOf(LEASED_FIRST))
                .list(row -> WorkRowSql.view(tx, row));
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

    /// Writes decided changes. Every row must still be as it was when the change was decided.
    static void apply(Tx tx, UUID account, List<Transition> transitions) throws SQLException {
        SQL.on(tx, "guard_rows").later();
        int written =
                SQL.on(tx, "apply")
                        .uuid("account", account)
                        .bigint("tx", tx.id())
                        .column("ids", "uuid", transitions, one -> one.after().id())
                        .column("from_states", "text", transitions, s -> s.before().state().word())
                        .column(
                                "from_leases",
                                "int8",
                                transitions,
                                s -> s.before().lease().number())
                        .column("states", "text", transitions, s -> s.after().state().word())
                        .column(
                                "wait_reasons",
                                "text",
                                transitions,
                                s -> word(s.after().waitReason()))
                        .column("run_ats", "int8", transitions, s -> s.after().turn().runAtMs())
                        .column("orders", "int8", transitions, s -> orderMs(s.after()))
                        .column("attempts", "int4", transitions, s -> s.after().attempt())
                        .column("retries", "int4", transitions, s -> s.after().attempts().retries())
                        .column(
                                "lease_seconds",
                                "int4",
                                transitions,
                                s -> s.after().lease().seconds())
                        .column(
                                "lease_numbers",
                                "int8",
                                transitions,
                                s -> s.after().lease().number())
                        .column("lease_tokens", "uuid", transitions, s -> s.after().lease().token())
                        .column(
                                "lease_untils",
                                "int8",
                                transitions,
                                s -> s.after().lease().untilMs())
                        .column("holders", "text", transitions, s -> s.after().holding().holder())
                        .column(
                                "deadlines",
                                "int8",
                                transitions,
                                s -> s.after().lease().deadlineMs())
                        .column(
                                "cancel_requests",
                                "bool",
                                transitions,
                                s -> s.after().cancelRequested())
                        .column("pause_requests", "bool", transitions, s -> pause(s.after()))
                        .column("give_ups", "int8", transitions, s -> s.after().turn().giveUpMs())
                        .column("updateds", "int8", transitions, s -> s.after().times().updatedMs())
                        .column("claimeds", "int8", transitions, s -> s.after().times().claimedMs())
                        .column(
                                "heartbeats",
                                "int8",
                                transitions,
                                s -> s.after().times().heartbeatMs())
                        .column(
                                "finisheds",
                                "int8",
                                transitions,
                                s -> s.after().times().finishedMs())
                        .column(
                                "faileds",
                                "int8",
                                transitions,
                                s -> s.after().attempts().failedMs())
                        .column(
                                "failures",
                                "text",
                                transitions,
                                s -> s.after().attempts().failure())
                        .column(
                                "event_seqs",
                                "int4",
                                transitions,
                                s -> s.after().place().eventSeq())
                        .column("event_mss", "int8", transitions, s -> s.after().place().eventMs())
                        .column(
                                "purge_afters",
                                "int8",
                                transitions,
                                s -> s.after().times().purgeAfterMs())
                        .column(
                                "settled_tokens",
                                "uuid",
                                transitions,
                                s -> token(s.after().holding().settled()))
                        .column(
                                "settled_digests",
                                "uuid",
                                transitions,
                                s -> digest(s.after().holding().settled()))
                        .column("lines", "text", transitions, WorkSql::line)
                        .column("reports", "bool", transitions, one -> one.report() != null)
                        .column("errors", "text", transitions, one -> reported(one).error())
                        .column("usages", "text", transitions, one -> reported(one).usage())
                        .column("logs_refs", "text", transitions, one -> reported(one).logsRef())
                        .update();
        if (written != transitions.size()) {
            throw new IllegalStateException(
                    written
                            + " of "
                            + transitions.size()
                            + " locked rows were still as decided on");
        }
    }

    private static @Nullable String line(Transition transition) {
        return transition.tells() ? HistoryLine.rest(EventRow.of(transition)) : null;
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
    private static long orderMs(WorkItem item) {
        return switch (Profiles.named(item.profile()).claims().order()) {
            case PRIORITY_SCHEDULE_CREATION ->
                    item.turn().runAtMs() == null ? 0 : item.turn().runAtMs();
            case PRIORITY_CREATION, CREATION -> 0;
        };
    }

    private static @Nullable String word(@Nullable WaitReason reason) {
        return reason == null ? null : reason.word();
    }

    private static @Nullable String word(@Nullable IfParentFails rule) {
        return rule == null ? null : rule.word();
    }

    private static @Nullable UUID token(@Nullable Settled settled) {
        return settled == null ? null : settled.token();
    }

    private static @Nullable UUID digest(@Nullable Settled settled) {
        return settled == null ? null : settled.digest();
    }

    private static @Nullable String result(@Nullable OutcomeRow outcome) {
        return outcome == null ? null : outcome.result();
    }

    private static @Nullable String outputRef(@Nullable OutcomeRow outcome) {
        return outcome == null ? null : outcome.outputRef();
    }

    /// Null instead of false, because most items were never asked to pause and a null takes no room
    /// in the row.
    private static @Nullable Boolean pause(WorkItem item) {
        return item.holding().stop() == StopRequest.PAUSE ? true : null;
    }

    private static Report report(Fenced end) {
        OutcomeRow outcome = end.outcome();
        return outcome == null ? Report.NONE : outcome.report();
    }

    private static Documents.Reported reported(Transition transition) {
        Report report = transition.report();
        return report == null ? Documents.Reported.NOTHING : Documents.Reported.of(report);
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
