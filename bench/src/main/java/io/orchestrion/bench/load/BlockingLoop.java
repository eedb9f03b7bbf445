package io.orchestrion.bench.load;

import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// One worker that waits for what it does, in a thread of its own, as fast as it goes.
final class BlockingLoop implements Callable<Tally> {
    private final BlockingWorker.Maker makes;
    private final Supplier<Phase> phase;

    BlockingLoop(BlockingWorker.Maker makes, Supplier<Phase> phase) {
        this.makes = makes;
        this.phase = phase;
    }

    @Override
    public Tally call() throws Exception {
        var tally = new Tally();
        try (BlockingWorker worker = makes.worker()) {
            while (phase.get() == Phase.WARM_UP) {
                worker.step(tally.latencies());
            }
            tally.forget();
            while (phase.get() == Phase.COUNTED) {
                int ended = worker.step(tally.latencies());
                // What ends after the window is no part of it.
                tally.ended(phase.get() == Phase.COUNTED ? ended : 0);
            }
        }
        return tally;
    }
}
