package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.audit.Actor;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.Detail;
import io.orchestrion.kernel.audit.Subject;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.identity.IdentitySql.LiveKeys;
import io.orchestrion.kernel.identity.IdentitySql.StoredKey;
import io.orchestrion.kernel.work.Ids;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// The keys of an account, as the account manages them. Whoever makes or revokes one holds the lock
/// of the account, so that no two transactions count the same keys. Each change is in the audit
/// log.
public final class Keys {
    public static final int LIVE_MAX = 100;
    public static final Duration EXPIRY_MIN = Duration.ofMinutes(1);
    public static final Duration EXPIRY_MAX = Duration.ofDays(3650);

    /// Above every id there is.
    static final UUID LAST_ID = new UUID(-1, -1);

    static final String CREATED = "key.created";
    private static final String RENAMED = "key.renamed";
    static final String REVOKED = "key.revoked";

    private final Database database;
    private final Ids ids;
    private final Identity identity;

    public Keys(Database database, Ids ids, Identity identity) {
        this.database = database;
        this.ids = ids;
        this.identity = identity;
    }

    /// Makes a key for at most what the key that asks is for, or a part of that. Whether that one
    /// still works is asked anew: a key that is only believed to must not make another that does.
    public MadeKey create(Principal by, NewKey wanted) {
        Set<Scope> asked = wanted.scopes();
        Set<Scope> scopes = EnumSet.copyOf(asked == null ? by.scopes() : asked);
        Set<Scope> beyond = EnumSet.copyOf(scopes);
        beyond.removeAll(Scope.withIncluded(by.scopes()));
        if (!beyond.isEmpty()) {
            return new MadeKey.BeyondScopes(beyond);
        }
        ApiKey key = ApiKey.generate();
        return database.transaction(
                tx -> {
                    Long expires = expires(wanted.expiry(), tx.nowMillis());
                    if (!allowed(expires, tx.nowMillis())) {
                        return new MadeKey.ExpiryRefused(tx.nowMillis());
                    }
                    IdentitySql.lockAccount(tx, by.accountId());
                    if (!live(tx, by)) {
                        return new MadeKey.CallerGone();
                    }
                    if (IdentitySql.liveKeys(tx, by.accountId()).keys() >= LIVE_MAX) {
                        return new MadeKey.TooMany();
                    }
                    UUID keyId = ids.next(tx.nowMillis());
                    IdentitySql.insertKey(
                            tx, by.accountId(), keyId, key.hash(), wanted.name(), scopes, expires);
                    audit(
                            tx,
                            by,
                            CREATED,
                            keyId,
                            made(wanted.name(), scopes)
                                    .text(
                                            "expiresAt",
                                            expires == null
                                                    ? null
                                                    : Instant.ofEpochMilli(expires).toString()));
                    return new MadeKey.Made(there(tx, by.accountId(), keyId), key);
                });
    }

    private static void audit(Tx tx, Principal by, String action, UUID keyId, Detail detail)
            throws SQLException {
        Audit.write(
                tx,
                by.accountId(),
                Actor.key(by.keyId()),
                action,
                Subject.of("key", keyId),
                detail);
    }

    /// For the key that is made together with its account, and so by no other key.
    static void auditFirst(Tx tx, Registration made, String name, Set<Scope> scopes)
            throws SQLException {
        Audit.write(
                tx,
                made.accountId(),
                Actor.server(),
                CREATED,
                Subject.of("key", made.keyId()),
                made(name, scopes));
    }

    static Detail made(String name, Set<Scope> scopes) {
        return Detail.none()
                .text("name", name)
                .text(
                        "scopes",
                        scopes.stream()
                                .map(Scope::word)
                                .sorted()
                                .collect(Collectors.joining(", ")));
    }

    static @Nullable Long expires(NewKey.@Nullable Expiry expiry, long nowMs) {
        return expiry == null ? null : expiry.from(nowMs);
    }

    /// Whether the key that asks works, which may have changed since it was let in.
    static boolean live(Tx tx, Principal by) throws SQLException {
        StoredKey caller = IdentitySql.key(tx, by.accountId(), by.keyId());
        return caller != null && caller.status(tx.nowMillis()) == KeyView.Status.LIVE;
    }

    static boolean allowed(@Nullable Long expiresMs, long nowMs) {
        if (expiresMs == null) {
            return true;
        }
        long ahead = expiresMs - nowMs;
        return ahead >= EXPIRY_MIN.toMillis() && ahead <= EXPIRY_MAX.toMillis();
    }

    /// Newest first, those that no longer work among them.
    ///
    /// @param before only older ones than this; null for all
    public List<KeyView> list(UUID account, @Nullable UUID before, int most) {
        return database.transaction(
                tx ->
                        IdentitySql.keys(tx, account, before == null ? LAST_ID : before, most)
                                .stream()
                                .map(key -> key.seenAt(tx.nowMillis()))
                                .toList());
    }

    public @Nullable KeyView get(UUID account, UUID keyId) {
        return database.transaction(tx -> find(tx, account, keyId));
    }

    /// The key with its new name, or null when there is none.
    public @Nullable KeyView rename(Principal by, UUID keyId, String name) {
        return database.transaction(
                tx -> {
                    IdentitySql.lockAccount(tx, by.accountId());
                    StoredKey key = IdentitySql.key(tx, by.accountId(), keyId);
                    if (key == null) {
                        return null;
                    }
                    if (!key.name().equals(name)) {
                        IdentitySql.rename(tx, by.accountId(), keyId, name);
                        audit(
                                tx,
                                by,
                                RENAMED,
                                keyId,
                                Detail.none().text("from", key.name()).text("to", name));
                    }
                    return there(tx, by.accountId(), keyId);
                });
    }

    /// From the commit on the key opens nothing on this node. On other nodes it may work until they
    /// look it up again, which is a short time.
    public Revocation revoke(Principal by, UUID keyId) {
        UUID account = by.accountId();
        return database.transaction(
                tx -> {
                    IdentitySql.lockAccount(tx, account);
                    StoredKey key = IdentitySql.key(tx, account, keyId);
                    if (key == null) {
                        return new Revocation.NotFound();
                    }
                    if (lastOne(tx, account, key)) {
                        return new Revocation.LastKey();
                    }
                    if (IdentitySql.revoke(tx, account, keyId)) {
                        audit(tx, by, REVOKED, keyId, Detail.none().text("name", key.name()));
                    }
                    tx.afterCommit(() -> identity.forget(key.hash()));
                    return new Revocation.Revoked(there(tx, account, keyId));
                });
    }

    private static boolean lastOne(Tx tx, UUID account, StoredKey key) throws SQLException {
        LiveKeys live = IdentitySql.liveKeys(tx, account);
        return key.status(tx.nowMillis()) == KeyView.Status.LIVE
                && key.scopes().contains(Scope.ADMIN)
                && live.admins() == 1;
    }

    private static @Nullable KeyView find(Tx tx, UUID account, UUID keyId) throws SQLException {
        StoredKey key = IdentitySql.key(tx, account, keyId);
        return key == null ? null : key.seenAt(tx.nowMillis());
    }

    static KeyView there(Tx tx, UUID account, UUID keyId) throws SQLException {
        KeyView view = find(tx, account, keyId);
        if (view == null) {
            throw new IllegalStateException("a key that was just written is not there");
        }
        return view;
    }
}
