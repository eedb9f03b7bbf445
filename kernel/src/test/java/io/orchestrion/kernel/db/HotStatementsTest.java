package io.orchestrion.kernel.db;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Map.entry;

import io.orchestrion.kernel.audit.AuditSql;
import io.orchestrion.kernel.bulk.BulkSql;
import io.orchestrion.kernel.dependency.DependencySql;
import io.orchestrion.kernel.duties.TimerSql;
import io.orchestrion.kernel.events.EventsSql;
import io.orchestrion.kernel.events.SubjectSql;
import io.orchestrion.kernel.flow.FlowSql;
import io.orchestrion.kernel.history.ChunkSql;
import io.orchestrion.kernel.idempotency.IdempotencySql;
import io.orchestrion.kernel.identity.IdentitySql;
import io.orchestrion.kernel.identity.WorkerTokenSql;
import io.orchestrion.kernel.itemlog.ItemLogSql;
import io.orchestrion.kernel.pool.HeldSql;
import io.orchestrion.kernel.pool.PoolSql;
import io.orchestrion.kernel.schedule.ScheduleSql;
import io.orchestrion.kernel.sequence.SequenceSql;
import io.orchestrion.kernel.type.TypeSql;
import io.orchestrion.kernel.verbs.KindSql;
import io.orchestrion.kernel.verbs.OwnedSql;
import io.orchestrion.kernel.verbs.PolicySql;
import io.orchestrion.kernel.verbs.ReadySql;
import io.orchestrion.kernel.verbs.ReceiptSql;
import io.orchestrion.kernel.verbs.RetentionSql;
import io.orchestrion.kernel.verbs.UniqueSql;
import io.orchestrion.kernel.verbs.WorkSql;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Holds the kernel's statements to how they bind and how they lock. That they can run on a
/// PostgreSQL which is spread by account, the server's `SpreadFormsTest` checks for every module.
class HotStatementsTest {
    /// Who has locked an owner, or has none, waits for its items; everybody else passes over what
    /// is locked, also what heartbeats and completions find.
    private static final Set<String> MAY_WAIT_FOR_ROWS =
            Set.of(
                    "work/lock",
                    "owned/hold",
                    "owned/release",
                    "owned/revoke",
                    "owned/ask_to_pause",
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
                        entry("timer", TimerSql.statements()),
                        entry("pool", PoolSql.statements()),
                        entry("held", HeldSql.statements()),
                        entry("chunk", ChunkSql.statements()),
                        entry("retention", RetentionSql.statements()),
                        entry("idempotency", IdempotencySql.statements()),
                        entry("schedule", ScheduleSql.statements()),
                        entry("identity", IdentitySql.statements()),
                        entry("worker_token", WorkerTokenSql.statements()),
                        entry("audit", AuditSql.statements()),
                        entry("bulk", BulkSql.statements()),
                        entry("dependency", DependencySql.statements()),
                        entry("unique", UniqueSql.statements()),
                        entry("flow", FlowSql.statements()),
                        entry("events", EventsSql.statements()),
                        entry("subject", SubjectSql.statements()),
                        entry("sequence", SequenceSql.statements()),
                        entry("type", TypeSql.statements()),
                        entry("receipt", ReceiptSql.statements()),
                        entry("kind", KindSql.statements()),
                        entry("policy", PolicySql.statements()),
                        entry("owned", OwnedSql.statements()),
                        entry("ready", ReadySql.statements()),
                        entry("itemlog", ItemLogSql.statements()))
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
                        "work/heartbeat",
                        "work/complete",
                        "policy/heartbeat",
                        "work/look_again_later",
                        "work/look_again_at",
                        "work/lock_unless_busy",
                        "idempotency/purge_expired",
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
                                    : "order by (w\\.id|r\\.kind) for update");
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
}
