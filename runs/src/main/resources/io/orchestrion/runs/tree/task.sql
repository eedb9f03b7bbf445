-- name: lock
select t.* from run_task t where t.account_id = :account and t.id = any(:ids::uuid[]) order by t.id for update

-- name: find
select t.* from run_task t where t.account_id = :account and t.id = :id

-- name: lock_next
-- The first tasks of an agent that wait for nothing more.
select t.* from run_task t
 where t.account_id = :account and t.agent_id = :agent and t.status = 'pending' and not t.active and t.unmet = 0
 order by t.sequence_number limit :most
   for update

-- name: lock_active
-- The tasks of an agent that steps are given out of: as many as may be at once.
select t.* from run_task t
 where t.account_id = :account and t.agent_id = :agent and t.active
 order by t.sequence_number
   for update

-- name: of_agent
select t.* from run_task t
 where t.account_id = :account and t.agent_id = :agent and t.sequence_number > :after
 order by t.sequence_number limit :most

-- name: insert
insert into run_task
  (account_id, id, run_id, agent_id, sequence_number, name, status, seq, failure_mode, parallelism_mode, dependencies,
   dependents, needs, unmet, round, active, task_attempt, step_count, steps_open, steps_active, steps_completed,
   steps_skipped, timeout_ms, active_ms, created_ms)
select a.account_id, n.id, :run::uuid, n.agent, n.sequence, n.name, 'pending', 0, n.failure, n.parallelism,
       n.dependencies, string_to_array(n.dependents, ',')::uuid[], n.needs, n.needs, n.round, false, 1, n.steps, n.steps,
       0, 0, 0, :timeout, 0, :now
  from account a
  cross join unnest(:ids::uuid[], :agents::uuid[], :sequences::int4[], :names::text[], :failures::text[],
                    :parallelisms::text[], :dependencies::text[], :dependents::text[], :needs::int4[], :rounds::int4[],
                    :steps::int4[])
    as n(id, agent, sequence, name, failure, parallelism, dependencies, dependents, needs, round, steps)
 where a.account_id = :account

-- name: update
update run_task t
   set status = n.status, seq = n.seq, active = n.active, task_attempt = n.attempt, steps_open = n.open,
       steps_active = n.given_out, steps_completed = n.completed, steps_skipped = n.skipped, active_ms = n.active_ms,
       running_since_ms = n.since, deadline_ms = n.deadline, not_before_ms = n.not_before, started_ms = n.started,
       ended_ms = n.ended, skip_reason = n.skip_reason, error_code = n.code, error = n.error
  from unnest(:ids::uuid[], :statuses::text[], :seqs::int4[], :active::bool[], :attempts::int4[], :open::int4[],
              :given_out::int4[], :completed::int4[], :skipped::int4[], :active_ms::int8[], :since::int8[],
              :deadlines::int8[], :not_before::int8[], :started::int8[], :ended::int8[], :skip_reasons::text[],
              :codes::text[], :errors::text[])
    as n(id, status, seq, active, attempt, open, given_out, completed, skipped, active_ms, since, deadline, not_before,
         started, ended, skip_reason, code, error)
 where t.account_id = :account and t.id = any(:ids::uuid[]) and t.id = n.id

-- name: begin
-- In the transaction of a claim, as for agents.
with free as materialized (
  select t.id from run_task t
   where t.account_id = :account and t.id = any(:ids::uuid[]) and t.status = 'pending'
   order by t.id for update skip locked)
update run_task t
   set status = 'running', seq = t.seq + 1, running_since_ms = :now, started_ms = coalesce(t.started_ms, :now),
       deadline_ms = :now + greatest(1, t.timeout_ms - t.active_ms)
  from free
 where t.account_id = :account and t.id = free.id
returning t.*

-- name: meet
-- What waited for a task that ended well waits for one less.
update run_task t
   set unmet = t.unmet - 1
 where t.account_id = :account and t.id = any(:ids::uuid[])

-- name: skip
-- What waited for a task that did not end well is never done.
update run_task t
   set status = 'skipped', seq = t.seq + 1, skip_reason = 'dependency_failed', ended_ms = :now, active = false
 where t.account_id = :account and t.id = any(:ids::uuid[]) and t.status = 'pending'
returning t.*

-- name: cancel_open
update run_task t
   set status = 'cancelled', active = false, ended_ms = :now, steps_open = 0, steps_active = 0,
       active_ms = t.active_ms + coalesce(:now - t.running_since_ms, 0), running_since_ms = null, deadline_ms = null
 where t.account_id = :account and t.agent_id = any(:agents::uuid[]) and t.status in ('pending', 'running')
   and t.id <> all(:except::uuid[])

-- name: reset
-- All tasks of an agent from their beginning. Those that another attempt of it had planned stay as they ended.
update run_task t
   set status = 'pending', active = false, task_attempt = 1, unmet = t.needs,
       steps_open = t.step_count, steps_active = 0, steps_completed = 0, steps_skipped = 0, active_ms = 0,
       running_since_ms = null, deadline_ms = null, not_before_ms = null, ended_ms = null, skip_reason = null,
       error_code = null, error = null
 where t.account_id = :account and t.agent_id = :agent
returning t.id

-- name: pause
-- The clocks of tasks stand still.
update run_task t
   set active_ms = t.active_ms + :now - t.running_since_ms, running_since_ms = null, deadline_ms = null
 where t.account_id = :account and t.agent_id = any(:agents::uuid[]) and t.status = 'running'
   and t.running_since_ms is not null

-- name: go_on
update run_task t
   set running_since_ms = :now, deadline_ms = :now + greatest(1, t.timeout_ms - t.active_ms)
 where t.account_id = :account and t.agent_id = any(:agents::uuid[]) and t.status = 'running'
   and t.running_since_ms is null

-- name: set_apart
-- What an agent had planned before it begins anew: new tasks may have the same names.
update run_task t set round = -1 where t.account_id = :account and t.agent_id = :agent

-- name: names
-- The tasks that an agent has planned for itself, and how they ended.
select t.name, t.status from run_task t
 where t.account_id = :account and t.agent_id = :agent and t.round > 0
 order by t.sequence_number
