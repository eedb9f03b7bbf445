package io.orchestrion.kernel.combine;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Deadline;
import io.orchestrion.kernel.db.DeadlinePassed;
import io.orchestrion.kernel.db.Session;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.fault.CoreThread;
import io.orchestrion.kernel.progress.LaneStatus;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/// Turns the same verb from many requests into one transaction. There are a few committer threads,
/// each with a connection of its own. A committer takes the requests that wait, carries them out in
/// one transaction, and answers all of them after the commit. Requests that arrive meanwhile are
/// the next batch. There is no timer: a lone request is a batch of one and waits for nobody.
///
/// If a batch fails, each of its requests is done alone, so that a bad request fails alone. Where
/// accounts are spread over several machines, a batch is one transaction for each account.
public final class Combiner<Q, A> implements AutoCloseable {

    /// Does all requests of a batch in the given transaction and answers them in order.
    @FunctionalInterface
    public interface Batch<Q, A> {
        List<A> run(Tx tx, List<Q> requests) throws SQLException;
    }

    /// The size of a lane.
    ///
    /// @param bound how many requests may wait; further ones are refused
    /// @param patience how long a caller waits for its answer
    public record Lane(String name, int committers, int bound, int batch, Duration patience) {}

    private static final Logger log = LoggerFactory.getLogger(Combiner.class);

    /// So many threads of a lane may be replaced. If more hang, the lane stays stuck, and `/health`
    /// shows it.
    private static final int LOST_MAX = 3;

    private final Lane lane;
    private final Database database;
    private final Gate gate;
    private final boolean lone;
    private final boolean urgent;
    private final Batch<Q, A> batch;
    private final BlockingQueue<Pending<Q, A>> waiting;
    private final Pending<Q, A> end = Pending.end();
    private final Patience<Q, A> patience;
    private final List<Committer> committers = new CopyOnWriteArrayList<>();
    private final List<Committer> lost = new CopyOnWriteArrayList<>();
    private final Supplier<LaneStatus> status = this::status;
    private final ReentrantLock gathering = new ReentrantLock();
    private volatile boolean closed;

    public Combiner(Lane lane, Database database, Batch<Q, A> batch) {
        this(lane, database, batch, Gate.open(), false, false);
    }

    /// @param gate shared by the lanes whose transactions take turns
    public Combiner(Lane lane, Database database, Batch<Q, A> batch, Gate gate) {
        this(lane, database, batch, gate, false, false);
    }

    /// For callers who cannot wait: at the shared gate their batches go before others.
    public static <Q, A> Combiner<Q, A> urgent(
            Lane lane, Database database, Batch<Q, A> batch, Gate gate) {
        return new Combiner<>(lane, database, batch, gate, false, true);
    }

    /// For a batch that is one statement, see [Session#loneStatement].
    public static <Q, A> Combiner<Q, A> ofLoneStatements(
            Lane lane, Database database, Batch<Q, A> batch) {
        return new Combiner<>(lane, database, batch, Gate.open(), true, false);
    }

    private Combiner(
            Lane lane,
            Database database,
            Batch<Q, A> batch,
            Gate gate,
            boolean lone,
            boolean urgent) {
        this.lane = lane;
        this.database = database;
        this.gate = gate;
        this.lone = lone;
        this.urgent = urgent;
        this.batch = batch;
        this.waiting = new ArrayBlockingQueue<>(lane.bound());
        this.patience =
                new Patience<>(
                        lane,
                        waiting,
                        () -> committers.stream().map(committer -> committer.hand).toList(),
                        limitMs(),
                        this::replaceStuck);
        for (int i = 0; i < lane.committers(); i++) {
            committers.add(new Committer(lane.name() + "-committer-" + i));
        }
        committers.forEach(committer -> committer.thread.start());
        patience.start();
        database.lanes().add(status);
    }

    private long limitMs() {
        return database.options().transactionTimeout().toMillis();
    }

    /// Waits for the request's own answer, which comes after its commit.
    public A call(Q request) {
        return answer(send(request));
    }

    /// The outcome of one of several requests.
    ///
    /// @param answer null when it failed
    public record Each<A>(@Nullable A answer, @Nullable RuntimeException failure) {}

    /// Sends several requests before it waits for any, so that they share transactions. Each has an
    /// answer or a failure of its own. No more wait at once than fit into one batch of the lane.
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
        // Asked again, because after the close nobody may be left to take the request.
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

    /// Waits no longer than the caller's deadline. A request that is taken back before its commit
    /// is never done, so the caller can be told that its time is over. If the request is being
    /// committed already, its answer is waited for.
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

    private Gate.Pass pass() {
        IntSupplier size = () -> Math.min(lane.batch(), waiting.size() + 1);
        return urgent ? gate.urgentPass(size) : gate.pass(size);
    }

    /// A thread with a connection of its own.
    private final class Committer {
        private final Session session = database.session(lane.name());
        private final Gate.Pass pass = pass();
        private final Hand<Q, A> hand = new Hand<>();
        private final BatchCommit<Q, A> commit =
                new BatchCommit<>(
                        lane,
                        batch,
                        lone,
                        database.options().transactionTimeout(),
                        database::isDistributed,
                        session,
                        pass,
                        hand);
        private final Thread thread;

        Committer(String name) {
            thread = CoreThread.unstarted(name, this::commitUntilClosed);
        }

        private void commitUntilClosed() {
            try (session) {
                boolean open = true;
                while (open && !hand.lost()) {
                    List<Pending<Q, A>> taken = gather();
                    open = !taken.isEmpty() || !closed;
                    try {
                        if (!taken.isEmpty()) {
                            commit.run(taken);
                        }
                    } finally {
                        pass.leave();
                        hand.holds(List.of());
                    }
                }
            }
        }

        /// Waits for a request and for the lane's turn, and takes what has come by then. Only one
        /// committer of the lane does this at a time; otherwise another would hold a single request
        /// while it waits behind this one.
        private List<Pending<Q, A>> gather() {
            gathering.lock();
            try {
                List<Pending<Q, A>> taken = first();
                if (!taken.isEmpty() && taken.getFirst() != end) {
                    hand.holds(List.copyOf(taken));
                    awaitTurn(pass::enter);
                }
                waiting.drainTo(taken, lane.batch() - taken.size());
                if (taken.remove(end)) {
                    // For the next committer.
                    waiting.offer(end);
                }
                hand.holds(taken);
                return taken;
            } finally {
                gathering.unlock();
            }
        }

        /// The committer's connection is closed already. If the thread goes on later, nothing that
        /// it does is committed.
        private void giveUp() {
            hand.lose();
            pass.leave();
            hand.held()
                    .forEach(
                            one ->
                                    one.answer()
                                            .completeExceptionally(
                                                    new StoreException(
                                                            Kind.OUTCOME_UNKNOWN,
                                                            lane.name() + " did not come back")));
        }
    }

    /// The database's watch ends a transaction that takes too long, which frees its thread. A
    /// committer that still does not go on is given up, and another takes its place.
    private void replaceStuck() {
        for (Committer committer : committers) {
            if (committer.hand.atTheSameForMs() > 2 * limitMs() && threadsLost() < LOST_MAX) {
                log.error("thread {} hangs and is replaced", committer.thread.getName());
                committer.giveUp();
                lost.add(committer);
                var next = new Committer(committer.thread.getName() + "-next");
                committers.set(committers.indexOf(committer), next);
                next.thread.start();
            }
        }
    }

    private int threadsLost() {
        lost.removeIf(committer -> !committer.thread.isAlive());
        return lost.size();
    }

    private LaneStatus status() {
        return new LaneStatus(
                lane.name(),
                waiting.size(),
                committers.stream().mapToInt(committer -> committer.hand.held().size()).sum(),
                committers.stream()
                        .mapToLong(committer -> committer.hand.atTheSameForMs())
                        .max()
                        .orElse(0),
                limitMs(),
                database.endedTransactions(lane.name()),
                threadsLost());
    }

    /// Waits for a request; returns none when the lane is closed.
    private List<Pending<Q, A>> first() {
        var taken = new ArrayList<Pending<Q, A>>();
        try {
            if (!closed) {
                taken.add(waiting.take());
            }
        } catch (InterruptedException e) {
            // No code interrupts a committer on purpose. If the interrupt were kept, the next wait
            // would end at once, and so would each further one.
            log.debug("interrupted while waiting for a request", e);
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

    public int waitingRequests() {
        return waiting.size();
    }

    /// Accepts no more requests, finishes those that wait, and stops.
    @Override
    public void close() {
        closed = true;
        // Wakes the committers that wait for requests. When there is no room for it, none waits.
        waiting.offer(end);
        for (Committer committer : committers) {
            try {
                committer.thread.join(Duration.ofSeconds(30));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        patience.end();
        database.lanes().remove(status);
        waiting.forEach(one -> one.answer().completeExceptionally(stopping()));
    }
}
