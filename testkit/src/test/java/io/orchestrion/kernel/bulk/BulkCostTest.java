package io.orchestrion.kernel.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkState;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Set;
import java.util.UUID;

/// An operation looks at the tasks of its statuses and walks through no others, however many there
/// are. Plans are made with PostgreSQL's own settings.
class BulkCostTest {
    private static final int FINISHED = 20_000;

    private final BulkFixture bulk = new BulkFixture();

    @AfterEach
    void close() {
        bulk.close();
    }

    /// So common that every estimate takes any state for common.
    private void finishMany() {
        bulk.tasks(1);
        bulk.database().execute("alter table work disable trigger user");
        bulk.database()
                .execute(
                        "insert into work (account_id, id, profile, queue, kind, state, priority,"
                            + " order_ms, attempt, max_attempts, retries, lease_seconds,"
                            + " lease_number, cancel_requested, created_ms, updated_ms,"
                            + " finished_ms, event_seq, event_ms, payload) select account_id,"
                            + " gen_random_uuid(), profile, queue, kind, 'succeeded', 0, 0, 1, 3,"
                            + " 0, 300, 1, false, created_ms, updated_ms, created_ms, 3, event_ms,"
                            + " payload from work, generate_series(1, "
                                + FINISHED
                                + ")");
        bulk.database().execute("alter table work enable trigger user");
        bulk.database().execute("vacuum analyze work");
    }

    private String plan(String name, String state, int most) throws SQLException {
        try (Connection connection = bulk.database().connect();
                PreparedStatement statement =
                        connection.prepareStatement(
                                "explain (analyze) " + BulkSql.statements().texts().get(name))) {
            int next = 1;
            statement.setArray(next++, connection.createArrayOf("text", new String[] {state}));
            statement.setString(next++, "tasks");
            statement.setLong(next++, Long.MAX_VALUE);
            statement.setString(next++, "rare");
            statement.setString(next++, "rare");
            for (int i = 0; i < 6; i++) {
                statement.setNull(next++, Types.BIGINT);
            }
            statement.setLong(next++, Long.MAX_VALUE);
            statement.setNull(next++, Types.VARCHAR);
            statement.setNull(next++, Types.VARCHAR);
            statement.setObject(next++, bulk.owner.accountId());
            statement.setString(next++, "tasks");
            statement.setObject(next++, new UUID(0, 0));
            statement.setString(next++, "tasks");
            statement.setObject(next++, new UUID(-1, -1));
            while (next <= statement.getParameterMetaData().getParameterCount()) {
                statement.setInt(next++, most);
            }
            var plan = new StringBuilder();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    plan.append(rows.getString(1)).append('\n');
                }
            }
            return plan.toString();
        }
    }

    @ParameterizedTest
    @CsvSource({"scan, ready", "scan, succeeded", "matching, ready", "matching, succeeded"})
    void the_index_by_state_bounds_what_is_looked_at(String name, String state)
            throws SQLException {
        finishMany();
        String plan = plan(name, state, 2000);
        assertThat(plan)
                .contains("Index Scan using work_by_state")
                .doesNotContain("Seq Scan")
                .doesNotContain("work_pkey")
                .doesNotContain("Rows Removed by Filter");
        int looked = state.equals("ready") ? 1 : 2000;
        assertThat(plan.replaceAll("\\.\\d+ loops", " loops"))
                .containsPattern("work_by_state on work w .*rows=" + looked + " loops=1");
    }

    /// More than are looked at: the number is told as the least there are.
    @Test
    void where_there_are_too_many_to_count_it_says_so() {
        finishMany();
        BulkFilter filter = BulkFixture.ofKind(Set.of(WorkState.SUCCEEDED), null);
        var request =
                new BulkRequest(bulk.owner, Profiles.TASKS, BulkAction.PURGE, filter, 10, null);
        // The ids of these rows are no times, so only those below now are in the range.
        bulk.database().execute("alter table work disable trigger user");
        bulk.database()
                .execute(
                        "update work set id = ('00' || substr(id::text, 3))::uuid where state ="
                                + " 'succeeded'");
        BulkPreview some =
                bulk.kernel()
                        .database()
                        .transaction(tx -> BulkSql.matching(tx, request, tx.nowMillis(), 5000));
        assertThat(some.all()).isFalse();
        assertThat(some.matched()).isEqualTo(5001);
        BulkPreview all = bulk.kernel().bulk().preview(request);
        assertThat(all.all()).isTrue();
        assertThat(all.matched()).isEqualTo(FINISHED);
        assertThat(all.first()).hasSize(BulkPreview.FIRST);
    }
}
