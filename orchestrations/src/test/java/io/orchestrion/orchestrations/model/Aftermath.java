package io.orchestrion.orchestrations.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.orchestrations.execution.ExecutionStatus;
import io.orchestrion.orchestrations.execution.StepStatus;
import io.orchestrion.testkit.TestDatabase;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/// What must hold of the storage, whatever was done: looked up without the model.
final class Aftermath {
    private final Nodes nodes;
    private final Cohort cohort;
    private final TestDatabase database;
    private final UUID account;

    Aftermath(Nodes nodes, Cohort cohort) {
        this.nodes = nodes;
        this.cohort = cohort;
        this.database = nodes.test().database();
        this.account = cohort.account();
    }

    void check() {
        numbers();
        keys();
        items();
        unsafe();
        letters();
        events();
        totals();
    }

    private void none(String what, String sql) {
        List<Map<String, @Nullable Object>> rows = database.rows(sql, account);
        if (!rows.isEmpty()) {
            var row = rows.getFirst();
            for (Player player : cohort.players()) {
                if (player.id.equals(row.get("execution_id"))) {
                    throw player.violation(what + ": " + row);
                }
            }
            throw new Violation(what + ": " + row);
        }
    }

    private void numbers() {
        // A guard shares the number of the attempt that it goes before.
        for (String kind : List.of("<> 'compensation'", "= 'compensation'")) {
            none(
                    "has a gap in its attempts",
                    "select execution_id, step_id from orchestration_step where account_id = ?"
                            + " and kind "
                            + kind
                            + " group by execution_id, step_id having max(attempt_number) <>"
                            + " count(distinct attempt_number) or min(attempt_number) <> 1");
        }
    }

    private void keys() {
        Map<UUID, Player> byId = new HashMap<>();
        cohort.players().forEach(each -> byId.put(each.id, each));
        for (var row :
                database.rows(
                        "select distinct execution_id, step_id, kind, key_epoch, idempotency_key"
                                + " from orchestration_step where account_id = ?",
                        account)) {
            UUID execution = (UUID) row.get("execution_id");
            String key =
                    Keys.of(
                            account,
                            execution,
                            (String) row.get("step_id"),
                            "compensation".equals(row.get("kind")),
                            (Integer) row.get("key_epoch"));
            if (!key.equals(row.get("idempotency_key"))) {
                throw byId.get(execution).violation("has another key: " + row);
            }
        }
    }

    /// E-231: an item for each attempt that was handed out, and no other.
    private void items() {
        none(
                "has an item that is no attempt, or is open",
                """
                select i.owner_id as execution_id, i.id, i.profile, i.kind, i.state from item i
                 where i.account_id = ? and i.owner_kind = 'execution'
                   and (i.state in ('waiting', 'ready', 'leased', 'running')
                        or (i.kind <> 'orchestration_timeout' and not exists
                            (select 1 from orchestration_step s
                              where s.account_id = i.account_id and s.id = i.id)))
                """);
    }

    /// Whatever else happened, an attempt that is not safe to repeat began once for each time that
    /// somebody wanted it.
    private void unsafe() {
        none(
                "began something unsafe again by itself",
                """
                select execution_id, step_id from orchestration_step
                 where account_id = ? and kind = 'step' and safe_retry = 'NOT_SAFE_TO_RETRY'
                   and started_ms is not null
                 group by execution_id, step_id, budget_from having count(*) > 1
                """);
    }

    private void letters() {
        none(
                "has two open dead letters of a step",
                "select execution_id, step_id from orchestration_dead_letter where account_id = ?"
                    + " and status = 'open' group by execution_id, step_id having count(*) > 1");
        none(
                "has a failure without a dead letter",
                """
                select e.id as execution_id from orchestration_execution e
                 where e.account_id = ? and e.status = 'failed' and e.error_code <> 'execution_timeout'
                   and not exists (select 1 from orchestration_dead_letter d
                                    where d.account_id = e.account_id and d.execution_id = e.id)
                """);
    }

    /// Each subject's events are numbered without gaps, each begins where the last one ended, and
    /// the last one is where the row is.
    private void events() {
        none(
                "tells of a subject with gaps",
                """
                select s.subject_id from
                  (select e.*, row_number() over w as place, lag(e.to_state) over w as before
                     from subject_event e where e.account_id = ?
                   window w as (partition by e.subject_id order by e.seq)) s
                 where s.place <> s.seq or s.from_state is distinct from s.before
                """);
        for (String table : List.of("execution", "step", "approval", "dead_letter")) {
            none(
                    "tells something else than it is",
                    """
                    select t.id from orchestration_%s t
                     where t.account_id = ? and t.seq || t.status is distinct from
                           (select e.seq || e.to_state from subject_event e
                             where e.account_id = t.account_id and e.subject_id = t.id
                             order by e.seq desc limit 1)
                    """
                            .formatted(table));
        }
        for (var row :
                database.rows(
                        "select distinct kind, from_state, to_state from subject_event where"
                                + " account_id = ? and from_state is not null",
                        account)) {
            legal(
                    (String) row.get("kind"),
                    (String) row.get("from_state"),
                    (String) row.get("to_state"));
        }
    }

    private static void legal(String kind, String from, String to) {
        boolean legal =
                switch (kind) {
                    case "execution" ->
                            ExecutionStatus.named(from)
                                    .orElseThrow()
                                    .mayBecome(ExecutionStatus.named(to).orElseThrow());
                    case "execution_step" ->
                            StepStatus.named(from)
                                    .orElseThrow()
                                    .mayBecome(StepStatus.named(to).orElseThrow());
                    case "approval" -> from.equals("pending");
                    default -> from.equals("open") || to.equals("handled");
                };
        assertThat(legal).as("%s from %s to %s", kind, from, to).isTrue();
    }

    /// What metrics show is what the log has, of all cohorts so far.
    private void totals() {
        var shown = new TreeMap<String, Long>();
        nodes.node(false).kernel().totals().read(Duration.ofSeconds(60)).stream()
                .filter(total -> total.queue().equals("orchestrations"))
                // A dead letter whose reason changes leaves one count for another.
                .filter(total -> !total.event().equals("left_count"))
                .forEach(
                        total ->
                                // Some kinds are counted by a word of their own behind a slash.
                                shown.merge(
                                        total.kind().split("/", 2)[0] + "." + total.event(),
                                        total.count(),
                                        Long::sum));
        var told = new TreeMap<String, Long>();
        for (var row :
                database.rows(
                        "select kind || '.' || event as word, count(*) as n from subject_event"
                                + " group by kind, event")) {
            told.put((String) row.get("word"), (Long) row.get("n"));
        }
        assertThat(shown).isEqualTo(told);
    }
}
