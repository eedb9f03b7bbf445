package io.orchestrion.server.webhooks;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.verbs.ReadyItems;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Ids;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.server.webhooks.Delivery.Attempt;
import io.orchestrion.server.webhooks.EndpointSql.Kept;
import io.orchestrion.server.webhooks.EndpointSql.Ref;
import io.orchestrion.server.webhooks.Receiver.Circuit;
import io.orchestrion.server.webhooks.Receiver.State;
import io.orchestrion.server.webhooks.Sender.Outcome;

import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// Hands out deliveries and takes back their outcomes. Each is one transaction under the lock of
/// the receiver's row. That lock bounds the calls to one receiver over all nodes, and keeps them in
/// order.
final class DeliveryDesk {
    private static final int SCANNED = 200;
    private static final long RETRY_AFTER_MAX_SECONDS = 3600;
    private static final int GONE = 410;
    private static final int DETAIL_MAX = 500;
    private static final String HOLDER = "deliverer";
    private static final String PING = "webhook.ping";

    private final WorkVerbs verbs;
    private final Ids ids;
    private final WebhookOptions options;
    private final SecretBox box;
    private final RandomGenerator random = new SecureRandom();

    DeliveryDesk(Kernel kernel, WebhookOptions options) {
        this.verbs = kernel.verbs();
        this.ids = kernel.ids();
        this.options = options;
        this.box = new SecretBox(options.secretKey(), random);
    }

    /// A secret that signs.
    record Signer(UUID id, SigningSecret secret) {}

    /// One delivery to be made now.
    ///
    /// @param number of its lease
    /// @param nowMs when it was handed out
    record Charge(
            UUID account,
            UUID receiver,
            UUID delivery,
            Fence fence,
            long number,
            int attempt,
            String url,
            String body,
            UUID subject,
            UUID eventId,
            String eventName,
            List<Signer> secrets,
            boolean unreadableSecret,
            @Nullable String trace,
            long nowMs) {}

    /// @param outcome delivered, failed, exhausted or skipped
    record Result(String outcome, @Nullable String failure) {}

    /// Hands out as many as there is room for: none while the circuit is open, and one when it is
    /// time to see whether the receiver works again.
    List<Charge> claim(Tx tx, Ref ref, int most) throws SQLException {
        Receiver receiver = EndpointSql.lockUnlessBusy(tx, ref.accountId(), ref.id());
        if (receiver == null || receiver.state() != State.ACTIVE) {
            return List.of();
        }
        Circuit circuit = receiver.circuit(tx.nowMillis());
        if (circuit == Circuit.OPEN) {
            EndpointSql.lookAt(tx, ref.accountId(), ref.id(), receiver.openUntilMs());
            return List.of();
        }
        int atOnce = circuit == Circuit.HALF_OPEN ? 1 : options.perEndpoint();
        long running = DeliverySql.runningCount(tx, ref.accountId(), ref.id());
        int room = (int) Math.min(most, Math.max(0, atOnce - running));
        List<UUID> next = room == 0 ? List.of() : next(tx, receiver, room);
        List<Charge> charges = next.isEmpty() ? List.of() : lease(tx, receiver, next);
        // Either there are more than this call may take, or some were taken back just now: a caller
        // with room looks again at once.
        boolean more =
                charges.size() < next.size() || (next.size() == room && room < atOnce - running);
        Long look = more ? Long.valueOf(tx.nowMillis()) : DeliverySql.nextLook(tx, receiver);
        EndpointSql.lookAt(
                tx, ref.accountId(), ref.id(), look == null ? null : notNow(look, more, tx));
        return charges;
    }

    private List<UUID> next(Tx tx, Receiver receiver, int most) throws SQLException {
        List<UUID> candidates =
                ReadyItems.claimable(
                        tx,
                        receiver.accountId(),
                        Profiles.DELIVERIES.queue(),
                        receiver.kind(),
                        SCANNED);
        return candidates.isEmpty()
                ? List.of()
                : DeliverySql.claimable(tx, receiver, candidates, options.retries(), most);
    }

    /// A due delivery that cannot be taken waits for one that is under way. The end of that one
    /// sets the next look, so looking before is of no use.
    private static Long notNow(long look, boolean more, Tx tx) {
        return more ? look : Math.max(look, tx.nowMillis() + 100);
    }

    private List<Charge> lease(Tx tx, Receiver receiver, List<UUID> next) throws SQLException {
        UUID account = receiver.accountId();
        var orders = new ArrayList<CommandRequest>();
        for (UUID id : next) {
            orders.add(
                    new CommandRequest(
                            account,
                            Profiles.DELIVERIES,
                            id,
                            new Command.Lease(ids.token(), HOLDER, null),
                            true));
        }
        List<Ack> acks = verbs.execute(tx, account, orders);
        Map<UUID, DeliverySql.ToSend> toSend = DeliverySql.toSend(tx, account, next);
        List<Kept> kept = EndpointSql.secrets(tx, account, receiver.id());
        List<Signer> signers = signers(receiver, kept);
        boolean unreadable = signers.isEmpty() && !kept.isEmpty();
        var charges = new ArrayList<Charge>();
        for (Ack ack : acks) {
            if (ack instanceof Ack.Applied applied && applied.documents() != null) {
                DeliverySql.ToSend each = toSend.get(applied.item().id());
                if (each == null) {
                    continue;
                }
                charges.add(
                        new Charge(
                                account,
                                receiver.id(),
                                each.id(),
                                new Fence(
                                        applied.item().lease().token(),
                                        applied.item().lease().number()),
                                applied.item().lease().number(),
                                applied.item().attempt(),
                                each.url(),
                                applied.documents().payload(),
                                each.subject(),
                                each.eventId(),
                                each.eventName(),
                                signers,
                                unreadable,
                                each.trace(),
                                tx.nowMillis()));
            }
        }
        DeliverySql.beginAttempts(
                tx,
                account,
                charges.stream().map(Charge::delivery).toList(),
                charges.stream().map(Charge::number).toList());
        return charges;
    }

    private List<Signer> signers(Receiver receiver, List<Kept> kept) {
        var signers = new ArrayList<Signer>();
        for (Kept each : kept) {
            SigningSecret secret = box.open(receiver.accountId(), receiver.id(), each.sealed());
            if (secret != null) {
                signers.add(new Signer(each.id(), secret));
            }
        }
        return signers;
    }

    /// A call that tells of nothing: it is made once and not kept.
    Charge ping(Tx tx, Receiver receiver) throws SQLException {
        List<Kept> kept = EndpointSql.secrets(tx, receiver.accountId(), receiver.id());
        List<Signer> signers = signers(receiver, kept);
        UUID id = ids.next(tx.nowMillis());
        String body =
                JsonWriter.objectText(
                        out ->
                                out.text("event_id", id.toString())
                                        .text("event_name", PING)
                                        .instant("timestamp", tx.nowMillis())
                                        .text("webhook_id", receiver.id().toString()));
        return new Charge(
                receiver.accountId(),
                receiver.id(),
                id,
                Fence.NONE,
                0,
                1,
                receiver.url(),
                body,
                id,
                id,
                PING,
                signers,
                signers.isEmpty() && !kept.isEmpty(),
                null,
                tx.nowMillis());
    }

    /// Writes the outcome of a call. A delivery that was taken back meanwhile stays as it is, but
    /// its log says that the call was made.
    Result settle(Tx tx, Charge charge, Outcome outcome, long millis) throws SQLException {
        Receiver receiver = EndpointSql.lock(tx, charge.account(), charge.receiver());
        boolean good =
                outcome instanceof Outcome.Answered answered
                        && answered.status() >= 200
                        && answered.status() < 300;
        boolean gone = outcome instanceof Outcome.Answered answered && answered.status() == GONE;
        String failure = good ? null : failure(outcome);
        long delay = good || gone ? 0 : delay(charge.attempt(), outcome);
        Command command =
                failure == null
                        ? new Command.Complete(charge.fence(), null, null)
                        : new Command.Fail(charge.fence(), failure, delay, !gone);
        Ack ack =
                verbs.execute(
                                tx,
                                charge.account(),
                                List.of(
                                        new CommandRequest(
                                                charge.account(),
                                                Profiles.DELIVERIES,
                                                charge.delivery(),
                                                command,
                                                false)))
                        .getFirst();
        boolean open = ack instanceof Ack.Applied applied && !applied.item().state().ended();
        DeliverySql.endAttempt(
                tx,
                charge.account(),
                attempt(charge, outcome, millis, open ? tx.nowMillis() + delay : null));
        if (receiver != null && receiver.state() != State.DELETED) {
            EndpointSql.judged(
                    tx,
                    receiver,
                    failure == null
                            ? Verdict.success(receiver, tx.nowMillis())
                            : Verdict.failure(
                                    receiver, options.breaker(), failure, gone, tx.nowMillis()));
        }
        String word =
                ack instanceof Ack.Refused
                        ? "skipped"
                        : good ? "delivered" : open ? "failed" : "exhausted";
        return new Result(word, failure);
    }

    private long delay(int attempt, Outcome outcome) {
        long own = options.delayMillis(attempt, random);
        if (outcome instanceof Outcome.Answered answered && answered.retryAfterSeconds() != null) {
            long asked = Math.min(answered.retryAfterSeconds(), RETRY_AFTER_MAX_SECONDS) * 1000;
            return Math.max(own, asked);
        }
        return own;
    }

    private static String failure(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Answered answered -> "The receiver answered " + answered.status() + ".";
            case Outcome.Unanswered(var error, var detail) -> error + ": " + detail;
        };
    }

    private static Attempt attempt(
            Charge charge, Outcome outcome, long millis, @Nullable Long nextMs) {
        return switch (outcome) {
            case Outcome.Answered(var status, var start, _) ->
                    new Attempt(
                            charge.delivery(),
                            charge.number(),
                            charge.nowMs(),
                            millis,
                            status,
                            null,
                            null,
                            start,
                            nextMs);
            case Outcome.Unanswered(var error, var detail) ->
                    new Attempt(
                            charge.delivery(),
                            charge.number(),
                            charge.nowMs(),
                            millis,
                            null,
                            error,
                            detail.substring(0, Math.min(detail.length(), DETAIL_MAX)),
                            null,
                            nextMs);
        };
    }
}
