package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// The very first claims of an account, before there is a window that its claims are counted in.
@Timeout(180)
class FirstClaimsTest {
    private static final int MOST = 5;

    private static Claimed claim(Kernel node, UUID account) {
        return node.work()
                .claim(
                        new ClaimRequest(
                                account, Profiles.TASKS.queue(), "build", MOST, "worker", null),
                        Duration.ZERO);
    }

    /// T-173: who waits for the first claim counts the leases that it left.
    @Test
    void two_nodes_together_lease_no_more_than_the_plan_allows() throws Exception {
        try (var fixture = new WorkFixture();
                Kernel other = fixture.test.anotherNode(options -> options);
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Kernel one = fixture.test.kernel();
            UUID account = one.identity().register("new", Plan.FREE_ID).accountId();
            for (int i = 0; i < 2 * MOST; i++) {
                fixture.submit(NewWork.of(account, Profiles.TASKS, "build", "{}"));
            }
            var parked = new CountDownLatch(1);
            var release = new CountDownLatch(1);
            var hits = new AtomicInteger();
            // Until it has asked for its plan, a node serves an account like those without limits.
            for (String lane : List.of("claim", "claim-metered-1", "claim-metered-2")) {
                fixture.test
                        .failpoints()
                        .arm(
                                lane + ".before-commit",
                                () -> {
                                    if (hits.getAndIncrement() == 0) {
                                        parked.countDown();
                                        release.await();
                                    }
                                });
            }
            var first = CompletableFuture.supplyAsync(() -> claim(one, account), executor);
            parked.await();
            var second = CompletableFuture.supplyAsync(() -> claim(other, account), executor);
            Until.isTrue(
                    "the second claim waits for the first",
                    Duration.ofSeconds(30),
                    () ->
                            fixture.test
                                            .database()
                                            .<Long>value(
                                                    "select count(*) from pg_stat_activity where"
                                                            + " datname = current_database() and"
                                                            + " wait_event_type = 'Lock'")
                                    > 0);
            release.countDown();
            assertThat(first.get().items()).hasSize(2);
            assertThat(second.get().items()).isEmpty();
            assertThat(second.get().refusal()).isInstanceOf(Refusal.TooManyHeld.class);
        }
    }
}
