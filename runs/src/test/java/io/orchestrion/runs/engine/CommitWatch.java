package io.orchestrion.runs.engine;

import io.orchestrion.testkit.TestDatabase;

/// Has the database itself look at a run whenever a transaction that touched it commits: what holds
/// "at every commit" is seen at every commit, and not only at the end of a test. A transaction that
/// breaks a rule fails with the rule's name.
final class CommitWatch {
    private static final String RULES =
            """
            create function watch_run(acc uuid, rid uuid) returns void language plpgsql set search_path = orchestrion as $$
            declare
              r run%rowtype;
              agents integer; active integer; paused integer; failed integer; not_over integer; not_done integer;
              completed integer; tasks integer; newest text; held numeric; ready integer; open_items integer;
            begin
              select * into r from run where account_id = acc and id = rid;
              if not found or r.deleted_ms is not null then return; end if;
              select count(*), count(*) filter (where a.status in ('pending', 'running')),
                     count(*) filter (where a.status = 'paused'), count(*) filter (where a.status = 'failed'),
                     count(*) filter (where a.status in ('pending', 'running', 'paused')),
                     count(*) filter (where not a.superseded and a.status not in ('completed', 'skipped')
                                        and not (a.status = 'cancelled' and r.failure_mode = 'continue')),
                     count(*) filter (where a.role = 'worker' and a.status = 'completed')
                into agents, active, paused, failed, not_over, not_done, completed
                from run_agent a
               where a.account_id = acc and a.run_id = rid and a.attempt_number = r.attempt_number;
              select count(*) into tasks
                from run_task t join run_agent a on a.account_id = t.account_id and a.id = t.agent_id
               where t.account_id = acc and t.run_id = rid and a.attempt_number = r.attempt_number;
              select t.to_status into newest from run_transition t
               where t.account_id = acc and t.run_id = rid order by t.number desc limit 1;
              select coalesce((select e.held_after from credit_entry e
                                where e.account_id = acc and e.run_id = rid and e.attempt = r.attempt_number
                                  and e.held_after is not null order by e.seq desc limit 1), 0) into held;
              select count(*) filter (where i.state = 'ready'),
                     count(*) filter (where i.state in ('waiting', 'ready', 'leased', 'running')
                                        and i.kind <> 'builtin_run_on_call')
                into ready, open_items
                from item i where i.account_id = acc and i.owner_kind = 'run' and i.owner_id = rid;

              perform watched(newest = r.status, 'R-110: the newest transition is the status of the run');
              perform watched(r.agent_count = agents, 'R-114: agent_count');
              perform watched(r.task_count = tasks, 'R-035: task_count of the run');
              perform watched(not exists (
                select from run_agent a where a.account_id = acc and a.run_id = rid
                   and a.task_count <> (select count(*) from run_task t where t.account_id = acc and t.agent_id = a.id)),
                'R-115: task_count of an agent');
              perform watched(not exists (
                select from run_task t where t.account_id = acc and t.run_id = rid
                   and t.step_count <> (select count(*) from run_step s where s.account_id = acc and s.task_id = t.id)),
                'R-116: step_count of a task');
              perform watched(r.credits_charged >= 0 and r.credits_charged <= r.credits_reserved, 'R-112: charged');
              perform watched(r.credits_held = (
                select coalesce(sum(t.credits_held), 0) from run_step_attempt t
                 where t.account_id = acc and t.run_id = rid and t.status in ('pending', 'running')),
                'credits are held for exactly the attempts that are under way');
              perform watched(not exists (
                select from run_step s join run_task t on t.account_id = s.account_id and t.id = s.task_id
                 where s.account_id = acc and s.run_id = rid and s.open_id is not null
                 group by t.id, t.parallelism_mode
                having count(*) > case t.parallelism_mode when 'sequential' then 1 else r.max_concurrent_steps end),
                'R-231: steps of a task at once');
              perform watched(not exists (
                select from run_step s join run_agent a on a.account_id = s.account_id and a.id = s.agent_id
                 where s.account_id = acc and s.run_id = rid and s.open_id is not null
                 group by a.id, a.parallelism_mode
                having count(distinct s.task_id)
                       > case a.parallelism_mode when 'sequential' then 1 else r.max_concurrent_tasks end),
                'R-229: tasks of an agent at once');
              perform watched((
                select count(distinct s.agent_id) from run_step s
                  join run_agent a on a.account_id = s.account_id and a.id = s.agent_id and a.role = 'worker'
                 where s.account_id = acc and s.run_id = rid and s.open_id is not null) <= r.max_agents,
                'R-221: agents of a run at once');
              if r.status = 'created' then
                perform watched(r.credits_reserved = 0 and held = 0 and agents = 0 and open_items = 0, 'R-016..R-020: created');
              elsif r.status in ('pending', 'running', 'paused', 'resuming', 'retrying') then
                perform watched(r.credits_reserved > 0, 'R-033: a run that goes on has reserved credits');
                perform watched(held = r.credits_reserved, 'R-213: the ledger has reserved what the run has');
              else
                perform watched(r.credits_charged + r.credits_refunded = r.credits_reserved and held = 0, 'R-113: settled');
                perform watched(not_over = 0 and open_items = 0, 'R-297: an ended run has nothing open');
                perform watched(r.duration_ms is not null
                                and coalesce(r.completed_ms, r.cancelled_ms) is not null, 'R-062: the end has its times');
              end if;
              if r.status = 'pending' then
                perform watched(agents = 0 and open_items >= 1, 'R-026, R-084: pending has an item and no agent');
              elsif r.status = 'running' then
                perform watched(active >= 1, 'R-036: a running run has an agent that is pending or running');
                perform watched(paused = 0, 'R-054: a running run has no paused agent');
              elsif r.status = 'paused' then
                perform watched(paused = not_over and paused >= 1, 'R-046: every open agent of a paused run is paused');
                perform watched(ready = 0, 'R-049: a paused run has nothing to claim');
              elsif r.status = 'completed' then
                perform watched(not_done = 0 and completed >= 1, 'R-060: every agent of a completed run is done');
                perform watched(r.credits_charged > 0, 'R-089: a completed run was charged');
              elsif r.status = 'failed' then
                perform watched(agents = 0 or failed >= 1, 'R-065: a failed run has a failed agent');
                perform watched(r.last_error is not null, 'R-066: last_error');
              elsif r.status = 'skipped' then
                perform watched(completed = 0 and r.failure_mode = 'continue', 'R-101: skipped');
              end if;
            end $$;
            create function watched(holds boolean, rule text) returns void language plpgsql as $$
            begin
              if holds is not true then
                raise exception 'broken at a commit: %', rule;
              end if;
            end $$;
            create function watch_of_run() returns trigger language plpgsql set search_path = orchestrion as $$
            begin
              perform watch_run(new.account_id, new.id);
              return null;
            end $$;
            create function watch_below_run() returns trigger language plpgsql set search_path = orchestrion as $$
            begin
              perform watch_run(new.account_id, new.run_id);
              return null;
            end $$;
            create constraint trigger watch after insert or update on run
              deferrable initially deferred for each row execute function watch_of_run();
            create constraint trigger watch after insert or update on run_agent
              deferrable initially deferred for each row execute function watch_below_run();
            create constraint trigger watch after insert or update on run_task
              deferrable initially deferred for each row execute function watch_below_run();
            create constraint trigger watch after insert on run_step
              deferrable initially deferred for each row execute function watch_below_run();
            create constraint trigger watch after insert on run_transition
              deferrable initially deferred for each row execute function watch_below_run();
            """;

    private CommitWatch() {}

    /// From now on.
    static void over(TestDatabase database) {
        database.execute(RULES);
    }
}
