package io.orchestrion.kernel.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.verbs.WorkSql;
import io.orchestrion.kernel.work.Profiles;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.regex.Pattern;

/// How the database finds whose turn it is: with plans for any values, made on empty tables as on
/// full ones, because a plan that was made at the start of a server is kept for long.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FlowPlanTest {
    private static FlowFixture flow;

    @BeforeAll
    static void start() {
        flow = new FlowFixture();
    }

    @AfterAll
    static void stop() {
        flow.close();
    }

    @Test
    @Order(1)
    void on_empty_tables() throws SQLException {
        allPlans();
    }

    @Test
    @Order(2)
    void on_full_tables() throws SQLException {
        flow.concurrency(Profiles.TASKS, 5);
        flow.submitAll(3000, i -> FlowFixture.keys("k" + i % 300, i % 2 == 0 ? "r" : null));
        flow.complete(flow.claim(100));
        flow.claim(200);
        flow.fixture.database().execute("analyze work");
        allPlans();
    }

    private static void allPlans() throws SQLException {
        String page = plan(FlowSql.statements(), "page");
        assertThat(page.split("using work_flow on work", -1)).as(page).hasSizeGreaterThan(3);
        assertThat(page).contains("using work_flow_held on work");
        assertThat(page).contains("flow_start_pkey").doesNotContain("work_by_state");
        assertThat(plan(FlowSql.statements(), "rooms"))
                .contains("work_flow_held")
                .contains("flow_start_pkey");
        assertThat(plan(FlowSql.statements(), "waiting_keys"))
                .contains("using work_flow on work")
                .contains("work_flow_held");
        assertThat(plan(FlowSql.statements(), "give_keys")).contains("using work_ready on work");
        assertThat(plan(FlowSql.statements(), "take_keys")).contains("using work_flow on work");
        for (String name : new String[] {"promote_due", "apply"}) {
            String plan = plan(WorkSql.statements(), name);
            assertThat(plan).containsPattern("Index Cond: .*\\(id = ANY");
        }
        String take = plan(WorkSql.statements(), "take");
        assertThat(take.split("using work_pkey on work", -1)).as(take).hasSize(3);
    }

    /// Every item is looked up with an index that has few rows, and none by reading a table.
    private static String plan(NamedSql file, String name) throws SQLException {
        var names = new ArrayList<String>();
        String text =
                Pattern.compile("(?<!:):([a-z][a-z0-9_]*)")
                        .matcher(file.source(name))
                        .replaceAll(
                                match -> {
                                    if (!names.contains(match.group(1))) {
                                        names.add(match.group(1));
                                    }
                                    return "\\$" + (names.indexOf(match.group(1)) + 1);
                                });
        var plan = new StringBuilder();
        String nulls = String.join(", ", Collections.nCopies(names.size(), "null"));
        try (Connection connection = flow.kernel().database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set plan_cache_mode = force_generic_plan");
            statement.execute("prepare one as " + text);
            try (ResultSet lines = statement.executeQuery("explain execute one(" + nulls + ")")) {
                while (lines.next()) {
                    plan.append(lines.getString(1)).append('\n');
                }
            }
        }
        assertThat(plan.toString()).doesNotContain("Seq Scan");
        return plan.toString();
    }
}
