package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.policy.Policy;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Many workers with many policies on several nodes, while work still comes in.
class PolicyCrowdTest {
    private static final int WORKERS = 100;
    private static final int JOBS = 1500;
    private static final long SEED = 20261116;

    private record Job(String kind, String repository, Set<String> capabilities) {}

    private static final String[] CAPABILITIES = {"git", "gh", "gpu", "docker", "zig"};

    private static Set<String> some(Random random, String[] from) {
        var some = new HashSet<String>();
        for (String one : from) {
            if (random.nextInt(2) == 0) {
                some.add(one);
            }
        }
        return some;
    }

    private static Policy policy(Random random) {
        var repositories = new HashSet<String>();
        for (int i = 0; i < 4; i++) {
            repositories.add("o" + random.nextInt(5) + "/r" + random.nextInt(8));
        }
        if (random.nextBoolean()) {
            repositories.add("o" + random.nextInt(5) + "/*");
        }
        return new Policy(
                random.nextInt(3) == 0 ? null : some(random, new String[] {"k0", "k1", "k2", "k3"}),
                random.nextInt(3) == 0 ? null : repositories,
                random.nextInt(4) == 0 ? null : some(random, CAPABILITIES));
    }

    private static boolean mayTake(Policy policy, Job job) {
        boolean repository =
                policy.repositories() == null
                        || (job.repository != null
                                && (policy.repositories().contains(job.repository)
                                        || policy.repositories()
                                                .contains(
                                                        job.repository.substring(
                                                                        0,
                                                                        job.repository.indexOf('/'))
                                                                + "/*")));
        return repository
                && (policy.kinds() == null || policy.kinds().contains(job.kind))
                && (policy.capabilities() == null
                        || policy.capabilities().containsAll(job.capabilities));
    }

    /// Nothing is handed out twice, to nobody outside of its policy, and nothing that somebody may
    /// take is left when all are done.
    @Test
    void a_hundred_workers_never_get_a_job_outside_their_policy_and_nothing_is_lost() {
        var random = new Random(SEED);
        try (var queue = new QueueFixture();
                Kernel second = queue.fixture.test.anotherNode(options -> options);
                Kernel third = queue.fixture.test.anotherNode(options -> options)) {
            List<Kernel> nodes = List.of(queue.kernel(), second, third);
            var policies = new ArrayList<Policy>();
            for (int i = 0; i < WORKERS; i++) {
                policies.add(policy(random));
            }
            var drafts = new ArrayList<Job>();
            for (int i = 0; i < JOBS; i++) {
                drafts.add(
                        new Job(
                                "k" + random.nextInt(5),
                                random.nextInt(4) == 0
                                        ? null
                                        : "o" + random.nextInt(5) + "/r" + random.nextInt(8),
                                some(random, CAPABILITIES)));
            }
            Map<UUID, Job> jobs = new ConcurrentHashMap<>();
            var handedIn = new AtomicInteger();
            int producers = 4;
            List<Map<UUID, Integer>> taken =
                    Parallel.run(
                            WORKERS + producers,
                            i ->
                                    () -> {
                                        if (i >= WORKERS) {
                                            for (int j = i - WORKERS; j < JOBS; j += producers) {
                                                Job job = drafts.get(j);
                                                jobs.put(submit(queue, job), job);
                                            }
                                            handedIn.incrementAndGet();
                                            return Map.of();
                                        }
                                        return work(
                                                queue,
                                                nodes.get(i % nodes.size()),
                                                policies.get(i),
                                                i,
                                                () -> handedIn.get() == producers);
                                    });
            var all = new HashMap<UUID, Integer>();
            for (Map<UUID, Integer> mine : taken) {
                mine.forEach(
                        (id, worker) -> {
                            assertThat(all.put(id, worker)).as("handed out twice: " + id).isNull();
                            assertThat(mayTake(policies.get(worker), jobs.get(id)))
                                    .as("seed " + SEED + ": " + jobs.get(id) + " " + worker)
                                    .isTrue();
                        });
            }
            long possible =
                    jobs.values().stream()
                            .filter(job -> policies.stream().anyMatch(p -> mayTake(p, job)))
                            .count();
            assertThat(all).as("seed " + SEED).hasSize((int) possible);
            assertThat(possible).isBetween(1L, (long) JOBS);
        }
    }

    private static UUID submit(QueueFixture queue, Job job) {
        return queue.submit(job.kind, job.repository, List.copyOf(job.capabilities));
    }

    /// Takes until there is nothing left after all was handed in; one empty look may have met what
    /// others were just taking or giving up.
    private static Map<UUID, Integer> work(
            QueueFixture queue,
            Kernel node,
            Policy policy,
            int worker,
            java.util.function.BooleanSupplier complete) {
        var mine = new HashMap<UUID, Integer>();
        while (true) {
            boolean last = complete.getAsBoolean();
            List<WorkItem> items = queue.claim(node, policy, "w" + worker, 1 + worker % 3);
            for (WorkItem item : items) {
                mine.put(item.id(), worker);
                node.work()
                        .command(
                                new CommandRequest(
                                        queue.account,
                                        QueueFixture.QUEUE,
                                        item.id(),
                                        QueueFixture.complete("w" + worker),
                                        false));
            }
            if (items.isEmpty() && last) {
                return mine;
            }
        }
    }
}
