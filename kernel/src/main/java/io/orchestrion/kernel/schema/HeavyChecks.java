package io.orchestrion.kernel.schema;

import io.orchestrion.kernel.fault.Failpoints;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/// Where checks run that take long. Requests run on virtual threads, which give up their processor
/// only when they wait: a few that calculate would hold all others up. Here are a few threads of
/// the operating system, which shares the processors out by time, and accounts take turns.
///
/// Threads are there while there is something to do.
final class HeavyChecks {
    /// Where a test can hold a thread.
    static final String STARTS = "schema.heavy-check";

    /// Half of the processors, so that requests always have some.
    static final int THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    private final Failpoints failpoints;
    private final int threads;
    private final LinkedHashMap<UUID, ArrayDeque<FutureTask<?>>> waiting = new LinkedHashMap<>();
    private int waitingInAll;
    private int running;

    HeavyChecks(Failpoints failpoints, int threads) {
        this.failpoints = failpoints;
        this.threads = threads;
    }

    /// Does it on one of the threads, in its account's turn, and waits for it.
    ///
    /// @throws ChecksBusy if too many wait
    <T> T run(UUID account, Callable<T> check) {
        var task =
                new FutureTask<>(
                        () -> {
                            failpoints.hit(STARTS);
                            return check.call();
                        });
        put(account, task);
        return result(task);
    }

    /// How many wait, for tests.
    synchronized int waiting() {
        return waitingInAll;
    }

    private synchronized void put(UUID account, FutureTask<?> task) {
        ArrayDeque<FutureTask<?>> own = waiting.get(account);
        if (own != null && own.size() >= SchemaLimit.WAITING_OF_ONE.max()) {
            throw new ChecksBusy(
                    "So many long checks of this account wait already; this was not done.");
        }
        if (waitingInAll >= SchemaLimit.WAITING.max()) {
            throw new ChecksBusy("So many long checks wait already; this was not done.");
        }
        if (own == null) {
            own = new ArrayDeque<>();
            waiting.put(account, own);
        }
        own.add(task);
        waitingInAll++;
        if (running < threads) {
            running++;
            Thread.ofPlatform().daemon().name("schema-check").start(this::work);
        }
    }

    private void work() {
        FutureTask<?> task = next();
        while (task != null) {
            task.run();
            task = next();
        }
    }

    /// The next check, of the account that is first in line. That account then goes to the end of
    /// the line.
    private synchronized @Nullable FutureTask<?> next() {
        var first = waiting.pollFirstEntry();
        if (first == null) {
            running--;
            return null;
        }
        FutureTask<?> task = first.getValue().remove();
        waitingInAll--;
        if (!first.getValue().isEmpty()) {
            waiting.putLast(first.getKey(), first.getValue());
        }
        return task;
    }

    private static <T> T result(Future<T> task) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    // The check is bounded, and its answer is worth more than the moment.
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException("a check broke off", e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
