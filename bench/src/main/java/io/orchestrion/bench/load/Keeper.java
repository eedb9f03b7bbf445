package io.orchestrion.bench.load;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// A holder of several leased tasks: renews them in turn, ends one now and then, and claims another
/// in its place. What is refused is counted and not tried again at once.
public final class Keeper implements Callable<Keeper.Tally> {
    private static final int OK = 200;
    private static final int CONFLICT = 409;
    private static final int ENDING_PERCENT = 10;
    private static final long PAUSE_MS = 20;

    /// While the window that counts was open.
    public static final class Tally {
        private final Latencies latencies = new Latencies();
        private final Map<String, Long> good = new TreeMap<>();
        private final Map<String, Long> asked = new TreeMap<>();
        private long lost;

        /// Leases that were gone when their holder spoke up.
        public long lost() {
            return lost;
        }

        public Latencies latencies() {
            return latencies;
        }

        /// The share of a verb's requests that succeeded; 1 where there was none.
        public double goodShare(String verb) {
            long all = asked.getOrDefault(verb, 0L);
            return all == 0 ? 1 : (double) good.getOrDefault(verb, 0L) / all;
        }

        public long asked(String verb) {
            return asked.getOrDefault(verb, 0L);
        }

        public void add(Tally other) {
            latencies.add(other.latencies);
            other.good.forEach((verb, count) -> good.merge(verb, count, Long::sum));
            other.asked.forEach((verb, count) -> asked.merge(verb, count, Long::sum));
            lost += other.lost;
        }
    }

    private final TaskRequests requests;
    private final String type;
    private final int holds;
    private final Random random;
    private final Supplier<Boolean> counts;
    private final Supplier<Boolean> over;
    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private final Tally tally = new Tally();
    private @Nullable HttpLine line;

    /// @param holds how many tasks at a time
    public Keeper(
            TaskRequests requests,
            String type,
            int holds,
            int seed,
            Supplier<Boolean> counts,
            Supplier<Boolean> over) {
        this.requests = requests;
        this.type = type;
        this.holds = holds;
        this.random = new Random(seed);
        this.counts = counts;
        this.over = over;
    }

    /// Claims all that it is to hold, before the load begins.
    public Keeper ready() throws IOException {
        while (held.size() < holds) {
            claim();
        }
        return this;
    }

    @Override
    public Tally call() throws InterruptedException {
        while (!over.get()) {
            Held next = held.poll();
            if (next != null) {
                speakFor(next);
            }
            if (held.size() < holds) {
                claim();
            }
            Thread.sleep(PAUSE_MS);
        }
        if (line != null) {
            line.close();
        }
        return tally;
    }

    private void speakFor(Held task) {
        boolean ends = random.nextInt(100) < ENDING_PERCENT;
        String verb = !ends ? "heartbeat" : random.nextBoolean() ? "complete" : "fail";
        Request request =
                switch (verb) {
                    case "complete" -> requests.complete();
                    case "fail" -> requests.fail();
                    default -> requests.heartbeat();
                };
        int status = exchange(verb, request.name(0, task));
        if (status == CONFLICT) {
            tally.lost += counts.get() ? 1 : 0;
        } else if (!ends || status != OK) {
            held.add(task);
        }
    }

    private void claim() {
        HttpLine before = line;
        if (exchange("claim", requests.claim(type)) == OK && before == line && line != null) {
            Held got = line.last().held();
            if (got != null) {
                held.add(got);
            }
        }
    }

    /// The status; 0 when the connection ended.
    private int exchange(String verb, Request request) {
        boolean counted = counts.get();
        long since = System.nanoTime();
        int status = 0;
        try {
            HttpLine open = line == null ? new HttpLine(requests.port()) : line;
            line = open;
            status = open.ask(request).status();
        } catch (IOException e) {
            if (line != null) {
                line.close();
            }
            line = null;
        }
        if (counted) {
            tally.latencies.record(verb, since);
            tally.asked.merge(verb, 1L, Long::sum);
            tally.good.merge(verb, status == OK ? 1L : 0L, Long::sum);
        }
        return status;
    }
}
