package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.audit.Actor;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.Detail;
import io.orchestrion.kernel.audit.Subject;
import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.identity.WorkerTokenSql.Found;
import io.orchestrion.kernel.work.Ids;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// The worker tokens of an account, as its operators manage them, and the look-up of secrets.
///
/// Whoever makes or changes a token holds the lock of the account, so that no two transactions
/// count the same tokens. Each change is in the audit log. A secret is looked up anew with each
/// request: a change counts from its commit on, on every node. The look-ups of many requests are
/// one statement.
public final class WorkerTokens implements AutoCloseable {
    public static final int LIVE_MAX = 1000;
    public static final int SECRETS_MAX = 5;
    public static final int WORKER_ID_MAX = 200;
    public static final int DESCRIPTION_MAX = 500;
    public static final int LIST_MAX = 100;
    public static final Duration OVERLAP_MAX = Duration.ofDays(7);

    private static final String KIND = "worker_token";

    /// How many characters of a list fit into an entry of the audit log.
    private static final int SHOWN_CHARS = 1_000;

    private final Database database;
    private final Ids ids;
    private final WorkerTokenUse uses;
    private final Combiner<byte[], Looked> looks;

    /// What a look found, and the time of the look.
    private record Looked(@Nullable Found found, long nowMs) {}

    public WorkerTokens(Database database, Ids ids, WorkerTokenUse uses, Combiner.Lane cut) {
        this.database = database;
        this.ids = ids;
        this.uses = uses;
        this.looks = new Combiner<>(cut, database, WorkerTokens::look);
    }

    /// The token that the secret opens. Null when it opens nothing: unknown, expired, deactivated
    /// and replaced secrets look the same from outside.
    ///
    /// @param from the address of the caller
    public @Nullable WorkerToken authenticate(String secret, String from) {
        if (!WorkerSecret.wellFormed(secret)) {
            return null;
        }
        Looked looked = looks.call(Secrets.hash(secret));
        Found found = looked.found();
        if (found == null || !found.good(looked.nowMs())) {
            return null;
        }
        uses.seen(found.token(), looked.nowMs(), from);
        return found.token();
    }

    private static List<Looked> look(Tx tx, List<byte[]> hashes) throws SQLException {
        Map<ByteBuffer, Found> found = WorkerTokenSql.find(tx, hashes);
        return hashes.stream()
                .map(hash -> new Looked(found.get(ByteBuffer.wrap(hash)), tx.nowMillis()))
                .toList();
    }

    public TokenOutcome create(Principal by, NewWorkerToken wanted) {
        WorkerSecret secret = WorkerSecret.generate();
        return database.transaction(
                tx -> {
                    Long expires = Keys.expires(wanted.expiry(), tx.nowMillis());
                    if (!Keys.allowed(expires, tx.nowMillis())) {
                        return new TokenOutcome.ExpiryRefused(tx.nowMillis());
                    }
                    UUID account = by.accountId();
                    if (!lockedBy(tx, by)) {
                        return new TokenOutcome.CallerGone();
                    }
                    if (WorkerTokenSql.liveTokens(tx, account) >= LIVE_MAX) {
                        return new TokenOutcome.TooMany();
                    }
                    UUID id = ids.next(tx.nowMillis());
                    WorkerTokenSql.insert(tx, account, id, wanted, expires);
                    WorkerTokenSql.insertSecret(tx, account, id, secret.hash());
                    WorkerToken made = there(tx, account, id);
                    audit(tx, by, "created", made, policy(made));
                    return new TokenOutcome.Made(made, secret, null, tx.nowMillis());
                });
    }

    /// Newest first, those that no longer work among them.
    ///
    /// @param before only older ones than this; null for all
    public List<TokenOutcome.Done> list(
            UUID account, @Nullable String workerId, @Nullable UUID before, int most) {
        return database.transaction(
                tx ->
                        WorkerTokenSql.tokens(
                                        tx,
                                        account,
                                        workerId,
                                        before == null ? Keys.LAST_ID : before,
                                        most)
                                .stream()
                                .map(token -> new TokenOutcome.Done(token, tx.nowMillis()))
                                .toList());
    }

    public TokenOutcome get(UUID account, UUID id) {
        return database.transaction(
                tx -> {
                    WorkerToken token = WorkerTokenSql.token(tx, account, id);
                    return token == null
                            ? new TokenOutcome.NotFound()
                            : new TokenOutcome.Done(token, tx.nowMillis());
                });
    }

    /// Holds for every claim from the commit on.
    public TokenOutcome change(Principal by, UUID id, TokenChange change) {
        return changed(by, id, (tx, token) -> changed(tx, by, token, change));
    }

    private TokenOutcome changed(Tx tx, Principal by, WorkerToken token, TokenChange change)
            throws SQLException {
        Long expires = token.expiresMs();
        if (change.expiry() != null) {
            expires = Keys.expires(change.expiry().value(), tx.nowMillis());
            if (!Keys.allowed(expires, tx.nowMillis())) {
                return new TokenOutcome.ExpiryRefused(tx.nowMillis());
            }
        }
        String description = change.description();
        var to =
                new WorkerToken(
                        token.id(),
                        token.account(),
                        token.workerId(),
                        description == null ? token.description() : description,
                        TokenChange.orElse(change.repositories(), token.repositories()),
                        TokenChange.orElse(change.kinds(), token.kinds()),
                        TokenChange.orElse(change.capabilities(), token.capabilities()),
                        token.active(),
                        expires,
                        token.lastUsedMs(),
                        token.lastUsedFrom(),
                        token.createdMs(),
                        token.secretMs(),
                        token.formerEndsMs());
        if (revived(token, to, tx.nowMillis()) && full(tx, token)) {
            return new TokenOutcome.TooMany();
        }
        if (!to.equals(token)) {
            WorkerTokenSql.change(tx, to);
            audit(tx, by, "changed", to, policy(to));
        }
        return done(tx, to);
    }

    private static boolean revived(WorkerToken from, WorkerToken to, long nowMs) {
        return from.status(nowMs) != WorkerToken.Status.ACTIVE
                && to.status(nowMs) == WorkerToken.Status.ACTIVE;
    }

    private static boolean full(Tx tx, WorkerToken token) throws SQLException {
        return WorkerTokenSql.liveTokens(tx, token.account()) >= LIVE_MAX;
    }

    /// From the commit on its secrets open nothing, anywhere.
    public TokenOutcome deactivate(Principal by, UUID id) {
        return changed(
                by,
                id,
                (tx, token) -> {
                    if (token.active()) {
                        WorkerTokenSql.activate(tx, token.account(), id, false);
                        audit(tx, by, "deactivated", token, Detail.none());
                    }
                    return done(tx, token);
                });
    }

    public TokenOutcome reactivate(Principal by, UUID id) {
        return changed(
                by,
                id,
                (tx, token) -> {
                    if (!token.active()) {
                        if (full(tx, token)) {
                            return new TokenOutcome.TooMany();
                        }
                        WorkerTokenSql.activate(tx, token.account(), id, true);
                        audit(tx, by, "reactivated", token, Detail.none());
                    }
                    return done(tx, token);
                });
    }

    /// A new secret. The one that it replaces, and those before it, work for the overlap more.
    public TokenOutcome rotate(Principal by, UUID id, Duration overlap) {
        WorkerSecret secret = WorkerSecret.generate();
        return changed(
                by,
                id,
                (tx, token) -> {
                    WorkerToken.Status status = token.status(tx.nowMillis());
                    if (status != WorkerToken.Status.ACTIVE) {
                        return new TokenOutcome.NotWorking(status);
                    }
                    UUID account = token.account();
                    // Without an overlap, all older secrets end at once.
                    if (overlap.isPositive()
                            && WorkerTokenSql.workingSecrets(tx, account, id) >= SECRETS_MAX) {
                        return new TokenOutcome.TooManySecrets();
                    }
                    long ends = tx.nowMillis() + overlap.toMillis();
                    WorkerTokenSql.endSecrets(tx, account, id, ends);
                    WorkerTokenSql.removeEndedSecrets(tx, account, id);
                    WorkerTokenSql.insertSecret(tx, account, id, secret.hash());
                    audit(
                            tx,
                            by,
                            "rotated",
                            token,
                            Detail.none().number("overlapSeconds", overlap.toSeconds()));
                    return new TokenOutcome.Made(
                            there(tx, account, id), secret, ends, tx.nowMillis());
                });
    }

    @FunctionalInterface
    private interface Step {
        TokenOutcome take(Tx tx, WorkerToken token) throws SQLException;
    }

    private TokenOutcome changed(Principal by, UUID id, Step step) {
        return database.transaction(
                tx -> {
                    if (!lockedBy(tx, by)) {
                        return new TokenOutcome.CallerGone();
                    }
                    WorkerToken token = WorkerTokenSql.token(tx, by.accountId(), id);
                    return token == null ? new TokenOutcome.NotFound() : step.take(tx, token);
                });
    }

    /// Whether the key that asks still works is asked anew: one that is only believed to must not
    /// make what works without it.
    private static boolean lockedBy(Tx tx, Principal by) throws SQLException {
        IdentitySql.lockAccount(tx, by.accountId());
        return Keys.live(tx, by);
    }

    private static TokenOutcome done(Tx tx, WorkerToken token) throws SQLException {
        return new TokenOutcome.Done(there(tx, token.account(), token.id()), tx.nowMillis());
    }

    private static WorkerToken there(Tx tx, UUID account, UUID id) throws SQLException {
        WorkerToken token = WorkerTokenSql.token(tx, account, id);
        if (token == null) {
            throw new IllegalStateException("a token that was just written is not there");
        }
        return token;
    }

    private static void audit(Tx tx, Principal by, String deed, WorkerToken token, Detail detail)
            throws SQLException {
        Audit.write(
                tx,
                by.accountId(),
                Actor.key(by.keyId()),
                KIND + "." + deed,
                Subject.of(KIND, token.id()),
                detail.text("workerId", token.workerId()));
    }

    private static Detail policy(WorkerToken token) {
        Long expires = token.expiresMs();
        return Detail.none()
                .text("allowedRepositories", shown(token.repositories()))
                .text("allowedJobTypes", shown(token.kinds()))
                .text("capabilities", shown(token.capabilities()))
                .text(
                        "expiresAt",
                        expires == null ? null : Instant.ofEpochMilli(expires).toString());
    }

    /// Null for a list that is not there.
    private static @Nullable String shown(@Nullable Set<String> list) {
        if (list == null) {
            return null;
        }
        String all = String.join(", ", list);
        if (all.length() <= SHOWN_CHARS) {
            return all;
        }
        int end = Character.isLowSurrogate(all.charAt(SHOWN_CHARS)) ? SHOWN_CHARS - 1 : SHOWN_CHARS;
        return all.substring(0, end) + "…";
    }

    @Override
    public void close() {
        looks.close();
    }
}
