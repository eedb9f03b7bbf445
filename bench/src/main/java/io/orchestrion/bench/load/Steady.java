package io.orchestrion.bench.load;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// An account that goes on at its own pace, whatever happens beside it: a task is created, claimed,
/// renewed and completed. What is refused is counted, and the next task is begun in its time.
public final class Steady implements Runnable {
    private static final int OK = 200;
    private static final int CREATED = 201;

    /// Of an answer that did not come because the connection ended.
    private static final int NONE = 0;

    private static final int SERVER_FAULT = 500;

    /// What was answered since the last look.
    ///
    /// @param statuses how often each came; 0 stands for a connection that ended
    public record Seen(Latencies latencies, Map<Integer, Long> statuses) {
        public long of(int status) {
            return statuses.getOrDefault(status, 0L);
        }

        public long faults() {
            return of(SERVER_FAULT);
        }

        public long all() {
            return statuses.values().stream().mapToLong(Long::longValue).sum();
        }

        public long good() {
            return of(OK) + of(CREATED);
        }
    }

    /// How long the answers to several took.
    public static Latencies together(List<Seen> seen) {
        var all = new Latencies();
        seen.forEach(each -> all.add(each.latencies()));
        return all;
    }

    private final TaskRequests requests;
    private final String type;
    private final long everyMs;
    private volatile boolean over;
    private volatile long lastLifeBegan;
    private Latencies latencies = new Latencies();
    private Map<Integer, Long> statuses = new TreeMap<>();
    private @Nullable HttpLine line;

    public Steady(TaskRequests requests, String type, long everyMs) {
        this.requests = requests;
        this.type = type;
        this.everyMs = everyMs;
        this.lastLifeBegan = System.nanoTime();
    }

    @Override
    public void run() {
        long next = System.nanoTime();
        while (!over) {
            next += everyMs * 1_000_000;
            life();
            // Behind after a pause, it does not make up for it: that would be another load.
            next = Math.max(next, System.nanoTime() - everyMs * 1_000_000);
            try {
                Thread.sleep(Math.max(0, (next - System.nanoTime()) / 1_000_000));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                over = true;
            }
        }
        drop();
    }

    private void life() {
        long began = System.nanoTime();
        if (exchange("create", requests.create(type)) != CREATED
                || exchange("claim", requests.claim(type)) != OK
                || line == null) {
            return;
        }
        Held held = line.last().held();
        if (held != null
                && exchange("heartbeat", requests.heartbeat().name(0, held)) == OK
                && exchange("complete", requests.complete().name(0, held)) == OK) {
            lastLifeBegan = began;
        }
    }

    private int exchange(String verb, Request request) {
        long since = System.nanoTime();
        int status = NONE;
        try {
            HttpLine open = line == null ? new HttpLine(requests.port()) : line;
            line = open;
            status = open.ask(request).status();
        } catch (IOException e) {
            drop();
        }
        synchronized (this) {
            latencies.record(verb, since);
            statuses.merge(status, 1L, Long::sum);
        }
        return status;
    }

    private void drop() {
        if (line != null) {
            line.close();
        }
        line = null;
    }

    /// What it saw since the last call of this.
    public synchronized Seen look() {
        var seen = new Seen(latencies, statuses);
        latencies = new Latencies();
        statuses = new TreeMap<>();
        return seen;
    }

    /// Whether a task that was begun after that moment has come to its end.
    public boolean livedSince(long nanos) {
        return lastLifeBegan - nanos > 0;
    }

    public void stop() {
        over = true;
    }
}
