package io.orchestrion.runs.model;

import io.orchestrion.runs.check.Anomalies;
import io.orchestrion.runs.check.RunsInvariants;
import io.orchestrion.testkit.TestDatabase;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// What must hold of the storage, whatever was done: looked up without the model.
final class Aftermath {
    private final Nodes nodes;
    private final TestDatabase database;

    Aftermath(Nodes nodes) {
        this.nodes = nodes;
        this.database = nodes.test().database();
    }

    /// At any time.
    List<Violation> broken() {
        var all = new ArrayList<Violation>();
        RunsInvariants.violations(nodes.test().kernel().database())
                .forEach(each -> all.add(new Violation("invariant is broken: " + each)));
        Anomalies.AttemptPlace place = Anomalies.AttemptPlace.START;
        while (place != null) {
            Anomalies.Page page = Anomalies.page(nodes.test().kernel().database(), place);
            page.anomalies().forEach(each -> all.add(new Violation("odd in the ledger: " + each)));
            place = page.next();
        }
        all.addAll(balances());
        windows(all);
        attempts(all);
        return all;
    }

    /// When nothing goes on any more.
    List<Violation> atEnd() {
        var all = new ArrayList<>(broken());
        changes(all);
        none(
                all,
                "an item is open though its run is over",
                """
                select w.id, w.kind, w.state, r.id as run from work w
                  join run r on r.account_id = w.account_id and r.id = w.owner_id
                 where w.owner_kind = 'run' and w.finished_ms is null and w.kind not like '%call%'
                """);
        none(
                all,
                "credits are reserved for nobody",
                "select * from credit_balance where reserved <> 0");
        none(
                all,
                "part of a run that is over goes on",
                """
                select r.id, a.id as agent from run r
                  join run_agent a on a.account_id = r.account_id and a.run_id = r.id
                 where a.status in ('pending', 'running', 'paused')
                union all
                select t.run_id, t.id from run_task t where t.status in ('pending', 'running')
                union all
                select s.run_id, s.id from run_step s where s.status in ('pending', 'running')
                union all
                select p.run_id, p.id from run_approval p where p.status = 'pending'
                union all
                select e.run_id, e.id from run_step_attempt e where e.status in ('pending', 'running')
                """);
        return all;
    }

    private void none(List<Violation> all, String what, String sql) {
        List<Map<String, @Nullable Object>> rows = database.rows(sql);
        if (!rows.isEmpty()) {
            all.add(new Violation(what + ": " + rows.size() + ", such as " + rows.getFirst()));
        }
    }

    /// by the entries alone.
    List<Violation> balances() {
        var all = new ArrayList<Violation>();
        none(
                all,
                "the entries do not make the balance",
                """
                select b.account_id, b.balance, b.reserved, s.* from credit_balance b
                  join (select account_id, count(*) as entries, max(seq) as newest,
                               sum(case when transaction_type = 'grant' or refund_kind = 'reversal' then amount
                                        when transaction_type = 'charge' then -amount else 0 end) as of_balance,
                               sum(case when transaction_type = 'reserve' then amount
                                        when transaction_type = 'charge' or refund_kind = 'release' then -amount
                                        else 0 end) as of_reserved
                          from credit_entry group by account_id) s using (account_id)
                 where s.of_balance <> b.balance or s.of_reserved <> b.reserved or s.entries <> s.newest
                    or b.reserved < 0 or b.balance < b.reserved
                """);
        none(
                all,
                "an attempt of a run is not settled once",
                """
                select e.account_id, e.run_id, e.attempt from credit_entry e
                 where e.run_id is not null and coalesce(e.refund_kind, 'release') = 'release'
                 group by e.account_id, e.run_id, e.attempt
                having count(*) filter (where transaction_type = 'reserve') <> 1
                    or count(*) filter (where transaction_type = 'charge') > 1
                    or count(*) filter (where transaction_type = 'refund') > 1
                    or sum(case when transaction_type = 'reserve' then amount else -amount end) < 0
                    or (count(*) > 1 and sum(case when transaction_type = 'reserve' then amount else -amount end) <> 0)
                """);
        none(
                all,
                "what an attempt is charged is not what its steps used",
                """
                select t.run_id, t.attempt_number, t.credits_charged from run_attempt t
                 where t.credits_charged + t.credits_refunded <> t.credits_reserved and t.outcome is not null
                    or t.outcome is not null and t.credits_charged <> coalesce((
                         select sum(u.charged) from run_usage u
                          where u.account_id = t.account_id and u.run_id = t.run_id and u.attempt = t.attempt_number), 0)
                """);
        return all;
    }

    /// never more at once.
    private void windows(List<Violation> all) {
        none(
                all,
                "more steps are given out than the window has",
                """
                select s.run_id, s.task_id, count(*) from run_step s join run_task t on t.account_id = s.account_id and t.id = s.task_id
                 where s.open_id is not null
                 group by s.run_id, s.task_id, t.parallelism_mode
                having count(*) > case when t.parallelism_mode = 'sequential' then 1 else 3 end
                """);
        none(
                all,
                "more tasks are active than the window has",
                """
                select a.run_id, a.id from run_agent a join run_task t on t.account_id = a.account_id and t.agent_id = a.id
                 where exists (select from run_step s where s.account_id = t.account_id and s.task_id = t.id
                                  and s.open_id is not null)
                 group by a.run_id, a.id, a.parallelism_mode
                having count(*) > case when a.parallelism_mode = 'sequential' then 1 else 5 end
                """);
        none(
                all,
                "more agents run than there may",
                "select run_id, count(*) from run_agent where status = 'running' group by run_id"
                        + " having count(*) > 11");
    }

    /// No step runs twice at once, and none that was completed runs again in the same attempt of
    /// its task.
    private void attempts(List<Violation> all) {
        none(
                all,
                "a step has two open attempts",
                """
                select run_id, step_id from run_step_attempt where status in ('pending', 'running')
                 group by run_id, step_id having count(*) > 1
                """);
        none(
                all,
                "a step was made again after it was completed",
                """
                select t.run_id, t.step_id from run_step_attempt t
                  join run_step_attempt n on n.account_id = t.account_id and n.step_id = t.step_id
                   and n.agent_attempt = t.agent_attempt and n.task_attempt = t.task_attempt
                   and n.attempt_number > t.attempt_number
                 where t.status = 'completed'
                """);
        none(
                all,
                "an attempt is metered twice, or not at all",
                """
                select t.run_id, t.id from run_step_attempt t
                 where (select count(*) from run_usage u where u.account_id = t.account_id and u.step_attempt_id = t.id)
                       <> case when t.status in ('completed', 'failed') then 1 else 0 end
                """);
    }

    /// each change begins where the one before it ended, and is one that there is.
    private void changes(List<Violation> all) {
        for (var row :
                database.rows(
                        """
                        select t.run_id, t.from_status, t.to_status,
                               lag(t.to_status) over (partition by t.run_id order by t.number) as before
                          from run_transition t
                        """)) {
            String from = (String) row.get("from_status");
            boolean chained = Objects.equals(from, row.get("before"));
            boolean legal =
                    from == null
                            ? "created".equals(row.get("to_status"))
                            : Rules.CHANGES
                                    .getOrDefault(from, Set.of())
                                    .contains(String.valueOf(row.get("to_status")));
            if (!chained || !legal) {
                all.add(new Violation("a change that may not be: " + row));
            }
        }
    }
}
