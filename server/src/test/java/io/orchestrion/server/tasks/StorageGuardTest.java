package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;

/// The forbidden changes once more, past all of our own code: the database itself refuses them.
class StorageGuardTest {
    private static final String CHECK_VIOLATION = "23514";

    private static TestKernel kernel;
    private static Connection connection;

    @BeforeAll
    static void start() {
        kernel = new TestKernel();
        connection = kernel.database().connect();
    }

    @AfterAll
    static void stop() throws SQLException {
        connection.close();
        kernel.close();
    }

    private final UUID account = kernel.account();

    /// All columns but the state, made to fit it, so that only the state can be at fault.
    private static String fitting(String state) {
        boolean held = state.equals("leased") || state.equals("running");
        boolean ended = List.of("succeeded", "failed", "dead", "cancelled").contains(state);
        return """
        state = '%s', wait_reason = %s, lease_token = %s, lease_until_ms = %s,
        lease_check_ms = %s, finished_ms = %s
        """
                .formatted(
                        state,
                        state.equals("waiting") ? "'hold'" : "null",
                        held ? "gen_random_uuid()" : "null",
                        held ? "1" : "null",
                        held ? "1" : "null",
                        ended ? "1" : "null");
    }

    private static String update(UUID id, String state) {
        return "update work set " + fitting(state) + " where id = '" + id + "'";
    }

    private String insert(UUID id, String state) {
        boolean held = state.equals("leased") || state.equals("running");
        boolean ended = List.of("succeeded", "failed", "dead", "cancelled").contains(state);
        return """
        insert into work (account_id, id, profile, queue, kind, state, wait_reason, priority,
            order_ms, attempt, max_attempts, retries, lease_seconds, lease_number, lease_token,
            lease_until_ms, lease_check_ms, cancel_requested, created_ms, updated_ms,
            finished_ms, event_seq, event_ms, payload)
        values ('%s', '%s', 'tasks', 'tasks', 'guarded', '%s', %s, 0,
            0, 0, 3, 0, 30, 0, %s, %s, %s, false, 1, 1, %s, 1, 1, '{}')
        """
                .formatted(
                        account,
                        id,
                        state,
                        state.equals("waiting") ? "'hold'" : "null",
                        held ? "gen_random_uuid()" : "null",
                        held ? "1" : "null",
                        held ? "1" : "null",
                        ended ? "1" : "null");
    }

    /// Puts a row into a state that no row can begin in: with the guard off, as only the owner of
    /// the table can.
    private UUID rowThatIs(String state) throws SQLException {
        UUID id = UUID.randomUUID();
        unguarded(insert(id, state));
        return id;
    }

    private static void unguarded(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("alter table work disable trigger user");
            statement.execute(sql);
            statement.execute("alter table work enable trigger user");
            connection.commit();
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private static int guarded(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    private boolean allowed(String from, String to) throws SQLException {
        UUID id = rowThatIs(from);
        try {
            guarded(update(id, to));
            return true;
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isEqualTo(CHECK_VIOLATION);
            assertThat(e.getMessage()).contains("cannot go from " + from + " to " + to);
            assertThat(stateOf(id)).isEqualTo(from);
            return false;
        }
    }

    private static String stateOf(UUID id) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select state from work where id = '" + id + "'")) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }

    /// Every pair of two states; what the database lets through is the last column.
    @ParameterizedTest(name = "{0} may become {1}")
    @CsvSource({
        "waiting,   ready cancelled",
        "ready,     running cancelled waiting",
        "leased,    ''",
        "running,   succeeded ready waiting dead cancelled",
        "succeeded, ''",
        "failed,    ''",
        "dead,      ready",
        "cancelled, ''",
    })
    void the_database_refuses_every_change_of_state_that_the_table_lacks(
            String from, String targets) throws SQLException {
        var expected = new TreeSet<>(Arrays.asList(targets.split(" ")));
        expected.remove("");
        var found = new TreeSet<String>();
        for (WorkState to : WorkState.values()) {
            if (!to.word().equals(from) && allowed(from, to.word())) {
                found.add(to.word());
            }
        }
        assertThat(found).isEqualTo(expected);
        var inTheTable = new TreeSet<String>();
        for (var row : Profiles.TASKS.lifecycle().rows()) {
            if (row.from().word().equals(from) && row.to() != row.from()) {
                inTheTable.add(row.to().word());
            }
        }
        assertThat(found).isEqualTo(inTheTable);
    }

    @ParameterizedTest
    @ValueSource(strings = {"leased", "running", "succeeded", "failed", "dead", "cancelled"})
    void no_row_begins_in_a_later_state(String state) {
        refused(insert(UUID.randomUUID(), state), "cannot begin as " + state);
    }

    @ParameterizedTest
    @ValueSource(strings = {"waiting", "ready"})
    void a_row_begins_waiting_or_ready(String state) throws SQLException {
        UUID id = UUID.randomUUID();
        assertThat(guarded(insert(id, state))).isEqualTo(1);
        assertThat(stateOf(id)).isEqualTo(state);
    }

    /// T-080.
    @ParameterizedTest
    @ValueSource(strings = {"pending", "claimed", "READY", "", "done"})
    void a_state_that_does_not_exist_cannot_be_stored(String state) throws SQLException {
        UUID id = rowThatIs("ready");
        refused(
                "update work set state = '" + state + "' where id = '" + id + "'",
                "work_state_check");
        refused(insert(UUID.randomUUID(), state), "work_state_check");
        assertThat(stateOf(id)).isEqualTo("ready");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id = gen_random_uuid()",
                "account_id = gen_random_uuid()",
                "profile = 'jobs'",
                "created_ms = 2",
                "lease_number = -1",
                "event_seq = 0",
                "event_ms = 0"
            })
    void what_an_item_is_never_changes_and_its_counters_never_fall(String change)
            throws SQLException {
        UUID id = rowThatIs("ready");
        refused("update work set " + change + " where id = '" + id + "'", "");
    }

    @ParameterizedTest
    @CsvSource({
        "ready,     wait_reason = 'hold',  work_waits_for_something",
        "ready,     lease_token = id,      work_is_held_by_one_lease",
        "running,   lease_until_ms = null, work_is_held_by_one_lease",
        "running,   finished_ms = 1,       work_ended_has_an_end",
        "succeeded, finished_ms = null,    work_ended_has_an_end",
        "ready,     purge_after_ms = 1,    work_open_is_kept",
    })
    void a_row_that_contradicts_its_own_state_cannot_be_stored(
            String state, String change, String constraint) throws SQLException {
        UUID id = rowThatIs(state);
        refused("update work set " + change + " where id = '" + id + "'", constraint);
    }

    @Test
    void a_second_result_of_one_task_cannot_be_stored() throws SQLException {
        UUID id = rowThatIs("succeeded");
        String first = "update work set result = '{}', output_ref = 'x' where id = '" + id + "'";
        guarded(first);
        guarded(first);
        refused("update work set result = '[]' where id = '" + id + "'", "one outcome");
        refused("update work set output_ref = null where id = '" + id + "'", "one outcome");
    }

    @Test
    void only_success_has_a_result() throws SQLException {
        UUID id = rowThatIs("running");
        refused(
                "update work set result = '{}' where id = '" + id + "'",
                "work_outcome_is_of_success");
    }

    private static void refused(String sql, String message) {
        assertThatThrownBy(() -> guarded(sql))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(e.getSQLState()).isEqualTo(CHECK_VIOLATION))
                .hasMessageContaining(message);
    }
}
