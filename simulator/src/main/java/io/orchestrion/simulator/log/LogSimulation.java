package io.orchestrion.simulator.log;

import io.orchestrion.sdk.BatchResult;
import io.orchestrion.sdk.ClaimedTask;
import io.orchestrion.sdk.EventQuery;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.RetryPolicy;
import io.orchestrion.sdk.Task;
import io.orchestrion.sdk.TaskEventPage;
import io.orchestrion.sdk.TaskQuery;
import io.orchestrion.sdk.TaskStatus;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Makes, claims and ends many tasks through two servers, kills one of them again and again, and
/// checks the event log that comes of it.
public final class LogSimulation {
    private static final List<String> TYPES = List.of("alpha", "beta", "gamma", "delta");
    private static final int WRITERS = 12;
    private static final int TOGETHER = 20;
    private static final int LEASE_SECONDS = 30;
    private static final int PAGE = 1000;
    private static final Duration POLL = Duration.ofSeconds(1);

    /// Longer than a restart takes, also on a slow machine.
    private static final RetryPolicy PATIENT = RetryPolicy.standard().withTries(40);

    /// @param kills how often one of the servers is killed on the way
    public record Options(int tasks, int kills, long seed) {}

    /// @param violations empty when the log is as it must be
    public record Outcome(int tasks, int events, List<String> violations) {}

    private final Options options;
    private final PrintStream said;
    private final TwoServers servers;
    private final List<OrchestrionClient> clients;
    private final AtomicInteger created = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final Map<UUID, Boolean> acknowledged = new ConcurrentHashMap<>();
    private volatile boolean over;

    private LogSimulation(Options options, PrintStream said, TwoServers servers) {
        this.options = options;
        this.said = said;
        this.servers = servers;
        this.clients =
                servers.addresses().stream()
                        .map(
                                address ->
                                        OrchestrionClient.builder(address)
                                                .key(servers.key())
                                                .retries(PATIENT)
                                                .build())
                        .toList();
    }

    /// @param program what starts the program, without its arguments
    public static Outcome run(List<String> program, Options options, PrintStream said)
            throws Exception {
        try (var servers = TwoServers.start(program)) {
            var simulation = new LogSimulation(options, said, servers);
            try {
                return simulation.play();
            } finally {
                simulation.clients.forEach(OrchestrionClient::close);
            }
        }
    }

    private Outcome play() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var readers = new ArrayList<Future<List<String>>>();
            for (OrchestrionClient client : clients) {
                readers.add(threads.submit(() -> followed(client)));
            }
            Future<?> killer = threads.submit(this::kill);
            var writers = new ArrayList<Callable<Void>>();
            for (int i = 0; i < WRITERS; i++) {
                var random = new Random(options.seed() + i);
                writers.add(() -> write(random));
            }
            for (Future<Void> writer : threads.invokeAll(writers)) {
                done(writer);
            }
            killer.get();
            say("waits for what is still leased");
            drain();
            over = true;
            Map<UUID, String> statuses = statuses();
            List<Entry> log = log(clients.getFirst());
            var followed = new ArrayList<List<String>>();
            for (Future<List<String>> reader : readers) {
                followed.add(reader.get());
            }
            return new Outcome(
                    statuses.size(), log.size(), LogCheck.violations(log, followed, statuses));
        }
    }

    private static void done(Future<Void> writer) throws Exception {
        try {
            writer.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private void say(String words) {
        said.printf(
                "%,d of %,d tasks, %,d ended: %s%n",
                created.get(), options.tasks(), ended.get(), words);
        said.flush();
    }

    private OrchestrionClient any(Random random) {
        return clients.get(random.nextInt(clients.size()));
    }

    private Void write(Random random) {
        while (created.get() < options.tasks()) {
            String type = TYPES.get(random.nextInt(TYPES.size()));
            int many = 1 + random.nextInt(TOGETHER);
            var tasks = new ArrayList<String>();
            for (int i = 0; i < many; i++) {
                tasks.add(
                        "{\"type\":\"%s\",\"payload\":{},\"leaseDurationSeconds\":%d,\"maxAttempts\":5}"
                                .formatted(type, LEASE_SECONDS));
            }
            for (BatchResult made : any(random).batches().create(tasks)) {
                if (made.good() && made.taskId() != null) {
                    acknowledged.put(made.taskId(), true);
                    created.incrementAndGet();
                }
            }
            work(any(random), any(random), random, Duration.ZERO);
        }
        return null;
    }

    /// Claims at one server and ends at another. An answer that was lost with its server is left
    /// to the lease.
    ///
    /// @return how many were claimed
    private int work(
            OrchestrionClient claims, OrchestrionClient ends, Random random, Duration wait) {
        String type = TYPES.get(random.nextInt(TYPES.size()));
        List<ClaimedTask> held = claims.batches().claim(type, TOGETHER, "simulated", wait);
        var complete = new ArrayList<String>();
        var fail = new ArrayList<String>();
        for (ClaimedTask task : held) {
            (random.nextInt(5) == 0 ? fail : complete)
                    .add(
                            "{\"id\":\"%s\",\"leaseToken\":\"%s\"}"
                                    .formatted(task.id(), task.leaseToken()));
        }
        try {
            if (!complete.isEmpty()) {
                ends.batches().complete(complete);
            }
            if (!fail.isEmpty()) {
                ends.batches().fail(fail);
            }
            ended.addAndGet(complete.size());
        } catch (OrchestrionException e) {
            if (!e.retryable()) {
                throw e;
            }
        }
        return held.size();
    }

    private Void kill() throws IOException, InterruptedException {
        for (int i = 1; i <= options.kills(); i++) {
            while (created.get() < (long) options.tasks() * i / (options.kills() + 1)) {
                Thread.sleep(Duration.ofMillis(20));
            }
            servers.restart(i % 2 == 0);
            say("a server was killed and is back");
        }
        return null;
    }

    /// Until nothing waits and nothing is held.
    private void drain() {
        var random = new Random(options.seed());
        while (open(TaskStatus.PENDING) || open(TaskStatus.CLAIMED)) {
            for (int i = 0; i < TYPES.size(); i++) {
                work(any(random), any(random), random, POLL);
            }
        }
    }

    private boolean open(TaskStatus status) {
        return !clients.getFirst()
                .list(TaskQuery.ALL.withStatus(status).withLimit(1))
                .tasks()
                .isEmpty();
    }

    /// What each task is in the end.
    private Map<UUID, String> statuses() {
        var statuses = new ConcurrentHashMap<UUID, String>();
        for (Task task : clients.getLast().listAll(TaskQuery.ALL.withLimit(100))) {
            statuses.put(task.id(), task.status().word());
        }
        for (UUID id : acknowledged.keySet()) {
            statuses.putIfAbsent(id, "gone");
        }
        return statuses;
    }

    /// The ids of all events, read while the log grows.
    private List<String> followed(OrchestrionClient client) {
        var ids = new ArrayList<String>();
        EventQuery query = EventQuery.ALL.withLimit(PAGE).waiting(POLL);
        boolean last;
        do {
            last = over;
            TaskEventPage page = client.events().list(query);
            page.events().forEach(event -> ids.add(event.id()));
            query = query.after(page.nextCursor());
            last &= !page.hasMore() && page.events().isEmpty();
        } while (!last);
        return ids;
    }

    private static List<Entry> log(OrchestrionClient client) {
        var log = new ArrayList<Entry>();
        EventQuery query = EventQuery.ALL.withLimit(PAGE);
        TaskEventPage page;
        do {
            page = client.events().list(query);
            page.events().forEach(event -> log.add(Entry.of(event)));
            query = query.after(page.nextCursor());
        } while (page.hasMore());
        return log;
    }
}
