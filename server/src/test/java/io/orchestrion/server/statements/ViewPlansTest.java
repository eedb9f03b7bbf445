package io.orchestrion.server.statements;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The view of items costs nothing: whatever is read through it is planned as if the table itself
/// were named, so its indexes serve as before.
class ViewPlansTest {
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z][a-z0-9_]*)");
    private static final Pattern VIEW = Pattern.compile("\\b(from|join) item (i|s)\\b");

    /// What the planner calls a table beside its name: the alias of the view or of the statement.
    private static final Pattern ALIAS = Pattern.compile("\\b(?:[wis]|work)(?:_\\d+)?\\b(?!\\()");

    private static TestKernel kernel;

    @BeforeAll
    static void open() {
        kernel = new TestKernel(options -> options.withSchema(EveryPart.SCHEMA));
    }

    @AfterAll
    static void close() {
        kernel.close();
    }

    @Test
    void statements_on_the_view_have_the_plans_of_statements_on_the_table() throws SQLException {
        var byView = new TreeMap<String, String>();
        var byTable = new TreeMap<String, String>();
        try (Connection connection = kernel.database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set plan_cache_mode = force_generic_plan");
            statement.execute("set enable_seqscan = off");
            for (var each : NamedStatements.all().entrySet()) {
                String text = each.getValue();
                String direct = VIEW.matcher(text).replaceAll("$1 work $2");
                if (!direct.equals(text)) {
                    byView.put(each.getKey(), plan(statement, text));
                    byTable.put(each.getKey(), plan(statement, direct));
                }
            }
        }
        assertThat(byView).hasSizeGreaterThan(25).isEqualTo(byTable);
        assertThat(byView.get("capacity/heads")).contains("work_job_open");
        assertThat(byView.get("jobs/page_in_state")).contains("work_job_state");
    }

    /// Each place has a parameter of its own, as the driver numbers them, and what it is bound to
    /// is of no meaning to a generic plan.
    private static String plan(Statement statement, String text) throws SQLException {
        var numbered = new StringBuilder();
        Matcher matcher = PARAMETER.matcher(text);
        int count = 0;
        while (matcher.find()) {
            matcher.appendReplacement(numbered, "\\$" + ++count);
        }
        matcher.appendTail(numbered);
        statement.execute("prepare planned as " + numbered);
        String nulls = "null, ".repeat(count).replaceFirst(", $", "");
        var plan = new StringBuilder();
        try (ResultSet lines =
                statement.executeQuery(
                        "explain (costs off) execute planned"
                                + (count == 0 ? "" : "(" + nulls + ")"))) {
            while (lines.next()) {
                plan.append(lines.getString(1)).append('\n');
            }
        } finally {
            statement.execute("deallocate planned");
        }
        return ALIAS.matcher(plan).replaceAll("t");
    }
}
