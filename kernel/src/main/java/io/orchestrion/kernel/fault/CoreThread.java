package io.orchestrion.kernel.fault;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A thread that the node cannot do without. When one dies of an error that it does not know, the
/// node ends: a supervisor starts a whole one, where a half-dead one would go on looking healthy.
public final class CoreThread {
    private static final Logger log = LoggerFactory.getLogger(CoreThread.class);

    /// As sysexits.h: an internal software error.
    private static final int EXIT_INTERNAL = 70;

    private CoreThread() {}

    public static Thread start(String name, Runnable body) {
        Thread thread = unstarted(name, body);
        thread.start();
        return thread;
    }

    public static Thread unstarted(String name, Runnable body) {
        return Thread.ofPlatform()
                .daemon()
                .name(name)
                .uncaughtExceptionHandler(CoreThread::end)
                .unstarted(body);
    }

    private static void end(Thread thread, Throwable failure) {
        log.error("{} died; the node ends with it", thread.getName(), failure);
        // On another thread: exit waits for hooks, and those may wait for this one.
        Thread.ofPlatform().daemon().start(() -> Runtime.getRuntime().exit(EXIT_INTERNAL));
    }
}
