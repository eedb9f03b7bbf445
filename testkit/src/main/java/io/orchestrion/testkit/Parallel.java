package io.orchestrion.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/// The same thing from many threads at the same moment.
public final class Parallel {
    private Parallel() {}

    /// Starts all of them behind one gate and returns their answers in order.
    public static <T> List<T> run(int threads, IntFunction<Callable<T>> body) {
        var gate = new CountDownLatch(1);
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<T>>();
            for (int i = 0; i < threads; i++) {
                Callable<T> mine = body.apply(i);
                futures.add(
                        executor.submit(
                                () -> {
                                    gate.await();
                                    return mine.call();
                                }));
            }
            gate.countDown();
            var answers = new ArrayList<T>();
            for (Future<T> future : futures) {
                answers.add(future.get());
            }
            return answers;
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
