package io.orchestrion.kernel.work;

import static io.orchestrion.kernel.work.QueueFixture.by;
import static io.orchestrion.kernel.work.QueueFixture.complete;
import static io.orchestrion.kernel.work.QueueFixture.fail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.joblog.JobEvent;
import io.orchestrion.kernel.joblog.JobEventPage;
import io.orchestrion.kernel.joblog.JobLevel;
import io.orchestrion.kernel.joblog.LogCounter;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// The log that each job keeps: what is written to it, in which order, and what it refuses.
class ItemLogTest {
    private final QueueFixture queue = new QueueFixture();

    @AfterEach
    void close() {
        queue.close();
    }

    private JobEvent added(Appended appended) {
        return ((Appended.Added) appended).event();
    }

    ///
    @Test
    void everything_that_happens_to_a_job_has_its_line() {
        UUID id = queue.submit("build");
        queue.claimAny("w1");
        queue.append(id, "w1", "hello");
        queue.apply(id, new Command.Heartbeat(by("w1"), 60));
        queue.apply(id, fail("w1", true));
        queue.advance(Duration.ofSeconds(6));
        queue.claimAny("w2");
        queue.advance(Duration.ofSeconds(121));
        queue.fixture.sweep("lease-reaper");
        queue.advance(Duration.ofSeconds(11));
        queue.claimAny("w3");
        queue.apply(id, fail("w3", true));
        queue.apply(id, new Command.Reopen());
        queue.claimAny("w4");
        queue.apply(id, new Command.Cancel());
        queue.apply(id, complete("w4"));
        assertThat(queue.lines(id))
                .containsExactly(
                        "submit",
                        "lease",
                        "hello",
                        "heartbeat",
                        "fail",
                        "lease",
                        "expire",
                        "lease",
                        "fail",
                        "reopen",
                        "lease",
                        "ask_cancel",
                        "complete");
        List<JobEvent> events = queue.log(id, -1, 100).events();
        JobEvent dead = events.get(8);
        assertThat(dead.level()).isEqualTo(JobLevel.ERROR);
        assertThat(dead.message()).isEqualTo("attempt 3 failed by w3: no luck");
        assertThat(dead.holder()).isEqualTo("w3");
        assertThat(dead.happened()).isEqualTo(new JobEvent.Happened("fail", "dead", 3));
        assertThat(events.get(4).level()).isEqualTo(JobLevel.WARN);
        assertThat(events.get(1).message()).isEqualTo("claimed by w1, attempt 1");
        assertThat(events.get(2).happened()).isNull();
        assertStrictlyLater(events);
        assertThat(events).extracting(JobEvent::id).doesNotHaveDuplicates();
    }

    private static void assertStrictlyLater(List<JobEvent> events) {
        for (int i = 1; i < events.size(); i++) {
            assertThat(events.get(i).createdMs()).isGreaterThan(events.get(i - 1).createdMs());
        }
    }

    ///
    @Test
    void lines_are_read_in_pages_from_any_time_on() {
        UUID id = queue.held("w1");
        var sent = new ArrayList<JobEvent>();
        for (int i = 0; i < 25; i++) {
            Appended appended =
                    queue.work()
                            .append(
                                    new LogLine(
                                            queue.account,
                                            QueueFixture.QUEUE,
                                            id,
                                            by("w1"),
                                            JobLevel.values()[i % 4],
                                            "line " + i,
                                            i % 2 == 0 ? "{\"i\": " + i + "}" : null));
            sent.add(added(appended));
        }
        var read = new ArrayList<JobEvent>();
        JobEventPage page = queue.log(id, -1, 4);
        while (!page.events().isEmpty()) {
            assertThat(page.nextMs()).isEqualTo(page.events().getLast().createdMs());
            assertThat(page.more()).isEqualTo(read.size() + page.events().size() < 27);
            read.addAll(page.events());
            page = queue.log(id, page.nextMs(), 4);
        }
        assertThat(read.subList(2, 27)).isEqualTo(sent);
        assertStrictlyLater(read);
        JobEvent tenth = sent.get(9);
        assertThat(queue.log(id, tenth.createdMs() - 1, 1).events()).containsExactly(tenth);
        assertThat(queue.log(id, tenth.createdMs(), 1).events()).containsExactly(sent.get(10));
    }

    @Test
    void only_the_holder_adds_lines_and_only_while_it_holds() {
        UUID id = queue.submit("build");
        assertThat(queue.append(id, "w1", "x")).isInstanceOf(Appended.NotHeld.class);
        queue.claimAny("w1");
        assertThat(queue.append(id, "w2", "x")).isInstanceOf(Appended.NotHeld.class);
        added(queue.append(id, "w1", "x"));
        queue.apply(id, complete("w1"));
        assertThat(queue.append(id, "w1", "x")).isInstanceOf(Appended.NotHeld.class);
        assertThat(queue.append(UUID.randomUUID(), "w1", "x"))
                .isInstanceOf(Appended.NotFound.class);
        assertThat(queue.lines(id)).containsExactly("submit", "lease", "x", "complete");
    }

    @Test
    void lines_are_bounded_in_length() {
        UUID id = queue.held("w1");
        added(queue.append(id, "w1", "😀".repeat(4000)));
        assertThatThrownBy(() -> queue.append(id, "w1", "x".repeat(4001)))
                .hasMessageContaining("message must have 1 to 4000 characters");
        assertThatThrownBy(() -> queue.append(id, "w1", "")).hasMessageContaining("message");
        assertThatThrownBy(
                        () ->
                                new LogLine(
                                        queue.account,
                                        QueueFixture.QUEUE,
                                        id,
                                        by("w1"),
                                        JobLevel.INFO,
                                        "x",
                                        "{\"a\": \"" + "x".repeat(65_536) + "\"}"))
                .hasMessageContaining("payload must have at most 65536 bytes");
        // The longest failure there is, and a longer one, still has its line.
        queue.apply(id, new Command.Fail(by("w1"), "y".repeat(9000), null, false));
        assertThat(queue.log(id, -1, 10).events().getLast().message().length())
                .isBetween(4000, 4100);
    }

    @Test
    void a_log_is_bounded_in_number_size_and_rate_and_its_job_goes_on() {
        UUID id = queue.held("w1");
        added(queue.append(id, "w1", "first"));
        String set = "update job_log set events = ?, bytes = ?, in_window = ? where work_id = ?";
        queue.fixture.database().execute(set, LogCounter.EVENTS_MAX - 1, 0L, 1, id);
        added(queue.append(id, "w1", "last"));
        assertThat(queue.append(id, "w1", "more"))
                .isEqualTo(new Appended.TooMany("events of one job", LogCounter.EVENTS_MAX, 0));
        int lines = queue.lines(id).size();
        assertThat(queue.apply(id, new Command.Heartbeat(by("w1"), 60)).state())
                .isEqualTo(WorkState.RUNNING);
        assertThat(queue.lines(id)).hasSize(lines);
        queue.fixture.database().execute(set, 1, LogCounter.BYTES_MAX - 4, 1, id);
        added(queue.append(id, "w1", "four"));
        assertThat(queue.append(id, "w1", "x"))
                .isInstanceOfSatisfying(
                        Appended.TooMany.class, full -> assertThat(full.waitMs()).isZero());
        queue.fixture.database().execute(set, 1, 0L, LogCounter.IN_WINDOW_MAX, id);
        assertThat(queue.append(id, "w1", "fast"))
                .isInstanceOfSatisfying(
                        Appended.TooMany.class,
                        full -> assertThat(full.waitMs()).isBetween(1L, 10_000L));
        queue.advance(Duration.ofSeconds(10));
        added(queue.append(id, "w1", "slow"));
        queue.apply(id, complete("w1"));
        assertThat(queue.lines(id)).endsWith("slow", "complete");
    }

    ///
    @Test
    void the_database_refuses_to_change_or_remove_a_line() {
        UUID id = queue.held("w1");
        added(queue.append(id, "w1", "hello"));
        for (String sql :
                List.of(
                        "update job_event set message = 'x'",
                        "delete from job_event",
                        "truncate job_event")) {
            assertThatThrownBy(() -> queue.fixture.database().tryExecute(sql))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("never changed or removed");
        }
        assertThat(queue.lines(id)).containsExactly("submit", "lease", "hello");
    }

    @Test
    void the_log_goes_with_its_job_and_not_before() {
        UUID id = queue.held("w1");
        UUID open = queue.held("w1");
        added(queue.append(id, "w1", "hello"));
        added(queue.append(open, "w1", "hello"));
        queue.apply(id, complete("w1"));
        queue.advance(Duration.ofDays(29));
        queue.fixture.sweep("purger");
        assertThat(queue.lines(id)).hasSize(4);
        queue.advance(Duration.ofDays(2));
        queue.fixture.sweep("purger");
        assertThat(queue.kernel().jobEvents().read(queue.account, "queue", id, -1, 10)).isNull();
        for (String table : List.of("job_event", "job_log")) {
            assertThat(
                            (Long)
                                    queue.fixture
                                            .database()
                                            .value(
                                                    "select count(*) from "
                                                            + table
                                                            + " where work_id = ?",
                                                    id))
                    .isZero();
        }
        assertThat(queue.lines(open)).hasSize(3);
    }

    /// K-05, Q-078: the clock may stand still or go back; times of a log do not.
    @Test
    void times_only_grow_whatever_the_clock_says() {
        UUID id = queue.held("w1");
        queue.fixture
                .database()
                .execute("update work set event_ms = event_ms + 60000 where id = ?", id);
        long ahead = queue.item(id).place().eventMs();
        assertThat(added(queue.append(id, "w1", "a")).createdMs()).isEqualTo(ahead + 1);
        assertThat(added(queue.append(id, "w1", "b")).createdMs()).isEqualTo(ahead + 2);
        queue.apply(id, new Command.Heartbeat(by("w1"), 60));
        queue.apply(id, complete("w1"));
        List<JobEvent> events = queue.log(id, ahead + 2, 10).events();
        assertThat(events).extracting(JobEvent::createdMs).containsExactly(ahead + 3, ahead + 4);
    }

    /// several nodes append to the same jobs and renew their leases, while pollers of each
    /// node read on from the last time that they saw.
    @Test
    void polling_under_parallel_appends_from_several_nodes_loses_and_repeats_nothing() {
        int appenders = 12;
        int each = 60;
        try (Kernel second = queue.fixture.test.anotherNode(options -> options);
                Kernel third = queue.fixture.test.anotherNode(options -> options)) {
            List<Kernel> nodes = List.of(queue.kernel(), second, third);
            List<UUID> ids = List.of(queue.held("w"), queue.held("w"));
            var writing = new AtomicInteger(appenders);
            int pollers = 6;
            List<List<String>> seen =
                    Parallel.run(
                            appenders + pollers,
                            i ->
                                    () -> {
                                        Kernel node = nodes.get(i % 3);
                                        UUID id = ids.get(i / 3 % 2);
                                        return i < appenders
                                                ? write(node, id, i, each, writing)
                                                : poll(node, ids.get(i % 2), writing);
                                    });
            for (int i = appenders; i < seen.size(); i++) {
                UUID id = ids.get(i % 2);
                List<String> all = queue.lines(id);
                assertThat(seen.get(i)).isEqualTo(all);
                var said = new HashSet<>(all);
                for (int writer = 0; writer < appenders; writer++) {
                    if (ids.get(writer / 3 % 2).equals(id)) {
                        assertThat(said).containsAll(seen.get(writer));
                    }
                }
                assertThat(all.stream().filter(line -> line.startsWith("from ")))
                        .hasSize(appenders / 2 * each)
                        .doesNotHaveDuplicates();
                assertStrictlyLater(queue.log(id, -1, 1000).events());
            }
        }
    }

    private List<String> write(Kernel node, UUID id, int who, int each, AtomicInteger writing) {
        var sent = new ArrayList<String>();
        for (int i = 0; i < each; i++) {
            String message = "from " + who + ": " + i;
            added(queue.append(node, id, "w", message));
            sent.add(message);
            if (i % 20 == 0) {
                node.work()
                        .command(
                                queue.fixture.order(
                                        QueueFixture.QUEUE,
                                        id,
                                        new Command.Heartbeat(by("w"), 60)));
            }
        }
        writing.decrementAndGet();
        return sent;
    }

    private List<String> poll(Kernel node, UUID id, AtomicInteger writing) {
        var seen = new ArrayList<String>();
        long after = -1;
        while (true) {
            boolean last = writing.get() == 0;
            JobEventPage page =
                    Objects.requireNonNull(
                            node.jobEvents().read(queue.account, "queue", id, after, 7));
            for (JobEvent event : page.events()) {
                seen.add(event.happened() == null ? event.message() : event.happened().event());
            }
            after = page.nextMs();
            if (last && page.events().isEmpty()) {
                return seen;
            }
        }
    }

    @Test
    void who_follows_is_told_of_each_line_from_any_node() throws Exception {
        try (Kernel second = queue.fixture.test.anotherNode(options -> options)) {
            UUID id = queue.held("w1");
            UUID other = queue.held("w1");
            var woken = new AtomicInteger();
            try (var _ =
                    queue.kernel().jobEvents().follow(queue.account, id, woken::incrementAndGet)) {
                Until.isTrue("the first look", Duration.ofSeconds(10), () -> woken.get() == 1);
                queue.append(id, "w1", "here");
                Until.isTrue("a line of its own", Duration.ofSeconds(10), () -> woken.get() == 2);
                queue.append(second, id, "w1", "there");
                Until.isTrue("of another node", Duration.ofSeconds(10), () -> woken.get() == 3);
                queue.append(other, "w1", "elsewhere");
                assertThat(queue.kernel().jobEvents().following()).isEqualTo(1);
            }
            assertThat(queue.kernel().jobEvents().following()).isZero();
            long last = queue.log(id, -1, 100).nextMs();
            var page =
                    CompletableFuture.supplyAsync(
                            () ->
                                    queue.kernel()
                                            .jobEvents()
                                            .await(
                                                    queue.account,
                                                    "queue",
                                                    id,
                                                    last,
                                                    10,
                                                    Duration.ofSeconds(30)));
            Until.isTrue(
                    "it waits",
                    Duration.ofSeconds(10),
                    () -> queue.kernel().jobEvents().following() == 1);
            queue.append(id, "w1", "awaited");
            assertThat(page.get(10, TimeUnit.SECONDS).events())
                    .extracting(JobEvent::message)
                    .containsExactly("awaited");
            assertThat(
                            queue.kernel()
                                    .jobEvents()
                                    .await(
                                            queue.account,
                                            "queue",
                                            id,
                                            Long.MAX_VALUE,
                                            10,
                                            Duration.ofMillis(20))
                                    .events())
                    .isEmpty();
        }
    }
}
