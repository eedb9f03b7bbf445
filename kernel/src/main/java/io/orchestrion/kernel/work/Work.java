package io.orchestrion.kernel.work;

import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.combine.Combiner.Lane;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.wake.Waiters;
import io.orchestrion.kernel.wake.Waiters.Key;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Work as the doors see it: hand in, claim, command, read. Each call returns after its commit.
/// Calls of one kind are combined in lanes of their own; what lease holders say has one that
/// nothing else can fill, so that overload never costs anybody a lease.
public final class Work implements AutoCloseable {

    /// How the lanes are cut.
    ///
    /// @param committers for each of the busy lanes
    /// @param bound how many requests may wait in a lane
    /// @param patience how long a caller waits for its answer
    public record Options(int committers, int bound, int batch, Duration patience) {
        public static final Options DEFAULT = new Options(2, 10_000, 500, Duration.ofSeconds(30));
    }

    private final Database database;
    private final WorkVerbs verbs;
    private final Waiters waiters;
    private final Combiner<Submission, Submitted> submits;
    private final Combiner<Submission, Submitted> keyedSubmits;
    private final Combiner<ClaimRequest, Claimed> claims;
    private final Combiner<Order, Ack> holders;
    private final Combiner<Order, Ack> others;
    private final Set<KeyInFlight> keysInFlight = ConcurrentHashMap.newKeySet();
    private volatile boolean claimsClosed;

    private record KeyInFlight(
            UUID account, String surface, UUID scope, String action, String key) {}

    public Work(Database database, WorkVerbs verbs, Waiters waiters, Options options) {
        this.database = database;
        this.verbs = verbs;
        this.waiters = waiters;
        this.submits =
                new Combiner<>(
                        lane("submit", options.committers(), options), database, this::submitAll);
        // Apart, because a key that another node is just using can make its batch wait.
        this.keyedSubmits =
                new Combiner<>(
                        lane("submit-keyed", options.committers(), options),
                        database,
                        this::submitAll);
        this.claims =
                new Combiner<>(
                        lane("claim", options.committers(), options), database, this::claimAll);
        this.holders =
                new Combiner<>(
                        lane("holder", options.committers(), options), database, this::holdAll);
        this.others = new Combiner<>(lane("command", 1, options), database, this::commandAll);
    }

    private static Lane lane(String name, int committers, Options options) {
        return new Lane(name, committers, options.bound(), options.batch(), options.patience());
    }

    /// Hands in work. With a key: once, whatever the number of calls.
    public Submitted submit(Submission submission) {
        IdempotencyKey key = submission.key();
        if (key == null) {
            return submits.call(submission);
        }
        // The twin on this node need not wait for the database to learn that the first is at it.
        var inFlight =
                new KeyInFlight(
                        submission.work().accountId(),
                        key.surface(),
                        key.scope(),
                        key.action(),
                        key.key());
        if (!keysInFlight.add(inFlight)) {
            return new Submitted.KeyInFlight();
        }
        try {
            return keyedSubmits.call(submission);
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.LOCKED) {
                // Another node is at it.
                return new Submitted.KeyInFlight();
            }
            throw e;
        } finally {
            keysInFlight.remove(inFlight);
        }
    }

    /// Claims what is there, or waits for it up to the given time.
    public Claimed claim(ClaimRequest request, Duration wait) {
        if (wait.isZero()) {
            return claimNow(request);
        }
        long deadline = Waiters.deadlineAfter(wait.toMillis());
        try (var waiter =
                waiters.enlist(new Key(request.accountId(), request.queue(), request.kind()))) {
            while (true) {
                Claimed claimed = claimNow(request);
                if (!claimed.items().isEmpty()
                        || claimed.refusal() != null
                        || Waiters.nanosUntil(deadline) == 0) {
                    return claimed;
                }
                if (!waiter.await(Waiters.nanosUntil(deadline))) {
                    return claimNow(request);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "interrupted", e, "");
        }
    }

    private Claimed claimNow(ClaimRequest request) {
        refuseClaimWhenStopping();
        return claims.call(request);
    }

    /// As overload: another node, or this one later, will serve it.
    private void refuseClaimWhenStopping() {
        if (claimsClosed) {
            throw new StoreException(
                    StoreException.Kind.OVERLOADED, "the server is stopping and takes no claims");
        }
    }

    /// Carries out one command on one item.
    public Ack command(Order order) {
        if (order.command() instanceof Command.Lease) {
            refuseClaimWhenStopping();
        }
        return order.command().fromHolder() ? holders.call(order) : others.call(order);
    }

    public @Nullable WorkView get(UUID account, Profile profile, UUID id) {
        WorkView view = database.transaction(tx -> WorkSql.get(tx, account, id));
        return view == null || !view.item().queue().equals(profile.queue()) ? null : view;
    }

    /// The kind of an item that is being worked on; null for any other.
    public @Nullable String kindOfRunning(UUID account, Profile profile, UUID id) {
        return database.transaction(tx -> KindSql.kindOfRunning(tx, account, profile.queue(), id));
    }

    /// The answer that was given to the first request with this key; null when there is none yet.
    public @Nullable Submitted replay(UUID account, IdempotencyKey key) {
        return database.transaction(tx -> verbs.replay(tx, account, key));
    }

    public List<WorkView> list(WorkFilter filter) {
        return database.transaction(tx -> WorkSql.list(tx, filter));
    }

    public List<HistoryEntry> history(UUID account, UUID id) {
        return database.transaction(tx -> WorkSql.history(tx, account, id));
    }

    private List<Submitted> submitAll(Tx tx, List<Submission> requests) throws SQLException {
        return byAccount(
                requests,
                submission -> submission.work().accountId(),
                (account, mine) -> verbs.submit(tx, account, mine));
    }

    private List<Claimed> claimAll(Tx tx, List<ClaimRequest> requests) throws SQLException {
        return byAccount(
                requests,
                ClaimRequest::accountId,
                (account, mine) ->
                        grouped(
                                mine,
                                ClaimRequest::queue,
                                (queue, same) -> verbs.claim(tx, account, queue, same)));
    }

    private List<Ack> holdAll(Tx tx, List<Order> requests) throws SQLException {
        return byAccount(
                requests,
                Order::accountId,
                (account, mine) ->
                        inRounds(mine, round -> new HolderRound(verbs, tx, account, round).run()));
    }

    private List<Ack> commandAll(Tx tx, List<Order> requests) throws SQLException {
        return byAccount(
                requests,
                Order::accountId,
                (account, mine) -> {
                    LeaseRound.lockRoom(verbs, tx, account, mine);
                    return inRounds(mine, round -> new LeaseRound(verbs, tx, account, round).run());
                });
    }

    private interface GroupBody<K, Q, A> {
        List<A> run(K key, List<Q> requests) throws SQLException;
    }

    /// Accounts always in the same order, so that two batches lock in the same order.
    private static <Q, A> List<A> byAccount(
            List<Q> requests, Function<Q, UUID> account, GroupBody<UUID, Q, A> body)
            throws SQLException {
        return grouped(requests, account, body);
    }

    private static <K extends Comparable<? super K>, Q, A> List<A> grouped(
            List<Q> requests, Function<Q, K> key, GroupBody<K, Q, A> body) throws SQLException {
        var groups = new TreeMap<K, List<Integer>>();
        for (int i = 0; i < requests.size(); i++) {
            groups.computeIfAbsent(key.apply(requests.get(i)), _ -> new ArrayList<>()).add(i);
        }
        var places = new ArrayList<Integer>();
        var answers = new ArrayList<A>();
        for (var group : groups.entrySet()) {
            places.addAll(group.getValue());
            answers.addAll(
                    body.run(
                            group.getKey(), group.getValue().stream().map(requests::get).toList()));
        }
        return inOrder(places, answers);
    }

    private interface RoundBody {
        List<Ack> run(List<Order> round) throws SQLException;
    }

    /// Orders for the same item are done one after the other, in the order in which they came.
    private static List<Ack> inRounds(List<Order> orders, RoundBody body) throws SQLException {
        var left = new ArrayList<Integer>();
        for (int i = 0; i < orders.size(); i++) {
            left.add(i);
        }
        var places = new ArrayList<Integer>();
        var answers = new ArrayList<Ack>();
        while (!left.isEmpty()) {
            var seen = new HashSet<UUID>();
            var round = new ArrayList<Integer>();
            var later = new ArrayList<Integer>();
            for (int place : left) {
                (seen.add(orders.get(place).id()) ? round : later).add(place);
            }
            answers.addAll(body.run(round.stream().map(orders::get).toList()));
            places.addAll(round);
            left = later;
        }
        return inOrder(places, answers);
    }

    private static <A> List<A> inOrder(List<Integer> places, List<A> answers) {
        if (places.size() != answers.size()) {
            throw new IllegalStateException(
                    answers.size() + " answers for " + places.size() + " requests");
        }
        var byPlace = new TreeMap<Integer, A>();
        for (int i = 0; i < places.size(); i++) {
            byPlace.put(places.get(i), answers.get(i));
        }
        return List.copyOf(byPlace.values());
    }

    /// From now on nobody is handed work; holders may still finish theirs.
    public void closeClaims() {
        claimsClosed = true;
        waiters.wakeAll();
    }

    /// Finishes what waits in the lanes and stops.
    @Override
    public void close() {
        closeClaims();
        submits.close();
        keyedSubmits.close();
        claims.close();
        holders.close();
        others.close();
    }
}
