package io.orchestrion.server.ops;

import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/// Progress for a person: one line with a moving sign and the seconds on a terminal, a line a step
/// elsewhere.
final class TerminalProgress implements Progress {
    private static final String[] SIGNS = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"};
    // A warm start is over sooner; a sign that flashes up tells nobody anything.
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    private final PrintStream out;
    private final boolean live;
    private final long started = System.nanoTime();
    private @Nullable Thread painter;
    private String what = "";
    private boolean painted;

    TerminalProgress(PrintStream out, boolean live) {
        this.out = out;
        this.live = live;
    }

    @Override
    public synchronized void step(String next) {
        if (next.equals(what)) {
            return;
        }
        what = next;
        if (!live) {
            out.println("orchestrion: " + next);
        } else if (painter == null) {
            painter = Thread.ofPlatform().daemon().name("progress").start(this::paint);
        }
    }

    @Override
    public synchronized void done() {
        Thread running = painter;
        painter = null;
        if (running != null) {
            running.interrupt();
        }
        if (painted) {
            out.print("\r\u001b[K");
            out.flush();
            painted = false;
        }
    }

    private void paint() {
        try {
            TimeUnit.NANOSECONDS.sleep(QUIET_NANOS);
            for (int i = 0; paintOnce(i); i++) {
                Thread.sleep(100);
            }
        } catch (InterruptedException e) {
            // done() has wiped the line.
        }
    }

    private synchronized boolean paintOnce(int round) {
        if (painter != Thread.currentThread()) {
            return false;
        }
        double seconds = (System.nanoTime() - started) / 1e9;
        out.print("\r\u001b[K%s %s %.1f s".formatted(SIGNS[round % SIGNS.length], what, seconds));
        out.flush();
        painted = true;
        return true;
    }
}
