-- name: lock
-- Claims pass over a locked agent, so that this waits for a moment at most.
select g.* from run_agent g where g.account_id = :account and g.id = any(:ids::uuid[]) order by g.id for update

-- name: lock_open
-- All agents of an attempt that have not ended, in their order.
select g.* from run_agent g
 where g.account_id = :account and g.run_id = :run and g.attempt_number = :attempt
   and g.status in ('pending', 'running', 'paused')
 order by g.id for update

-- name: find
select g.* from run_agent g where g.account_id = :account and g.id = :id

-- name: of_run
-- Those of one attempt, or of all, in their order.
select g.* from run_agent g
 where g.account_id = :account and g.run_id = :run and (:attempt::int4 is null or g.attempt_number = :attempt)
 order by g.attempt_number, g.plan_version, g.role, g.sequence_number

-- name: lost
-- Workers of one plan that failed, tolerated or not.
select g.* from run_agent g
 where g.account_id = :account and g.run_id = :run and g.attempt_number = :attempt and g.plan_version = :version
   and g.role = 'worker' and g.status in ('failed', 'skipped')
 order by g.sequence_number

-- name: insert
insert into run_agent
  (account_id, id, run_id, attempt_number, plan_version, sequence_number, role, subtask, status, seq, failure_mode,
   parallelism_mode, loops, rounds, superseded, agent_attempt, task_count, tasks_open, tasks_active, tasks_completed,
   tasks_skipped, timeout_ms, active_ms, created_ms)
select a.account_id, n.id, :run::uuid, :attempt, :version, n.sequence, :role, n.subtask, 'pending', 0, n.failure,
       n.parallelism, n.loops, 0, false, 1, n.tasks, n.tasks, 0, 0, 0, :timeout, 0, :now
  from account a
  cross join unnest(:ids::uuid[], :sequences::int4[], :subtasks::text[], :failures::text[], :parallelisms::text[],
                    :loops::bool[], :tasks::int4[])
    as n(id, sequence, subtask, failure, parallelism, loops, tasks)
 where a.account_id = :account

-- name: update
update run_agent g
   set status = n.status, seq = n.seq, loops = n.loops, rounds = n.rounds, superseded = n.superseded, agent_attempt = n.attempt,
       task_count = n.tasks, tasks_open = n.open, tasks_active = n.active, tasks_completed = n.completed,
       tasks_skipped = n.skipped, active_ms = n.active_ms, running_since_ms = n.since, deadline_ms = n.deadline,
       not_before_ms = n.not_before, started_ms = n.started, ended_ms = n.ended, error_code = n.code, error = n.error
  from unnest(:ids::uuid[], :statuses::text[], :seqs::int4[], :loops::bool[], :rounds::int4[], :superseded::bool[], :attempts::int4[],
              :tasks::int4[], :open::int4[], :active::int4[], :completed::int4[], :skipped::int4[], :active_ms::int8[],
              :since::int8[], :deadlines::int8[], :not_before::int8[], :started::int8[], :ended::int8[], :codes::text[],
              :errors::text[])
    as n(id, status, seq, loops, rounds, superseded, attempt, tasks, open, active, completed, skipped, active_ms, since,
         deadline, not_before, started, ended, code, error)
 where g.account_id = :account and g.id = any(:ids::uuid[]) and g.id = n.id

-- name: begin
-- In the transaction of a claim, which waits for nobody: an agent that somebody has locked begins with the end of the step.
with free as materialized (
  select g.id from run_agent g
   where g.account_id = :account and g.id = any(:ids::uuid[]) and g.status = 'pending'
   order by g.id for update skip locked)
update run_agent g
   set status = 'running', seq = g.seq + 1, running_since_ms = :now, started_ms = coalesce(g.started_ms, :now),
       deadline_ms = :now + greatest(1, g.timeout_ms - g.active_ms)
  from free
 where g.account_id = :account and g.id = free.id
returning g.*
