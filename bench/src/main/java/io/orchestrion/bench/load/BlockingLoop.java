package io.orchestrion.bench.load;

import java.util.concurrent.Callable;

/// One worker that waits for what it does, in a thread of its own, as fast as it goes.
final class BlockingLoop implements Callable<Tally> {
    private final BlockingWorker.Maker makes;
    private final Tally tally;

    BlockingLoop(BlockingWorker.Maker makes, Tally tally) {
        this.makes = makes;
        this.tally = tally;
    }

    @Override
    public Tally call() throws Exception {
        try (BlockingWorker worker = makes.worker()) {
            while (!tally.over()) {
                tally.ended(worker.step(tally.latencies()));
            }
        }
        return tally;
    }
}
