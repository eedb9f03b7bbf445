package io.orchestrion.cli;

import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.WorkerEvent;

import org.jspecify.annotations.Nullable;

/// How a worker at a terminal comes to an end, and how well.
final class WorkerEnding {
    private boolean over;
    private boolean answered;
    private boolean claimed;
    private boolean good;
    private @Nullable OrchestrionException refusal;

    synchronized void over() {
        over = true;
        notifyAll();
    }

    synchronized void await() throws InterruptedException {
        while (!over) {
            wait();
        }
    }

    synchronized void heard(WorkerEvent<?> event) {
        switch (event) {
            case WorkerEvent.ClaimFailed<?>(var e) -> {
                // Somebody has just started it, and waits to see whether it works.
                if (!answered && !e.retryable()) {
                    refusal = e;
                    over();
                }
            }
            case WorkerEvent.Completed<?> _ -> good = true;
            case WorkerEvent.Idle<?> _ -> answered = true;
            case WorkerEvent.Claimed<?> _ -> {
                answered = true;
                claimed = true;
            }
            case WorkerEvent.Directed<?> _,
                    WorkerEvent.Failed<?> _,
                    WorkerEvent.Cancelled<?> _,
                    WorkerEvent.LeaseLost<?> _,
                    WorkerEvent.ReportFailed<?> _ -> {}
        }
    }

    synchronized boolean hadNothing() {
        return answered && !claimed;
    }

    synchronized void judge(boolean once) {
        if (refusal != null) {
            throw refusal;
        }
        if (once && claimed && !good) {
            throw new ClientCommand.NotAsHoped();
        }
    }
}
