package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.audit.Actor;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.Detail;
import io.orchestrion.kernel.audit.Subject;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.idempotency.Idempotency;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.Reservation;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.identity.IdentitySql.StoredKey;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.work.Ids;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/// Accounts that are made without a key, and their keys: one at a time, replaced before it expires.
/// The id of a new client cannot be guessed. It is enough to get the first key, and for nothing
/// else. Whoever makes, replaces or revokes a key holds the lock of the account, and the change is
/// in the audit log.
public final class Clients {
    /// For how long the first key of a client can be had without a key.
    public static final Duration FIRST_KEY_WITHIN = Duration.ofHours(24);

    private static final String RENEWED = "key.renewed";
    private static final String NAME = "client";

    private final Database database;
    private final Ids ids;
    private final Identity identity;
    private final Idempotency idempotency;

    public Clients(Database database, Ids ids, Identity identity, Idempotency idempotency) {
        this.database = database;
        this.ids = ids;
        this.identity = identity;
        this.idempotency = idempotency;
    }

    /// Who makes a request about a client's keys.
    public sealed interface By {
        record Nobody() implements By {}

        /// The client itself.
        ///
        /// @param secret as it was shown
        record Own(Principal principal, String secret) implements By {
            @Override
            public String toString() {
                return "Own[" + principal + "]";
            }
        }

        /// The server's operator, who helps a client that is locked out.
        record Operator(Principal principal) implements By {}
    }

    /// The outcome of making a client.
    public sealed interface Made {
        record Client(UUID id) implements Made {}

        record Replayed(StoredAnswer answer) implements Made {}

        record OtherRequest() implements Made {}

        record InFlight() implements Made {}
    }

    /// Makes a client on the free plan.
    ///
    /// @param answer what is answered when the same request comes again with the same key
    public Made create(@Nullable IdempotencyKey once, Function<UUID, StoredAnswer> answer) {
        return database.transaction(
                tx -> {
                    // A random id and not one that counts up, because the id is a secret until
                    // there is a key.
                    UUID client = ids.token();
                    if (once != null) {
                        var claim = new Idempotency.Claim(once, client, answer.apply(client));
                        // There is no account yet, so the idempotency key is kept under the
                        // server's own.
                        UUID keeper = Identity.LOCAL_ACCOUNT;
                        IdentitySql.insertAccount(tx, keeper, "local", Plan.UNLIMITED_ID);
                        switch (idempotency.reserve(tx, keeper, List.of(claim)).getFirst()) {
                            case Reservation.Ours() -> {}
                            case Reservation.Replay(var stored) -> {
                                return new Made.Replayed(stored);
                            }
                            case Reservation.Conflict() -> {
                                return new Made.OtherRequest();
                            }
                            case Reservation.InFlight() -> {
                                return new Made.InFlight();
                            }
                        }
                    }
                    IdentitySql.insertAccount(tx, client, NAME, Plan.FREE_ID);
                    IdentitySql.insertClient(tx, client);
                    return new Made.Client(client);
                });
    }

    /// A key that is wanted.
    ///
    /// @param rotate whether it replaces the existing key
    /// @param life how long it works
    /// @param answer what is answered when the same request comes again: never the secret
    public record Wanted(
            boolean rotate,
            Duration life,
            @Nullable IdempotencyKey once,
            Function<KeyView, StoredAnswer> answer) {}

    /// The client's key: its first, the one that is there, or one in its place.
    public ClientKey key(By by, UUID client, Wanted wanted) {
        return database.transaction(
                tx -> {
                    if (!IdentitySql.lockAccount(tx, client)) {
                        return new ClientKey.NoSuchClient();
                    }
                    ClientKey before = before(tx, client, wanted.once());
                    if (before != null) {
                        return before;
                    }
                    StoredKey current = current(tx, by, client);
                    ClientKey made = key(tx, by, client, current, wanted);
                    KeyView view =
                            switch (made) {
                                case ClientKey.Made(var seen, _) -> seen;
                                case ClientKey.Existing(var seen) -> seen;
                                default -> null;
                            };
                    IdempotencyKey once = wanted.once();
                    if (view != null && once != null) {
                        idempotency.reserve(
                                tx,
                                client,
                                List.of(
                                        new Idempotency.Claim(
                                                once, view.keyId(), wanted.answer().apply(view))));
                    }
                    return made;
                });
    }

    /// The earlier answer under the idempotency key; null where there is none. The lock of the
    /// account is held, so nobody else can take the key meanwhile.
    private @Nullable ClientKey before(Tx tx, UUID client, @Nullable IdempotencyKey once)
            throws SQLException {
        Reservation said = once == null ? null : idempotency.peek(tx, client, once);
        return switch (said) {
            case Reservation.Replay(var answer) -> new ClientKey.Replayed(answer);
            case Reservation.Conflict() -> new ClientKey.OtherRequest();
            case Reservation.InFlight() -> new ClientKey.InFlight();
            case Reservation.Ours() -> null;
            case null -> null;
        };
    }

    private ClientKey key(Tx tx, By by, UUID client, @Nullable StoredKey current, Wanted wanted)
            throws SQLException {
        switch (by) {
            case By.Nobody() -> {
                if (!firstKeyOpen(tx, client)) {
                    return new ClientKey.KeyNeeded();
                }
            }
            case By.Own _ -> {
                if (current == null) {
                    return new ClientKey.Conflict();
                }
            }
            case By.Operator _ -> {}
        }
        if (current != null && !wanted.rotate()) {
            return new ClientKey.Existing(current.seenAt(tx.nowMillis()));
        }
        if (current != null) {
            IdentitySql.revoke(tx, client, current.keyId());
            audit(
                    tx,
                    by,
                    client,
                    Keys.REVOKED,
                    current.keyId(),
                    Detail.none().text("name", current.name()).text("reason", "rotated"));
            tx.afterCommit(() -> identity.forget(current.hash()));
        }
        ApiKey key = ApiKey.generate();
        UUID keyId = ids.next(tx.nowMillis());
        String name = current == null ? NAME : current.name();
        Set<Scope> scopes = current == null ? Scope.BUNDLES : current.scopes();
        long expires = tx.nowMillis() + wanted.life().toMillis();
        IdentitySql.insertKey(tx, client, keyId, key.hash(), name, scopes, expires);
        audit(
                tx,
                by,
                client,
                Keys.CREATED,
                keyId,
                Keys.made(name, scopes)
                        .text("expiresAt", Instant.ofEpochMilli(expires).toString()));
        return new ClientKey.Made(Keys.there(tx, client, keyId), key);
    }

    private static boolean firstKeyOpen(Tx tx, UUID client) throws SQLException {
        Long since = IdentitySql.clientSince(tx, client);
        return since != null
                && tx.nowMillis() < since + FIRST_KEY_WITHIN.toMillis()
                && IdentitySql.keys(tx, client, Keys.LAST_ID, 1).isEmpty();
    }

    /// The key that the request is about. For the client it is the one that it shows, for the
    /// operator the newest that works. Null when there is none.
    private static @Nullable StoredKey current(Tx tx, By by, UUID client) throws SQLException {
        return switch (by) {
            case By.Nobody() -> null;
            case By.Own(var principal, var secret) -> {
                StoredKey shown = IdentitySql.key(tx, client, principal.keyId());
                yield shown != null
                                && live(tx, shown)
                                && Arrays.equals(shown.hash(), ApiKey.hash(secret))
                        ? shown
                        : null;
            }
            case By.Operator _ -> {
                for (StoredKey each : IdentitySql.keys(tx, client, Keys.LAST_ID, Keys.LIVE_MAX)) {
                    if (live(tx, each)) {
                        yield each;
                    }
                }
                yield null;
            }
        };
    }

    private static boolean live(Tx tx, StoredKey key) {
        return key.status(tx.nowMillis()) == KeyView.Status.LIVE;
    }

    /// The same key with another secret, which works for longer; the old secret is none from then
    /// on. A key that does not expire stays one.
    public ClientKey renew(By by, UUID client, Duration life) {
        return database.transaction(
                tx -> {
                    if (!IdentitySql.lockAccount(tx, client)) {
                        return new ClientKey.NoSuchClient();
                    }
                    StoredKey current = current(tx, by, client);
                    if (current == null) {
                        return new ClientKey.Conflict();
                    }
                    ApiKey key = ApiKey.generate();
                    Long former = current.expiresMs();
                    Long expires =
                            former == null
                                    ? null
                                    : Math.max(former, tx.nowMillis() + life.toMillis());
                    if (!IdentitySql.renew(
                            tx, client, current.keyId(), current.hash(), key.hash(), expires)) {
                        return new ClientKey.Conflict();
                    }
                    audit(
                            tx,
                            by,
                            client,
                            RENEWED,
                            current.keyId(),
                            Detail.none()
                                    .text("name", current.name())
                                    .text(
                                            "expiresAt",
                                            expires == null
                                                    ? null
                                                    : Instant.ofEpochMilli(expires).toString()));
                    tx.afterCommit(() -> identity.forget(current.hash()));
                    return new ClientKey.Made(Keys.there(tx, client, current.keyId()), key);
                });
    }

    /// This may be the last key: a client may want that nothing opens its account any more.
    public ClientKey revoke(By by, UUID client, UUID keyId) {
        return database.transaction(
                tx -> {
                    if (!IdentitySql.lockAccount(tx, client)) {
                        return new ClientKey.NoSuchClient();
                    }
                    if (by instanceof By.Own && current(tx, by, client) == null) {
                        return new ClientKey.Conflict();
                    }
                    StoredKey key = IdentitySql.key(tx, client, keyId);
                    if (key == null) {
                        return new ClientKey.NoSuchKey();
                    }
                    if (IdentitySql.revoke(tx, client, keyId)) {
                        audit(
                                tx,
                                by,
                                client,
                                Keys.REVOKED,
                                keyId,
                                Detail.none().text("name", key.name()));
                        tx.afterCommit(() -> identity.forget(key.hash()));
                    }
                    return new ClientKey.Revoked(Keys.there(tx, client, keyId));
                });
    }

    private static void audit(Tx tx, By by, UUID client, String action, UUID keyId, Detail detail)
            throws SQLException {
        Actor actor =
                switch (by) {
                    case By.Nobody() -> Actor.server();
                    case By.Own(var principal, _) -> Actor.key(principal.keyId());
                    case By.Operator(var principal) -> Actor.key(principal.keyId());
                };
        Audit.write(tx, client, actor, action, Subject.of("key", keyId), detail);
    }
}
