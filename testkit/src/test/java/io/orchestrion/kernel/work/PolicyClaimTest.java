package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// What a worker with a policy gets, in which order, and when.
class PolicyClaimTest {
    private static final Executor EXECUTOR = Executors.newVirtualThreadPerTaskExecutor();

    private final QueueFixture queue = new QueueFixture();

    @AfterEach
    void close() {
        queue.close();
    }

    private static Policy kinds(String... kinds) {
        return new Policy(Set.of(kinds), null, null);
    }

    /// Q-046, among jobs that ask for different things, too.
    @Test
    void higher_priority_comes_first_and_then_what_came_first() {
        List<String> wanted = new ArrayList<>();
        String[][] asks = {{}, {"git"}, {"gh", "git"}, {"zig"}};
        var ids = new ArrayList<UUID>();
        int[] priorities = {0, 5, -3, 5, 9, 0, 5, 9, -3, 0, 0, 9};
        for (int i = 0; i < priorities.length; i++) {
            ids.add(
                    queue.fixture.submit(
                            queue.draft("k" + i % 3, priorities[i], 3, null)
                                    .asking(
                                            new Requirements(
                                                    i % 2 == 0 ? "a/b" : null,
                                                    List.of(asks[i % 4])))));
        }
        for (int priority : new int[] {9, 5, 0, -3}) {
            for (int i = 0; i < priorities.length; i++) {
                if (priorities[i] == priority) {
                    wanted.add(ids.get(i).toString());
                }
            }
        }
        var got = new ArrayList<String>();
        while (got.size() < wanted.size()) {
            queue.claim(Policy.ANYTHING, "w", 1 + got.size() % 3)
                    .forEach(item -> got.add(item.id().toString()));
        }
        assertThat(got).isEqualTo(wanted);
        assertThat(queue.claim(Policy.ANYTHING, "w", 1)).isEmpty();
    }

    /// ..Q-039.
    @Test
    void a_claimed_job_is_running_with_the_lease_that_was_asked_for() {
        UUID id = queue.submit("build", "Acme/App", List.of("git"));
        WorkView view =
                queue.work()
                        .claimWithPolicy(
                                queue.account, new PolicyClaim(Policy.ANYTHING, "w1", 77, 5))
                        .items()
                        .getFirst();
        WorkItem item = view.item();
        assertThat(item.id()).isEqualTo(id);
        assertThat(item.state()).isEqualTo(WorkState.RUNNING);
        assertThat(item.attempt()).isEqualTo(1);
        assertThat(item.attempts().most()).isEqualTo(3);
        assertThat(item.holding().holder()).isEqualTo("w1");
        assertThat(item.lease().untilMs()).isEqualTo(view.nowMs() + 77_000);
        assertThat(item.turn().runAtMs()).isNull();
        assertThat(view.documents().payload()).isEqualTo("{\"n\": 1}");
    }

    ///
    @Test
    void a_claim_that_finds_nothing_changes_nothing() {
        UUID id = queue.submit("build", "acme/app", List.of("git"));
        WorkItem before = queue.item(id);
        for (Policy policy :
                List.of(
                        kinds("other"),
                        new Policy(Set.of(), null, null),
                        new Policy(null, Set.of("acme/ap"), null),
                        new Policy(null, Set.of(), null),
                        new Policy(null, null, Set.of())))
            assertThat(queue.claim(policy, "w", 10)).isEmpty();
        assertThat(queue.item(id)).isEqualTo(before);
        assertThat(queue.lines(id)).containsExactly("submit");
    }

    ///
    @Test
    void what_waits_is_not_claimed_and_what_is_due_is_without_any_promoter() {
        long now = queue.fixture.view(QueueFixture.QUEUE, queue.submit("first")).nowMs();
        assertThat(queue.claimAny("w").kind()).isEqualTo("first");
        queue.fixture.submit(queue.draft("later", 0, 3, now + 60_000));
        queue.fixture.submit(queue.draft("other", 0, 3, now + 60_000));
        assertThat(queue.claim(Policy.ANYTHING, "w", 5)).isEmpty();
        queue.advance(Duration.ofSeconds(61));
        assertThat(queue.claim(kinds("later", "none"), "w", 5))
                .extracting(WorkItem::kind)
                .containsExactly("later");
        assertThat(queue.claim(Policy.ANYTHING, "w", 5))
                .extracting(WorkItem::kind)
                .containsExactly("other");
    }

    /// the claim itself ends the lease that ran out; the job then waits its delay.
    @Test
    void an_expired_lease_is_ended_by_the_next_claim() {
        UUID id = queue.held("w1");
        queue.advance(Duration.ofSeconds(121));
        assertThat(queue.claim(Policy.ANYTHING, "w2", 1)).isEmpty();
        WorkItem back = queue.item(id);
        assertThat(back.state()).isEqualTo(WorkState.WAITING);
        assertThat(back.holding().holder()).isNull();
        assertThat(back.turn().runAtMs()).isGreaterThan(back.times().updatedMs());
        queue.advance(Duration.ofSeconds(6));
        WorkItem again = queue.claimAny("w2");
        assertThat(again.id()).isEqualTo(id);
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(queue.lines(id)).containsExactly("submit", "lease", "expire", "lease");
    }

    /// and dead when it was the last attempt.
    @Test
    void an_expired_last_attempt_is_a_dead_letter() {
        UUID id = queue.fixture.submit(queue.draft("once", 0, 1, null));
        queue.claimAny("w1");
        queue.advance(Duration.ofSeconds(121));
        assertThat(queue.claim(Policy.ANYTHING, "w2", 1)).isEmpty();
        assertThat(queue.item(id).state()).isEqualTo(WorkState.DEAD);
    }

    ///
    @Test
    void fifty_parallel_claims_of_ten_workers_get_fifty_different_jobs() {
        for (int i = 0; i < 50; i++) {
            queue.submit("k" + i % 10, "acme/r" + i, List.of("c" + i % 7));
        }
        List<UUID> got =
                Parallel.run(
                        50,
                        i -> () -> queue.claim(Policy.ANYTHING, "w" + i % 10, 1).getFirst().id());
        assertThat(Set.copyOf(got)).hasSize(50);
    }

    private CompletableFuture<Claimed> waiting(String worker, Policy policy) {
        int before = queue.kernel().policyWaiters().resting();
        var claim =
                CompletableFuture.supplyAsync(
                        () ->
                                queue.work()
                                        .claimWithPolicy(
                                                queue.account,
                                                () -> new PolicyClaim(policy, worker, 60, 1),
                                                Duration.ofSeconds(30)),
                        EXECUTOR);
        Until.isTrue(
                "the worker waits",
                Duration.ofSeconds(10),
                () -> queue.kernel().policyWaiters().resting() > before);
        return claim;
    }

    @Test
    void a_worker_that_waits_gets_what_comes_for_it_and_others_go_on_waiting() throws Exception {
        var git = waiting("w1", new Policy(null, Set.of("acme/*"), Set.of("git")));
        var any = waiting("w2", kinds("build"));
        UUID first = queue.submit("test", "acme/app", List.of("git"));
        assertThat(git.get(10, TimeUnit.SECONDS).items().getFirst().item().id()).isEqualTo(first);
        assertThat(any).isNotDone();
        UUID second = queue.submit("build", "beta/app", List.of("gpu"));
        assertThat(any.get(10, TimeUnit.SECONDS).items().getFirst().item().id()).isEqualTo(second);
    }

    /// also for a worker that has been waiting since before the change.
    @Test
    void a_policy_that_changes_while_a_worker_waits_holds_for_its_next_look() throws Exception {
        var allowed = new java.util.concurrent.atomic.AtomicReference<>(kinds("one"));
        var claim =
                CompletableFuture.supplyAsync(
                        () ->
                                queue.work()
                                        .claimWithPolicy(
                                                queue.account,
                                                () -> new PolicyClaim(allowed.get(), "w", 60, 1),
                                                Duration.ofSeconds(30)),
                        EXECUTOR);
        Until.isTrue(
                "the worker waits",
                Duration.ofSeconds(10),
                () -> queue.kernel().policyWaiters().resting() == 1);
        UUID id = queue.submit("two");
        allowed.set(kinds("two"));
        queue.submit("one");
        assertThat(claim.get(10, TimeUnit.SECONDS).items().getFirst().item().id()).isEqualTo(id);
    }

    @Test
    void work_that_another_node_hands_in_is_found_without_a_hint() throws Exception {
        try (var node = queue.fixture.test.anotherNode(options -> options)) {
            var claim = waiting("w", kinds("build"));
            Submitted made =
                    node.work().submit(Submission.of(queue.draft("build", null, List.of())));
            assertThat(claim.get(10, TimeUnit.SECONDS).items().getFirst().item().id())
                    .isEqualTo(((Submitted.Created) made).view().item().id());
        }
    }

    @Test
    void a_wait_ends_with_nothing_when_nothing_comes_and_when_the_server_stops() throws Exception {
        assertThat(
                        queue.work()
                                .claimWithPolicy(
                                        queue.account,
                                        () -> new PolicyClaim(Policy.ANYTHING, "w", 60, 1),
                                        Duration.ofMillis(30))
                                .items())
                .isEmpty();
        var claim = waiting("w", Policy.ANYTHING);
        queue.work().closeClaims();
        assertThatThrownBy(() -> claim.get(10, TimeUnit.SECONDS))
                .hasMessageContaining("takes no claims");
    }

    @Test
    void nonsense_is_refused_in_words() {
        assertThatThrownBy(() -> new PolicyClaim(Policy.ANYTHING, "w", 0, 1))
                .hasMessageContaining("leaseSeconds must be from 1 to 3600");
        assertThatThrownBy(() -> new PolicyClaim(Policy.ANYTHING, "w", 3601, 1))
                .hasMessageContaining("leaseSeconds");
        assertThatThrownBy(() -> new PolicyClaim(Policy.ANYTHING, " ", 60, 1))
                .hasMessageContaining("holder");
        assertThatThrownBy(() -> new Requirements("r", List.of("")))
                .hasMessageContaining("requiredCapabilities");
        assertThatThrownBy(() -> new Requirements("r".repeat(301), List.of()))
                .hasMessageContaining("repository must have 1 to 300 bytes");
        assertThatThrownBy(() -> new Requirements(null, List.of("a\u001fb")))
                .hasMessageContaining("no control characters");
        var many = new ArrayList<String>();
        for (int i = 0; i < 21; i++) {
            many.add("c" + i);
        }
        assertThatThrownBy(() -> new Requirements(null, many)).hasMessageContaining("at most 20");
        assertThatThrownBy(
                        () ->
                                NewWork.of(queue.account, Profiles.TASKS, "build", "{}")
                                        .asking(new Requirements("a/b", List.of())))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// The largest that is allowed fits into the indexes.
    @Test
    void the_longest_requirements_are_stored_and_found() {
        var random = new java.util.Random(7);
        var capabilities = new ArrayList<String>();
        for (int i = 0; i < 20; i++) {
            capabilities.add(letters(random, 40));
        }
        String kind = letters(random, 255);
        UUID id =
                queue.submit(kind, letters(random, 149) + "/" + letters(random, 150), capabilities);
        assertThat(queue.claim(new Policy(Set.of(kind), null, Set.copyOf(capabilities)), "w", 1))
                .extracting(WorkItem::id)
                .containsExactly(id);
    }

    private static String letters(java.util.Random random, int length) {
        var text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('!' + random.nextInt(90)));
        }
        return text.toString().replace('/', 'x').replace('*', 'x');
    }
}
