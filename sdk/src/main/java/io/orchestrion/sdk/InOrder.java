package io.orchestrion.sdk;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Calls of code that is not ours, one after the other on a thread of their own: whoever hands one
/// in does not wait for it, however long it takes.
final class InOrder {
    private CompletableFuture<Void> last = CompletableFuture.runAsync(() -> {}, Runnable::run);

    /// A call that fails does not keep the next one from being made.
    synchronized void run(Runnable call) {
        last =
                last.whenCompleteAsync(
                        (_, _) -> call.run(),
                        task -> Thread.ofVirtual().name("orchestrion-calls").start(task));
    }

    /// Waits until what was handed in so far has been done; an interrupt is kept for later.
    void await() {
        CompletableFuture<Void> all;
        synchronized (this) {
            all = last;
        }
        try {
            all.join();
        } catch (CompletionException e) {
            // Whoever made the call has logged it.
        }
    }
}
