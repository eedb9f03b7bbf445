package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.db.Session;
import io.orchestrion.kernel.db.StoreException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/// The database's own check of every change, whoever sends the statement.
class StoredGuardTest {
    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /// What the table's CHECKs want of a row in this state.
    private static String in(WorkState state) {
        boolean held = state.held();
        return "state = '%s', wait_reason = %s, lease_token = %s, lease_until_ms = %s,"
                        .formatted(
                                state.word(),
                                state == WorkState.WAITING ? "'backoff', run_at_ms = 1" : "null",
                                held ? "'6f0f2c35-1c1f-4b6e-9a53-0d8d2e0f9a11'" : "null",
                                held ? "9" : "null")
                + " lease_check_ms = %s, finished_ms = %s"
                        .formatted(held ? "9" : "null", state.ended() ? "9" : "null");
    }

    /// K-01.
    @Test
    void each_profile_may_make_exactly_the_changes_of_its_own_table() throws Exception {
        for (Profile profile : Profiles.ALL) {
            UUID id = fixture.submit(profile);
            try (Connection connection = fixture.database().connect();
                    Statement statement = connection.createStatement()) {
                for (WorkState from : WorkState.values()) {
                    put(statement, id, from);
                    for (WorkState to : WorkState.values()) {
                        boolean inTable =
                                profile.lifecycle().rows().stream()
                                        .anyMatch(row -> row.from() == from && row.to() == to);
                        assertThat(accepts(connection, statement, id, to))
                                .as(profile.name() + " from " + from + " to " + to)
                                .isEqualTo(from == to || inTable);
                    }
                }
            }
        }
    }

    private static void put(Statement statement, UUID id, WorkState state) throws SQLException {
        statement.execute("alter table work disable trigger user");
        statement.execute("update work set " + in(state) + " where id = '" + id + "'");
        statement.execute("alter table work enable trigger user");
    }

    private static boolean accepts(
            Connection connection, Statement statement, UUID id, WorkState to) throws SQLException {
        connection.setAutoCommit(false);
        try {
            return statement.executeUpdate("update work set " + in(to) + " where id = '" + id + "'")
                    == 1;
        } catch (PSQLException e) {
            assertThat(e.getSQLState()).isEqualTo("23514");
            assertThat(e.getMessage()).contains("cannot go from");
            return false;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /// Takes back what a transaction wrote.
    private static final class TakenBack extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static boolean accepts(Session session, String change) {
        try {
            session.transaction(
                    tx -> {
                        try (var statement = tx.connection().createStatement()) {
                            assertThat(statement.executeUpdate(change)).isEqualTo(1);
                        }
                        throw new TakenBack();
                    });
            throw new AssertionError("unreachable");
        } catch (TakenBack e) {
            return true;
        } catch (StoreException e) {
            assertThat(e.sqlState()).isEqualTo("23514");
            return false;
        }
    }

    /// K-01: also in the sessions of the lanes, whose statements guard themselves otherwise.
    @Test
    void a_lane_s_session_may_make_exactly_the_changes_of_each_profile_s_table() throws Exception {
        try (Session session = fixture.kernel().database().session("lane");
                Connection connection = fixture.database().connect();
                Statement statement = connection.createStatement()) {
            for (Profile profile : Profiles.ALL) {
                UUID id = fixture.submit(profile);
                for (WorkState from : WorkState.values()) {
                    put(statement, id, from);
                    for (WorkState to : WorkState.values()) {
                        boolean inTable =
                                profile.lifecycle().rows().stream()
                                        .anyMatch(row -> row.from() == from && row.to() == to);
                        assertThat(
                                        accepts(
                                                session,
                                                "update work set "
                                                        + in(to)
                                                        + " where id = '"
                                                        + id
                                                        + "'"))
                                .as(profile.name() + " from " + from + " to " + to)
                                .isEqualTo(from == to || inTable);
                    }
                }
            }
        }
    }

    /// K-01.
    @Test
    void work_begins_waiting_or_ready_and_as_nothing_else() throws Exception {
        UUID id = fixture.submit(Profiles.JOBS);
        try (Connection connection = fixture.database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create temp table copied as select * from work");
            for (WorkState state : WorkState.values()) {
                statement.execute("update copied set id = gen_random_uuid(), " + in(state));
                boolean begins = state == WorkState.WAITING || state == WorkState.READY;
                assertThat(inserts(statement)).as(state.word()).isEqualTo(begins);
            }
            statement.execute("set orchestrion.guard = 'statement'");
            for (WorkState state : WorkState.values()) {
                statement.execute("update copied set id = gen_random_uuid(), " + in(state));
                boolean begins = state == WorkState.WAITING || state == WorkState.READY;
                assertThat(inserts(statement)).as("lane " + state.word()).isEqualTo(begins);
            }
        }
        assertThat(fixture.item(Profiles.JOBS, id).state()).isEqualTo(WorkState.READY);
    }

    private static boolean inserts(Statement statement) throws SQLException {
        try {
            return statement.executeUpdate("insert into work select * from copied") == 1;
        } catch (PSQLException e) {
            assertThat(e.getMessage()).contains("cannot begin as");
            return false;
        }
    }

    private void refused(String change, UUID id) {
        assertThatThrownBy(
                        () ->
                                fixture.database()
                                        .tryExecute(
                                                "update work set " + change + " where id = ?", id))
                .as(change)
                .isInstanceOfSatisfying(
                        PSQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"));
    }

    /// K-04.
    @Test
    void lease_numbers_and_events_never_go_back() {
        UUID id = fixture.submit(Profiles.TASKS);
        fixture.claim(Profiles.TASKS);
        refused("lease_number = lease_number - 1", id);
        refused("event_seq = event_seq - 1", id);
        refused("event_ms = event_ms - 1", id);
    }

    @Test
    void work_never_becomes_other_work() {
        UUID id = fixture.submit(Profiles.TASKS);
        refused("id = gen_random_uuid()", id);
        refused("account_id = gen_random_uuid()", id);
        refused("profile = 'jobs'", id);
        refused("created_ms = created_ms + 1", id);
    }

    @Test
    void half_states_are_refused() {
        UUID id = fixture.submit(Profiles.TASKS);
        refused("wait_reason = 'hold'", id);
        refused("lease_token = gen_random_uuid()", id);
        refused("finished_ms = 1", id);
        refused("purge_after_ms = 1", id);
        refused("owner_kind = 'x'", id);
        refused("state = 'waiting'", id);
        refused("state = 'waiting', wait_reason = 'schedule', run_at_ms = null", id);
        refused("state = 'running'", id);
        refused("state = 'asleep'", id);
    }
}
