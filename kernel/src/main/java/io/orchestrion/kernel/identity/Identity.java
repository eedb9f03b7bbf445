package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.SharedLooks;
import io.orchestrion.kernel.identity.IdentitySql.KeyRow;
import io.orchestrion.kernel.memory.BoundedMap;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;
import io.orchestrion.kernel.work.Ids;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/// Accounts and keys: which accounts exist, and who sends a request.
public final class Identity {
    /// The server operator's own account, the same on every node.
    public static final UUID LOCAL_ACCOUNT =
            UUID.fromString("00000000-0000-7000-8000-000000000001");

    private record Cached(Principal principal, long sinceNanos, long expiresMs) {}

    private final Database database;
    private final Ids ids;
    private final KeyUse uses;
    private final long cacheNanos;
    private final NanoTicker ticker;
    private final Map<ByteBuffer, Cached> cache = new BoundedMap<>();

    private final SharedLooks<ByteBuffer, KeyFound> looks = new SharedLooks<>(this::find);

    private final Map<UUID, Boolean> accounts = new BoundedMap<>();

    /// How many keys this node has revoked; guarded by the cache.
    private long revocations;

    /// @param cacheFor how long a good key is believed without asking again, and so the longest
    ///     time for which a key that was revoked on another node still works on this one
    public Identity(Database database, Ids ids, KeyUse uses, Duration cacheFor, NanoTicker ticker) {
        this.database = database;
        this.ids = ids;
        this.uses = uses;
        this.cacheNanos = cacheFor.toNanos();
        this.ticker = ticker;
    }

    /// A new account with its first key, on the free plan.
    public Registration register(String name) {
        return register(name, Plan.FREE_ID);
    }

    /// A new account on a plan that never ends.
    public Registration register(String name, String plan) {
        ApiKey key = ApiKey.generate();
        return database.transaction(
                tx -> {
                    UUID account = ids.next(tx.nowMillis());
                    UUID keyId = ids.next(tx.nowMillis());
                    IdentitySql.insertAccount(tx, account, name, plan);
                    IdentitySql.insertKey(
                            tx, account, keyId, key.hash(), name, Scope.BUNDLES, null);
                    var made = new Registration(account, keyId, key, tx.nowMillis());
                    Keys.auditFirst(tx, made, name, Scope.BUNDLES);
                    return made;
                });
    }

    /// A key of the operator's account, which is made if it is not there.
    public Registration registerLocal(String keyName) {
        ApiKey key = ApiKey.generate();
        return database.transaction(
                tx -> {
                    UUID keyId = ids.next(tx.nowMillis());
                    IdentitySql.insertAccount(tx, LOCAL_ACCOUNT, "local", Plan.UNLIMITED_ID);
                    IdentitySql.insertKey(
                            tx, LOCAL_ACCOUNT, keyId, key.hash(), keyName, Scope.BUNDLES, null);
                    var made = new Registration(LOCAL_ACCOUNT, keyId, key, tx.nowMillis());
                    Keys.auditFirst(tx, made, keyName, Scope.BUNDLES);
                    return made;
                });
    }

    /// The principal that the secret belongs to. Null when it opens nothing: unknown, expired and
    /// revoked keys look the same from outside.
    public @Nullable Principal authenticate(String secret) {
        return look(secret) instanceof KeyFound.Live(var principal) ? principal : null;
    }

    /// Looks the secret up.
    public KeyFound look(String secret) {
        if (!ApiKey.wellFormed(secret)) {
            return new KeyFound.Unknown();
        }
        ByteBuffer slot = ByteBuffer.wrap(ApiKey.hash(secret));
        Principal known = cached(slot);
        return known == null ? looks.of(slot) : new KeyFound.Live(known);
    }

    private KeyFound find(ByteBuffer slot) {
        long asked = ticker.nanos();
        long before = revocations();
        return database.transaction(
                tx -> {
                    KeyRow row = IdentitySql.find(tx, slot.array());
                    if (row == null) {
                        return new KeyFound.Unknown();
                    }
                    UUID account = row.principal().accountId();
                    return switch (row.status(tx.nowMillis())) {
                        case REVOKED -> new KeyFound.Revoked(account);
                        case EXPIRED -> new KeyFound.Expired(account);
                        case LIVE -> {
                            uses.seen(row, tx.nowMillis());
                            remember(slot, cachedFrom(row, asked), before);
                            yield new KeyFound.Live(row.principal());
                        }
                    };
                });
    }

    private static Cached cachedFrom(KeyRow row, long asked) {
        Long expires = row.expiresMs();
        return new Cached(row.principal(), asked, expires == null ? Long.MAX_VALUE : expires);
    }

    /// Whether there is such an account. Accounts are never removed, so an account that was found
    /// is not looked up again.
    public boolean exists(UUID account) {
        synchronized (accounts) {
            if (accounts.containsKey(account)) {
                return true;
            }
        }
        boolean there = database.transaction(tx -> IdentitySql.accountExists(tx, account));
        if (there) {
            synchronized (accounts) {
                accounts.put(account, true);
            }
        }
        return there;
    }

    private long revocations() {
        synchronized (cache) {
            return revocations;
        }
    }

    private @Nullable Principal cached(ByteBuffer slot) {
        synchronized (cache) {
            Cached entry = cache.get(slot);
            if (entry == null) {
                return null;
            }
            // A key that expires is not remembered beyond that moment.
            if (ticker.nanos() - entry.sinceNanos() >= cacheNanos
                    || (entry.expiresMs() != Long.MAX_VALUE
                            && database.aboutNowMillis() >= entry.expiresMs())) {
                cache.remove(slot);
                return null;
            }
            return entry.principal();
        }
    }

    /// Not if a key was revoked since the look, because it may have been this one.
    private void remember(ByteBuffer slot, Cached entry, long revocationsBefore) {
        if (cacheNanos > 0) {
            synchronized (cache) {
                if (revocations == revocationsBefore) {
                    cache.put(slot, entry);
                }
            }
        }
    }

    /// The key with this hash is revoked: this node asks again at once.
    void forget(byte[] hash) {
        synchronized (cache) {
            revocations++;
            cache.remove(ByteBuffer.wrap(hash));
        }
    }
}
