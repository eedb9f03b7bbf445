-- name: lock
select s.* from run_step s where s.account_id = :account and s.id = any(:ids::uuid[]) order by s.id for update

-- name: find
select s.* from run_step s where s.account_id = :account and s.id = :id

-- name: lock_next
-- The first steps of a task that nobody has and that wait for nothing more.
select s.* from run_step s
 where s.account_id = :account and s.task_id = :task and s.status in ('pending', 'running') and s.open_id is null
   and s.unmet = 0
 order by s.sequence_number limit :most
   for update

-- name: of_task
select s.* from run_step s
 where s.account_id = :account and s.task_id = :task and s.sequence_number > :after
 order by s.sequence_number limit :most

-- name: outputs_of_named
-- What steps of a task have given, by their names.
select s.id, s.name, s.output, s.output_bytes from run_step s
 where s.account_id = :account and s.task_id = :task and s.name = any(:names::text[]) and s.status = 'completed'
 order by s.sequence_number

-- name: outputs_before
-- What the last steps before a place in a task have given, the newest first.
select s.id, s.name, s.output, s.output_bytes from run_step s
 where s.account_id = :account and s.task_id = :task and s.sequence_number < :before and s.status = 'completed'
 order by s.sequence_number desc limit :most

-- name: outputs_of_tasks
-- What the last steps of tasks of one agent have given: of the named ones, or of the one before a place.
select s.id, t.name || '.' || s.name as name, s.output, s.output_bytes
  from run_task t
  join run_step s on s.account_id = :account and s.task_id = t.id and s.sequence_number = t.step_count - 1
 where t.account_id = :account and t.agent_id = :agent and t.sequence_number between :from and :to
   and (:names::text[] is null or t.name = any(:names::text[])) and t.status = 'completed' and s.status = 'completed'
 order by t.sequence_number desc limit :most

-- name: insert
insert into run_step
  (account_id, id, run_id, agent_id, task_id, sequence_number, name, kind, tool, input, status, seq, idempotency_key,
   dependencies, dependents, needs, unmet, timeout_ms, max_attempts, max_tokens, output_schema, policy, approved,
   attempt_number, attempts_made, created_ms)
select a.account_id, n.id, :run::uuid, n.agent, n.task, n.sequence, n.name, n.kind, n.tool, n.input, 'pending', 0, n.key,
       n.dependencies, string_to_array(n.dependents, ',')::uuid[], n.needs, n.needs, n.timeout, n.attempts, n.tokens,
       n.schema, n.policy, false, 0, 0, :now
  from account a
  cross join unnest(:ids::uuid[], :agents::uuid[], :tasks::uuid[], :sequences::int4[], :names::text[], :kinds::text[],
                    :tools::text[], :inputs::text[], :keys::text[], :dependencies::text[], :dependents::text[],
                    :needs::int4[], :timeouts::int8[], :attempts::int4[], :tokens::int8[], :schemas::text[],
                    :policies::text[])
    as n(id, agent, task, sequence, name, kind, tool, input, key, dependencies, dependents, needs, timeout, attempts,
         tokens, schema, policy)
 where a.account_id = :account

-- name: update
update run_step s
   set status = n.status, seq = n.seq, approved = n.approved, open_id = n.open, attempt_number = n.attempt,
       attempts_made = n.made, not_before_ms = n.not_before, output = n.output, output_bytes = n.bytes,
       output_item = n.output_item, started_ms = n.started, ended_ms = n.ended, skip_reason = n.skip_reason,
       error_code = n.code, error = n.error
  from unnest(:ids::uuid[], :statuses::text[], :seqs::int4[], :approved::bool[], :open::uuid[], :attempts::int4[],
              :made::int4[], :not_before::int8[], :outputs::text[], :bytes::int4[],
              :output_items::uuid[], :started::int8[], :ended::int8[], :skip_reasons::text[], :codes::text[], :errors::text[])
    as n(id, status, seq, approved, open, attempt, made, not_before, output, bytes, output_item, started, ended,
         skip_reason, code, error)
 where s.account_id = :account and s.id = any(:ids::uuid[]) and s.id = n.id

-- name: find_all
select s.* from run_step s where s.account_id = :account and s.id = any(:ids::uuid[])

-- name: begin
-- In the transaction of a claim. Nobody else changes a step whose item is locked.
update run_step s
   set status = 'running', seq = s.seq + 1, started_ms = :now
 where s.account_id = :account and s.id = any(:ids::uuid[]) and s.status = 'pending'
returning s.*

-- name: meet
update run_step s
   set unmet = s.unmet - 1
 where s.account_id = :account and s.id = any(:ids::uuid[])

-- name: skip
-- What waited for a step that did not end well is never done.
update run_step s
   set status = 'skipped', seq = s.seq + 1, skip_reason = 'dependency_failed', ended_ms = :now
 where s.account_id = :account and s.id = any(:ids::uuid[]) and s.status = 'pending'
returning s.*

-- name: cancel_of_tasks
update run_step s
   set status = 'cancelled', ended_ms = :now, open_id = null
 where s.account_id = :account and s.task_id = any(:tasks::uuid[]) and s.status in ('pending', 'running')

-- name: cancel_of_agents
update run_step s
   set status = 'cancelled', ended_ms = :now, open_id = null
 where s.account_id = :account and s.agent_id = any(:agents::uuid[]) and s.status in ('pending', 'running')
   and s.id <> all(:except::uuid[])

-- name: open_of_task
-- What is under way of a task: attempts and approvals.
select s.open_id from run_step s
 where s.account_id = :account and s.task_id = :task and s.status in ('pending', 'running') and s.open_id is not null

-- name: open_of_agents
select s.open_id from run_step s
 where s.account_id = :account and s.agent_id = any(:agents::uuid[]) and s.status in ('pending', 'running')
   and s.open_id is not null

-- name: reset_task
-- All steps of a task from the beginning. Their outputs go, as they are made again.
update run_step s
   set status = 'pending', unmet = s.needs, open_id = null, attempt_number = 0, not_before_ms = null,
       output = null, output_bytes = null, output_item = null, ended_ms = null, skip_reason = null, error_code = null,
       error = null
 where s.account_id = :account and s.task_id = :task

-- name: reset_agent
update run_step s
   set status = 'pending', unmet = s.needs, open_id = null, attempt_number = 0, not_before_ms = null,
       output = null, output_bytes = null, output_item = null, ended_ms = null, skip_reason = null, error_code = null,
       error = null
 where s.account_id = :account and s.agent_id = :agent
