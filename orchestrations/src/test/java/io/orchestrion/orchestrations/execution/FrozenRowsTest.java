package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// What plain SQL may not do to what has happened.
class FrozenRowsTest {
    private final OrchestrationFixture fixture = new OrchestrationFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private int sql(String sql) throws SQLException {
        try (Connection connection = fixture.test.database().connect();
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    private void refused(String sql, String because) {
        assertThatThrownBy(() -> sql(sql)).as(sql).hasMessageContaining(because);
    }

    private Map<String, Object> row(String table, UUID id) {
        return fixture.test
                .database()
                .rows("select * from " + table + " where id = ?", id)
                .getFirst();
    }

    /// E-070, E-071.
    @Test
    void an_attempt_that_has_ended_never_changes() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task(
                                                "a",
                                                Documents.retry(4, "fixed", 1000, 1000, 10_000)
                                                        + ",\"lease_seconds\":30")))
                        .id();
        fixture.fail(fixture.claim("do_a"), "connect_failed");
        StepAttempt failed = fixture.step(id, "a", 1);
        Map<String, Object> before = row("orchestration_step", failed.id());

        fixture.later(Duration.ofSeconds(2));
        fixture.claim("do_a");
        fixture.later(Duration.ofSeconds(11));
        fixture.later(Duration.ofSeconds(2));
        fixture.claim("do_a");
        fixture.engine.executions().cancel(fixture.request(id));

        assertThat(fixture.history(id))
                .containsExactly("a#1 failed", "a#2 timed_out", "a#3 failed");
        assertThat(row("orchestration_step", failed.id())).isEqualTo(before);
        for (StepAttempt step : fixture.steps(id)) {
            for (String change :
                    List.of(
                            "status = 'running'",
                            "status = 'succeeded', error_class = null",
                            "error_summary = 'other'",
                            "finished_ms = finished_ms + 1",
                            "result = '{}'",
                            "attempt_number = 9",
                            "decision = '{}'",
                            "decision = null")) {
                refused(
                        "update orchestration_step set "
                                + change
                                + " where id = '"
                                + step.id()
                                + "'",
                        "is over and does not change");
            }
            refused("delete from orchestration_step where id = '" + step.id() + "'", "stays");
        }
    }

    /// E-071. Also those that succeeded, and those that nobody began.
    @Test
    void attempts_that_succeeded_or_were_skipped_never_change_either() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", ",\"on_success\":\"b\""),
                                        Documents.task("b", "")))
                        .id();
        fixture.complete(fixture.claim("do_a"), "{\"x\":1}");
        fixture.engine.executions().cancel(fixture.request(id));
        assertThat(fixture.history(id)).containsExactly("a#1 succeeded", "b#1 skipped");
        for (StepAttempt step : fixture.steps(id)) {
            refused(
                    "update orchestration_step set status = 'running' where id = '"
                            + step.id()
                            + "'",
                    "is over and does not change");
            refused(
                    "update orchestration_step set result = '{\"x\":2}' where id = '"
                            + step.id()
                            + "'",
                    "is over and does not change");
            refused("delete from orchestration_step where id = '" + step.id() + "'", "stays");
        }
        refused("delete from orchestration_execution", "stays");
    }

    /// E-071, E-089. What followed is written once, when the execution goes on.
    @Test
    void what_followed_from_an_end_during_a_pause_is_written_once() throws SQLException {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        var held = fixture.claim("do_a");
        fixture.engine.executions().pause(fixture.request(id));
        fixture.complete(held, "{}");
        StepAttempt ended = fixture.step(id, "a", 1);
        assertThat(ended.status()).isEqualTo(StepStatus.SUCCEEDED);
        assertThat(ended.ended().decision()).isNull();
        refused(
                "update orchestration_step set decision = '{}', result = 'null' where id = '"
                        + ended.id()
                        + "'",
                "is over and does not change");

        fixture.engine.executions().resume(fixture.request(id));
        assertThat(fixture.step(id, "a", 1).ended().decision()).contains("succeed");
        refused(
                "update orchestration_step set decision = '{}' where id = '" + ended.id() + "'",
                "is over and does not change");
    }

    /// E-058.
    @Test
    void changes_of_status_are_told_in_order_and_stay_as_they_were_told() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        fixture.engine.executions().pause(fixture.request(id));
        fixture.engine.executions().pause(fixture.request(id));
        fixture.engine.executions().resume(fixture.request(id));
        fixture.engine.executions().resume(fixture.request(id));
        fixture.fail(fixture.claim("do_a"), "validation_failed");
        fixture.engine.executions().retry(fixture.request(id), null, false);
        fixture.complete(fixture.claim("do_a"), "{}");

        var told = fixture.seen(id).transitions();
        assertThat(told)
                .extracting(line -> line.event().from() + " -> " + line.event().to())
                .containsExactly(
                        "null -> running",
                        "running -> paused",
                        "paused -> running",
                        "running -> failed",
                        "failed -> running",
                        "running -> succeeded");
        assertThat(told).extracting(line -> line.event().seq()).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(told)
                .allSatisfy(
                        line -> {
                            assertThat(line.atMs()).isPositive();
                            assertThat(line.event().correlationId()).isEqualTo("order-7");
                        });
        String paused = String.valueOf(told.get(1).event().data());
        assertThat(paused)
                .contains("\"actor\":\"key:" + fixture.person.key(), "\"reason\":\"because\"");
        assertThat(String.valueOf(told.get(3).event().data()))
                .contains("\"actor\":\"engine\"", "validation_failed");

        refused("update subject_event set to_state = 'running'", "");
        refused("delete from subject_event", "");
        refused("truncate subject_event", "");
        assertThat(fixture.seen(id).transitions()).isEqualTo(told);
    }

    /// E-003, E-014.
    @Test
    void a_published_version_is_frozen_and_numbers_are_unique() throws SQLException {
        UUID id = fixture.published(Documents.of(Documents.task("a", "")));
        var second =
                fixture.engine
                        .definitions()
                        .create(
                                fixture.account,
                                fixture.person,
                                Documents.of(Documents.task("b", "")));
        UUID draft = ((Definitions.Changed.Done) second).version().id();

        for (String change :
                List.of(
                        "document = '{}'",
                        "name = 'other'",
                        "checksum = 'other'",
                        "version = 7",
                        "id = gen_random_uuid()",
                        "account_id = gen_random_uuid()",
                        "created_ms = 0",
                        "published_ms = 0")) {
            refused(
                    "update orchestration_definition set " + change + " where id = '" + id + "'",
                    "does not change");
        }
        refused(
                "update orchestration_definition set status = 'draft' where id = '" + id + "'",
                "cannot go from published to draft");
        refused("delete from orchestration_definition where id = '" + id + "'", "stays");

        fixture.engine.definitions().deprecate(fixture.account, fixture.person, id, 1);
        refused(
                "update orchestration_definition set document = '{}' where id = '" + id + "'",
                "does not change");
        refused(
                "update orchestration_definition set status = 'published' where id = '" + id + "'",
                "cannot go from deprecated to published");
        refused("delete from orchestration_definition where id = '" + id + "'", "stays");

        refused(
                "insert into orchestration_definition select * from orchestration_definition where"
                        + " id = '"
                        + id
                        + "'",
                "duplicate key");
        refused(
                "update orchestration_definition set status = 'deprecated' where id = '"
                        + draft
                        + "'",
                "cannot go from draft to deprecated");
        refused(
                "update orchestration_definition set status = 'new' where id = '" + draft + "'",
                "");
        assertThat(sql("delete from orchestration_definition where id = '" + draft + "'"))
                .isEqualTo(1);
    }

    /// E-016, E-055.
    @Test
    void an_execution_names_one_version_of_a_definition_and_a_key() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        for (String column :
                List.of(
                        "definition_id",
                        "definition_version",
                        "idempotency_key",
                        "correlation_id",
                        "input",
                        "target_type",
                        "target_id")) {
            refused(
                    "update orchestration_execution set "
                            + column
                            + " = null where id = '"
                            + id
                            + "'",
                    "null value in column \"" + column + "\"");
        }
        refused(
                "update orchestration_execution set definition_version = 2 where id = '" + id + "'",
                "orchestration_execution_definition");
        refused(
                "update orchestration_execution set definition_id = gen_random_uuid() where id = '"
                        + id
                        + "'",
                "orchestration_execution_definition");
    }

    /// E-053.
    @Test
    void an_execution_is_completed_exactly_when_its_status_says_so() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        refused(
                "update orchestration_execution set completed_ms = 1 where id = '" + id + "'",
                "orchestration_execution_ends");
        refused(
                "update orchestration_execution set status = 'failed', running_since_ms = null"
                        + " where id = '"
                        + id
                        + "'",
                "orchestration_execution_ends");
        fixture.complete(fixture.claim("do_a"), "{}");
        Execution.Times times = fixture.execution(id).times();
        assertThat(times.completedMs())
                .isEqualTo(fixture.step(id, "a", 1).times().finishedMs())
                .isGreaterThanOrEqualTo(times.startedMs());
    }

    /// E-060, E-062, E-064, E-181, E-136.
    @Test
    void storage_refuses_attempts_that_cannot_be() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", ",\"on_failure\":\"b\""),
                                        Documents.task("b", "")))
                        .id();
        fixture.fail(fixture.claim("do_a"), "validation_failed");
        fixture.claim("do_b");
        String columns =
                "account_id, execution_id, step_id, step_type, kind, attempt_number, budget_from,"
                        + " status, seq, idempotency_key, key_epoch, safe_retry, created_ms,"
                        + " timeout_ms, error_overridden";
        String values =
                "'%s', '%s', 'b', 'task', 'step', 2, 1, 'running', 1, 'k', 0, 'SAFE_TO_RETRY', 1, 1, false"
                        .formatted(fixture.account, id);
        String insert =
                "insert into orchestration_step (id, " + columns + ") values (gen_random_uuid(), ";
        refused(insert + values + ")", "orchestration_step_running");
        refused(
                insert
                        + values.replace("'running'", "'pending'").replace(", 2, 1,", ", 1, 1,")
                        + ")",
                "orchestration_step_attempt");
        refused(
                insert
                        + values.replace("'running'", "'pending'")
                                .replace(id.toString(), UUID.randomUUID().toString())
                        + ")",
                "orchestration_step_execution");
        refused(insert + values.replace("'running'", "'failed'") + ")", "orchestration_step_fails");
        refused(
                insert + values.replace("'running'", "'timed_out'") + ")",
                "orchestration_step_fails");
        refused(
                insert
                        + values.replace("'running'", "'pending'").replace(", 2, 1,", ", 0, 1,")
                        + ")",
                "attempt_number");
        refused(
                insert + values.replace("'" + id + "'", "null") + ")",
                "null value in column \"execution_id\"");
        refused(insert + values.replace("'b'", "null") + ")", "null value in column \"step_id\"");
        refused(
                "update orchestration_step set error_class = 'TRANSIENT', status = 'succeeded'"
                        + " where step_id = 'b'",
                "orchestration_step_succeeds");

        // The dead letter of a is handled: made open, and then once more.
        refused(
                "with opened as (update orchestration_dead_letter set status = 'open' returning *)"
                        + " insert into orchestration_dead_letter select account_id,"
                        + " gen_random_uuid(), execution_id, definition_id, definition_version,"
                        + " step_id, step_execution_id, reason, status, seq, error_class,"
                        + " error_code, error_status, error_summary, correlation_id,"
                        + " action_required, compensation, created_ms, closed_ms, closed_by, note"
                        + " from opened",
                "orchestration_dead_letter_open");
        refused(
                "update orchestration_dead_letter set error_class = 'FATAL'",
                "orchestration_dead_letter_error_class");
        refused(
                "update orchestration_dead_letter set reason = 'bad luck'",
                "orchestration_dead_letter_reason");
        refused("update orchestration_dead_letter set status = 'closed'", "check");
    }
}
