package io.orchestrion.kernel.combine;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Lets few batches run at a time, so that what comes meanwhile shares the next one: ten small
/// transactions side by side take the processor longer than one with all of it. While one batch
/// waits for the disk in its commit the next one runs; who is done while a commit is still on waits
/// for it. It makes batches larger and is no lock: whoever has waited for a moment goes on without,
/// so that a transaction that hangs holds up nobody.
public final class Gate {
    private static final long PATIENCE_MS = 10;

    private final Semaphore running;
    private final Semaphore committing;

    public Gate(int running, int committing) {
        // Fair, so that no lane overtakes the others.
        this.running = new Semaphore(running, true);
        this.committing = new Semaphore(committing, true);
    }

    /// The way through for one batch. Not for several threads.
    Pass pass() {
        return new Pass();
    }

    int free() {
        return running.availablePermits();
    }

    int freeToCommit() {
        return committing.availablePermits();
    }

    final class Pass {
        private boolean runs;
        private boolean commits;

        /// Waits for its turn to speak to the database.
        void enter() throws InterruptedException {
            runs = running.tryAcquire(PATIENCE_MS, TimeUnit.MILLISECONDS);
        }

        /// Waits for its turn to commit, and only then lets the next batch run. One whose commit
        /// failed, and that goes on singly, keeps its turn.
        void toCommit() throws InterruptedException {
            commits = commits || committing.tryAcquire(PATIENCE_MS, TimeUnit.MILLISECONDS);
            leaveRunning();
        }

        /// Again and again is fine.
        void leave() {
            leaveRunning();
            if (commits) {
                commits = false;
                committing.release();
            }
        }

        private void leaveRunning() {
            if (runs) {
                runs = false;
                running.release();
            }
        }
    }
}
