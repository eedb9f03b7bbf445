package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// Every pair of statuses of executions and of attempts, tried with plain SQL. What is allowed
/// stands here as the contract has it, and not as the engine's own tables do.
class StoredTransitionsTest {
    private static final List<String> EXECUTION =
            List.of("running", "waiting_approval", "paused", "succeeded", "failed", "canceled");

    private static final Set<String> EXECUTION_MAY =
            Set.of(
                    "running -> waiting_approval",
                    "waiting_approval -> running",
                    "running -> paused",
                    "paused -> running",
                    "running -> succeeded",
                    "running -> failed",
                    "running -> canceled",
                    "paused -> canceled",
                    "waiting_approval -> canceled",
                    "failed -> running");

    private static final List<String> STEP =
            List.of(
                    "pending",
                    "running",
                    "succeeded",
                    "failed",
                    "retrying",
                    "timed_out",
                    "skipped",
                    "awaiting_approval");

    private static final Set<String> STEP_MAY =
            Set.of(
                    "pending -> running",
                    "retrying -> running",
                    "pending -> awaiting_approval",
                    "running -> succeeded",
                    "running -> failed",
                    "running -> timed_out",
                    "awaiting_approval -> succeeded",
                    "awaiting_approval -> failed",
                    "awaiting_approval -> timed_out",
                    "pending -> skipped",
                    "retrying -> skipped",
                    "awaiting_approval -> skipped");

    private static final Set<String> FAILURES = Set.of("failed", "timed_out");

    private final OrchestrationFixture fixture = new OrchestrationFixture();
    private final UUID execution = fixture.start(Documents.of(Documents.task("a", ""))).id();

    @AfterEach
    void close() {
        fixture.close();
    }

    /// Brings the only row to a status past the triggers, then tries a change with them.
    private Set<String> allowed(
            List<String> statuses, String table, java.util.function.UnaryOperator<String> columns)
            throws SQLException {
        var allowed = new LinkedHashSet<String>();
        for (String from : statuses) {
            for (String to : statuses) {
                if (!from.equals(to) && tryOne(table, columns.apply(from), columns.apply(to))) {
                    allowed.add(from + " -> " + to);
                }
            }
        }
        return allowed;
    }

    private boolean tryOne(String table, String from, String to) throws SQLException {
        try (Connection connection = fixture.test.database().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("alter table " + table + " disable trigger user");
            assertThat(statement.executeUpdate("update " + table + " set " + from)).isEqualTo(1);
            statement.execute("alter table " + table + " enable trigger user");
            try {
                statement.executeUpdate("update " + table + " set " + to);
                return true;
            } catch (SQLException e) {
                assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo("23514");
                assertThat(e.getMessage())
                        .as("refused by the guard, and not by what the columns say")
                        .containsAnyOf("cannot go from", "is over and does not change");
                return false;
            } finally {
                connection.rollback();
            }
        }
    }

    /// E-047, E-076, E-077, E-078, E-079, E-080, E-081, E-082, E-083, E-084, E-085, E-086, E-087,
    /// E-088, E-089, E-090.
    @Test
    void storage_takes_exactly_the_allowed_changes_of_an_execution() throws SQLException {
        assertThat(
                        allowed(
                                EXECUTION,
                                "orchestration_execution",
                                status ->
                                        "status = '%s', completed_ms = %s, running_since_ms = %s, output = null"
                                                .formatted(
                                                        status,
                                                        Set.of("succeeded", "failed", "canceled")
                                                                        .contains(status)
                                                                ? "1"
                                                                : "null",
                                                        status.equals("running") ? "1" : "null")))
                .containsExactlyInAnyOrderElementsOf(EXECUTION_MAY);
    }

    /// E-061, E-071, E-073, E-074.
    @Test
    void storage_takes_exactly_the_allowed_changes_of_an_attempt() throws SQLException {
        assertThat(
                        allowed(
                                STEP,
                                "orchestration_step",
                                status ->
                                        "status = '%s', error_class = %s"
                                                .formatted(
                                                        status,
                                                        FAILURES.contains(status)
                                                                ? "'TRANSIENT'"
                                                                : "null")))
                .containsExactlyInAnyOrderElementsOf(STEP_MAY);
    }

    /// E-047, E-061. The engine's own tables are those of the contract.
    @Test
    void the_engine_knows_the_same_changes_as_storage() {
        var executions = new ArrayList<String>();
        for (ExecutionStatus from : ExecutionStatus.values()) {
            for (ExecutionStatus to : ExecutionStatus.values()) {
                if (from.mayBecome(to)) {
                    executions.add(from.word() + " -> " + to.word());
                }
            }
        }
        var steps = new ArrayList<String>();
        for (StepStatus from : StepStatus.values()) {
            for (StepStatus to : StepStatus.values()) {
                if (from.mayBecome(to)) {
                    steps.add(from.word() + " -> " + to.word());
                }
            }
        }
        assertThat(executions).containsExactlyInAnyOrderElementsOf(EXECUTION_MAY);
        assertThat(steps).containsExactlyInAnyOrderElementsOf(STEP_MAY);
    }

    /// E-047, E-061, E-103.
    @Test
    void storage_knows_no_other_word() {
        for (var wrong :
                Map.of(
                                "orchestration_execution set status = 'cancelled',"
                                        + " running_since_ms = null",
                                "orchestration_execution_status",
                                "orchestration_step set status = 'canceled'",
                                "orchestration_step_status",
                                "orchestration_step set error_class = 'FATAL'",
                                "orchestration_step_error_class",
                                "orchestration_execution set error_class = 'transient'",
                                "orchestration_execution_error_class",
                                "orchestration_step set safe_retry = 'MAYBE'",
                                "orchestration_step_safe_retry")
                        .entrySet()) {
            // Past the triggers, so that it is the column that refuses.
            assertThat(refusal(wrong.getKey())).contains(wrong.getValue());
        }
        assertThat(fixture.status(execution)).isEqualTo(ExecutionStatus.RUNNING);
    }

    private String refusal(String update) {
        try (Connection connection = fixture.test.database().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("alter table orchestration_execution disable trigger user");
            statement.execute("alter table orchestration_step disable trigger user");
            statement.executeUpdate("update " + update);
            connection.rollback();
            return "nothing refused it";
        } catch (SQLException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
