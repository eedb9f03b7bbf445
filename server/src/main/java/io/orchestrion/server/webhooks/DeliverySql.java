package io.orchestrion.server.webhooks;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.server.webhooks.Delivery.Attempt;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Binds and reads the statements of `delivery.sql`.
public final class DeliverySql {
    private static final NamedSql SQL = NamedSql.beside(DeliverySql.class, "delivery.sql");

    private DeliverySql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// A delivery to be made.
    record New(
            UUID id,
            UUID endpoint,
            long place,
            String queue,
            UUID subject,
            int seq,
            UUID eventId,
            String eventName,
            @Nullable String url,
            @Nullable UUID redeliveryOf) {}

    /// What a call is made of, beside its body.
    record ToSend(
            UUID id,
            UUID subject,
            UUID eventId,
            String eventName,
            String url,
            @Nullable String trace) {}

    /// The content of a delivery that is sent again.
    record Source(
            UUID endpoint,
            String queue,
            UUID subject,
            int seq,
            UUID eventId,
            String eventName,
            @Nullable String url,
            String body) {}

    static void insert(Tx tx, UUID account, List<New> made) throws SQLException {
        SQL.on(tx, "insert")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", made, New::id)
                .column("endpoints", "uuid", made, New::endpoint)
                .column("places", "int8", made, New::place)
                .column("queues", "text", made, New::queue)
                .column("subjects", "uuid", made, New::subject)
                .column("seqs", "int4", made, New::seq)
                .column("event_ids", "uuid", made, New::eventId)
                .column("event_names", "text", made, New::eventName)
                .column("urls", "text", made, New::url)
                .column("redelivery_ofs", "uuid", made, New::redeliveryOf)
                .update();
    }

    static long openCount(Tx tx, UUID account, UUID endpoint, int most) throws SQLException {
        return count(
                SQL.on(tx, "open_count")
                        .uuid("account", account)
                        .text("kind", endpoint.toString())
                        .integer("most", most));
    }

    static long runningCount(Tx tx, UUID account, UUID endpoint) throws SQLException {
        return count(
                SQL.on(tx, "running_count")
                        .uuid("account", account)
                        .text("kind", endpoint.toString()));
    }

    private static long count(Bound bound) throws SQLException {
        Long count = bound.one(row -> row.getLong(1));
        return count == null ? 0 : count;
    }

    /// @param candidates those that a claim could take
    static List<UUID> claimable(
            Tx tx, Receiver receiver, List<UUID> candidates, int quick, int most)
            throws SQLException {
        return SQL.on(tx, "claimable")
                .uuid("account", receiver.accountId())
                .uuid("endpoint", receiver.id())
                .uuids("ids", List.copyOf(candidates))
                .integer("quick", quick)
                .integer("most", most)
                .list(row -> row.getObject(1, UUID.class));
    }

    static @Nullable Long nextLook(Tx tx, Receiver receiver) throws SQLException {
        return SQL.on(tx, "next_look")
                .uuid("account", receiver.accountId())
                .text("kind", receiver.kind())
                .list(row -> new Next(Bound.nullableLong(row, "next_ms")))
                .getFirst()
                .ms();
    }

    private record Next(@Nullable Long ms) {}

    static Map<UUID, ToSend> toSend(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        var all = new HashMap<UUID, ToSend>();
        SQL.on(tx, "to_send")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(
                        row ->
                                new ToSend(
                                        row.getObject("delivery_id", UUID.class),
                                        row.getObject("subject", UUID.class),
                                        row.getObject("event_id", UUID.class),
                                        row.getString("event_name"),
                                        row.getString("url"),
                                        row.getString("trace")))
                .forEach(each -> all.put(each.id(), each));
        return all;
    }

    /// @param numbers of the leases that the tries are made under
    static void beginAttempts(Tx tx, UUID account, List<UUID> ids, List<Long> numbers)
            throws SQLException {
        SQL.on(tx, "begin_attempts")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", ids, id -> id)
                .column("numbers", "int8", numbers, number -> number)
                .update();
    }

    static void endAttempt(Tx tx, UUID account, Attempt attempt) throws SQLException {
        SQL.on(tx, "end_attempt")
                .uuid("account", account)
                .uuid("id", attempt.delivery())
                .bigint("number", attempt.number())
                .bigint("duration", attempt.durationMs())
                .integer("status", attempt.status())
                .text("error", attempt.error())
                .text("detail", attempt.detail())
                .text("answer", attempt.answer())
                .bigint("next", attempt.nextMs())
                .update();
    }

    static @Nullable Delivery get(Tx tx, UUID account, UUID id) throws SQLException {
        List<Delivery> found =
                withAttempts(
                        tx,
                        account,
                        SQL.on(tx, "get")
                                .uuid("account", account)
                                .uuid("id", id)
                                .list(DeliverySql::delivery));
        return found.isEmpty() ? null : found.getFirst();
    }

    static @Nullable Source source(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "source")
                .uuid("account", account)
                .uuid("id", id)
                .one(
                        row ->
                                new Source(
                                        row.getObject("endpoint_id", UUID.class),
                                        row.getString("queue"),
                                        row.getObject("subject", UUID.class),
                                        row.getInt("seq"),
                                        row.getObject("event_id", UUID.class),
                                        row.getString("event_name"),
                                        row.getString("url"),
                                        row.getString("payload")));
    }

    static List<Delivery> ofEndpoint(
            Tx tx,
            UUID account,
            UUID endpoint,
            Delivery.@Nullable State state,
            @Nullable Long before,
            int most)
            throws SQLException {
        var bound =
                SQL.on(tx, "of_endpoint")
                        .uuid("account", account)
                        .uuid("endpoint", endpoint)
                        .bigint("before", before)
                        .integer("most", most);
        return withAttempts(
                tx,
                account,
                (state == null
                                ? bound.text("state", null)
                                : bound.texts("state", List.copyOf(state.stored())))
                        .list(DeliverySql::delivery));
    }

    static List<Delivery> ofSubject(
            Tx tx, UUID account, String queue, UUID subject, @Nullable UUID after, int most)
            throws SQLException {
        return withAttempts(
                tx,
                account,
                SQL.on(tx, "of_subject")
                        .uuid("account", account)
                        .text("queue", queue)
                        .uuid("subject", subject)
                        .uuid("after", after)
                        .integer("most", most)
                        .list(DeliverySql::delivery));
    }

    private static List<Delivery> withAttempts(Tx tx, UUID account, List<Delivery> deliveries)
            throws SQLException {
        if (deliveries.isEmpty()) {
            return deliveries;
        }
        List<Attempt> attempts =
                SQL.on(tx, "attempts")
                        .uuid("account", account)
                        .column("ids", "uuid", deliveries, Delivery::id)
                        .list(DeliverySql::attempt);
        return deliveries.stream()
                .map(
                        each ->
                                each.with(
                                        attempts.stream()
                                                .filter(
                                                        attempt ->
                                                                attempt.delivery()
                                                                        .equals(each.id()))
                                                .toList()))
                .toList();
    }

    static List<UUID> openOfEndpoint(Tx tx, UUID account, UUID endpoint, int most)
            throws SQLException {
        return SQL.on(tx, "open_of_endpoint")
                .uuid("account", account)
                .text("kind", endpoint.toString())
                .integer("most", most)
                .list(row -> row.getObject(1, UUID.class));
    }

    static List<UUID> accountsWithOrphans(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_orphans")
                .integer("most", most)
                .list(row -> row.getObject(1, UUID.class));
    }

    static List<UUID> orphans(Tx tx, UUID account, int most) throws SQLException {
        return SQL.on(tx, "orphans")
                .uuid("account", account)
                .integer("most", most)
                .list(row -> row.getObject(1, UUID.class));
    }

    static void delete(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        SQL.on(tx, "delete").uuid("account", account).uuids("ids", List.copyOf(ids)).update();
    }

    private static Delivery delivery(ResultSet row) throws SQLException {
        var state = Delivery.State.of(WorkState.of(row.getString("work_state")));
        return new Delivery(
                row.getObject("delivery_id", UUID.class),
                row.getObject("endpoint_id", UUID.class),
                row.getString("endpoint_kind").equals("callback"),
                row.getLong("place"),
                row.getString("queue"),
                row.getObject("subject", UUID.class),
                row.getObject("event_id", UUID.class),
                row.getString("event_name"),
                row.getString("url"),
                row.getObject("redelivery_of", UUID.class),
                row.getLong("created_ms"),
                state,
                row.getInt("attempt"),
                row.getInt("max_attempts"),
                state == Delivery.State.PENDING ? Bound.nullableLong(row, "run_at_ms") : null,
                Bound.nullableLong(row, "finished_ms"),
                // The item keeps its last failure when it succeeds after all.
                state == Delivery.State.DELIVERED ? null : row.getString("failure"),
                List.of());
    }

    private static Attempt attempt(ResultSet row) throws SQLException {
        int status = row.getInt("status");
        Integer answered = row.wasNull() ? null : Integer.valueOf(status);
        return new Attempt(
                row.getObject("delivery_id", UUID.class),
                row.getLong("number"),
                row.getLong("started_ms"),
                Bound.nullableLong(row, "duration_ms"),
                answered,
                row.getString("error"),
                row.getString("detail"),
                row.getString("answer"),
                Bound.nullableLong(row, "next_ms"));
    }
}
