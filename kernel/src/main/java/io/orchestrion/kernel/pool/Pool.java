package io.orchestrion.kernel.pool;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.signals.Signals;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;
import io.orchestrion.kernel.sweep.Sweeper;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// The workers inside this server: for items of engines that the product itself works on, one
/// handler a kind; and the crews of those who find their work in a way of their own.
public final class Pool implements AutoCloseable {
    /// How often leases are looked after.
    private static final Duration LOOK_AFTER = Duration.ofSeconds(1);

    /// How long what was told to stop is waited for.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final String HOLDER = "pool";

    private final Database database;
    private final Work work;
    private final Signals signals;
    private final NanoTicker ticker;
    private final Consumer<Sweeper> duties;
    private final BiConsumer<String, Runnable> bell;
    private final LeaseKeeper keeper;
    private final List<Crew> crews = new CopyOnWriteArrayList<>();
    private final List<Handled> handled = new CopyOnWriteArrayList<>();

    private record Handled(PoolWork kind, Crew crew) {}

    /// @param duties adds one to those that this node does
    /// @param bell has somebody called when something of a queue becomes ready
    public Pool(
            Database database,
            Work work,
            Signals signals,
            NanoTicker ticker,
            Consumer<Sweeper> duties,
            BiConsumer<String, Runnable> bell) {
        this.database = database;
        this.work = work;
        this.signals = signals;
        this.ticker = ticker;
        this.duties = duties;
        this.bell = bell;
        this.keeper = new LeaseKeeper("lease-keeper", work, database, ticker, LOOK_AFTER);
    }

    /// Has items of the kind worked on by this server; before the start.
    public void add(PoolWork kind, Handler handler) {
        if (handled.stream().anyMatch(each -> same(each.kind(), kind))) {
            throw new IllegalArgumentException("somebody works on " + kind.kind() + " already");
        }
        if (handled.isEmpty()) {
            duties.accept(keeper);
        }
        Crew crew = crew(kind.name(), kind.places(), kind.perAccount());
        handled.add(new Handled(kind, crew));
        duties.accept(
                new QueueLook(
                        kind,
                        crew,
                        database,
                        work,
                        HOLDER,
                        bell,
                        (view, asked) -> {
                            var run =
                                    new PoolRun(
                                            kind,
                                            handler,
                                            work,
                                            keeper,
                                            signals.tracing(),
                                            view,
                                            asked);
                            run.in(
                                    crew.start(
                                            view.item().accountId(),
                                            kind.name() + "-" + view.item().id(),
                                            run));
                        }));
    }

    private static boolean same(PoolWork one, PoolWork other) {
        return one.profile().queue().equals(other.profile().queue())
                && one.kind().equals(other.kind());
    }

    /// A crew for somebody who finds its work in a way of its own; shown with the others.
    public Crew crew(String name, int places, int perAccount) {
        var crew = new Crew(name, places, perAccount, ticker);
        crews.add(crew);
        return crew;
    }

    /// It is not shown any more.
    public void forget(Crew crew) {
        crews.remove(crew);
    }

    /// How all of them fare; those of one name together.
    public List<CrewStatus> statuses() {
        var byName = new LinkedHashMap<String, CrewStatus>();
        crews.forEach(crew -> byName.merge(crew.name(), crew.status(), CrewStatus::and));
        return List.copyOf(byName.values());
    }

    /// Claims nothing more. Work that runs goes on.
    public void stopTaking() {
        handled.forEach(each -> each.crew().stopTaking());
    }

    /// Lets what runs end, each within its grace, then tells it to stop. What does not obey keeps
    /// its lease until that ends, and another node does what that means.
    @Override
    public void close() {
        stopTaking();
        List<Thread> stopping =
                handled.stream()
                        .map(
                                each ->
                                        Thread.ofVirtual()
                                                .name("stop-" + each.kind().name())
                                                .start(
                                                        () ->
                                                                each.crew()
                                                                        .stop(
                                                                                each.kind().grace(),
                                                                                PATIENCE)))
                        .toList();
        for (Thread each : stopping) {
            try {
                each.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
