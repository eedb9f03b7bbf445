package io.orchestrion.kernel.wake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.WorkFixture;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Claimers that wait are woken by new work, and find it by themselves where nobody wakes them.
class WakeTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Executor EXECUTOR = Executors.newVirtualThreadPerTaskExecutor();

    /// A claimer that sleeps now. One that still looks could take what is meant for another.
    private static CompletableFuture<Claimed> waiting(WorkFixture fixture, Kernel node) {
        int before = node.waiters().resting();
        var claim =
                CompletableFuture.supplyAsync(
                        () -> node.work().claim(fixture.wish(Profiles.TASKS, 1), LONG), EXECUTOR);
        Until.isTrue(
                "the claimer waits",
                Duration.ofSeconds(10),
                () -> node.waiters().resting() == before + 1);
        return claim;
    }

    private static UUID got(CompletableFuture<Claimed> claim) throws Exception {
        return claim.get(10, TimeUnit.SECONDS).items().getFirst().item().id();
    }

    @Test
    void a_submit_on_the_same_node_wakes_at_once_without_hints_and_without_a_poll()
            throws Exception {
        try (var fixture = new WorkFixture()) {
            got(submitFor(fixture));
            long best = Long.MAX_VALUE;
            for (int i = 0; i < 5; i++) {
                var claim = waiting(fixture, fixture.kernel());
                long start = System.nanoTime();
                UUID id = fixture.submit(Profiles.TASKS);
                assertThat(got(claim)).isEqualTo(id);
                best = Math.min(best, System.nanoTime() - start);
            }
            assertThat(Duration.ofNanos(best)).isLessThan(Duration.ofMillis(250));
        }
    }

    private static CompletableFuture<Claimed> submitFor(WorkFixture fixture) {
        var claim = waiting(fixture, fixture.kernel());
        fixture.submit(Profiles.TASKS);
        return claim;
    }

    @Test
    void a_submit_on_another_node_wakes_through_a_hint() throws Exception {
        try (var fixture = new WorkFixture();
                var a = fixture.test.anotherNode(o -> o.withPace(NEVER, NEVER, true));
                var b = fixture.test.anotherNode(o -> o.withPace(NEVER, NEVER, true))) {
            a.start();
            b.start();
            Until.isTrue("both listen", Duration.ofSeconds(10), () -> listeners(fixture) == 2);
            for (int i = 0; i < 3; i++) {
                var claim = waiting(fixture, a);
                b.work().submit(Submission.of(fixture.draft(Profiles.TASKS)));
                got(claim);
            }
        }
    }

    @Test
    void a_node_that_is_alone_tells_nobody_and_tells_the_next_that_comes() throws Exception {
        try (var fixture = new WorkFixture();
                Connection bystander = fixture.database().connect();
                var listen = bystander.createStatement();
                var a = fixture.test.anotherNode(o -> o.withPace(NEVER, NEVER, true));
                var b = fixture.test.anotherNode(o -> o.withPace(NEVER, NEVER, true))) {
            listen.execute("listen orchestrion_ready");
            a.start();
            Until.isTrue("it listens", Duration.ofSeconds(10), () -> listeners(fixture) == 1);
            a.work().submit(Submission.of(fixture.draft(Profiles.QUEUE)));
            Until.isTrue("it looked who listens", Duration.ofSeconds(10), () -> looks(fixture) > 0);
            assertThat(heard(bystander)).isEmpty();
            b.start();
            Until.isTrue("both listen", Duration.ofSeconds(10), () -> listeners(fixture) == 2);
            var claim = waiting(fixture, b);
            a.work().submit(Submission.of(fixture.draft(Profiles.TASKS)));
            got(claim);
            assertThat(heard(bystander)).isNotEmpty();
        }
    }

    private static List<String> heard(Connection bystander) {
        try {
            PGNotification[] hints = bystander.unwrap(PGConnection.class).getNotifications(100);
            return Stream.of(hints).map(PGNotification::getParameter).toList();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long looks(WorkFixture fixture) {
        return sessions(fixture, "state = 'idle' and query like '%pg_locks%'");
    }

    private static long listeners(WorkFixture fixture) {
        return sessions(fixture, "query like 'listen %'");
    }

    private static long sessions(WorkFixture fixture, String which) {
        return fixture.database()
                .value(
                        "select count(*) from pg_stat_activity where datname = current_database()"
                                + " and application_name = 'orchestrion' and "
                                + which);
    }

    @Test
    void without_hints_the_poll_finds_another_nodes_work() throws Exception {
        try (var fixture = new WorkFixture();
                var a =
                        fixture.test.anotherNode(
                                o -> o.withPace(Duration.ofMillis(50), NEVER, false))) {
            a.start();
            var claim = waiting(fixture, a);
            UUID id = fixture.submit(Profiles.TASKS);
            assertThat(got(claim)).isEqualTo(id);
        }
    }

    @Test
    void a_deaf_node_is_served_by_its_poll_and_hears_again_later() throws Exception {
        try (var fixture = new WorkFixture();
                var a =
                        fixture.test.anotherNode(
                                o -> o.withPace(Duration.ofMillis(100), NEVER, true))) {
            a.start();
            Until.isTrue("it listens", Duration.ofSeconds(10), () -> listeners(fixture) == 1);
            var claim = waiting(fixture, a);
            fixture.database()
                    .rows(
                            "select pg_terminate_backend(pid) from pg_stat_activity where datname"
                                    + " = current_database() and query like 'listen %'");
            UUID id = fixture.submit(Profiles.TASKS);
            assertThat(got(claim)).isEqualTo(id);
            Until.isTrue("it listens anew", Duration.ofSeconds(10), () -> listeners(fixture) == 1);
        }
    }

    @Test
    void who_waits_longest_is_served_first() throws Exception {
        try (var fixture = new WorkFixture()) {
            var claims = new ArrayList<CompletableFuture<Claimed>>();
            for (int i = 0; i < 5; i++) {
                claims.add(waiting(fixture, fixture.kernel()));
            }
            List<UUID> ids = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                ids.add(fixture.submit(Profiles.TASKS));
                assertThat(got(claims.get(i))).isEqualTo(ids.get(i));
                assertThat(claims.subList(i + 1, 5)).noneMatch(CompletableFuture::isDone);
            }
        }
    }

    @Test
    void closing_the_claims_releases_those_who_wait() {
        try (var fixture = new WorkFixture()) {
            var claim = waiting(fixture, fixture.kernel());
            fixture.work().closeClaims();
            assertThatThrownBy(() -> claim.get(10, TimeUnit.SECONDS))
                    .hasMessageContaining("stopping");
            assertThat(fixture.kernel().waiters().waiting()).isZero();
        }
    }

    @Test
    void an_item_that_becomes_due_wakes_once_it_is_promoted() throws Exception {
        try (var fixture = new WorkFixture()) {
            long now = fixture.view(Profiles.QUEUE, fixture.submit(Profiles.QUEUE)).nowMs();
            UUID id = fixture.submit(fixture.draft(Profiles.TASKS, now + 60_000, null, null));
            var claim = waiting(fixture, fixture.kernel());
            fixture.advance(Duration.ofSeconds(61));
            assertThat(claim).isNotDone();
            assertThat(fixture.sweep("due-promoter")).isEqualTo(1);
            assertThat(got(claim)).isEqualTo(id);
        }
    }

    @Test
    void a_lease_that_ends_wakes_a_claimer() throws Exception {
        try (var fixture = new WorkFixture()) {
            UUID id = fixture.submit(Profiles.TASKS);
            fixture.claim(Profiles.TASKS);
            var claim = waiting(fixture, fixture.kernel());
            fixture.advance(Duration.ofSeconds(301));
            assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
            assertThat(got(claim)).isEqualTo(id);
        }
    }

    @Test
    void a_claimer_whom_nobody_wakes_gives_up_empty_handed_after_its_time() {
        try (var fixture = new WorkFixture()) {
            long start = System.nanoTime();
            Claimed claimed =
                    fixture.work().claim(fixture.wish(Profiles.TASKS, 1), Duration.ofMillis(200));
            assertThat(claimed.items()).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(200));
            assertThat(fixture.kernel().waiters().waiting()).isZero();
        }
    }

    @Test
    void many_waiters_of_two_nodes_get_each_item_once() throws Exception {
        try (var fixture = new WorkFixture();
                var other =
                        fixture.test.anotherNode(
                                o -> o.withPace(Duration.ofMillis(50), NEVER, false))) {
            other.start();
            var claims = new ArrayList<CompletableFuture<Claimed>>();
            for (int i = 0; i < 20; i++) {
                claims.add(waiting(fixture, i % 2 == 0 ? fixture.kernel() : other));
            }
            // The first node has no poll, so its waiters rest on being woken alone.
            for (int i = 0; i < 40; i++) {
                fixture.submit(Profiles.TASKS);
            }
            var ids = new ArrayList<UUID>();
            for (var claim : claims) {
                ids.add(got(claim));
            }
            assertThat(ids).doesNotHaveDuplicates().hasSize(20);
        }
    }
}
