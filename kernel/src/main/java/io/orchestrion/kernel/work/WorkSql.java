package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkItem.Keys;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.kernel.work.WorkItem.Settled;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Binds and reads the statements of `work.sql`; decides nothing.
public final class WorkSql {
    private static final NamedSql SQL = NamedSql.beside(WorkSql.class, "work.sql");

    private static final List<String> LEASED_FIRST =
            Profiles.ALL.stream()
                    .filter(profile -> !profile.startWithLease())
                    .map(Profile::name)
                    .toList();

    private WorkSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// One item wanted by one claimer.
    record Grant(
            String kind,
            int place,
            UUID token,
            @Nullable String holder,
            @Nullable Integer leaseSeconds) {}

    /// A history row about to be written.
    record EventRow(
            UUID workId,
            int seq,
            long atMs,
            WorkEvent event,
            @Nullable WorkState from,
            WorkState to,
            int attempt,
            long leaseNumber,
            @Nullable String holder,
            @Nullable String detail) {

        /// For a change that was made by a statement and not decided on a read row.
        static EventRow of(WorkItem after, WorkEvent event, @Nullable WorkState from) {
            return new EventRow(
                    after.id(),
                    after.eventSeq(),
                    after.eventMs(),
                    event,
                    from,
                    after.state(),
                    after.attempt(),
                    after.leaseNumber(),
                    after.holder(),
                    null);
        }

        static EventRow of(Step step) {
            WorkItem after = step.after();
            // The holder that acted is the one before a change that lets the lease go.
            String holder = after.state().held() ? after.holder() : step.before().holder();
            boolean failed =
                    switch (step.event()) {
                        case FAIL, EXPIRE, TIME_OUT -> true;
                        default -> false;
                    };
            return new EventRow(
                    after.id(),
                    after.eventSeq(),
                    after.eventMs(),
                    step.event(),
                    step.before().state(),
                    after.state(),
                    after.attempt(),
                    after.leaseNumber(),
                    holder,
                    failed ? after.failure() : null);
        }
    }

    /// A holder's fence for one item, with the stamp to put on it if it ends.
    record Fenced(UUID id, Fence fence, @Nullable Long purgeAfterMs) {}

    /// A result to be kept.
    record OutcomeRow(UUID id, @Nullable String result, @Nullable String outputRef) {}

    /// One account's queue of one kind.
    record DueQueue(UUID accountId, String queue, String kind) {}

    static List<UUID> insertWork(Tx tx, UUID account, List<WorkItem> items) throws SQLException {
        return SQL.on(tx, "insert_work")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", items, WorkItem::id)
                .column("profiles", "text", items, WorkItem::profile)
                .column("queues", "text", items, WorkItem::queue)
                .column("kinds", "text", items, WorkItem::kind)
                .column("states", "text", items, item -> item.state().word())
                .column("wait_reasons", "text", items, item -> word(item.waitReason()))
                .column("priorities", "int4", items, WorkItem::priority)
                .column("orders", "int8", items, WorkSql::orderMs)
                .column("run_ats", "int8", items, WorkItem::runAtMs)
                .column("max_attempts", "int4", items, WorkItem::maxAttempts)
                .column("lease_seconds", "int4", items, WorkItem::leaseSeconds)
                .column("timeouts", "int8", items, WorkItem::timeoutMs)
                .column("owner_kinds", "text", items, WorkSql::ownerKind)
                .column("owner_ids", "uuid", items, WorkSql::ownerId)
                .column("concurrency_keys", "text", items, item -> item.keys().concurrency())
                .column("rate_keys", "text", items, item -> item.keys().rate())
                .column("unique_keys", "text", items, item -> item.keys().unique())
                .column("if_parent_fails", "text", items, item -> word(item.ifParentFails()))
                .list(row -> row.getObject(1, UUID.class));
    }

    static void insertPayloads(Tx tx, UUID account, List<UUID> ids, List<String> payloads)
            throws SQLException {
        SQL.on(tx, "insert_payloads")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .texts("payloads", List.copyOf(payloads))
                .update();
    }

    static void insertEvents(Tx tx, UUID account, List<EventRow> events) throws SQLException {
        if (events.isEmpty()) {
            return;
        }
        SQL.on(tx, "insert_events")
                .uuid("account", account)
                .column("ids", "uuid", events, EventRow::workId)
                .column("seqs", "int4", events, EventRow::seq)
                .column("ats", "int8", events, EventRow::atMs)
                .column("events", "text", events, event -> event.event().word())
                .column(
                        "from_states",
                        "text",
                        events,
                        event -> event.from() == null ? null : event.from().word())
                .column("to_states", "text", events, event -> event.to().word())
                .column("attempts", "int4", events, EventRow::attempt)
                .column("lease_numbers", "int8", events, EventRow::leaseNumber)
                .column("holders", "text", events, EventRow::holder)
                .column("details", "text", events, EventRow::detail)
                .update();
    }

    static void insertOutcomes(Tx tx, UUID account, List<OutcomeRow> outcomes) throws SQLException {
        if (outcomes.isEmpty()) {
            return;
        }
        SQL.on(tx, "insert_outcomes")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", outcomes, OutcomeRow::id)
                .column("results", "text", outcomes, OutcomeRow::result)
                .column("output_refs", "text", outcomes, OutcomeRow::outputRef)
                .update();
    }

    static List<WorkItem> claim(
            Tx tx, UUID account, String queue, Map<String, Integer> counts, List<Grant> grants)
            throws SQLException {
        List<String> kinds = List.copyOf(counts.keySet());
        return SQL.on(tx, "claim")
                .uuid("account", account)
                .text("queue", queue)
                .bigint("now", tx.nowMillis())
                .texts("kinds", List.copyOf(kinds))
                .column("counts", "int4", kinds, counts::get)
                .column("grant_kinds", "text", grants, Grant::kind)
                .column("grant_places", "int8", grants, grant -> (long) grant.place())
                .column("grant_tokens", "uuid", grants, Grant::token)
                .column("grant_holders", "text", grants, Grant::holder)
                .column("grant_lease_seconds", "int4", grants, Grant::leaseSeconds)
                .texts("leased_first", List.copyOf(LEASED_FIRST))
                .list(WorkSql::item);
    }

    /// Leases these very items of one kind, one for each grant.
    static List<WorkItem> take(
            Tx tx, UUID account, String queue, String lastKey, List<UUID> ids, List<Grant> grants)
            throws SQLException {
        return SQL.on(tx, "take")
                .uuid("account", account)
                .text("queue", queue)
                .text("kind", grants.getFirst().kind())
                .text("last_key", lastKey)
                .bigint("now", tx.nowMillis())
                .uuids("ids", List.copyOf(ids))
                .column("tokens", "uuid", grants, Grant::token)
                .column("holders", "text", grants, Grant::holder)
                .column("lease_seconds", "int4", grants, Grant::leaseSeconds)
                .texts("leased_first", List.copyOf(LEASED_FIRST))
                .list(WorkSql::item);
    }

    static List<WorkItem> heartbeat(Tx tx, UUID account, String queue, List<Fenced> beats)
            throws SQLException {
        return SQL.on(tx, "heartbeat")
                .uuid("account", account)
                .text("queue", queue)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", beats, Fenced::id)
                .column("tokens", "uuid", beats, beat -> beat.fence().token())
                .column("numbers", "int8", beats, beat -> beat.fence().number())
                .list(WorkSql::item);
    }

    static List<WorkItem> complete(Tx tx, UUID account, Profile profile, List<Fenced> ends)
            throws SQLException {
        return SQL.on(tx, "complete")
                .uuid("account", account)
                .text("profile", profile.name())
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", ends, Fenced::id)
                .column("tokens", "uuid", ends, end -> end.fence().token())
                .column("numbers", "int8", ends, end -> end.fence().number())
                .column("purge_afters", "int8", ends, Fenced::purgeAfterMs)
                .list(WorkSql::item);
    }

    static Map<UUID, WorkItem> lock(Tx tx, UUID account, List<UUID> ids, boolean wait)
            throws SQLException {
        var items = new HashMap<UUID, WorkItem>();
        SQL.on(tx, wait ? "lock" : "lock_unless_busy")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(WorkSql::item)
                .forEach(item -> items.put(item.id(), item));
        return items;
    }

    /// Writes decided changes; every row must still be what was decided on.
    static void apply(Tx tx, UUID account, List<Step> steps) throws SQLException {
        int written =
                SQL.on(tx, "apply")
                        .uuid("account", account)
                        .column("ids", "uuid", steps, step -> step.after().id())
                        .column("from_states", "text", steps, s -> s.before().state().word())
                        .column("from_leases", "int8", steps, s -> s.before().leaseNumber())
                        .column("states", "text", steps, s -> s.after().state().word())
                        .column("wait_reasons", "text", steps, s -> word(s.after().waitReason()))
                        .column("run_ats", "int8", steps, s -> s.after().runAtMs())
                        .column("orders", "int8", steps, s -> orderMs(s.after()))
                        .column("attempts", "int4", steps, s -> s.after().attempt())
                        .column("retries", "int4", steps, s -> s.after().retries())
                        .column("lease_seconds", "int4", steps, s -> s.after().leaseSeconds())
                        .column("lease_numbers", "int8", steps, s -> s.after().leaseNumber())
                        .column("lease_tokens", "uuid", steps, s -> s.after().leaseToken())
                        .column("lease_untils", "int8", steps, s -> s.after().leaseUntilMs())
                        .column("holders", "text", steps, s -> s.after().holder())
                        .column("deadlines", "int8", steps, s -> s.after().deadlineMs())
                        .column("cancel_requests", "bool", steps, s -> s.after().cancelRequested())
                        .column("updateds", "int8", steps, s -> s.after().updatedMs())
                        .column("claimeds", "int8", steps, s -> s.after().claimedMs())
                        .column("heartbeats", "int8", steps, s -> s.after().heartbeatMs())
                        .column("finisheds", "int8", steps, s -> s.after().finishedMs())
                        .column("faileds", "int8", steps, s -> s.after().failedMs())
                        .column("failures", "text", steps, s -> s.after().failure())
                        .column("event_seqs", "int4", steps, s -> s.after().eventSeq())
                        .column("event_mss", "int8", steps, s -> s.after().eventMs())
                        .column("purge_afters", "int8", steps, s -> s.after().purgeAfterMs())
                        .update();
        if (written != steps.size()) {
            throw new IllegalStateException(
                    written + " of " + steps.size() + " locked rows were still as decided on");
        }
    }

    static Map<UUID, OwnerRef> ownersOf(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        var owners = new HashMap<UUID, OwnerRef>();
        SQL.on(tx, "owners_of")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(
                        row ->
                                owners.put(
                                        row.getObject("id", UUID.class),
                                        new OwnerRef(
                                                row.getString("owner_kind"),
                                                row.getObject("owner_id", UUID.class))));
        return owners;
    }

    static List<UUID> openIdsOf(Tx tx, UUID account, OwnerRef owner) throws SQLException {
        return SQL.on(tx, "ids_of_owner")
                .uuid("account", account)
                .text("owner_kind", owner.kind())
                .uuid("owner_id", owner.id())
                .list(row -> row.getObject(1, UUID.class));
    }

    static List<UUID> accountsWithLapsedLeases(Tx tx, int most) throws SQLException {
        return accounts(tx, "accounts_with_lapsed_leases", most);
    }

    private static List<UUID> accounts(Tx tx, String statement, int most) throws SQLException {
        return SQL.on(tx, statement)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    static List<UUID> lapsedLeases(Tx tx, UUID account, int most) throws SQLException {
        return SQL.on(tx, "lapsed_leases")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject(1, UUID.class));
    }

    static int lookAgainLater(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        return SQL.on(tx, "look_again_later")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .uuids("ids", List.copyOf(ids))
                .update();
    }

    static int lookAgainAt(Tx tx, UUID account, UUID id, long atMs) throws SQLException {
        return SQL.on(tx, "look_again_at")
                .uuid("account", account)
                .uuid("id", id)
                .bigint("at", atMs)
                .update();
    }

    static List<DueQueue> queuesWithDueWork(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "queues_with_due_work")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(
                        row ->
                                new DueQueue(
                                        row.getObject("account_id", UUID.class),
                                        row.getString("queue"),
                                        row.getString("kind")));
    }

    static @Nullable WorkView get(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "get").uuid("account", account).uuid("id", id).one(row -> view(tx, row));
    }

    static Map<UUID, Documents> documents(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        var documents = new HashMap<UUID, Documents>();
        SQL.on(tx, "documents")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(row -> documents.put(row.getObject("id", UUID.class), documents(row)));
        return documents;
    }

    static List<HistoryEntry> history(Tx tx, UUID account, UUID id) throws SQLException {
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
                                        row.getString("detail")));
    }

    static List<WorkView> list(Tx tx, WorkFilter filter) throws SQLException {
        return SQL.on(tx, "list")
                .uuid("account", filter.accountId())
                .text("queue", filter.profile().queue())
                .text("profile", filter.profile().name())
                .column("states", "text", List.copyOf(filter.states()), WorkState::word)
                .text("kind", filter.kind())
                .uuid("before", filter.before())
                .integer("most", filter.most())
                .list(row -> view(tx, row));
    }

    private static WorkView view(Tx tx, ResultSet row) throws SQLException {
        return new WorkView(item(row), documents(row), tx.nowMillis());
    }

    private static Documents documents(ResultSet row) throws SQLException {
        return new Documents(
                row.getString("payload"), row.getString("result"), row.getString("output_ref"));
    }

    private static WorkItem item(ResultSet row) throws SQLException {
        String waitReason = row.getString("wait_reason");
        String ownerKind = row.getString("owner_kind");
        String ifParentFails = row.getString("if_parent_fails");
        UUID settledToken = row.getObject("settled_token", UUID.class);
        UUID settledDigest = row.getObject("settled_digest", UUID.class);
        return new WorkItem(
                row.getObject("account_id", UUID.class),
                row.getObject("id", UUID.class),
                row.getString("profile"),
                row.getString("queue"),
                row.getString("kind"),
                WorkState.of(row.getString("state")),
                waitReason == null ? null : WaitReason.of(waitReason),
                row.getInt("priority"),
                Bound.nullableLong(row, "run_at_ms"),
                row.getInt("attempt"),
                row.getInt("max_attempts"),
                row.getInt("retries"),
                row.getInt("lease_seconds"),
                row.getLong("lease_number"),
                row.getObject("lease_token", UUID.class),
                Bound.nullableLong(row, "lease_until_ms"),
                row.getString("holder"),
                Bound.nullableLong(row, "timeout_ms"),
                Bound.nullableLong(row, "deadline_ms"),
                row.getBoolean("cancel_requested"),
                ownerKind == null
                        ? null
                        : new OwnerRef(ownerKind, row.getObject("owner_id", UUID.class)),
                row.getLong("created_ms"),
                row.getLong("updated_ms"),
                Bound.nullableLong(row, "claimed_ms"),
                Bound.nullableLong(row, "heartbeat_ms"),
                Bound.nullableLong(row, "finished_ms"),
                Bound.nullableLong(row, "failed_ms"),
                row.getString("failure"),
                row.getInt("event_seq"),
                row.getLong("event_ms"),
                Bound.nullableLong(row, "purge_after_ms"),
                new Keys(
                        row.getString("concurrency_key"),
                        row.getString("rate_key"),
                        row.getString("unique_key")),
                ifParentFails == null ? null : IfParentFails.of(ifParentFails),
                row.getBoolean("has_dependents"),
                settledToken == null || settledDigest == null
                        ? null
                        : new Settled(settledToken, settledDigest));
    }

    /// Where the item stands among those of its priority; the id, and so creation, comes after.
    private static long orderMs(WorkItem item) {
        return switch (Profiles.named(item.profile()).order()) {
            case PRIORITY_SCHEDULE_CREATION -> item.runAtMs() == null ? 0 : item.runAtMs();
            case PRIORITY_CREATION, CREATION -> 0;
        };
    }

    private static @Nullable String word(@Nullable WaitReason reason) {
        return reason == null ? null : reason.word();
    }

    private static @Nullable String word(@Nullable IfParentFails rule) {
        return rule == null ? null : rule.word();
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
