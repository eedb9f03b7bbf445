package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.verbs.WorkSql;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How the database finds the next task among very many that are over.
class ClaimPlanTest {
    /// A fifth of the million that the contract speaks of, which takes 25 to 55 s to write. The
    /// test was run once with the million and passed.
    private static final int FINISHED = 200_000;

    private static TestKernel kernel;
    private static UUID account;

    @BeforeAll
    static void fill() throws SQLException {
        kernel = new TestKernel();
        account = kernel.account();
        try (Connection connection = kernel.database().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("alter table work disable trigger user");
            statement.execute(rows(FINISHED, "'succeeded'", "null", "null", "1"));
            statement.execute(rows(500, "'ready'", "null", "null", "null"));
            statement.execute(rows(500, "'waiting'", "'schedule'", "n", "null"));
            statement.execute("alter table work enable trigger user");
            statement.execute(
                    """
                    insert into work_type (account_id, queue, kind, aging_ms, created_ms, updated_ms)
                    values ('%s', 'tasks', 'kind1', 10000, 1, 1)
                    """
                            .formatted(account));
            connection.commit();
            connection.setAutoCommit(true);
            statement.execute("analyze work");
        }
    }

    private static String rows(int count, String state, String reason, String runAt, String end) {
        return """
        insert into work (account_id, id, profile, queue, kind, state, wait_reason, priority,
            order_ms, run_at_ms, attempt, max_attempts, retries, lease_seconds, lease_number,
            cancel_requested, created_ms, updated_ms, finished_ms, event_seq, event_ms,
            payload)
        select '%s', gen_random_uuid(), 'tasks', 'tasks', 'kind' || n %% 5, %s, %s, n %% 100,
            0, %s, 0, 3, 0, 30, 0, false, 1, 1, %s, 1, 1, '{}'
          from generate_series(1, %d) as n
        """
                .formatted(account, state, reason, runAt, end, count);
    }

    @AfterAll
    static void stop() {
        kernel.close();
    }

    /// T-156, L-005: with the planner's defaults, both for the values at hand and for any values.
    @ParameterizedTest
    @CsvSource({
        "claim,       force_custom_plan,  work_ready",
        "claim,       force_generic_plan, work_ready",
        "claim_from,  force_custom_plan,  work_ready",
        "claim_from,  force_generic_plan, work_ready",
        "promote_due, force_custom_plan,  work_due",
        "promote_due, force_generic_plan, work_due",
    })
    void a_claim_reads_indexes_of_claimable_rows_only(String name, String mode, String index)
            throws SQLException {
        String plan = plan(name, mode);
        assertThat(plan).doesNotContain("Seq Scan");
        // work_due serves the claim's look for due rows; work_due_time has the same rows.
        assertThat(plan).contains("Index Scan using " + index);
        // Rows that are long gone lie in it as what they once were.
        assertThat(plan).doesNotContain("work_by_state");
    }

    /// What each parameter of the statements may be.
    private static final Map<String, String> VALUES =
            Map.ofEntries(
                    Map.entry("account", "uuid %s"),
                    Map.entry("queue", "text 'tasks'"),
                    Map.entry("now", "bigint 1000000000000"),
                    Map.entry("kinds", "text[] array['kind1']"),
                    Map.entry("counts", "int[] array[1]"),
                    Map.entry("firsts", "int[] array[0]"),
                    Map.entry("many", "int 1"),
                    Map.entry("grant_tokens", "uuid[] array[gen_random_uuid()]"),
                    Map.entry("grant_holders", "text[] array[null]"),
                    Map.entry("grant_lease_seconds", "int[] array[null]"),
                    Map.entry("mark_ranks", "bigint[] array[0]"),
                    Map.entry("mark_orders", "bigint[] array[0]"),
                    Map.entry("mark_ids", "uuid[] array[gen_random_uuid()]"),
                    Map.entry("leased_first", "text[] array['jobs']"),
                    Map.entry("shown", "text[] array['jobs/schedule']"),
                    Map.entry("tx", "bigint 1"),
                    Map.entry("most", "int 1000"));

    private static String plan(String name, String mode) throws SQLException {
        var names = new ArrayList<String>();
        String text =
                Pattern.compile("(?<!:):([a-z][a-z0-9_]*)")
                        .matcher(WorkSql.statements().source(name))
                        .replaceAll(
                                match -> {
                                    if (!names.contains(match.group(1))) {
                                        names.add(match.group(1));
                                    }
                                    int place = names.indexOf(match.group(1)) + 1;
                                    return Matcher.quoteReplacement("$" + place);
                                });
        var types = new ArrayList<String>();
        var values = new ArrayList<String>();
        for (String each : names) {
            String[] typeAndValue = VALUES.get(each).split(" ", 2);
            types.add(typeAndValue[0]);
            String value = typeAndValue[1].replace("%s", "'" + account + "'");
            values.add(value + "::" + typeAndValue[0]);
        }
        try (Connection connection = kernel.database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set plan_cache_mode = " + mode);
            statement.execute("prepare one (" + String.join(", ", types) + ") as " + text);
            String explain = "explain execute one(" + String.join(", ", values) + ")";
            var plan = new StringBuilder();
            try (ResultSet lines = statement.executeQuery(explain)) {
                while (lines.next()) {
                    plan.append(lines.getString(1)).append('\n');
                }
            }
            return plan.toString();
        }
    }
}
