package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.runs.state.RunStatus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Every pair of statuses of runs, tried with plain SQL. What is allowed stands here as the
/// contract has it, and not as the engine's own tables do.
class StoredTransitionsTest {
    private static final Set<String> ALLOWED =
            Set.of(
                    "created -> pending",
                    "created -> cancelled",
                    "pending -> running",
                    "pending -> cancelled",
                    "pending -> failed",
                    "running -> completed",
                    "running -> failed",
                    "running -> paused",
                    "running -> cancelled",
                    "running -> skipped",
                    "paused -> resuming",
                    "paused -> cancelled",
                    "resuming -> running",
                    "resuming -> failed",
                    "failed -> retrying",
                    "retrying -> pending",
                    "retrying -> failed");

    private final RunFixture fixture = new RunFixture();
    private final UUID id = fixture.running(one(step("a")));

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String columns(String status) {
        boolean ended = Set.of("completed", "failed", "skipped").contains(status);
        boolean over = ended || status.equals("cancelled");
        return "status = '%s', running_since_ms = %s, completed_ms = %s, cancelled_ms = %s, duration_ms = %s, credits_refunded = %s, last_error = 'x'"
                .formatted(
                        status,
                        status.equals("running") ? "1" : "null",
                        ended ? "1" : "null",
                        status.equals("cancelled") ? "1" : "null",
                        over ? "1" : "null",
                        over ? "credits_reserved - credits_charged" : "0");
    }

    private String tryOne(String from, String to) throws SQLException {
        try (Connection connection = fixture.test.database().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("alter table run disable trigger user");
            assertThat(statement.executeUpdate("update run set " + columns(from))).isEqualTo(1);
            statement.execute("alter table run enable trigger user");
            try {
                statement.executeUpdate("update run set " + columns(to));
                return "";
            } catch (SQLException e) {
                return String.valueOf(e.getMessage());
            } finally {
                connection.rollback();
            }
        }
    }

    ///
    @Test
    void storage_takes_exactly_the_allowed_changes_of_a_run() throws SQLException {
        List<String> statuses = RunStatus.words();
        assertThat(statuses).hasSize(10);
        var allowed = new LinkedHashSet<String>();
        for (String from : statuses) {
            for (String to : statuses) {
                if (!from.equals(to)) {
                    String refusal = tryOne(from, to);
                    if (refusal.isEmpty()) {
                        allowed.add(from + " -> " + to);
                    } else {
                        assertThat(refusal).contains("a run cannot go from " + from + " to " + to);
                    }
                }
            }
        }
        assertThat(allowed).containsExactlyInAnyOrderElementsOf(ALLOWED);
    }

    private String refusal(String sql) {
        try (Connection connection = fixture.test.database().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(sql);
            connection.rollback();
            return "nothing refused it";
        } catch (SQLException e) {
            return String.valueOf(e.getMessage());
        }
    }

    ///
    @Test
    void storage_refuses_what_a_run_can_never_be() {
        fixture.failed("a", "ValueError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        var refused = new ArrayList<String>();
        for (String sql :
                List.of(
                        "update run_transition set reason = 'x'",
                        "delete from run_transition",
                        "truncate run_transition cascade",
                        "update run_decision set kind = 'skip'",
                        "delete from run_plan",
                        "update run_attempt set credits_charged = 0, credits_refunded ="
                                + " credits_reserved",
                        "update run_step_attempt set status = 'completed'",
                        "insert into run_transition (account_id, run_id, number, attempt_number,"
                            + " from_status, to_status, actor, at_ms) select account_id, run_id,"
                            + " number + 1, 1, 'created', 'pending', 'x', 1 from run_transition"
                            + " order by number desc limit 1",
                        "update run set credits_charged = 101",
                        "update run set credits_charged = 1",
                        "update run set status = 'escalated'",
                        "update run_agent set status = 'escalated'",
                        "update run_task set status = 'paused'",
                        "update run_step set status = 'paused'",
                        "delete from run_step",
                        "delete from run")) {
            if (refusal(sql).equals("nothing refused it")) {
                refused.add(sql);
            }
        }
        assertThat(refused).isEmpty();
    }
}
