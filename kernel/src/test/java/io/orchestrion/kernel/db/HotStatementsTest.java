package io.orchestrion.kernel.db;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Map.entry;

import io.orchestrion.kernel.audit.AuditSql;
import io.orchestrion.kernel.bulk.BulkSql;
import io.orchestrion.kernel.events.EventsSql;
import io.orchestrion.kernel.flow.FlowSql;
import io.orchestrion.kernel.idempotency.IdempotencySql;
import io.orchestrion.kernel.identity.IdentitySql;
import io.orchestrion.kernel.identity.WorkerTokenSql;
import io.orchestrion.kernel.joblog.JobLogSql;
import io.orchestrion.kernel.outbox.OutboxSql;
import io.orchestrion.kernel.schedule.ScheduleSql;
import io.orchestrion.kernel.sequence.SequenceSql;
import io.orchestrion.kernel.type.TypeSql;
import io.orchestrion.kernel.work.ChunkSql;
import io.orchestrion.kernel.work.DependencySql;
import io.orchestrion.kernel.work.KindSql;
import io.orchestrion.kernel.work.PolicySql;
import io.orchestrion.kernel.work.ReceiptSql;
import io.orchestrion.kernel.work.RetentionSql;
import io.orchestrion.kernel.work.UniqueSql;
import io.orchestrion.kernel.work.WorkSql;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Holds the statements to the forms that spread over a distributed PostgreSQL by account, as the
/// design's "Past one machine" lists them.
class HotStatementsTest {
    private static final Set<String> HOT_TABLES =
            Set.of(
                    "work",
                    "work_event",
                    "event_chunk",
                    "event_log",
                    "work_receipt",
                    "claim_receipt",
                    "claim_lease",
                    "idempotency",
                    "outbox",
                    "work_dependency",
                    "parent_end",
                    "work_unique",
                    "flow_ring",
                    "flow_start",
                    "job_event",
                    "job_log");

    /// The only statements over all accounts: looks that write and lock nothing.
    private static final Set<String> CROSS_ACCOUNT =
            Set.of(
                    "work/accounts_with_lapsed_leases",
                    "work/queues_with_due_work",
                    "work/claimable",
                    "retention/accounts_to_purge",
                    "chunk/accounts_with_old_chunks",
                    "idempotency/accounts_with_expired",
                    "receipt/accounts_with_old_claims",
                    "outbox/accounts_with_messages",
                    "schedule/accounts_due",
                    "schedule/accounts_with_old_fires",
                    "dependency/accounts_with_ends",
                    "flow/types_to_reflow",
                    "flow/rings_after",
                    "flow/accounts_with_old_starts",
                    "events/moved",
                    "sequence/accounts_behind",
                    "joblog/moved",
                    "identity/find_key",
                    "identity/accounts_with_old_keys",
                    "worker_token/find",
                    "worker_token/accounts_with_old_tokens",
                    "audit/accounts_with_old_entries",
                    "bulk/due",
                    "bulk/accounts_with_old_operations",
                    "type/unsettled");

    /// A holder waits for its own row; everybody else passes over what is locked.
    private static final Set<String> MAY_WAIT_FOR_ROWS =
            Set.of(
                    "work/heartbeat",
                    "work/complete",
                    "work/lock",
                    "policy/heartbeat",
                    "sequence/lock_log",
                    "schedule/lock",
                    "schedule/lock_tasks",
                    "flow/lock_rings");

    /// Waits for one row by its key, so that there is no order to keep.
    private static final Set<String> WAITS_FOR_ONE = Set.of("schedule/lock", "sequence/lock_log");

    private static Map<String, String> statements() {
        var all = new LinkedHashMap<String, String>();
        Map.ofEntries(
                        entry("work", WorkSql.statements()),
                        entry("chunk", ChunkSql.statements()),
                        entry("retention", RetentionSql.statements()),
                        entry("idempotency", IdempotencySql.statements()),
                        entry("outbox", OutboxSql.statements()),
                        entry("schedule", ScheduleSql.statements()),
                        entry("identity", IdentitySql.statements()),
                        entry("worker_token", WorkerTokenSql.statements()),
                        entry("audit", AuditSql.statements()),
                        entry("bulk", BulkSql.statements()),
                        entry("dependency", DependencySql.statements()),
                        entry("unique", UniqueSql.statements()),
                        entry("flow", FlowSql.statements()),
                        entry("events", EventsSql.statements()),
                        entry("sequence", SequenceSql.statements()),
                        entry("type", TypeSql.statements()),
                        entry("receipt", ReceiptSql.statements()),
                        entry("kind", KindSql.statements()),
                        entry("policy", PolicySql.statements()),
                        entry("joblog", JobLogSql.statements()))
                .forEach(
                        (file, sql) ->
                                sql.texts()
                                        .forEach(
                                                (name, text) ->
                                                        all.put(file + "/" + name, plain(text))));
        return all;
    }

    private static String plain(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    /// The text of each pair of parentheses by itself, and of what is outside of all: a query sees
    /// the tables of its own level only.
    static List<String> levels(String text) {
        var done = new ArrayList<String>();
        var open = new ArrayList<StringBuilder>();
        open.add(new StringBuilder());
        for (char c : text.toCharArray()) {
            if (c == '(') {
                open.getLast().append("( )");
                open.add(new StringBuilder());
            } else if (c == ')') {
                done.add(open.removeLast().toString());
            } else {
                open.getLast().append(c);
            }
        }
        done.add(open.getLast().toString());
        return done;
    }

    private static final Pattern REFERENCE =
            Pattern.compile("\\b(from|join|update|using) ([a-z_]+)(?: as)? ([a-z_]+)\\b");
    private static final Pattern BARE_TABLE =
            Pattern.compile(
                    "\\b(?:from|join|update|into|using) (work|work_event|event_chunk|event_log|"
                        + "idempotency|outbox|work_dependency|parent_end|work_unique|flow_ring|flow_start|job_event|job_log|work_receipt|claim_receipt|claim_lease)\\b(?!"
                        + " (?:as )?[a-z]\\b)");

    /// What is wrong with the statement's table references; empty when nothing is.
    static List<String> referencesWithoutAccount(String text) {
        var wrong = new ArrayList<String>();
        for (String level : levels(text)) {
            if (BARE_TABLE.matcher(level).find()) {
                wrong.add("a table without an alias of one letter in: " + level);
            }
            Matcher reference = REFERENCE.matcher(level);
            while (reference.find()) {
                String table = reference.group(2);
                String alias = reference.group(3);
                if ((HOT_TABLES.contains(table) || table.equals("account"))
                        && !level.contains(alias + ".account_id = ?")) {
                    wrong.add(table + " " + alias + " in: " + level);
                }
            }
        }
        return wrong;
    }

    @Test
    void every_reference_to_a_hot_table_names_its_account() {
        statements()
                .forEach(
                        (name, text) -> {
                            if (!CROSS_ACCOUNT.contains(name)) {
                                assertThat(referencesWithoutAccount(text)).as(name).isEmpty();
                            }
                        });
    }

    @Test
    void what_looks_over_all_accounts_only_reads() {
        assertThat(statements().keySet()).containsAll(CROSS_ACCOUNT);
        for (String name : CROSS_ACCOUNT) {
            assertThat(statements().get(name))
                    .as(name)
                    .startsWith("select ")
                    .doesNotContain("for update")
                    .doesNotContain("with ");
        }
    }

    @Test
    void no_statement_with_ctes_inserts() {
        statements()
                .forEach(
                        (name, text) -> {
                            if (text.startsWith("with ")) {
                                assertThat(text).as(name).doesNotContain("insert into");
                            }
                        });
    }

    private static final String INSERT_INTO =
            "insert into ([a-z_]+) as ([a-z]) \\([^)]*\\) select a\\.account_id, .*";
    private static final String FROM_ARRAYS =
            " from account a(, unnest\\(.*\\) as n.*)? where a\\.account_id = \\?.*";
    private static final Pattern INSERT = Pattern.compile(INSERT_INTO + FROM_ARRAYS);

    @Test
    void inserts_into_hot_tables_take_the_account_from_its_own_row_and_the_rest_as_it_is_bound() {
        int inserts = 0;
        for (var statement : statements().entrySet()) {
            Matcher target = Pattern.compile("insert into ([a-z_]+)").matcher(statement.getValue());
            if (target.find() && HOT_TABLES.contains(target.group(1))) {
                assertThat(statement.getValue()).as(statement.getKey()).matches(INSERT);
                inserts++;
            }
        }
        assertThat(inserts).isEqualTo(16);
    }

    @Test
    void times_ids_and_tokens_are_bound() {
        Pattern made =
                Pattern.compile(
                        "\\b(now|random|gen_random_uuid|uuidv4|uuidv7|clock_timestamp|"
                                + "statement_timestamp|transaction_timestamp|nextval)\\s*\\(|"
                                + "\\binterval\\b|\\bcurrent_timestamp\\b|\\blocaltimestamp\\b");
        statements()
                .forEach((name, text) -> assertThat(made.matcher(text).find()).as(name).isFalse());
    }

    @Test
    void a_takeover_on_conflict_uses_what_was_to_be_inserted_and_nothing_else() {
        statements()
                .forEach(
                        (name, text) -> {
                            int update = text.indexOf("do update");
                            if (update >= 0) {
                                assertThat(text.substring(update)).as(name).doesNotContain("?");
                            }
                        });
    }

    @Test
    void whoever_may_pass_over_a_locked_row_does() {
        statements()
                .forEach(
                        (name, text) -> {
                            Matcher lock =
                                    Pattern.compile("for update(?: of w)?( skip locked)?")
                                            .matcher(text);
                            while (lock.find()) {
                                assertThat(lock.group(1) != null)
                                        .as(name)
                                        .isEqualTo(!MAY_WAIT_FOR_ROWS.contains(name));
                            }
                        });
        for (String name :
                List.of(
                        "work/claim_one",
                        "work/claim",
                        "work/claim_from",
                        "work/claim_fitting",
                        "work/promote_due",
                        "retention/purgeable",
                        "chunk/purge_chunks",
                        "work/look_again_later",
                        "work/lock_unless_busy",
                        "idempotency/purge_expired",
                        "outbox/take",
                        "schedule/lock_due",
                        "schedule/purge_fires",
                        "dependency/take_ends")) {
            assertThat(statements().get(name)).as(name).contains("for update skip locked");
        }
    }

    @Test
    void rows_that_are_waited_for_are_locked_in_one_order() {
        for (String name : MAY_WAIT_FOR_ROWS) {
            assertThat(statements().get(name))
                    .as(name)
                    .containsPattern(
                            WAITS_FOR_ONE.contains(name)
                                    ? "(s\\.schedule_id|where l\\.account_id) = \\? for update"
                                    : "order by (w\\.id|r\\.kind) for update|order by id limit"
                                            + " \\?\\) as n cross join lateral \\( ?select w\\.ctid"
                                            + " as row from work w where .* for update\\)");
        }
    }

    @Test
    void a_cte_that_locks_is_materialized() {
        Pattern cte = Pattern.compile("(?:with |, ?)([a-z_]+) as (materialized )?\\(");
        statements()
                .forEach(
                        (name, text) -> {
                            if (text.startsWith("with ") && text.contains("for update")) {
                                Matcher first = cte.matcher(text);
                                assertThat(first.find()).as(name).isTrue();
                                assertThat(first.group(2)).as(name).isNotNull();
                            }
                        });
    }

    @Test
    void nothing_relies_on_what_a_distributed_database_lacks() {
        statements()
                .forEach(
                        (name, text) ->
                                assertThat(text)
                                        .as(name)
                                        .doesNotContain("advisory")
                                        .doesNotContain("notify")
                                        .doesNotContain("set local"));
    }

    /// The check of the references itself, on statements that break the rule.
    @Test
    void a_reference_without_its_account_is_found_wherever_it_hides() {
        assertThat(referencesWithoutAccount("select w.id from work w where w.account_id = ?"))
                .isEmpty();
        for (String bad :
                List.of(
                        "select w.id from work w where w.id = ?",
                        "select id from work where account_id = ?",
                        "select w.id from work w join work_event p on p.id = w.id"
                                + " where w.account_id = ?",
                        "select w.id from work w join work_event p on p.account_id ="
                                + " w.account_id where w.account_id = ?",
                        "with c as (select w.id from work w for update) update work w set x = 1"
                                + " from c where w.account_id = ? and w.id = c.id",
                        "with c as (select w.id from work w where w.account_id = ?) delete from"
                                + " outbox m using c where m.work_id = c.id",
                        "update work w set x = 1 where w.account_id = any(?)")) {
            assertThat(referencesWithoutAccount(bad)).as(bad).isNotEmpty();
        }
    }
}
