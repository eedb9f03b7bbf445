package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.verbs.WorkSql;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Plans of lanes are made once, often while the tables are empty, and are kept when they are not.
/// One that reads the account for each row is a hundred times as slow then.
class FreshPlanTest {
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z][a-z0-9_]*)");

    private static final Map<String, String> TYPES =
            Map.ofEntries(
                    Map.entry("account", "uuid"),
                    Map.entry("queue", "text"),
                    Map.entry("profile", "text"),
                    Map.entry("now", "bigint"),
                    Map.entry("tx", "bigint"),
                    Map.entry("many", "int"),
                    Map.entry("kind", "text"),
                    Map.entry("count", "int"),
                    Map.entry("kinds", "text[]"),
                    Map.entry("counts", "int[]"),
                    Map.entry("firsts", "int[]"),
                    Map.entry("mark_ranks", "bigint[]"),
                    Map.entry("mark_orders", "bigint[]"),
                    Map.entry("mark_ids", "uuid[]"),
                    Map.entry("grant_tokens", "uuid[]"),
                    Map.entry("grant_holders", "text[]"),
                    Map.entry("grant_lease_seconds", "int[]"),
                    Map.entry("leased_first", "text[]"),
                    Map.entry("ids", "uuid[]"),
                    Map.entry("tokens", "uuid[]"),
                    Map.entry("numbers", "bigint[]"),
                    Map.entry("purge_afters", "bigint[]"),
                    Map.entry("settled_tokens", "uuid[]"),
                    Map.entry("settled_digests", "uuid[]"),
                    Map.entry("results", "text[]"),
                    Map.entry("output_refs", "text[]"),
                    Map.entry("usages", "text[]"),
                    Map.entry("logs_refs", "text[]"));

    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"claim_one", "claim", "claim_from", "heartbeat", "complete"})
    void locked_rows_are_written_where_they_lie_whatever_the_planner_knows(String name)
            throws SQLException {
        fixture.database().execute("delete from work");
        fixture.database().execute("vacuum analyze work");
        assertThat(plan(name)).as("empty").contains("Tid Scan on work w");
        for (int i = 0; i < 300; i++) {
            fixture.submit(Profiles.TASKS);
        }
        fixture.database().execute("vacuum analyze work");
        assertThat(plan(name)).as("with rows").contains("Tid Scan on work w");
    }

    private String plan(String name) throws SQLException {
        var names = new ArrayList<String>();
        String text =
                PARAMETER
                        .matcher(WorkSql.statements().source(name))
                        .replaceAll(
                                match -> {
                                    if (!names.contains(match.group(1))) {
                                        names.add(match.group(1));
                                    }
                                    int place = names.indexOf(match.group(1)) + 1;
                                    return Matcher.quoteReplacement("$" + place);
                                });
        String types = String.join(", ", names.stream().map(TYPES::get).toList());
        String nulls = String.join(", ", names.stream().map(_ -> "null").toList());
        // As a lane's session is set up, see Database.
        try (Connection connection = fixture.database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set plan_cache_mode = force_generic_plan");
            statement.execute("set enable_seqscan = off");
            statement.execute("set enable_hashjoin = off");
            statement.execute("set enable_mergejoin = off");
            statement.execute("prepare one (" + types + ") as " + text);
            var plan = new StringBuilder();
            try (ResultSet lines = statement.executeQuery("explain execute one(" + nulls + ")")) {
                while (lines.next()) {
                    plan.append(lines.getString(1)).append('\n');
                }
            }
            return plan.toString();
        }
    }
}
