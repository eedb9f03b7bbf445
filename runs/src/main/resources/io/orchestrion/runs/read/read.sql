-- What people see of runs. Nothing here locks or writes.

-- name: attempts
select t.* from run_attempt t
 where t.account_id = :account and t.run_id = :run and t.attempt_number > :after
 order by t.attempt_number limit :most

-- name: transitions
select t.* from run_transition t
 where t.account_id = :account and t.run_id = :run and t.number > :after
 order by t.number limit :most

-- name: plans
-- In the order in which they were made.
select p.* from run_plan p
 where p.account_id = :account and p.run_id = :run
   and (p.attempt_number, p.plan_version) > (:after_attempt, :after_version)
 order by p.attempt_number, p.plan_version limit :most

-- name: agents
select a.* from run_agent a
 where a.account_id = :account and a.run_id = :run and a.id > :after
   and (:attempt::int is null or a.attempt_number = :attempt)
 order by a.id limit :most

-- name: agent
select a.* from run_agent a where a.account_id = :account and a.run_id = :run and a.id = :id

-- name: tasks
select t.*, a.attempt_number
  from run_task t
  join run_agent a on a.account_id = :account and a.id = t.agent_id
 where t.account_id = :account and t.agent_id = :agent and t.sequence_number > :after
 order by t.sequence_number limit :most

-- name: task
select t.*, a.attempt_number
  from run_task t
  join run_agent a on a.account_id = :account and a.id = t.agent_id
 where t.account_id = :account and t.run_id = :run and t.id = :id

-- name: steps
-- Without inputs and outputs, which may be long. What is open of a step is an attempt or an approval.
select s.account_id, s.id, s.run_id, s.agent_id, s.task_id, s.sequence_number, s.name, s.kind, s.tool, null::text as input,
       s.status, s.idempotency_key, s.dependencies, s.unmet, s.timeout_ms, s.max_attempts, s.max_tokens, s.policy,
       s.open_id, s.attempts_made, s.not_before_ms, null::text as output, s.output_bytes, s.error_code, s.error,
       s.skip_reason, s.created_ms, s.started_ms, s.ended_ms, t.parallelism_mode, t.status as task_status,
       o.status as open_status, o.not_before_ms as open_not_before_ms, p.id as approval_id
  from run_step s
  join run_task t on t.account_id = :account and t.id = s.task_id
  left join run_step_attempt o on o.account_id = :account and o.id = s.open_id
  left join run_approval p on p.account_id = :account and p.id = s.open_id
 where s.account_id = :account and s.task_id = :task and s.sequence_number > :after
 order by s.sequence_number limit :most

-- name: step
-- A large output is with the item that it came from.
select s.account_id, s.id, s.run_id, s.agent_id, s.task_id, s.sequence_number, s.name, s.kind, s.tool, s.input, s.status,
       s.idempotency_key, s.dependencies, s.unmet, s.timeout_ms, s.max_attempts, s.max_tokens, s.policy, s.open_id,
       s.attempts_made, s.not_before_ms, coalesce(s.output, i.result) as output, s.output_bytes, s.error_code, s.error, s.skip_reason, s.created_ms,
       s.started_ms, s.ended_ms, t.parallelism_mode, t.status as task_status, o.status as open_status,
       o.not_before_ms as open_not_before_ms, p.id as approval_id
  from run_step s
  join run_task t on t.account_id = :account and t.id = s.task_id
  left join run_step_attempt o on o.account_id = :account and o.id = s.open_id
  left join run_approval p on p.account_id = :account and p.id = s.open_id
  left join item i on i.account_id = :account and i.id = s.output_item
 where s.account_id = :account and s.run_id = :run and s.id = :id

-- name: step_anywhere
-- Of whatever run.
select s.account_id, s.id, s.run_id, s.agent_id, s.task_id, s.sequence_number, s.name, s.kind, s.tool, null::text as input,
       s.status, s.idempotency_key, s.dependencies, s.unmet, s.timeout_ms, s.max_attempts, s.max_tokens, s.policy,
       s.open_id, s.attempts_made, s.not_before_ms, null::text as output, s.output_bytes, s.error_code, s.error,
       s.skip_reason, s.created_ms, s.started_ms, s.ended_ms, t.parallelism_mode, t.status as task_status,
       o.status as open_status, o.not_before_ms as open_not_before_ms, p.id as approval_id
  from run_step s
  join run_task t on t.account_id = :account and t.id = s.task_id
  left join run_step_attempt o on o.account_id = :account and o.id = s.open_id
  left join run_approval p on p.account_id = :account and p.id = s.open_id
 where s.account_id = :account and s.id = :id

-- name: step_attempts
select t.*, u.tokens, u.charged
  from run_step_attempt t
  left join run_usage u on u.account_id = :account and u.step_attempt_id = t.id
 where t.account_id = :account and t.step_id = :step and t.id > :after
 order by t.id limit :most

-- name: costs_of_steps
select t.step_id as id, sum(u.tokens) as tokens, sum(u.charged) as charged
  from run_step_attempt t
  join run_usage u on u.account_id = :account and u.step_attempt_id = t.id
 where t.account_id = :account and t.step_id = any(:ids::uuid[])
 group by t.step_id

-- name: costs_of_tasks
select s.task_id as id, sum(u.tokens) as tokens, sum(u.charged) as charged
  from run_step s
  join run_step_attempt t on t.account_id = :account and t.step_id = s.id
  join run_usage u on u.account_id = :account and u.step_attempt_id = t.id
 where s.account_id = :account and s.task_id = any(:ids::uuid[])
 group by s.task_id

-- name: costs_of_agents
select s.agent_id as id, sum(u.tokens) as tokens, sum(u.charged) as charged
  from run_step s
  join run_step_attempt t on t.account_id = :account and t.step_id = s.id
  join run_usage u on u.account_id = :account and u.step_attempt_id = t.id
 where s.account_id = :account and s.agent_id = any(:ids::uuid[])
 group by s.agent_id

-- name: approvals
-- Oldest first, as somebody waits for each.
select p.* from run_approval p
 where p.account_id = :account and p.id > :after
   and (:status::text is null or p.status = :status) and (:run::uuid is null or p.run_id = :run)
 order by p.id limit :most

-- name: approval
select p.* from run_approval p where p.account_id = :account and p.id = :id

-- name: tickets
-- Newest first.
select t.* from run_ticket t
 where t.account_id = :account and (:before::uuid is null or t.id < :before)
   and (:status::text is null or t.status = :status) and (:run::uuid is null or t.run_id = :run)
 order by t.id desc limit :most

-- name: ticket
select t.* from run_ticket t where t.account_id = :account and t.id = :id

-- name: stuck
-- Of all accounts: runs that run for too long, or that nobody drives.
select r.account_id, r.id, r.status, r.attempt_number, r.running_since_ms, r.active_ms, r.last_heartbeat_ms,
       r.credits_reserved, r.credits_charged
  from run r
 where r.status = 'running' and (r.account_id, r.id) > (:after_account::uuid, :after::uuid)
   and (r.last_heartbeat_ms < :silent or r.active_ms + :now - r.running_since_ms > :longest)
 order by r.account_id, r.id limit :most

-- name: owner
-- Of a run that the operator names by its id.
select r.account_id from run r where r.id = :id
