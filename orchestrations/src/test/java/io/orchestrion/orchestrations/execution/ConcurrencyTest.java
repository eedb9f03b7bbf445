package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.Ack.Applied;
import io.orchestrion.kernel.work.Ack.Refused;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.orchestrations.execution.Execution.Target;
import io.orchestrion.orchestrations.execution.OrchestrationFixture.Node;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Until;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/// Many workers, many creators and two nodes at once.
class ConcurrencyTest {
    private final OrchestrationFixture fixture = new OrchestrationFixture();
    private final Acts acts = new Acts(fixture);

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String limited(String limit, int most) {
        return Documents.of(Documents.task("a", ""))
                .replace(
                        "\"policies\":{",
                        "\"policies\":{\"concurrency\":{\"" + limit + "\":" + most + "},");
    }

    private NewExecution asked(UUID definition, String target, @Nullable String key) {
        return new NewExecution(
                fixture.account,
                definition,
                null,
                new Target("invoice", target),
                "{}",
                key,
                null,
                null,
                new UUID(1, target.hashCode()));
    }

    /// E-095.
    @Test
    void a_limit_for_a_target_refuses_one_more_for_this_target_until_one_is_over() {
        UUID definition = fixture.published(limited("max_running_per_target", 2));
        UUID first = made(fixture.engine.create(asked(definition, "1", null)));
        UUID second = made(fixture.engine.create(asked(definition, "1", null)));
        assertThat(fixture.engine.create(asked(definition, "1", null)))
                .isEqualTo(new Created.TooMany("max_running_per_target", 2));
        made(fixture.engine.create(asked(definition, "2", null)));
        acts.pause(first);
        assertThat(fixture.engine.create(asked(definition, "1", null)))
                .isInstanceOf(Created.TooMany.class);
        acts.cancel(second);
        made(fixture.engine.create(asked(definition, "1", null)));
    }

    private static UUID made(Created created) {
        assertThat(created).isInstanceOf(Created.Made.class);
        return ((Created.Made) created).execution().id();
    }

    /// E-095, CB-022.
    @Test
    void a_limit_for_a_definition_counts_all_targets_and_all_versions() {
        UUID definition = fixture.published(limited("max_running_per_definition", 2));
        made(fixture.engine.create(asked(definition, "1", null)));
        made(fixture.engine.create(asked(definition, "2", null)));
        fixture.engine.definitions().addVersion(fixture.account, fixture.person, definition, null);
        fixture.engine.definitions().publish(fixture.account, fixture.person, definition, 2);
        assertThat(fixture.engine.create(asked(definition, "3", null)))
                .isEqualTo(new Created.TooMany("max_running_per_definition", 2));
    }

    /// E-095: two nodes do not count past one another.
    @Test
    void a_limit_holds_for_creates_of_two_nodes_at_once() {
        UUID definition = fixture.published(limited("max_running_per_target", 3));
        try (Node second = fixture.secondNode()) {
            List<Created> all =
                    Parallel.run(
                            40,
                            i ->
                                    () ->
                                            (i % 2 == 0 ? fixture.engine : second.engine())
                                                    .create(asked(definition, "1", null)));
            assertThat(all).filteredOn(Created.Made.class::isInstance).hasSize(3);
            assertThat(all).filteredOn(Created.TooMany.class::isInstance).hasSize(37);
        }
    }

    /// E-095: one counts after the other has committed, also where both are under way at once.
    @Test
    void a_create_that_is_counted_waits_for_another_that_is_counted() throws Exception {
        UUID definition = fixture.published(limited("max_running_per_target", 1));
        var counted = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        String place = "execution-create.before-commit";
        fixture.test
                .failpoints()
                .arm(
                        place,
                        () -> {
                            fixture.test.failpoints().disarm(place);
                            counted.countDown();
                            goOn.await();
                        });
        try (Node second = fixture.secondNode();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> fixture.engine.create(asked(definition, "1", null)));
            counted.await();
            var other = threads.submit(() -> second.engine().create(asked(definition, "1", null)));
            Until.isTrue(
                    "the other waits for the lock, or did not have to",
                    Duration.ofSeconds(20),
                    () -> other.isDone() || waitsForALock());
            goOn.countDown();
            made(first.get());
            assertThat(other.get()).isInstanceOf(Created.TooMany.class);
        }
    }

    private UUID failed(UUID definition, String target) {
        UUID id = made(fixture.engine.create(asked(definition, target, null)));
        fixture.fail(fixture.claim("do_a"), "validation_failed");
        return id;
    }

    /// E-095, E-214, E-223: an execution that is begun again is one more that is under way.
    @Test
    void a_retry_by_hand_is_refused_where_the_limit_is_reached() {
        for (String limit : List.of("max_running_per_target", "max_running_per_definition")) {
            UUID definition = fixture.published(limited(limit, 1));
            UUID failed = failed(definition, "1");
            UUID running = made(fixture.engine.create(asked(definition, "1", null)));
            List<String> before = fixture.history(failed);

            assertThat(acts.retry(failed))
                    .isEqualTo(new Ack.TooMany(fixture.execution(failed), limit, 1));
            assertThat(acts.retry(failed, "a", false)).isInstanceOf(Ack.TooMany.class);
            assertThat(acts.reprocess(acts.onlyLetter(failed).id(), false))
                    .isEqualTo(new DeadLetters.Handled.TooMany(limit, 1));
            assertThat(fixture.status(failed)).isEqualTo(ExecutionStatus.FAILED);
            assertThat(fixture.history(failed)).isEqualTo(before);

            acts.cancel(running);
            assertThat(acts.retry(failed)).isInstanceOf(Ack.Done.class);
            acts.cancel(failed);
        }
    }

    /// E-095: retries, reprocessing and creates of two nodes do not count past one another.
    @Test
    void a_limit_holds_for_retries_and_creates_at_once() {
        UUID definition = fixture.published(limited("max_running_per_target", 3));
        var ids = new ArrayList<UUID>();
        for (int i = 0; i < 10; i++) {
            ids.add(failed(definition, "1"));
        }
        try (Node second = fixture.secondNode()) {
            List<Boolean> begun =
                    Parallel.run(
                            30,
                            i ->
                                    () -> {
                                        UUID id = ids.get(i % ids.size());
                                        return switch (i / ids.size()) {
                                            case 0 ->
                                                    second.engine()
                                                                    .create(
                                                                            asked(
                                                                                    definition,
                                                                                    "1",
                                                                                    null))
                                                            instanceof Created.Made;
                                            case 1 ->
                                                    second.engine()
                                                                    .executions()
                                                                    .retry(
                                                                            fixture.request(id),
                                                                            null,
                                                                            false)
                                                            instanceof Ack.Done;
                                            default ->
                                                    acts.reprocess(acts.onlyLetter(id).id(), false)
                                                            instanceof DeadLetters.Handled.Done;
                                        };
                                    });
            assertThat(begun).filteredOn(each -> each).hasSize(3);
        }
        assertThat(
                        fixture.test
                                .database()
                                .<Long>value(
                                        "select count(*) from orchestration_execution where status"
                                                + " = 'running'"))
                .isEqualTo(3);
    }

    private boolean waitsForALock() {
        return fixture.test
                        .database()
                        .<Long>value(
                                "select count(*) from pg_stat_activity where datname ="
                                        + " current_database() and wait_event_type = 'Lock'")
                > 0;
    }

    /// E-141, E-095: the same key makes one execution, whatever the limit.
    @Test
    void a_key_is_answered_with_its_execution_also_where_there_is_a_limit() {
        UUID definition = fixture.published(limited("max_running_per_target", 1));
        try (Node second = fixture.secondNode()) {
            List<Created> all =
                    Parallel.run(
                            20,
                            i ->
                                    () ->
                                            (i % 2 == 0 ? fixture.engine : second.engine())
                                                    .create(asked(definition, "1", "k")));
            Set<UUID> ids = new HashSet<>();
            for (Created created : all) {
                if (!(created instanceof Created.KeyInFlight)) {
                    ids.add(made(created));
                }
            }
            assertThat(ids).hasSize(1);
        }
    }

    /// E-179, E-229.
    @Test
    void of_a_hundred_who_claim_a_step_at_once_one_gets_it() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        try (Node second = fixture.secondNode()) {
            List<List<WorkItem>> all =
                    Parallel.run(
                            100,
                            i ->
                                    () ->
                                            claim(
                                                    i % 2 == 0
                                                            ? fixture.test.kernel()
                                                            : second.kernel(),
                                                    "do_a"));
            assertThat(all.stream().flatMap(List::stream).toList()).hasSize(1);
        }
        assertThat(fixture.history(id)).containsExactly("a#1 running");
    }

    private List<WorkItem> claim(Kernel kernel, String type) {
        var request = new ClaimRequest(fixture.account, "tasks", type, 1, "worker", null);
        return kernel.work().claim(request, Duration.ZERO).items().stream()
                .map(WorkView::item)
                .toList();
    }

    /// E-180: neither a locked item nor a locked execution keeps others waiting.
    @Test
    void a_claim_waits_for_no_row_that_somebody_else_has() throws SQLException {
        UUID first = fixture.start(Documents.of(Documents.task("a", ""))).id();
        UUID second = fixture.start(Documents.of(Documents.task("a", ""))).id();
        try (Connection other = fixture.test.database().connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeQuery(
                    "select 1 from work where owner_id = '" + first + "' for update");
            statement.executeQuery(
                    "select 1 from orchestration_execution where id = '" + second + "' for update");
            List<WorkItem> got = fixture.claim("do_a", 2);
            assertThat(got).hasSize(1);
            assertThat(got.getFirst().owner().id()).isEqualTo(second);
            other.rollback();
        }
        assertThat(fixture.claim("do_a", 2)).hasSize(1);
    }

    /// E-181: the database itself.
    @Test
    void a_step_cannot_run_twice_at_once_in_storage() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        fixture.claim("do_a");
        assertThatThrownBy(
                        () ->
                                fixture.test
                                        .database()
                                        .execute(
                                                """
                                                insert into orchestration_step
                                                select (json_populate_record(s, json_build_object('id', gen_random_uuid(), 'attempt_number', 2))).*
                                                  from orchestration_step s where s.execution_id = ?
                                                """,
                                                id))
                .hasStackTraceContaining("orchestration_step_running");
    }

    /// E-182, E-183, E-231.
    @Test
    void a_worker_that_lost_its_lease_reaches_neither_its_attempt_nor_the_next() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        WorkItem stale = fixture.claim("do_a");
        fixture.test.clock().advance(Duration.ofMinutes(2));
        fixture.later(Duration.ofSeconds(1));
        fixture.later(Duration.ofSeconds(2));
        WorkItem next = fixture.claim("do_a");
        assertThat(next.id()).isNotEqualTo(stale.id());

        assertThat(fixture.heartbeat(stale)).isInstanceOf(Refused.class);
        assertThat(fixture.complete(stale, "{\"from\":\"stale\"}")).isInstanceOf(Refused.class);
        assertThat(fixture.fail(stale, "validation_failed")).isInstanceOf(Refused.class);
        var foreign =
                new Command.Complete(Fence.of(stale.lease().token()), "{\"from\":\"stale\"}", null);
        assertThat(
                        fixture.test
                                .kernel()
                                .work()
                                .command(
                                        new CommandRequest(
                                                fixture.account,
                                                Profiles.TASKS,
                                                next.id(),
                                                foreign,
                                                false)))
                .isInstanceOf(Refused.class);
        assertThat(fixture.complete(next, "{\"from\":\"next\"}")).isInstanceOf(Applied.class);
        assertThat(fixture.execution(id).ending().output()).isEqualTo("{\"from\":\"next\"}");
        assertThat(
                        fixture.test
                                .database()
                                .<Long>value("select count(*) from work where owner_id = ?", id))
                .isEqualTo(2);
    }

    /// E-151: what was said twice has happened once.
    @Test
    void a_completion_that_is_repeated_moves_the_execution_once() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", Acts.next("b")),
                                        Documents.task("b", "")))
                        .id();
        WorkItem a = fixture.claim("do_a");
        Parallel.run(6, i -> () -> fixture.complete(a, "{}"));
        assertThat(fixture.history(id)).containsExactly("a#1 succeeded", "b#1 pending");
    }

    /// E-184, E-193: each effect once, each step in its order.
    @Test
    void two_nodes_bring_many_executions_to_their_end_and_do_nothing_twice() {
        UUID definition =
                fixture.published(
                        Documents.of(
                                Documents.task("a", Acts.next("w")),
                                Acts.await("w", 1_000, Acts.next("tell")),
                                Acts.notice("tell", Acts.next("b")),
                                Documents.task("b", "")));
        try (Node second = fixture.secondNode()) {
            List<Kernel> nodes = List.of(fixture.test.kernel(), second.kernel());
            List<UUID> all =
                    Parallel.run(
                            30,
                            i ->
                                    () ->
                                            made(
                                                    (i % 2 == 0 ? fixture.engine : second.engine())
                                                            .create(
                                                                    asked(
                                                                            definition,
                                                                            "t" + i,
                                                                            null))));
            Set<UUID> claimed = ConcurrentHashMap.newKeySet();
            fixture.callUntil(
                    "all are over",
                    () -> {
                        Parallel.run(4, i -> () -> push(nodes.get(i % 2), claimed));
                        fixture.test.clock().advance(Duration.ofSeconds(2));
                        return all.stream().allMatch(id -> fixture.status(id).isTerminal());
                    });
            assertThat(all)
                    .allSatisfy(
                            id ->
                                    assertThat(fixture.history(id))
                                            .containsExactly(
                                                    "a#1 succeeded",
                                                    "w#1 succeeded",
                                                    "tell#1 succeeded",
                                                    "b#1 succeeded"));
        }
        assertThat(
                        fixture.service.calls.stream()
                                .map(call -> call.headers().get("Idempotency-Key")))
                .hasSize(30)
                .doesNotHaveDuplicates();
    }

    /// One node and one worker do what there is.
    private int push(Kernel kernel, Set<UUID> claimed) {
        kernel.sweepOnce("due-promoter");
        kernel.sweepOnce("orchestration-notices");
        for (String type : List.of("do_a", "do_b")) {
            for (WorkItem item : claim(kernel, type)) {
                assertThat(claimed.add(item.id())).isTrue();
                assertThat(fixture.complete(item, "{}")).isInstanceOf(Applied.class);
            }
        }
        return claimed.size();
    }
}
