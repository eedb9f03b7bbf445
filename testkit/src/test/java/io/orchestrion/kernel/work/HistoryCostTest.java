package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.verbs.RetentionSql;
import io.orchestrion.kernel.verbs.WorkSql;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What is finished costs the queue nothing. Plans are made with PostgreSQL's own settings, not
/// with the product's hint against sequential scans.
class HistoryCostTest {
    private static final int FINISHED = 40_000;

    private final WorkFixture fixture = new WorkFixture();

    @BeforeEach
    void someOpenWork() {
        for (int i = 0; i < 10; i++) {
            fixture.submit(Profiles.TASKS);
        }
        fixture.claim(Profiles.TASKS, 3);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void finishMany() {
        try (Connection connection = fixture.database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("alter table work disable trigger user");
            statement.execute(
                    "insert into work (account_id, id, profile, queue, kind, state, priority,"
                        + " order_ms, attempt, max_attempts, retries, lease_seconds, lease_number,"
                        + " cancel_requested, created_ms, updated_ms, finished_ms, event_seq,"
                        + " event_ms, purge_after_ms, payload) select account_id,"
                        + " gen_random_uuid(), profile, queue, kind, 'succeeded', 0, 0, 1, 3, 0,"
                        + " 300, 1, false, created_ms, updated_ms, created_ms, 3, event_ms,"
                        + " created_ms + 8000000000, payload from (select * from work limit 1) w,"
                        + " generate_series(1, "
                            + FINISHED
                            + ")");
            statement.execute("alter table work enable trigger user");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        analyze();
    }

    private void otherKindsWait() {
        try (Connection connection = fixture.database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("alter table work disable trigger user");
            statement.execute(
                    "insert into work (account_id, id, profile, queue, kind, state, priority,"
                        + " order_ms, attempt, max_attempts, retries, lease_seconds, lease_number,"
                        + " cancel_requested, created_ms, updated_ms, event_seq, event_ms, payload)"
                        + " select account_id, gen_random_uuid(), profile, queue, 'other-' || n %"
                        + " 50, 'ready', 0, 0, 0, 3, 0, 300, 0, false, created_ms, updated_ms, 1,"
                        + " event_ms, payload from (select * from work limit 1) w,"
                        + " generate_series(1, 5000) n");
            statement.execute("alter table work enable trigger user");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        analyze();
    }

    private void analyze() {
        fixture.database().execute("vacuum analyze work");
    }

    /// Binds what the statement needs by the kind of its casts: enough to plan and run it.
    private String explain(String name, Object... parameters) {
        String own = RetentionSql.statements().texts().get(name);
        String sql = own == null ? WorkSql.statements().texts().get(name) : own;
        try (Connection connection = fixture.database().connect()) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement =
                    connection.prepareStatement("explain (analyze, buffers) " + sql)) {
                for (int i = 0; i < parameters.length; i++) {
                    statement.setObject(
                            i + 1,
                            parameters[i] instanceof Object[] values
                                    ? array(connection, values)
                                    : parameters[i]);
                }
                var plan = new StringBuilder();
                try (var rows = statement.executeQuery()) {
                    while (rows.next()) {
                        plan.append(rows.getString(1)).append('\n');
                    }
                }
                return plan.toString();
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(name, e);
        }
    }

    private static Array array(Connection connection, Object[] values) throws SQLException {
        String type =
                values instanceof UUID[]
                        ? "uuid"
                        : values instanceof Integer[]
                                ? "int4"
                                : values instanceof Long[] ? "int8" : "text";
        return connection.createArrayOf(type, values);
    }

    private String explainClaim() {
        return explainClaim(
                "claim",
                new String[] {WorkFixture.KIND},
                new Integer[] {2},
                new Integer[] {0},
                1,
                fixture.account,
                "tasks",
                fixture.account,
                "tasks",
                now());
    }

    private String explainClaimOfOneKind() {
        return explainClaim(
                "claim_one",
                fixture.account,
                "tasks",
                WorkFixture.KIND,
                now(),
                fixture.account,
                "tasks",
                WorkFixture.KIND,
                2);
    }

    /// @param heads what the statement binds before the grants
    private String explainClaim(String name, Object... heads) {
        long now = now();
        String[] leasedFirst = {"jobs"};
        var parameters = new ArrayList<Object>(List.of(heads));
        parameters.addAll(
                List.of(
                        new UUID[] {UUID.randomUUID(), UUID.randomUUID()},
                        new String[] {"w", "w"},
                        new Integer[] {null, null},
                        leasedFirst,
                        now,
                        leasedFirst,
                        now,
                        now,
                        leasedFirst,
                        now,
                        leasedFirst,
                        now,
                        now,
                        now,
                        now,
                        1L,
                        now,
                        leasedFirst,
                        fixture.account));
        return explain(name, parameters.toArray());
    }

    private long now() {
        return fixture.database()
                .value("select floor(extract(epoch from clock_timestamp()) * 1000)::bigint");
    }

    private static int buffers(String plan) {
        Matcher matcher =
                Pattern.compile("Buffers: shared hit=(\\d+)(?: read=(\\d+))?").matcher(plan);
        assertThat(matcher.find()).as(plan).isTrue();
        return Integer.parseInt(matcher.group(1))
                + (matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2)));
    }

    /// K-07.
    @Test
    void a_claim_reads_the_partial_index_and_as_much_with_many_finished_rows_as_with_none() {
        analyze();
        int without = buffers(explainClaim());
        int ofOneWithout = buffers(explainClaimOfOneKind());
        finishMany();
        String plan = explainClaim();
        assertThat(plan).contains("work_ready").doesNotContain("Seq Scan on work w");
        assertThat(buffers(plan)).as(plan).isLessThanOrEqualTo(without + 30);
        String ofOne = explainClaimOfOneKind();
        assertThat(ofOne).contains("work_ready").doesNotContain("Seq Scan on work w");
        assertThat(buffers(ofOne)).as(ofOne).isLessThanOrEqualTo(ofOneWithout + 30);
    }

    @Test
    void the_sweepers_looks_read_their_own_indexes() {
        finishMany();
        long now = now();
        assertThat(explain("accounts_with_lapsed_leases", now, 200))
                .contains("work_lease_check")
                .doesNotContain("Seq Scan on work w");
        assertThat(explain("lapsed_leases", fixture.account, now, 200))
                .contains("work_lease_check")
                .doesNotContain("Seq Scan on work w");
        assertThat(explain("queues_with_due_work", now, 200))
                .contains("work_due")
                .doesNotContain("Seq Scan on work w");
        // A crowd of other kinds must not be read to find the few of this one.
        otherKindsWait();
        assertThat(
                        explain(
                                "claimable",
                                new UUID[] {fixture.account},
                                new String[] {"tasks"},
                                new String[] {WorkFixture.KIND},
                                100,
                                now,
                                100))
                .contains("work_ready", "work_due")
                .doesNotContain("Seq Scan on work w");
        assertThat(explain("accounts_to_purge", now, 50))
                .contains("work_purge")
                .doesNotContain("Seq Scan on work w");
        assertThat(explain("purgeable", purgeParameters(now)))
                .contains("work_purge")
                .doesNotContain("Seq Scan on work w");
    }

    private Object[] purgeParameters(long now) {
        UUID account = fixture.account;
        return new Object[] {account, now, new String[] {"tasks"}, 0L, now, 500};
    }

    @Test
    void a_heartbeat_and_a_completion_find_their_rows_by_key() {
        finishMany();
        UUID account = fixture.account;
        UUID[] ids =
                fixture.database().rows("select id from work where state = 'running'").stream()
                        .map(row -> (UUID) row.get("id"))
                        .toArray(UUID[]::new);
        assertThat(ids).hasSize(3);
        UUID[] tokens = new UUID[3];
        Long[] numbers = new Long[3];
        long now = now();
        assertThat(
                        explain(
                                "heartbeat",
                                ids,
                                tokens,
                                numbers,
                                ids.length,
                                account,
                                "tasks",
                                now,
                                now,
                                now,
                                now,
                                account))
                .contains("work_pkey")
                .doesNotContain("Seq Scan on work w");
        assertThat(
                        explain(
                                "complete",
                                ids,
                                tokens,
                                numbers,
                                numbers,
                                tokens,
                                tokens,
                                new String[3],
                                new String[3],
                                new String[3],
                                new String[3],
                                ids.length,
                                account,
                                now,
                                now,
                                now,
                                1L,
                                now,
                                account,
                                "tasks",
                                now))
                .contains("work_pkey")
                .doesNotContain("Seq Scan on work w");
    }

    @Test
    void a_list_reads_one_index_range_for_each_state() {
        finishMany();
        String plan =
                explain(
                        "list",
                        new String[] {"succeeded", "ready"},
                        fixture.account,
                        "tasks",
                        "tasks",
                        null,
                        new String[] {"tasks"},
                        null,
                        null,
                        20,
                        20);
        assertThat(plan)
                .contains("work_by_state")
                .doesNotContain("Seq Scan on work w")
                .doesNotContain("work_pkey");
        assertThat(buffers(plan)).isLessThan(300);
    }
}
