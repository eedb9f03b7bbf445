package io.orchestrion.server.statements;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Map.entry;

import io.orchestrion.kernel.db.Tables.Place;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Holds every named statement of every module to the forms in which it can run on a PostgreSQL
/// that is spread over several machines by account. What a form is, a real server tells: it is
/// asked for the tree that it makes of the statement, and for what its functions are.
class SpreadFormsTest {
    private static final String LIST = "finds the accounts for which there is something to do";
    private static final String LOOK_UP = "finds an account that nobody has said";
    private static final String ROOM = "counts the room that all accounts share, and only looks";
    private static final String ONE_MACHINE = "said where one machine has all accounts, else ";

    /// The statements over all accounts, and why they may be. They only read, and lock nothing.
    private static final Map<String, String> OVER_ALL_ACCOUNTS =
            Map.ofEntries(
                    entry("work/accounts_with_lapsed_leases", LIST),
                    entry("work/queues_with_due_work", LIST),
                    entry("timer/accounts_with_overdue_work", LIST),
                    entry("pool/waiting", LIST),
                    entry("work/claimable", ONE_MACHINE + "work/claimable_of_one"),
                    entry("retention/accounts_to_purge", LIST),
                    entry("chunk/accounts_with_old_chunks", LIST),
                    entry("idempotency/accounts_with_expired", LIST),
                    entry("receipt/accounts_with_old_claims", LIST),
                    entry("schedule/accounts_due", LIST),
                    entry("schedule/accounts_with_old_fires", LIST),
                    entry("dependency/accounts_with_ends", LIST),
                    entry("flow/types_to_reflow", LIST),
                    entry("flow/rings_after", LIST),
                    entry("flow/strays", ONE_MACHINE + "flow/strays_of_one"),
                    entry("flow/accounts_with_old_starts", LIST),
                    entry("events/moved", ONE_MACHINE + "events/moved_of_one"),
                    entry(
                            "sequence/accounts_behind",
                            ONE_MACHINE + "sequence/accounts_behind_of_one"),
                    entry("itemlog/moved", ONE_MACHINE + "itemlog/moved_of_one"),
                    entry("reader/any_reader", LIST),
                    entry("reader/logs_to_read", LIST),
                    entry("audit/accounts_with_old_entries", LIST),
                    entry("bulk/due", LIST),
                    entry("bulk/accounts_with_old_operations", LIST),
                    entry("type/unsettled", LIST),
                    entry("totals/accounts_after", LIST),
                    entry("totals/logs_behind", ONE_MACHINE + "totals/logs_behind_of_one"),
                    entry("totals/sums", ONE_MACHINE + "totals/sums_of_one"),
                    entry("capacity/count_waiting", ROOM),
                    entry("capacity/count_active", ROOM),
                    entry("capacity/active_by_account", ROOM),
                    entry("capacity/due", LIST),
                    entry("capacity/heads", LIST),
                    entry("capacity/accounts_with_ready_jobs", LIST),
                    entry("capacity/heads_by_account", ONE_MACHINE + "capacity/heads_of_account"),
                    entry("jobs/others", LOOK_UP),
                    entry("reports/accounts_with_retries", LIST),
                    entry("reports/accounts_with_problems", LIST),
                    entry("reports/jobs_after", LIST),
                    entry("reports/unsound", ONE_MACHINE + "reports/unsound_of_one"),
                    entry("billing/open_elsewhere", LIST),
                    entry("billing/due_for_a_look", LIST),
                    entry("local_order/find", LOOK_UP),
                    entry("delivery/accounts_with_orphans", LIST),
                    entry("endpoint/accounts_to_purge", LIST),
                    entry("endpoint/any_active", LIST),
                    entry("endpoint/due", LIST),
                    entry("execution_retention/accounts_with_old_executions", LIST),
                    entry("retention/accounts_with_old_runs", LIST),
                    entry("sweep/without_heartbeat", LIST),
                    entry("sweep/due_runs", LIST),
                    entry("sweep/due_agents", LIST),
                    entry("sweep/due_tasks", LIST),
                    entry("artifact_sweep/accounts_with_due_artifacts", LIST),
                    entry("check/runs_after", LIST),
                    entry("check/runs", ONE_MACHINE + "check/runs_of_one"),
                    entry("check/agents_after", LIST),
                    entry("check/agents", ONE_MACHINE + "check/agents_of_one"),
                    entry("check/tasks_after", LIST),
                    entry("check/tasks", ONE_MACHINE + "check/tasks_of_one"),
                    entry("check/artifacts_after", LIST),
                    entry("check/artifacts", ONE_MACHINE + "check/artifacts_of_one"),
                    entry("check/entries_after", LIST),
                    entry("check/entries", ONE_MACHINE + "check/entries_of_one"),
                    entry("check/balances_after", LIST),
                    entry("check/balances", ONE_MACHINE + "check/balances_of_one"),
                    entry("check/attempts_after", LIST),
                    entry("check/attempts", ONE_MACHINE + "check/attempts_of_one"),
                    entry("credit/owner", LOOK_UP),
                    entry("read/stuck", LIST),
                    entry("read/owner", LOOK_UP),
                    entry("output/moved", ONE_MACHINE + "output/moved_of_one"),
                    entry("endpoint/exists_anywhere", LOOK_UP));

    /// Those that write for many accounts where one machine has them all, and what is said instead
    /// where not.
    private static final Map<String, String> WRITING_ON_ONE_MACHINE =
            Map.of(
                    "totals/begin_folds", "totals/begin_folds_of_one",
                    "totals/lock_folds", "totals/lock_folds_of_one",
                    "totals/move", "totals/move_of_one");

    /// Settings of a transaction. The guard looks at all rows anyway where the first does not come
    /// along; the second is passed on.
    private static final Set<String> SETTINGS =
            Set.of(
                    "work/guard_rows",
                    "retention/items_go",
                    "subject/subjects_go",
                    "execution_retention/executions_go",
                    "retention/runs_go");

    private static TestKernel kernel;
    private static Catalogue catalogue;
    private static SpreadForms forms;

    @BeforeAll
    static void open() throws SQLException {
        kernel = new TestKernel(options -> options.withSchema(EveryPart.SCHEMA));
        catalogue = new Catalogue(kernel.database().connect());
        forms = new SpreadForms(catalogue);
    }

    @AfterAll
    static void close() throws SQLException {
        catalogue.close();
        kernel.close();
    }

    @Test
    void every_file_of_statements_is_looked_at() {
        assertThat(NamedStatements.filesThatAreRead()).isEqualTo(NamedStatements.files());
        assertThat(NamedStatements.all()).hasSizeGreaterThan(300);
    }

    @Test
    void every_table_has_its_place() {
        var placed = new ArrayList<String>();
        for (Place place : Place.values()) {
            placed.addAll(EveryPart.SCHEMA.at(place));
        }
        List<Object> tables =
                kernel
                        .database()
                        .rows(
                                "select relname from pg_class where relkind in ('r', 'p')"
                                        + " and relnamespace = 'orchestrion'::regnamespace")
                        .stream()
                        .map(row -> row.get("relname"))
                        .toList();
        assertThat(placed)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(
                        tables.stream().map(String.class::cast).toList());
    }

    /// A view is where the rows are that it shows, so it is held to what its tables are: each of
    /// its rows says whose it is, and none comes from a table that is elsewhere.
    @Test
    void views_show_rows_of_tables_by_account_with_their_account() {
        List<Map<String, Object>> views =
                kernel.database()
                        .rows(
                                """
                                select v.relname as view, t.relname as rests_on, t.relkind,
                                       exists (select from pg_attribute a
                                                where a.attrelid = v.oid and a.attname = 'account_id') as says
                                  from pg_class v
                                  join pg_rewrite r on r.ev_class = v.oid
                                  join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
                                                  and d.refclassid = 'pg_class'::regclass and d.refobjid <> v.oid
                                  join pg_class t on t.oid = d.refobjid
                                 where v.relkind = 'v' and v.relnamespace = 'orchestrion'::regnamespace
                                """);
        assertThat(views).extracting(row -> row.get("view")).contains("item", "item_event");
        assertThat(views)
                .allSatisfy(
                        row -> {
                            assertThat(row.get("says")).as("%s", row).isEqualTo(true);
                            if (!row.get("relkind").equals("v")) {
                                assertThat(EveryPart.SCHEMA.at(Place.BY_ACCOUNT))
                                        .contains((String) row.get("rests_on"));
                            }
                        });
    }

    @Test
    void every_statement_can_run_on_a_database_that_is_spread_by_account() throws SQLException {
        var wrong = new TreeMap<String, List<String>>();
        for (var statement : NamedStatements.all().entrySet()) {
            String name = statement.getKey();
            List<String> found = forms.wrongWith(statement.getValue());
            boolean allowed =
                    WRITING_ON_ONE_MACHINE.containsKey(name)
                            || (OVER_ALL_ACCOUNTS.containsKey(name)
                                    && SpreadForms.isOverAllAccounts(found)
                                    && forms.onlyReads(statement.getValue()));
            if (!found.isEmpty() && !allowed) {
                wrong.put(name, found);
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void the_lists_of_exceptions_name_nothing_that_is_no_exception() throws SQLException {
        Map<String, String> all = NamedStatements.all();
        for (String name : OVER_ALL_ACCOUNTS.keySet()) {
            assertThat(all).containsKey(name);
            assertThat(forms.wrongWith(all.get(name))).as(name).isNotEmpty();
        }
        for (var each : WRITING_ON_ONE_MACHINE.entrySet()) {
            assertThat(forms.wrongWith(all.get(each.getKey()))).as(each.getKey()).isNotEmpty();
            assertThat(forms.wrongWith(all.get(each.getValue()))).as(each.getValue()).isEmpty();
        }
        for (String reason : OVER_ALL_ACCOUNTS.values()) {
            if (reason.startsWith(ONE_MACHINE)) {
                String other = reason.substring(ONE_MACHINE.length());
                assertThat(all).containsKey(other);
                assertThat(forms.wrongWith(all.get(other))).as(other).isEmpty();
            }
        }
    }

    @Test
    void settings_of_a_transaction_are_said_by_set_alone_and_nothing_else_is_relied_on() {
        NamedStatements.all()
                .forEach(
                        (name, text) -> {
                            assertThat(text.startsWith("set local "))
                                    .as(name)
                                    .isEqualTo(SETTINGS.contains(name));
                            assertThat(text)
                                    .as(name)
                                    .doesNotContain("advisory")
                                    .doesNotContain("notify");
                        });
    }

    /// Each of the forms that were found on a cluster, put back.
    @ParameterizedTest
    @CsvSource(
            delimiterString = " => ",
            quoteCharacter = '`',
            textBlock =
                    """
                    names no account for work => select w.id from work w where w.id = :id
                    names no account for work => update work w set state = 'ready' where w.id = :id
                    names no account for work_type => select w.id from work w join work_type t on t.account_id = w.account_id where w.account_id = :account
                    names no account for work => with c as (select w.id from work w for update) update work w set rank = 1 from c where w.account_id = :account and w.id = c.id
                    names no account for work_receipt => with c as (select w.id from work w where w.account_id = :account) delete from work_receipt m using c where m.work_id = c.id
                    names no account for work => select w.id from work w where w.account_id = any(:accounts::uuid[])
                    names no account for work => select w.id from work w where w.account_id = :account or w.id = :id
                    names no account for job => select 1 from work w where w.account_id = :account and exists (select from job j where j.account_id = w.account_id)
                    names no account for work_event => select e.seq from work_event e where e.work_id = :id
                    names no account for item => select i.id from item i where i.id = :id
                    names no account for item => select j.job_id from job j join item i on i.account_id = j.account_id and i.id = j.job_id where j.account_id = :account
                    names no account for item_event => select e.seq from item i join item_event e on e.item_id = i.id where i.account_id = :account
                    joins rows of accounts with job_capacity => select i.id from item i join job_capacity c on c.max > i.order_ms where i.account_id = :account
                    names no account for work => select n.id from unnest(:accounts::uuid[]) as n(id) cross join lateral (select w.id from work w where w.account_id = n.id limit 1) as f
                    names no account for payment_entry => select 1 from purchase p, lateral (select from payment_entry e where e.account_id = p.account_id limit 1) e where p.account_id = :account
                    calls concat => update work w set history = concat(w.history, '[', :tx::bigint) where w.account_id = :account
                    calls textanycat => update work w set history = w.history || w.attempt where w.account_id = :account
                    calls to_json => update work w set history = w.history || to_json(w.holder)::text where w.account_id = :account
                    calls set_config => update work w set rank = 1 from (select set_config('orchestrion.guard', 'row', true) as g offset 0) as g where w.account_id = :account and g.g = 'row'
                    calls clock_timestamp => update work w set updated_ms = extract(epoch from clock_timestamp())::bigint where w.account_id = :account
                    calls gen_random_uuid => update work w set lease_token = gen_random_uuid() where w.account_id = :account
                    calls now => update work w set updated_ms = case when w.state = 'ready' then extract(epoch from now())::bigint end where w.account_id = :account
                    calls now => delete from work w where w.account_id = :account and to_timestamp(w.created_ms) < now()
                    calls timestamptz_pl_interval => delete from work w where w.account_id = :account and to_timestamp(w.created_ms) + interval '1 day' < :at::timestamptz
                    calls now => insert into client as c (account_id, created_ms) values (:account, 1) on conflict (account_id) do update set created_ms = extract(epoch from now())::bigint
                    calls now => insert into client as c (account_id, created_ms) values (:account, 1) returning now()
                    inserts beside => with u as (update work w set rank = 1 where w.account_id = :account returning w.account_id, w.id) insert into work_receipt as r (account_id, work_id) select u.account_id, u.id from u
                    inserts beside => with i as (insert into client as c (account_id, created_ms) values (:account, 1) returning c.account_id) select i.account_id from i
                    account comes from no row => insert into event_fold as f (account_id, queue, position) select :account::uuid, n.queue, 0 from unnest(:queues::text[]) as n(queue)
                    account comes from no row => insert into event_fold as f (account_id, queue, position) select n.account_id, n.queue, 0 from unnest(:accounts::uuid[], :queues::text[]) as n(account_id, queue)
                    without an alias => insert into event_fold (account_id, queue, position) select a.account_id, 'tasks', 0 from account a where a.account_id = :account returning queue
                    looks up in api_key => insert into client (account_id, created_ms) values (:account, (select max(k.created_ms) from api_key k where k.account_id = :account))
                    looks up in api_key => insert into client as c (account_id, created_ms) select a.account_id, (select max(k.created_ms) from api_key k where k.account_id = :account) from account a where a.account_id = :account
                    looks up in work => insert into client (account_id, created_ms) values (:account, (select max(w.created_ms) from work w where w.account_id = :account))
                    locks rows of api_key => with u as materialized (select k.key_id from api_key k where k.account_id = :account for update skip locked) update api_key k set last_used_ms = 1 from u where k.account_id = :account and k.key_id = u.key_id
                    locks rows of worker_token => with g as materialized (select t.token_id from worker_token t where t.account_id = :account for update skip locked) delete from worker_token t using g where t.account_id = :account and t.token_id = g.token_id
                    several accounts => select w.id from work w join job j on j.account_id = :other and j.job_id = w.id where w.account_id = :account
                    joins rows of accounts with allowance => select w.id from work w join allowance a on a.account_id = w.account_id where w.account_id = :account
                    """)
    void a_form_that_a_spread_database_refuses_is_found(String told, String statement)
            throws SQLException {
        assertThat(forms.wrongWith(statement)).anyMatch(wrong -> wrong.contains(told));
    }

    @Test
    void what_a_spread_database_takes_is_let_be() throws SQLException {
        for (String good :
                List.of(
                        "select w.id from work w where w.account_id = :account",
                        "select k.account_id from api_key k where k.key_hash = :hash",
                        "select j.job_id, e.seq from job j join item i on i.account_id = :account"
                                + " and i.id = j.job_id join item_event e on e.account_id ="
                                + " :account and e.item_id = i.id where j.account_id = :account",
                        "update work w set history = w.history || w.attempt::text"
                                + " where :account = w.account_id",
                        "select w.id from work w left join job j on j.account_id = :account"
                                + " and j.job_id = w.id where w.account_id = :account",
                        "insert into client (account_id, created_ms) values (:account, :now)",
                        "insert into client as c (account_id, created_ms) select a.account_id, 1"
                                + " from account a where a.account_id = :account"
                                + " on conflict (account_id) do update"
                                + " set created_ms = excluded.created_ms returning c.created_ms")) {
            assertThat(forms.wrongWith(good)).as(good).isEmpty();
        }
    }

    /// An element of an array in a change of such a table crashed the coordinator of a cluster.
    @Test
    void functions_copy_the_elements_of_arrays_before_they_change_rows_with_them() {
        var wrong = new ArrayList<String>();
        for (var function :
                kernel.database()
                        .rows(
                                "select p.proname, p.prosrc, pg_get_function_arguments(p.oid) as of"
                                        + " from pg_proc p join pg_language l on l.oid = p.prolang"
                                        + " where p.pronamespace = 'orchestrion'::regnamespace"
                                        + " and l.lanname = 'plpgsql'")) {
            wrong.addAll(elementsInChanges(function.get("of") + "; " + function.get("prosrc")));
        }
        assertThat(wrong).isEmpty();
        assertThat(
                        elementsInChanges(
                                "steps bigint[]; begin update work w set rank = steps[i]"
                                        + " where w.account_id = the_account; end"))
                .containsExactly(
                        "steps in: update work w set rank = steps[i] where w.account_id ="
                                + " the_account");
        assertThat(
                        elementsInChanges(
                                "steps bigint[]; begin step := steps[i]; update work w set rank ="
                                        + " step; end"))
                .isEmpty();
    }

    private static List<String> elementsInChanges(String source) {
        String text = source.replaceAll("--[^\n]*", "").replaceAll("\\s+", " ");
        var arrays = new ArrayList<String>();
        var declared = Pattern.compile("([a-z_]+) [a-z]+\\[\\]").matcher(text);
        while (declared.find()) {
            arrays.add(declared.group(1));
        }
        var wrong = new ArrayList<String>();
        for (String each : text.split(";", -1)) {
            String statement = each.replaceFirst("^.*\\b(begin|then|else|loop) ", "").strip();
            boolean changes =
                    EveryPart.SCHEMA.at(Place.AT_THE_ENTRY).stream()
                                    .noneMatch(
                                            local ->
                                                    statement.matches(
                                                            "(update|insert into|delete from) "
                                                                    + local
                                                                    + "\\b.*"))
                            && statement.matches("(update|insert into|delete from) .*");
            for (String array : arrays) {
                if (changes && statement.matches(".*\\b" + array + " ?\\[.*")) {
                    wrong.add(array + " in: " + statement);
                }
            }
        }
        return wrong;
    }
}
