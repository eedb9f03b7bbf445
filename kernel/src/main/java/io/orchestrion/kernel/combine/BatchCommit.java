package io.orchestrion.kernel.combine;

import io.orchestrion.kernel.combine.Combiner.Batch;
import io.orchestrion.kernel.combine.Combiner.Lane;
import io.orchestrion.kernel.db.DeadlinePassed;
import io.orchestrion.kernel.db.Session;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;
import io.orchestrion.kernel.db.Tries;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Carries out batches of a lane for one committer: all requests in one transaction. If that fails,
/// each request has a transaction of its own, so that a bad request fails alone. Both take a
/// bounded time. Where accounts are spread over several machines, the requests of each account are
/// a transaction of their own.
final class BatchCommit<Q, A> {
    private static final Logger log = LoggerFactory.getLogger(BatchCommit.class);

    /// Worth another try at once. NO_ROOM is among them because only holders' requests get here
    /// when there is no room, and room may have been made for them meanwhile.
    private static final Set<Kind> AGAIN = Set.of(Kind.CONFLICT, Kind.NO_ROOM);

    /// One slow request of an account may be chance. After so many, the account's other requests of
    /// the batch are refused.
    private static final int SLOW_OF_AN_ACCOUNT = 2;

    private final Lane lane;
    private final Batch<Q, A> batch;
    private final boolean lone;
    private final Duration limit;
    private final BooleanSupplier spread;
    private final Session session;
    private final Gate.Pass pass;
    private final Hand<Q, A> hand;

    /// @param lone whether a batch is one statement, see [Session#loneStatement]
    /// @param limit how long a transaction may take, and how long going one by one may
    /// @param spread whether a transaction is to serve one account only
    BatchCommit(
            Lane lane,
            Batch<Q, A> batch,
            boolean lone,
            Duration limit,
            BooleanSupplier spread,
            Session session,
            Gate.Pass pass,
            Hand<Q, A> hand) {
        this.lane = lane;
        this.batch = batch;
        this.lone = lone;
        this.limit = limit;
        this.spread = spread;
        this.session = session;
        this.pass = pass;
        this.hand = hand;
    }

    void run(List<Pending<Q, A>> all) {
        List<Pending<Q, A>> taken = all.stream().filter(one -> !one.givenUp()).toList();
        try {
            together(taken).forEach(this::runTogether);
        } catch (StoreException e) {
            // There is no connection to the database.
            taken.forEach(one -> one.answer().completeExceptionally(e));
        }
    }

    /// Groups the requests that may share a transaction. A request that names no account reads only
    /// what is the same on all machines.
    private Collection<List<Pending<Q, A>>> together(List<Pending<Q, A>> taken) {
        if (lone || taken.size() < 2 || !spread.getAsBoolean()) {
            return List.of(taken);
        }
        var groups = new LinkedHashMap<Object, List<Pending<Q, A>>>();
        for (Pending<Q, A> one : taken) {
            Object account = one.request() instanceof OfAccount mine ? mine.accountId() : lane;
            groups.computeIfAbsent(account, _ -> new ArrayList<>()).add(one);
        }
        return groups.values();
    }

    private void runTogether(List<Pending<Q, A>> taken) {
        RuntimeException failure = taken.isEmpty() ? null : commit(taken);
        if (failure == null) {
            return;
        }
        if (taken.size() > 1 && mayGoSingly(failure)) {
            log.debug("batch of {} in {} failed, going on singly", taken.size(), lane, failure);
            goSingly(taken);
        } else {
            taken.forEach(one -> one.answer().completeExceptionally(failure));
        }
    }

    /// Null when all are answered, else the failure.
    private @Nullable RuntimeException commit(List<Pending<Q, A>> taken) {
        try {
            List<A> answers = transact(taken);
            // A batch of a single round trip has run only now.
            pass.toCommit();
            for (int i = 0; i < taken.size(); i++) {
                taken.get(i).answer().complete(answers.get(i));
            }
            return null;
        } catch (RuntimeException e) {
            return e;
        } catch (Error e) {
            taken.forEach(one -> one.answer().completeExceptionally(new IllegalStateException(e)));
            throw e;
        }
    }

    /// All of them have the time of one transaction: each may wait for a lock as long as the batch
    /// did, and all later requests of the lane wait for that. If a request of an account took long,
    /// its other requests are done after those of all other accounts.
    private void goSingly(List<Pending<Q, A>> taken) {
        long until = System.nanoTime() + limit.toNanos();
        var slow = new HashMap<Object, Integer>();
        var behind = new ArrayList<Pending<Q, A>>();
        for (Pending<Q, A> one : taken) {
            if (slow.containsKey(whose(one))) {
                behind.add(one);
            } else {
                goAlone(one, slow, until);
            }
        }
        behind.forEach(one -> goAlone(one, slow, until));
    }

    private void goAlone(Pending<Q, A> one, Map<Object, Integer> slow, long untilNanos) {
        if (one.givenUp()) {
            return;
        }
        boolean late = System.nanoTime() - untilNanos > 0;
        if (late || slow.getOrDefault(whose(one), 0) >= SLOW_OF_AN_ACCOUNT || hand.lost()) {
            one.answer()
                    .completeExceptionally(
                            new StoreException(
                                    Kind.OVERLOADED,
                                    "others of its batch in " + lane.name() + " took too long"));
            return;
        }
        RuntimeException failure = commit(List.of(one));
        if (failure != null) {
            one.answer().completeExceptionally(failure);
            if (tookLong(failure)) {
                slow.merge(whose(one), 1, Integer::sum);
            }
        }
    }

    private static Object whose(Pending<?, ?> one) {
        return one.request() instanceof OfAccount mine ? mine.accountId() : one;
    }

    private static boolean tookLong(RuntimeException e) {
        return e instanceof StoreException store
                && (store.kind() == Kind.LOCKED || store.kind() == Kind.TIMED_OUT);
    }

    /// Not after a lost connection: the next request would only wait for the same. And a commit of
    /// unknown outcome must not be repeated.
    private static boolean mayGoSingly(RuntimeException e) {
        return !StoreException.ofWholeStore(e);
    }

    private List<A> transact(List<Pending<Q, A>> taken) {
        List<Q> requests =
                taken.stream().map(one -> Objects.requireNonNull(one.request())).toList();
        return Tries.run(AGAIN, () -> transactOnce(taken, requests));
    }

    private List<A> transactOnce(List<Pending<Q, A>> taken, List<Q> requests) {
        try {
            hand.moves();
            if (lone) {
                settled(taken);
                return session.loneStatement(tx -> answered(tx, requests));
            }
            return session.transaction(
                    tx -> {
                        List<A> answers = answered(tx, requests);
                        settled(taken);
                        return answers;
                    });
        } finally {
            hand.moves();
        }
    }

    /// The last moment at which a caller can take its request back. If one did, the batch is done
    /// again without it.
    private void settled(List<Pending<Q, A>> taken) {
        if (hand.lost()) {
            // The callers have been told already that the outcome is unknown.
            throw new StoreException(Kind.OUTCOME_UNKNOWN, "another committer took over");
        }
        boolean all = true;
        for (Pending<Q, A> one : taken) {
            all &= one.commits();
        }
        if (!all) {
            throw new DeadlinePassed();
        }
    }

    /// Answers are counted before the commit. A wrong number found after it would make the batch be
    /// done again.
    private List<A> answered(Tx tx, List<Q> requests) throws SQLException {
        List<A> answers = batch.run(tx, requests);
        if (answers.size() != requests.size()) {
            throw new IllegalStateException(
                    answers.size() + " answers for " + requests.size() + " requests");
        }
        tx.flushBeforeCommit();
        if (tx.hasBegun()) {
            pass.toCommit();
        }
        return answers;
    }
}
