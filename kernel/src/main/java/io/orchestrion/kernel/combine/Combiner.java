package io.orchestrion.kernel.combine;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Deadline;
import io.orchestrion.kernel.db.DeadlinePassed;
import io.orchestrion.kernel.db.Session;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.fault.CoreThread;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Turns the same verb from many requests into one transaction. A few committer threads own a
/// connection each; one takes what is waiting, does it in one transaction and answers all of it
/// after the commit, and what arrived meanwhile is the next batch. There is no timer: a lone
/// request is a batch of one and waits for nobody.
///
/// A batch that fails is done again one by one, so that a bad request fails alone.
public final class Combiner<Q, A> implements AutoCloseable {

    /// Does all requests of a batch in the given transaction and answers them in order.
    @FunctionalInterface
    public interface Batch<Q, A> {
        List<A> run(Tx tx, List<Q> requests) throws SQLException;
    }

    /// How a lane is cut.
    ///
    /// @param bound how many requests may wait; beyond it they are refused
    /// @param patience how long a caller waits for its answer
    public record Lane(String name, int committers, int bound, int batch, Duration patience) {}

    private static final Logger log = LoggerFactory.getLogger(Combiner.class);
    private static final int TRIES = 3;

    private final Lane lane;
    private final Gate gate;
    private final boolean lone;
    private final Batch<Q, A> batch;
    private final BlockingQueue<Pending<Q, A>> waiting;
    private final Pending<Q, A> end = Pending.end();
    private final Patience<Q, A> patience;
    private final List<Thread> committers = new ArrayList<>();
    private final ReentrantLock gathering = new ReentrantLock();
    private volatile boolean closed;

    public Combiner(Lane lane, Database database, Batch<Q, A> batch) {
        this(lane, database, batch, Gate.open(), false);
    }

    /// @param gate shared with the lanes that its transactions should take turns with
    public Combiner(Lane lane, Database database, Batch<Q, A> batch, Gate gate) {
        this(lane, database, batch, gate, false);
    }

    /// For a batch that is one statement, see [Session#loneStatement].
    public static <Q, A> Combiner<Q, A> ofLoneStatements(
            Lane lane, Database database, Batch<Q, A> batch) {
        return new Combiner<>(lane, database, batch, Gate.open(), true);
    }

    private Combiner(Lane lane, Database database, Batch<Q, A> batch, Gate gate, boolean lone) {
        this.lane = lane;
        this.gate = gate;
        this.lone = lone;
        this.batch = batch;
        this.waiting = new ArrayBlockingQueue<>(lane.bound());
        this.patience = new Patience<>(lane, waiting);
        for (int i = 0; i < lane.committers(); i++) {
            int place = i;
            Session session = database.session(lane.name());
            committers.add(
                    CoreThread.start(
                            lane.name() + "-committer-" + i,
                            () -> commitUntilClosed(session, place)));
        }
    }

    /// Waits for the request's own answer, which comes after its commit.
    public A call(Q request) {
        return answer(send(request));
    }

    /// What came of one of several requests.
    ///
    /// @param answer null when it failed
    public record Each<A>(@Nullable A answer, @Nullable RuntimeException failure) {}

    /// Hands in several before it waits for any, so that they share transactions. Each has an
    /// answer or a failure of its own; no more wait at once than the lane takes in one batch.
    public List<Each<A>> callAll(List<Q> requests) {
        var answers = new ArrayList<Each<A>>();
        int most = Math.min(lane.batch(), lane.bound());
        for (int from = 0; from < requests.size(); from += most) {
            var sent = new ArrayList<Supplier<A>>();
            for (Q request : requests.subList(from, Math.min(requests.size(), from + most))) {
                sent.add(sending(request));
            }
            for (Supplier<A> one : sent) {
                answers.add(each(one));
            }
        }
        return answers;
    }

    private Supplier<A> sending(Q request) {
        try {
            Pending<Q, A> pending = send(request);
            return () -> answer(pending);
        } catch (StoreException refused) {
            return () -> {
                throw refused;
            };
        }
    }

    private Each<A> each(Supplier<A> one) {
        try {
            return new Each<>(one.get(), null);
        } catch (RuntimeException e) {
            return new Each<>(null, e);
        }
    }

    private Pending<Q, A> send(Q request) {
        Pending<Q, A> pending = Pending.of(request);
        if (closed) {
            throw stopping();
        }
        if (!waiting.offer(pending)) {
            throw new StoreException(
                    Kind.OVERLOADED, lane.bound() + " requests wait already in " + lane.name());
        }
        // Once more, because nobody may be left to take it.
        if (closed && waiting.remove(pending)) {
            throw stopping();
        }
        return pending;
    }

    private static StoreException stopping() {
        return new StoreException(Kind.OVERLOADED, "the server is stopping");
    }

    private A answer(Pending<Q, A> pending) {
        try {
            return Deadline.set() ? answerInTime(pending) : pending.answer().get();
        } catch (ExecutionException e) {
            throw rethrown(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.OUTCOME_UNKNOWN, "interrupted", e, "");
        }
    }

    /// A request that is taken back before its commit is never done, so that a caller whose time is
    /// over can say so; one that is being committed is waited for.
    private A answerInTime(Pending<Q, A> pending) throws ExecutionException, InterruptedException {
        try {
            return pending.answer()
                    .get(Math.max(0, Deadline.nanosLeft(Long.MAX_VALUE)), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (pending.giveUp()) {
                waiting.remove(pending);
                throw new DeadlinePassed();
            }
            return pending.answer().get();
        }
    }

    private static RuntimeException rethrown(ExecutionException e) {
        return e.getCause() instanceof RuntimeException cause
                ? cause
                : new IllegalStateException(e.getCause());
    }

    private void commitUntilClosed(Session session, int place) {
        try (session) {
            Gate.Pass pass = gate.pass(() -> Math.min(lane.batch(), waiting.size() + 1));
            boolean open = true;
            while (open) {
                List<Pending<Q, A>> taken = gather(pass, place);
                open = !taken.isEmpty() || !closed;
                try {
                    if (!taken.isEmpty()) {
                        commit(session, taken, pass);
                    }
                } finally {
                    pass.leave();
                    patience.inHand(place, List.of());
                }
            }
        }
    }

    /// Waits for a request and for its turn, and takes what has come by then. One committer of the
    /// lane at a time, lest another hold a single request while it waits behind this one.
    private List<Pending<Q, A>> gather(Gate.Pass pass, int place) {
        gathering.lock();
        try {
            List<Pending<Q, A>> taken = first();
            if (!taken.isEmpty() && taken.getFirst() != end) {
                patience.inHand(place, List.copyOf(taken));
                awaitTurn(pass::enter);
            }
            waiting.drainTo(taken, lane.batch() - taken.size());
            if (taken.remove(end)) {
                // For the next committer.
                waiting.offer(end);
            }
            patience.inHand(place, taken);
            return taken;
        } finally {
            gathering.unlock();
        }
    }

    /// Waits for a request; none when the lane is closed.
    private List<Pending<Q, A>> first() {
        var taken = new ArrayList<Pending<Q, A>>();
        try {
            if (!closed) {
                taken.add(waiting.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return taken;
    }

    private interface Turn {
        void await() throws InterruptedException;
    }

    private static void awaitTurn(Turn turn) {
        try {
            turn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void commit(Session session, List<Pending<Q, A>> all, Gate.Pass pass) {
        List<Pending<Q, A>> taken = all.stream().filter(one -> !one.givenUp()).toList();
        if (taken.isEmpty()) {
            return;
        }
        try {
            List<A> answers = transact(session, taken, pass);
            // One that was a single round trip has run only now.
            pass.toCommit();
            for (int i = 0; i < taken.size(); i++) {
                taken.get(i).answer().complete(answers.get(i));
            }
        } catch (RuntimeException e) {
            if (taken.size() > 1 && mayGoSingly(e)) {
                log.debug("batch of {} in {} failed, going on singly", taken.size(), lane, e);
                taken.forEach(one -> commit(session, List.of(one), pass));
            } else {
                taken.forEach(one -> one.answer().completeExceptionally(e));
            }
        } catch (Error e) {
            taken.forEach(one -> one.answer().completeExceptionally(new IllegalStateException(e)));
            throw e;
        }
    }

    /// Not after a lost connection: the next request would wait for the same, and a commit of
    /// unknown outcome must not be done again.
    private static boolean mayGoSingly(RuntimeException e) {
        return !StoreException.ofWholeStore(e);
    }

    private List<A> transact(Session session, List<Pending<Q, A>> taken, Gate.Pass pass) {
        List<Q> requests =
                taken.stream().map(one -> Objects.requireNonNull(one.request())).toList();
        @Nullable StoreException last = null;
        for (int tries = 0; tries < TRIES; tries++) {
            try {
                if (lone) {
                    settled(taken);
                    return session.loneStatement(tx -> answered(tx, requests, pass));
                }
                return session.transaction(
                        tx -> {
                            List<A> answers = answered(tx, requests, pass);
                            settled(taken);
                            return answers;
                        });
            } catch (StoreException e) {
                // Room may have been made for those who hold work; nobody else comes this far
                // without any.
                if (e.kind() != Kind.CONFLICT && e.kind() != Kind.NO_ROOM) {
                    throw e;
                }
                last = e;
                pause(tries);
            }
        }
        throw last == null ? new IllegalStateException("unreachable") : last;
    }

    /// The last moment to take one back. When one was, the others are done again without it.
    private static <Q, A> void settled(List<Pending<Q, A>> taken) {
        boolean all = true;
        for (Pending<Q, A> one : taken) {
            all &= one.commits();
        }
        if (!all) {
            throw new DeadlinePassed();
        }
    }

    /// Counted before the commit: a batch found wrong after it would be done again.
    private List<A> answered(Tx tx, List<Q> requests, Gate.Pass pass) throws SQLException {
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

    private static void pause(int tries) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, 10 << tries));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public int waitingRequests() {
        return waiting.size();
    }

    /// Takes nothing new, finishes what waits, and stops.
    @Override
    public void close() {
        closed = true;
        // Wakes the committers that wait for requests. When there is no room for it, none waits.
        waiting.offer(end);
        for (Thread committer : committers) {
            try {
                committer.join(Duration.ofSeconds(30));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        patience.end();
        waiting.forEach(one -> one.answer().completeExceptionally(stopping()));
    }
}
