package io.orchestrion.bench.load;

import java.util.concurrent.atomic.LongAdder;

/// Where a load is, and how many steps have ended since it counts. All of its threads share it.
final class Course {
    private final LongAdder ended = new LongAdder();
    private volatile Phase phase = Phase.WARM_UP;

    Phase phase() {
        return phase;
    }

    void enter(Phase next) {
        phase = next;
    }

    void stepEnded() {
        ended.increment();
    }

    void forget() {
        ended.reset();
    }

    long ended() {
        return ended.sum();
    }
}
