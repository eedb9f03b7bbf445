package io.orchestrion.kernel.combine;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Lets few batches run at a time, so that what comes meanwhile shares the next one: ten small
/// transactions side by side take the processor longer than one with all of it. Only what is said
/// to the database counts: while a commit waits for the disk, the next batch runs. It makes batches
/// larger and is no lock: whoever has waited for a moment goes on without, so that a transaction
/// that hangs holds up nobody.
public final class Gate {
    private static final long PATIENCE_MS = 10;

    private final Semaphore places;

    public Gate(int places) {
        // Fair, so that no lane overtakes the others.
        this.places = new Semaphore(places, true);
    }

    /// The way through for one batch. Not for several threads.
    Pass pass() {
        return new Pass();
    }

    int free() {
        return places.availablePermits();
    }

    final class Pass {
        private boolean entered;

        void enter() throws InterruptedException {
            entered = places.tryAcquire(PATIENCE_MS, TimeUnit.MILLISECONDS);
        }

        /// Again and again is fine.
        void leave() {
            if (entered) {
                entered = false;
                places.release();
            }
        }
    }
}
