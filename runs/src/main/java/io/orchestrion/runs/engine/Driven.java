package io.orchestrion.runs.engine;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;
import io.orchestrion.runs.fault.Commit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// The runs that this node drives, and their heartbeats: a batch for each account that passes over
/// runs that are being changed. It notes what is driven here and nothing else, so that a run
/// without a driver has no heartbeat.
final class Driven implements Sweeper {
    static final String NAME = "run-heartbeats";
    private static final int BATCH = 500;

    private final Kernel kernel;
    private final Duration every;
    private final Set<Holding> held = ConcurrentHashMap.newKeySet();

    Driven(Kernel kernel, Duration every) {
        this.kernel = kernel;
        this.every = every;
    }

    /// A run while this node holds the item of its driver.
    final class Holding implements AutoCloseable {
        private final UUID account;
        private final UUID run;
        private final UUID item;

        private Holding(UUID account, UUID run, UUID item) {
            this.account = account;
            this.run = run;
            this.item = item;
        }

        UUID run() {
            return run;
        }

        UUID item() {
            return item;
        }

        @Override
        public void close() {
            held.remove(this);
        }
    }

    Holding holding(UUID account, UUID run, UUID item) {
        var holding = new Holding(account, run, item);
        held.add(holding);
        return holding;
    }

    int count() {
        return held.size();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Duration pace(Duration usual) {
        return every;
    }

    @Override
    public int fullPass() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int runOnce() {
        Map<UUID, List<Holding>> byAccount =
                held.stream().collect(Collectors.groupingBy(each -> each.account));
        return Sweeps.each(
                NAME,
                List.copyOf(byAccount.entrySet()),
                each -> beat(each.getKey(), each.getValue()));
    }

    private int beat(UUID account, List<Holding> all) {
        int noted = 0;
        for (int from = 0; from < all.size(); from += BATCH) {
            List<Holding> some = all.subList(from, Math.min(all.size(), from + BATCH));
            noted +=
                    kernel.database()
                            .transaction(
                                    tx -> {
                                        Commit.HEARTBEAT.in(tx);
                                        return SweepSql.beat(tx, account, some);
                                    });
        }
        return noted;
    }
}
