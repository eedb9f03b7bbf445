package io.orchestrion.sdk;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Runs calls of foreign code one after the other on their own thread. The caller does not wait for
/// them.
final class InOrder {
    private CompletableFuture<Void> last = CompletableFuture.runAsync(() -> {}, Runnable::run);

    /// If a call fails, the next one is made all the same.
    synchronized void run(Runnable call) {
        last =
                last.whenCompleteAsync(
                        (_, _) -> call.run(),
                        task -> Thread.ofVirtual().name("orchestrion-calls").start(task));
    }

    /// Waits until all calls so far have ended. An interrupt of the caller is kept for later.
    void await() {
        CompletableFuture<Void> all;
        synchronized (this) {
            all = last;
        }
        try {
            all.join();
        } catch (CompletionException e) {
            // The caller has logged it already.
        }
    }
}
