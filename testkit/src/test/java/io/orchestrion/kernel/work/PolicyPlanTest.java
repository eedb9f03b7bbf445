package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.policy.Policy;
import io.orchestrion.kernel.policy.Requirements;
import io.orchestrion.kernel.verbs.PolicySql;
import io.orchestrion.kernel.verbs.WorkSql;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How much the database reads to find the one job that a worker may take behind very many that it
/// may not: counted in blocks, with the plan for any values that lanes use and with the planner's
/// defaults for the rest.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PolicyPlanTest {
    private static final int IN_FRONT = 100_000;

    private static QueueFixture queue;

    @BeforeAll
    static void start() {
        queue = new QueueFixture();
    }

    @AfterAll
    static void stop() {
        queue.close();
    }

    @Test
    @Order(1)
    void on_empty_tables_the_plan_for_any_values_reads_the_right_indexes() throws SQLException {
        String plan = explain("explain ", "force_generic_plan", claim(Policy.ANYTHING));
        assertWalksAlongTheIndexes(plan);
        // What is taken is looked up by its ids, and not by reading the account.
        assertThat(plan).containsPattern("Index Cond: .*\\(id = ANY");
    }

    private static void assertRightIndexes(String plan) {
        assertWalksAlongTheIndexes(plan);
        assertThat(plan).doesNotContain("work_by_state");
    }

    private static void assertWalksAlongTheIndexes(String plan) {
        for (String index : List.of("work_fit", "work_fit_owner", "work_fit_repository")) {
            assertThat(plan.split("using " + index + " on work", -1)).as(plan).hasSize(3);
        }
        assertThat(plan)
                .containsPattern("ROW\\(capabilities, kind\\) >= ROW")
                .doesNotContain("work_ready")
                .doesNotContain("Seq Scan");
    }

    /// A hundred thousand of the highest priority, each of a repository, an owner, a kind and a set
    /// of capabilities of its own, and before them in every order that an index has.
    private static void crowd() throws SQLException {
        try (Connection connection = queue.fixture.database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("alter table work disable trigger user");
            statement.execute(
                    """
                    insert into work (account_id, id, profile, queue, kind, state, priority, order_ms,
                        attempt, max_attempts, retries, lease_seconds, lease_number,
                        cancel_requested, created_ms, updated_ms, event_seq, event_ms, rank,
                        repository, repository_owner, capabilities, payload)
                    select '%s', gen_random_uuid(), 'queue', 'queue',
                           case when n %% 2 = 0 then 'build' else 'b' || n end, 'ready', 100, 0,
                           0, 3, 0, 120, 0, false, 1, 1, 1, 1, 100,
                           case when n %% 3 = 0 then 'acme/r' || n else 'o' || n || '/r' end,
                           case when n %% 3 = 0 then 'acme' else 'o' || n end,
                           case n %% 4 when 0 then array['gpu']
                                       when 1 then array['gh', 'git', 'x' || n]
                                       when 2 then array['a' || n]
                                       else array['git', 'gpu', 'x' || n] end, '{}'
                      from generate_series(1, %d) as n
                    """
                            .formatted(queue.account, IN_FRONT));
            statement.execute("alter table work enable trigger user");
            statement.execute("vacuum analyze work");
        }
    }

    /// Not one row of the crowd is locked, written or read on the way, and the worker is not
    /// starved: it gets its job although it is the last in line.
    @Test
    @Order(2)
    void a_worker_finds_its_job_behind_a_hundred_thousand_that_it_may_not_take()
            throws SQLException {
        int alone = claimBlocks(git());
        crowd();
        for (Policy policy :
                List.of(
                        git(),
                        new Policy(Set.of("build", "test"), null, Set.of("git", "gh")),
                        new Policy(null, Set.of("acme/*"), Set.of("git", "gh")),
                        new Policy(null, Set.of("acme/app", "o7/r"), Set.of("git", "gh")),
                        new Policy(null, Set.of("acme/*", "beta/app"), Set.of("git")))) {
            String plan =
                    explain("explain (analyze, buffers) ", "force_generic_plan", claim(policy));
            assertThat(blocks(plan)).as(policy + "\n" + plan).isLessThan(150);
            assertThat(rowsRead(plan)).as(policy + "\n" + plan).isLessThan(60);
            UUID id = queue.submit("build", "acme/app", List.of("git"));
            String found =
                    explain("explain (analyze, buffers) ", "force_generic_plan", claim(policy));
            assertRightIndexes(found);
            assertThat(blocks(found)).as(found).isLessThan(alone + 150);
            assertThat(rowsRead(found)).as(found).isLessThan(60);
            assertThat(queue.claim(policy, "w", 5))
                    .as(policy.toString())
                    .extracting(WorkItem::id)
                    .containsExactly(id);
            assertThat(queue.claim(policy, "w", 5)).isEmpty();
        }
    }

    private static Policy git() {
        return new Policy(null, null, Set.of("git", "gh"));
    }

    private static int claimBlocks(Policy policy) throws SQLException {
        queue.submit("build", "acme/app", List.of("git"));
        String plan = explain("explain (analyze, buffers) ", "force_generic_plan", claim(policy));
        assertThat(queue.claim(policy, "w", 5)).hasSize(1);
        return blocks(plan);
    }

    /// The looks that a claim takes before it: at what is due, and at leases that ran out.
    @ParameterizedTest
    @Order(3)
    @CsvSource({
        "kinds_due, force_custom_plan,  work_due",
        "kinds_due, force_generic_plan, work_due",
        "lapsed,    force_custom_plan,  work_lease_check",
        "lapsed,    force_generic_plan, work_lease_check",
        "heartbeat, force_generic_plan, work_pkey",
    })
    void the_looks_around_it_read_few_rows(String name, String mode, String index)
            throws SQLException {
        var values = new HashMap<>(VALUES);
        values.put("ids", "uuid[] array[gen_random_uuid()]");
        values.put("tokens", "uuid[] array[null]");
        values.put("numbers", "bigint[] array[null]");
        values.put("holders", "text[] array['w']");
        values.put("lease_seconds", "int[] array[60]");
        values.put("many", "int 1");
        String plan =
                explain(
                        "explain (analyze, buffers) ",
                        mode,
                        prepared(PolicySql.statements(), name, values));
        assertThat(plan).contains(index).doesNotContain("Seq Scan");
        assertThat(blocks(plan)).as(plan).isLessThan(60);
    }

    /// Rows of other queues have no entry in the indexes.
    @Test
    @Order(4)
    void tasks_are_in_none_of_the_indexes() {
        UUID task = queue.fixture.submit(Profiles.TASKS);
        assertThat(
                        queue.fixture
                                .database()
                                .rows(
                                        "select repository, repository_owner, capabilities from"
                                                + " work where id = ?",
                                        task)
                                .getFirst()
                                .values())
                .containsOnlyNulls();
        assertThat(
                        queue.fixture
                                .database()
                                .rows(
                                        "select indexdef from pg_indexes where indexname like"
                                                + " 'work_fit%'"))
                .hasSize(3)
                .extracting(row -> (String) row.get("indexdef"))
                .allMatch(text -> text.contains("WHERE ((capabilities IS NOT NULL)"));
    }

    private static final Map<String, String> VALUES =
            Map.ofEntries(
                    Map.entry("account", "uuid %s"),
                    Map.entry("queue", "text 'queue'"),
                    Map.entry("now", "bigint 1000000000000"),
                    Map.entry("tx", "bigint 1"),
                    Map.entry("leased_first", "text[] array['jobs']"),
                    Map.entry("groups", "int 1000"),
                    Map.entry("most", "int 9"),
                    Map.entry("count", "int 1"),
                    Map.entry("grant_tokens", "uuid[] array[gen_random_uuid()]"),
                    Map.entry("grant_holders", "text[] array['w']"),
                    Map.entry("grant_lease_seconds", "int[] array[60]"));

    private record Prepared(String types, String text, String values) {}

    private static Prepared claim(Policy policy) {
        var scopes = new ArrayList<String>();
        var places = new ArrayList<String>();
        if (policy.repositories() == null) {
            scopes.add("any");
            places.add("");
        }
        for (String owner : policy.owners()) {
            scopes.add("owner");
            places.add(owner);
        }
        for (String repository : policy.exactRepositories()) {
            scopes.add("repository");
            places.add(repository);
        }
        var values = new HashMap<>(VALUES);
        values.put("scopes", array(scopes));
        values.put("places", array(places));
        values.put("any_kind", "bool " + (policy.kinds() == null));
        values.put("kinds", array(sorted(policy.kinds())));
        values.put("any_capability", "bool " + (policy.capabilities() == null));
        values.put("capabilities", array(sorted(policy.capabilities())));
        return prepared(WorkSql.statements(), "claim_fitting", values);
    }

    private static List<String> sorted(Set<String> texts) {
        return texts == null ? List.of() : Requirements.sorted(texts);
    }

    private static String array(List<String> texts) {
        return "text[] array["
                + String.join(", ", texts.stream().map(t -> "'" + t + "'").toList())
                + "]";
    }

    private static Prepared prepared(NamedSql file, String name, Map<String, String> given) {
        var names = new ArrayList<String>();
        String text =
                Pattern.compile("(?<!:):([a-z][a-z0-9_]*)")
                        .matcher(file.source(name))
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
            String[] typeAndValue = given.get(each).split(" ", 2);
            types.add(typeAndValue[0]);
            values.add(
                    typeAndValue[1].replace("%s", "'" + queue.account + "'")
                            + "::"
                            + typeAndValue[0]);
        }
        return new Prepared(String.join(", ", types), text, String.join(", ", values));
    }

    private static String explain(String how, String mode, Prepared prepared) throws SQLException {
        try (Connection connection = queue.kernel().database().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("set plan_cache_mode = " + mode);
            statement.execute("prepare one (" + prepared.types + ") as " + prepared.text);
            var plan = new StringBuilder();
            try (ResultSet lines =
                    statement.executeQuery(how + "execute one(" + prepared.values + ")")) {
                while (lines.next()) {
                    plan.append(lines.getString(1)).append('\n');
                }
            }
            connection.rollback();
            return plan.toString();
        }
    }

    private static int blocks(String plan) {
        Matcher matcher =
                Pattern.compile("Buffers: shared hit=(\\d+)(?: read=(\\d+))?").matcher(plan);
        assertThat(matcher.find()).as(plan).isTrue();
        return Integer.parseInt(matcher.group(1))
                + (matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2)));
    }

    /// The rows of work that any scan of it gave, and those that it gave up.
    private static long rowsRead(String plan) {
        long read = 0;
        Matcher scan =
                Pattern.compile(
                                "Scan using work_\\w+ on work .*actual .*rows=([0-9.]+)"
                                        + " loops=(\\d+)")
                        .matcher(plan);
        while (scan.find()) {
            read += Math.round(Double.parseDouble(scan.group(1)) * Long.parseLong(scan.group(2)));
        }
        Matcher removed =
                Pattern.compile("Rows Removed by (?:Filter|Index Recheck): (\\d+)").matcher(plan);
        while (removed.find()) {
            read += Long.parseLong(removed.group(1));
        }
        return read;
    }
}
