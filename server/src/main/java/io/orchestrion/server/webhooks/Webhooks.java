package io.orchestrion.server.webhooks;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.audit.Actor;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.Detail;
import io.orchestrion.kernel.audit.Subject;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.events.LogReaders;
import io.orchestrion.kernel.idempotency.Idempotency;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.Reservation;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Ids;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.server.door.DoorEvents;
import io.orchestrion.server.webhooks.Receiver.State;

import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/// Webhooks of accounts: registering, changing, deleting, and their secrets. Together with the
/// duties that deliver.
public final class Webhooks implements AutoCloseable {
    static final int WEBHOOKS_MAX = 100;
    public static final int SECRETS_MAX = 3;
    public static final Duration OVERLAP_MAX = Duration.ofDays(30);
    private static final int CANCEL_BATCH = 500;

    private final Database database;
    private final WorkVerbs verbs;
    private final Ids ids;
    private final Idempotency idempotency = new Idempotency();
    private final Map<String, DoorEvents> doors = new HashMap<>();
    private final SecureRandom random = new SecureRandom();
    private final SecretBox box;
    private final Egress egress;
    private final FanOut fanOut;
    private final Deliverer deliverer;
    private final Deliveries deliveries;

    /// Adds its duties to the kernel, which has not started yet.
    ///
    /// @param egress is the caller's to close, after this
    public Webhooks(
            Kernel kernel,
            Collection<DoorEvents> doors,
            WebhookOptions options,
            Egress egress,
            String version) {
        this.database = kernel.database();
        this.verbs = kernel.verbs();
        this.ids = kernel.ids();
        this.box = new SecretBox(options.secretKey(), random);
        this.egress = egress;
        doors.forEach(door -> this.doors.put(door.queue(), door));
        List<String> names = eventNames();
        if (Set.copyOf(names).size() < names.size()) {
            throw new IllegalArgumentException("two events have one name: " + names);
        }
        this.fanOut = new FanOut(kernel, this.doors, options);
        this.deliverer = new Deliverer(kernel, options, egress, version);
        this.deliveries = new Deliveries(kernel, options);
        kernel.add(fanOut);
        kernel.add(deliverer);
        kernel.add(new WebhookPurger(kernel));
    }

    /// Every event that can be asked for.
    public List<String> eventNames() {
        return doors.values().stream().flatMap(door -> door.names().stream()).sorted().toList();
    }

    /// Why an address may not be called, as the end of a sentence that begins with its field; null
    /// when nothing is known against it.
    public @Nullable String addressFault(UUID account, String url) {
        return egress.fault(account, url);
    }

    /// How many calls are under way on this node.
    public int underWay() {
        return deliverer.underWay();
    }

    /// A webhook to be registered.
    ///
    /// @param secret null for one of our making
    /// @param key null where the request is not sent again
    public record New(
            String url,
            List<String> events,
            String description,
            @Nullable SigningSecret secret,
            @Nullable IdempotencyKey key) {}

    public WebhookOutcome create(Principal by, New wanted) {
        try {
            return database.transaction(tx -> create(tx, by, wanted));
        } catch (StoreException e) {
            if (wanted.key() != null && e.kind() == StoreException.Kind.LOCKED) {
                return new WebhookOutcome.KeyInFlight();
            }
            throw e;
        }
    }

    private WebhookOutcome create(Tx tx, Principal by, New wanted) throws SQLException {
        UUID account = by.accountId();
        UUID id = ids.next(tx.nowMillis());
        if (wanted.key() != null) {
            // The id alone: what is kept of an answer holds no secret.
            Reservation reservation =
                    idempotency
                            .reserve(
                                    tx,
                                    account,
                                    List.of(
                                            new Idempotency.Claim(
                                                    wanted.key(),
                                                    id,
                                                    new StoredAnswer(201, id.toString()))))
                            .getFirst();
            WebhookOutcome before = before(tx, account, reservation);
            if (before != null) {
                return before;
            }
        }
        List<String> events = List.copyOf(new TreeSet<>(wanted.events()));
        WebhookOutcome refused = null;
        if (EndpointSql.countWebhooks(tx, account) >= WEBHOOKS_MAX) {
            refused = new WebhookOutcome.TooMany(WEBHOOKS_MAX);
        } else {
            long from = follow(tx, account, events);
            var made =
                    new EndpointSql.New(
                            id,
                            false,
                            wanted.url(),
                            events,
                            OnceKey.of(wanted.url(), events),
                            wanted.description(),
                            from);
            if (!EndpointSql.insert(tx, account, made)) {
                refused = new WebhookOutcome.Exists();
            }
        }
        if (refused != null) {
            if (wanted.key() != null) {
                idempotency.release(tx, account, List.of(id));
            }
            return refused;
        }
        SigningSecret secret =
                wanted.secret() == null ? SigningSecret.make(random) : wanted.secret();
        UUID secretId = ids.next(tx.nowMillis());
        EndpointSql.insertSecret(tx, account, id, secretId, box.close(account, id, secret));
        Receiver receiver = get(tx, account, id);
        audit(tx, by, "webhook.create", id, Detail.none().text("url", wanted.url()));
        return new WebhookOutcome.Made(receiver, secretId, secret, null, tx.nowMillis());
    }

    private @Nullable WebhookOutcome before(Tx tx, UUID account, Reservation reservation)
            throws SQLException {
        return switch (reservation) {
            case Reservation.Ours() -> null;
            case Reservation.Conflict() -> new WebhookOutcome.KeyConflict();
            case Reservation.InFlight() -> new WebhookOutcome.KeyInFlight();
            case Reservation.Replay(var answer) -> {
                Receiver made = EndpointSql.get(tx, account, UUID.fromString(answer.body()));
                yield made == null || made.state() == State.DELETED
                        ? new WebhookOutcome.NotFound()
                        : new WebhookOutcome.Replayed(made, tx.nowMillis());
            }
        };
    }

    /// Has the logs read that the events are in; says from where on.
    private long follow(Tx tx, UUID account, List<String> events) throws SQLException {
        long from = 0;
        for (String queue : new TreeSet<>(doors.keySet())) {
            DoorEvents door = doors.get(queue);
            if (door != null && events.stream().anyMatch(door.names()::contains)) {
                from = LogReaders.follow(tx, account, queue);
            }
        }
        return from;
    }

    private static Receiver get(Tx tx, UUID account, UUID id) throws SQLException {
        Receiver receiver = EndpointSql.get(tx, account, id);
        if (receiver == null) {
            throw new IllegalStateException("a webhook that was just written is not there");
        }
        return receiver;
    }

    static void audit(Tx tx, Principal by, String action, UUID id, Detail detail)
            throws SQLException {
        Audit.write(
                tx,
                by.accountId(),
                Actor.key(by.keyId()),
                action,
                Subject.of("webhook", id),
                detail);
    }

    public WebhookOutcome get(UUID account, UUID id) {
        return database.transaction(
                tx -> {
                    Receiver receiver = EndpointSql.get(tx, account, id);
                    return usable(receiver) ? done(tx, receiver) : missing(tx, id);
                });
    }

    private static boolean usable(@Nullable Receiver receiver) {
        return receiver != null && !receiver.callback() && receiver.state() != State.DELETED;
    }

    private static WebhookOutcome missing(Tx tx, UUID id) throws SQLException {
        return EndpointSql.existsAnywhere(tx, id)
                ? new WebhookOutcome.Foreign()
                : new WebhookOutcome.NotFound();
    }

    private static WebhookOutcome done(Tx tx, @Nullable Receiver receiver) throws SQLException {
        if (receiver == null) {
            throw new IllegalStateException("nothing was found");
        }
        Long former = null;
        for (EndpointSql.Kept each : EndpointSql.secrets(tx, receiver.accountId(), receiver.id())) {
            if (each.endsMs() != null && (former == null || each.endsMs() > former)) {
                former = each.endsMs();
            }
        }
        return new WebhookOutcome.Done(receiver, former, tx.nowMillis());
    }

    /// The newest first.
    public List<WebhookOutcome.Done> list(UUID account, @Nullable UUID before, int most) {
        return database.transaction(
                tx ->
                        EndpointSql.list(tx, account, before, most).stream()
                                .map(each -> new WebhookOutcome.Done(each, null, tx.nowMillis()))
                                .toList());
    }

    /// A field that is null stays as it is.
    public record Change(
            @Nullable List<String> events,
            @Nullable String description,
            @Nullable Boolean paused) {}

    public WebhookOutcome change(Principal by, UUID id, Change change) {
        return database.transaction(tx -> change(tx, by, id, change));
    }

    private WebhookOutcome change(Tx tx, Principal by, UUID id, Change change) throws SQLException {
        UUID account = by.accountId();
        Receiver known = EndpointSql.get(tx, account, id);
        if (known == null || !usable(known)) {
            return missing(tx, id);
        }
        List<String> asked =
                change.events() == null ? null : List.copyOf(new TreeSet<>(change.events()));
        if (asked != null) {
            // The log before the receiver, as everywhere, or two could wait for each other.
            follow(tx, account, asked);
        }
        Receiver old = EndpointSql.lock(tx, account, id);
        if (old == null || !usable(old)) {
            return missing(tx, id);
        }
        List<String> events = asked == null ? old.events() : asked;
        boolean pauses = Boolean.TRUE.equals(change.paused()) && old.state() == State.ACTIVE;
        boolean resumes = Boolean.FALSE.equals(change.paused());
        var to =
                new Receiver(
                        account,
                        id,
                        false,
                        old.url(),
                        events,
                        change.description() == null ? old.description() : change.description(),
                        pauses ? State.PAUSED : resumes ? State.ACTIVE : old.state(),
                        pauses ? "Paused by request." : resumes ? null : old.reason(),
                        old.fromPosition(),
                        old.createdMs(),
                        tx.nowMillis(),
                        resumes ? 0 : old.failures(),
                        resumes ? null : old.failingSinceMs(),
                        resumes ? 0 : old.opened(),
                        resumes ? null : old.openUntilMs(),
                        old.lastSuccessMs(),
                        old.lastFailure());
        if (!EndpointSql.change(tx, to, OnceKey.of(old.url(), events), tx.nowMillis())) {
            return new WebhookOutcome.Exists();
        }
        audit(
                tx,
                by,
                pauses ? "webhook.pause" : resumes ? "webhook.resume" : "webhook.change",
                id,
                Detail.none().text("events", String.join(",", events)));
        return done(tx, get(tx, account, id));
    }

    /// From the commit on no delivery to it begins, and those that wait are taken back.
    public WebhookOutcome delete(Principal by, UUID id) {
        UUID account = by.accountId();
        WebhookOutcome outcome =
                database.transaction(
                        tx -> {
                            Receiver old = EndpointSql.lock(tx, account, id);
                            if (!usable(old)) {
                                return missing(tx, id);
                            }
                            EndpointSql.delete(tx, account, id);
                            cancel(tx, account, id);
                            audit(tx, by, "webhook.delete", id, Detail.none());
                            return new WebhookOutcome.Deleted();
                        });
        // A long list is not taken back in one transaction; nothing of it is delivered meanwhile.
        while (outcome instanceof WebhookOutcome.Deleted
                && database.transaction(tx -> cancel(tx, account, id))) {
            // The rest of it.
        }
        return outcome;
    }

    /// Whether there is more to cancel. One that is being delivered just now may refuse and stay,
    /// so a pass that cancels none is the last.
    private boolean cancel(Tx tx, UUID account, UUID id) throws SQLException {
        List<UUID> open = DeliverySql.openOfEndpoint(tx, account, id, CANCEL_BATCH);
        List<Ack> acks =
                verbs.execute(
                        tx,
                        account,
                        open.stream()
                                .map(
                                        each ->
                                                new CommandRequest(
                                                        account,
                                                        Profiles.DELIVERIES,
                                                        each,
                                                        new Command.Cancel(),
                                                        false))
                                .toList());
        return open.size() == CANCEL_BATCH && acks.stream().anyMatch(Ack.Applied.class::isInstance);
    }

    /// Signs with a new secret from now on. The earlier ones sign, too, for a while.
    public WebhookOutcome rotate(
            Principal by, UUID id, @Nullable SigningSecret given, Duration overlap) {
        return database.transaction(
                tx -> {
                    UUID account = by.accountId();
                    Receiver receiver = EndpointSql.lock(tx, account, id);
                    if (receiver == null || !usable(receiver)) {
                        return missing(tx, id);
                    }
                    long ends = tx.nowMillis() + overlap.toMillis();
                    EndpointSql.endSecrets(tx, account, id, ends);
                    if (EndpointSql.secrets(tx, account, id).size() >= SECRETS_MAX) {
                        // The transaction fails, so that the secrets that were shortened stay as
                        // they were.
                        throw new TooManySecrets();
                    }
                    SigningSecret secret = given == null ? SigningSecret.make(random) : given;
                    UUID secretId = ids.next(tx.nowMillis());
                    EndpointSql.insertSecret(
                            tx, account, id, secretId, box.close(account, id, secret));
                    audit(
                            tx,
                            by,
                            "webhook.rotate_secret",
                            id,
                            Detail.none().number("overlap_seconds", overlap.toSeconds()));
                    return new WebhookOutcome.Made(
                            receiver,
                            secretId,
                            secret,
                            overlap.isZero() ? null : ends,
                            tx.nowMillis());
                });
    }

    /// Takes the transaction back.
    public static final class TooManySecrets extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooManySecrets() {
            super("as many secrets sign as may", null, false, false);
        }
    }

    /// What was and is delivered to the webhooks.
    public Deliveries deliveries() {
        return deliveries;
    }

    /// Null when as many calls as may be are under way.
    public Deliverer.@Nullable Pinged ping(Receiver webhook) {
        return deliverer.ping(webhook);
    }

    /// Lets calls under way end, and makes no more.
    @Override
    public void close() {
        deliverer.close();
    }
}
