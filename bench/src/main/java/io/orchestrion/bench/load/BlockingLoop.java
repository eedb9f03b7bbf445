package io.orchestrion.bench.load;

import java.util.concurrent.Callable;

/// One worker that waits for what it does, in a thread of its own, as fast as it goes.
final class BlockingLoop implements Callable<Tally> {
    private final BlockingWorker.Maker makes;
    private final Course course;

    BlockingLoop(BlockingWorker.Maker makes, Course course) {
        this.makes = makes;
        this.course = course;
    }

    @Override
    public Tally call() throws Exception {
        var tally = new Tally();
        try (BlockingWorker worker = makes.worker()) {
            while (course.phase() == Phase.WARM_UP) {
                worker.step(tally.latencies());
            }
            tally.forget();
            while (course.phase() == Phase.COUNTED) {
                int ended = worker.step(tally.latencies());
                // What ends after the window is no part of it.
                course.stepEnded();
                tally.ended(course.phase() == Phase.COUNTED ? ended : 0);
            }
        }
        return tally;
    }
}
