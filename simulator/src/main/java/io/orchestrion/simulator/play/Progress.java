package io.orchestrion.simulator.play;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/// How far a run is: a line that is written over at a terminal, and a new one now and then
/// elsewhere.
public final class Progress implements AutoCloseable {
    private static final Duration AT_A_TERMINAL = Duration.ofMillis(200);
    private static final Duration ELSEWHERE = Duration.ofSeconds(5);
    private static final int WIDTH = 24;

    private final PrintStream to;
    private final boolean live;
    private final AtomicInteger scenes = new AtomicInteger();
    private final AtomicInteger played = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final long since = System.nanoTime();
    private final Thread printer;
    private volatile boolean up = true;
    private volatile String phase = "begins";

    /// @param live whether the last line can be written over
    public Progress(PrintStream to, boolean live) {
        this.to = to;
        this.live = live;
        printer = Thread.ofVirtual().start(this::print);
    }

    void of(int all) {
        scenes.set(all);
    }

    void begun() {
        begun.incrementAndGet();
    }

    void ended() {
        ended.incrementAndGet();
    }

    void refused() {
        refused.incrementAndGet();
    }

    int played() {
        return played.get();
    }

    void scenePlayed() {
        played.incrementAndGet();
    }

    void server(boolean answers) {
        up = answers;
    }

    void phase(String words) {
        phase = words;
    }

    /// A line that stays.
    public synchronized void say(String line) {
        to.println((live ? "\r\u001b[K" : "") + line);
        to.flush();
    }

    private void print() {
        try {
            while (true) {
                Thread.sleep(live ? AT_A_TERMINAL : ELSEWHERE);
                synchronized (this) {
                    to.print(live ? "\r\u001b[K" + line() : line() + "\n");
                    to.flush();
                }
            }
        } catch (InterruptedException e) {
            // The run is over.
        }
    }

    private String line() {
        int all = Math.max(1, scenes.get());
        int full = (int) ((long) WIDTH * played.get() / all);
        return String.format(
                Locale.ROOT,
                "[%s%s] %3d %%  %s: %,d jobs, %,d ended, %,d refusals, %d s%s",
                "#".repeat(full),
                ".".repeat(WIDTH - full),
                100L * played.get() / all,
                phase,
                begun.get(),
                ended.get(),
                refused.get(),
                (System.nanoTime() - since) / 1_000_000_000,
                up ? "" : ", the server is down");
    }

    @Override
    public void close() {
        printer.interrupt();
        try {
            printer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (live) {
            synchronized (this) {
                to.print("\r\u001b[K");
                to.flush();
            }
        }
    }
}
