package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Ack.Applied;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Priority;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// What workers do with items is done once, and what came of it is kept with the item.
class WorkResultsTest {
    private final RunFixture fixture = new RunFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<Map<String, Object>> results(WorkItem item) {
        return fixture.test
                .database()
                .rows("select * from work_results where work_id = ?", item.id());
    }

    private Map<String, Object> result(WorkItem item) {
        assertThat(results(item)).hasSize(1);
        return results(item).getFirst();
    }

    private Ack completed(WorkItem held, String result) {
        return fixture.test
                .kernel()
                .work()
                .command(
                        new CommandRequest(
                                fixture.account,
                                Profiles.TASKS,
                                held.id(),
                                new Command.Complete(
                                        Fence.of(held.lease().token()),
                                        result,
                                        null,
                                        new Report(null, "{\"tokens\":1000}", null),
                                        UUID.nameUUIDFromBytes(
                                                result.getBytes(StandardCharsets.UTF_8))),
                                true));
    }

    /// CB-090: while somebody works on it there is no result of it.
    @Test
    void an_item_has_one_result_row_from_its_first_lease_on() {
        UUID id = fixture.running(one(step("a"), step("b")));
        assertThat(fixture.value("select count(*) from work_results where kind = 'a'"))
                .isEqualTo("0");
        WorkItem held = fixture.claim("a");
        assertThat(result(held))
                .containsEntry("status", "processing")
                .containsEntry("run_id", "run_" + id)
                .containsEntry("result", null)
                .containsEntry("error", null)
                .containsEntry("completed_at", null);
        Timestamp started = (Timestamp) result(held).get("started_at");
        assertThat(started).isNotNull();
        fixture.test.clock().advance(Duration.ofSeconds(3));
        fixture.complete(held, "{\"answer\":42}");
        assertThat(result(held))
                .containsEntry("status", "completed")
                .containsEntry("result", "{\"answer\":42}")
                .containsEntry("error", null)
                .containsEntry("started_at", started);
        Timestamp ended = (Timestamp) result(held).get("completed_at");
        assertThat(Duration.between(started.toInstant(), ended.toInstant()))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(3));
        WorkItem other = fixture.claim("b");
        fixture.cancel(id);
        assertThat(result(other)).containsEntry("status", "failed").containsEntry("result", null);
    }

    /// The same of items that workers of the server have.
    @Test
    void the_item_of_a_driver_has_its_row_too() {
        UUID id = fixture.running(one(step("a")));
        var rows =
                fixture.test
                        .database()
                        .rows("select * from work_results where kind = ?", ItemKinds.DRIVE);
        assertThat(rows)
                .singleElement()
                .satisfies(row -> assertThat(row).containsEntry("status", "processing"));
        assertThat(rows.getFirst().get("started_at")).isNotNull();
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
    }

    /// Whoever completes it again is told that it is completed, and nothing is done,
    /// replaced or charged again.
    @Test
    void a_completed_item_keeps_its_result_and_is_not_processed_again() {
        UUID id = fixture.running(one(step("a"), step("b")));
        WorkItem held = fixture.claim("a");
        assertThat(completed(held, "{\"answer\":1}")).isInstanceOf(Applied.class);
        Ack again = completed(held, "{\"answer\":1}");
        assertThat(again)
                .isInstanceOfSatisfying(
                        Ack.Repeated.class,
                        it -> assertThat(it.item().state()).isEqualTo(WorkState.SUCCEEDED));
        assertThat(completed(held, "{\"answer\":2}")).isNotInstanceOf(Applied.class);
        assertThat(fixture.fail(held, "ValueError")).isNotInstanceOf(Applied.class);
        assertThat(result(held)).containsEntry("result", "{\"answer\":1}");
        assertThat(fixture.step(id, "a").output().json()).isEqualTo("{\"answer\":1}");
        assertThat(fixture.attempts(fixture.step(id, "a"))).hasSize(1);
        assertThat(fixture.run(id).credits().charged()).isEqualByComparingTo("1");
        assertThat(fixture.claim("a", 5)).isEmpty();
        fixture.later(Duration.ofHours(1));
        assertThat(fixture.claim("a", 5)).isEmpty();
        assertThat(fixture.attempts(fixture.step(id, "a"))).hasSize(1);
    }

    ///
    @Test
    void of_twenty_workers_on_two_nodes_one_gets_the_item() {
        UUID id = fixture.running(one(step("a")));
        try (var other = fixture.secondNode()) {
            List<List<WorkView>> got =
                    Parallel.run(
                            20,
                            i ->
                                    () ->
                                            fixture.claim(
                                                    i % 2 == 0
                                                            ? fixture.test.kernel()
                                                            : other.kernel(),
                                                    "a",
                                                    3));
            assertThat(got.stream().mapToInt(List::size).sum()).isEqualTo(1);
        }
        assertThat(fixture.attempts(fixture.step(id, "a"))).hasSize(1);
    }

    private void refusing(String table, String when, boolean on) {
        if (!on) {
            fixture.test.database().execute("drop trigger broken on " + table);
            return;
        }
        fixture.test
                .database()
                .execute(
                        "create or replace function broken() returns trigger language plpgsql as"
                                + " $$ begin raise exception 'the disk is full'; end $$; create"
                                + " trigger broken before insert or update on "
                                + table
                                + " for each row "
                                + when
                                + " execute function broken()");
    }

    /// Where the step cannot be written its item is not ended, and the other way round.
    @Test
    void the_result_and_the_end_of_the_item_are_stored_together_or_not_at_all() {
        UUID id = fixture.running(one(step("a")));
        WorkItem held = fixture.claim("a");
        for (String[] each :
                new String[][] {
                    {"run_step", "when (new.status = 'completed')"},
                    {"run_step_attempt", "when (new.status = 'completed')"},
                    {"run_usage", ""},
                    {"credit_entry", ""},
                    {"run_transition", ""},
                    {"work", "when (new.state = 'succeeded')"}
                }) {
            refusing(each[0], each[1], true);
            assertThatThrownBy(() -> fixture.complete(held, "{}"))
                    .as(each[0])
                    .hasStackTraceContaining("the disk is full");
            refusing(each[0], each[1], false);
            assertThat(result(held)).as(each[0]).containsEntry("status", "processing");
            assertThat(fixture.step(id, "a").status()).isEqualTo(StepStatus.RUNNING);
            assertThat(fixture.step(id, "a").output()).isNull();
            assertThat(fixture.run(id).credits().charged()).isZero();
            assertThat(fixture.ledger(id)).containsExactly("reserve 100");
        }
        assertThat(fixture.complete(held, "{}")).isInstanceOf(Applied.class);
        assertThat(result(held)).containsEntry("status", "completed");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    /// it is kept with its error, and another item comes by the policy.
    @Test
    void a_failed_item_is_kept_and_the_policy_says_whether_another_one_follows() {
        UUID id = fixture.running(one(step("a")));
        WorkItem first = fixture.claim("a");
        fixture.fail(first, "ConnectionError");
        assertThat(result(first))
                .containsEntry("status", "failed")
                .containsEntry("error", "ConnectionError: it did not work")
                .containsEntry("result", null);
        var attempts = fixture.attempts(fixture.step(id, "a"));
        assertThat(attempts).hasSize(2);
        assertThat(attempts.getLast().times().notBeforeMs())
                .isGreaterThan(attempts.getFirst().times().endedMs());
        fixture.later(Duration.ofSeconds(1));
        WorkItem second = fixture.claim("a");
        assertThat(second.id()).isEqualTo(attempts.getLast().id()).isNotEqualTo(first.id());
        fixture.fail(second, "ValueError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        fixture.later(Duration.ofHours(1));
        assertThat(fixture.claim("a", 1)).isEmpty();
        assertThat(
                        fixture.value(
                                "select string_agg(status || ' ' || error, ', ' order by work_id)"
                                        + " from work_results where kind = 'a'"))
                .isEqualTo(
                        "failed ConnectionError: it did not work, failed ValueError: it did not"
                                + " work");
    }

    /// taking an item acknowledges nothing.
    @Test
    void an_item_that_is_never_acknowledged_is_delivered_again() {
        UUID id = fixture.running(one(step("a")));
        WorkItem first = fixture.claim("a");
        fixture.later(Duration.ofSeconds(31));
        assertThat(fixture.step(id, "a").status()).isNotEqualTo(StepStatus.COMPLETED);
        assertThat(result(first)).containsEntry("status", "failed");
        fixture.later(Duration.ofSeconds(1));
        WorkItem second = fixture.claim("a");
        assertThat(fixture.complete(first, "{\"late\":true}")).isNotInstanceOf(Applied.class);
        assertThat(fixture.complete(second, "{\"late\":false}")).isInstanceOf(Applied.class);
        assertThat(fixture.step(id, "a").output().json()).isEqualTo("{\"late\":false}");
    }

    /// Nothing that matters is in the memory of a node.
    @Test
    void items_are_there_after_a_restart() {
        UUID pending;
        UUID running;
        try (var before = fixture.secondNode()) {
            var asked = fixture.asked(one(step("a")), FailureMode.FAIL_FAST, each -> each);
            running = fixture.create(asked);
            pending =
                    fixture.create(
                            fixture.asked(one(step("b")), FailureMode.FAIL_FAST, each -> each));
            UUID first = running;
            before.runs().inOne(tx -> before.runs().start(tx, fixture.request(first)));
            fixture.drive(before.kernel(), running, RunStatus.RUNNING);
            UUID second = pending;
            before.runs().inOne(tx -> before.runs().start(tx, fixture.request(second)));
        }
        fixture.done("a");
        assertThat(fixture.status(running)).isEqualTo(RunStatus.COMPLETED);
        fixture.drive(pending, RunStatus.RUNNING);
        fixture.done("b");
        assertThat(fixture.status(pending)).isEqualTo(RunStatus.COMPLETED);
    }

    /// of items that wait for one tool, those of urgent runs come first.
    @Test
    void items_of_urgent_runs_are_given_out_first() {
        UUID normal = fixture.running(one(step("x")));
        UUID urgent =
                fixture.running(
                        fixture.asked(
                                one(step("x")),
                                FailureMode.FAIL_FAST,
                                Priority.HIGH,
                                null,
                                each -> each));
        assertThat(fixture.claim("x").owner().id()).isEqualTo(urgent);
        assertThat(fixture.claim("x").owner().id()).isEqualTo(normal);
    }
}
