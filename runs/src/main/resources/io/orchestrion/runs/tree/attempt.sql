-- name: find
select t.* from run_step_attempt t where t.account_id = :account and t.id = any(:ids::uuid[])

-- name: of_step
select t.* from run_step_attempt t where t.account_id = :account and t.step_id = :step order by t.id limit :most

-- name: insert
insert into run_step_attempt
  (account_id, id, run_id, step_id, run_attempt, agent_attempt, task_attempt, attempt_number, message_id, status,
   applied, credits_held, created_ms, not_before_ms)
select a.account_id, n.id, n.run, n.step, n.of_run, n.of_agent, n.of_task, n.of_step, n.message, 'pending', false,
       n.held::numeric, :now, n.not_before
  from account a
  cross join unnest(:ids::uuid[], :runs::uuid[], :steps::uuid[], :of_runs::int4[], :of_agents::int4[], :of_tasks::int4[],
                    :of_steps::int4[], :messages::text[], :held::text[], :not_before::int8[])
    as n(id, run, step, of_run, of_agent, of_task, of_step, message, held, not_before)
 where a.account_id = :account

-- name: begin
-- In the transaction of a claim, where the run is not locked.
update run_step_attempt t
   set status = 'running', started_ms = :now, worker = n.worker
  from unnest(:ids::uuid[], :workers::text[]) as n(id, worker)
 where t.account_id = :account and t.id = any(:ids::uuid[]) and t.id = n.id and t.status = 'pending'
returning t.*

-- name: end
update run_step_attempt t
   set status = n.status, applied = n.applied, ended_ms = n.ended, error_code = n.code, error_status = n.http,
       error = n.error, error_partial = n.partial, retry_after_seconds = n.retry_after, usage = n.usage, logs_ref = n.logs_ref
  from unnest(:ids::uuid[], :statuses::text[], :applied::bool[], :ended::int8[], :codes::text[], :https::int4[],
              :errors::text[], :partial::bool[], :retry_after::int4[], :usages::text[], :logs_refs::text[])
    as n(id, status, applied, ended, code, http, error, partial, retry_after, usage, logs_ref)
 where t.account_id = :account and t.id = any(:ids::uuid[]) and t.id = n.id

-- name: apply
update run_step_attempt t
   set applied = true
 where t.account_id = :account and t.id = any(:ids::uuid[])

-- name: cancel
-- Attempts that were ended with their step, and the credits that were held for them.
update run_step_attempt t
   set status = 'cancelled', applied = true, ended_ms = :now
 where t.account_id = :account and t.id = any(:ids::uuid[]) and t.status in ('pending', 'running')
returning t.credits_held

-- name: unapplied
-- What ended during a pause, in the order of the ends.
select t.* from run_step_attempt t
 where t.account_id = :account and t.run_id = :run and not t.applied and t.status in ('completed', 'failed')
 order by t.ended_ms, t.id limit :most

-- name: outcomes_since
-- How many attempts ended lately, and how many of them failed: no more are counted than make a difference.
select (select count(*) from (select 1 from run_step_attempt t
                               where t.account_id = :account and t.run_id = :run and t.status = 'failed'
                                 and t.ended_ms > :since limit :most_failed) f)::int4 as failed,
       (select count(*) from (select 1 from run_step_attempt t
                               where t.account_id = :account and t.run_id = :run and t.ended_ms > :since
                                 and t.status in ('completed', 'failed') limit :most) e)::int4 as ended
