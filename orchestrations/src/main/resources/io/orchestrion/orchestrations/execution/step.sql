-- name: find
select s.* from orchestration_step s where s.account_id = :account and s.id = any(:ids::uuid[])

-- name: open
-- What is under way in an execution, and what ended while it was paused, in the order in which it began: what has not
-- ended has no decision either.
select s.* from orchestration_step s
 where s.account_id = :account and s.execution_id = :execution
   and s.decision is null
 order by s.id

-- name: newest
-- The newest attempt of each kind of one step.
select distinct on (s.kind) s.* from orchestration_step s
 where s.account_id = :account and s.execution_id = :execution and s.step_id = :step
 order by s.kind, s.attempt_number desc

-- name: last
-- Ids grow with time. An execution goes from step to step, so this is where it stopped.
select s.* from orchestration_step s
 where s.account_id = :account and s.execution_id = :execution and s.kind = 'step'
 order by s.id desc limit 1

-- name: results
-- What the named steps of an execution have given, as far as they have.
select distinct on (s.step_id) s.step_id, s.result from orchestration_step s
 where s.account_id = :account and s.execution_id = :execution and s.step_id = any(:steps::text[])
   and s.kind = 'step' and s.status = 'succeeded'
 order by s.step_id, s.attempt_number desc

-- name: insert
insert into orchestration_step
  (account_id, id, execution_id, step_id, step_type, kind, attempt_number, budget_from, status, seq, idempotency_key,
   key_epoch, safe_retry, created_ms, retry_after_ms, started_ms, finished_ms, timeout_ms, deadline_ms, result,
   error_class, error_code, error_status, error_summary, error_overridden, retry_after_seconds, logs_ref, usage, decision)
select a.account_id, n.id, n.execution, n.step, n.type, n.kind, n.attempt, n.budget, n.status, n.seq, n.key, n.epoch, n.safe,
       n.created, n.retry_after, n.started, n.finished, n.timeout, n.deadline, n.result, n.error_class,
       n.error_code, n.error_status, n.error_summary, n.overridden, n.retry_seconds, n.logs_ref, n.usage, n.decision
  from account a
  cross join unnest(:ids::uuid[], :executions::uuid[], :steps::text[], :types::text[], :kinds::text[],
                    :attempts::int4[], :budgets::int4[], :statuses::text[], :seqs::int4[], :keys::text[],
                    :epochs::int4[], :safes::text[], :created::int8[], :retry_afters::int8[], :started::int8[],
                    :finished::int8[], :timeouts::int8[], :deadlines::int8[], :results::text[],
                    :error_classes::text[], :error_codes::text[], :error_statuses::int4[], :error_summaries::text[], :overridden::bool[],
                    :retry_seconds::int4[], :logs_refs::text[], :usages::text[], :decisions::text[])
    as n(id, execution, step, type, kind, attempt, budget, status, seq, key, epoch, safe, created, retry_after, started,
         finished, timeout, deadline, result, error_class, error_code, error_status, error_summary, overridden, retry_seconds,
         logs_ref, usage, decision)
 where a.account_id = :account

-- name: update
-- The ids are also given as an array: joined alone, a plan made on an empty table reads all rows of the account.
update orchestration_step s
   set status = n.status, seq = n.seq, started_ms = n.started, finished_ms = n.finished, deadline_ms = n.deadline,
       result = n.result, error_class = n.error_class, error_code = n.error_code, error_status = n.error_status,
       error_summary = n.error_summary, error_overridden = n.overridden, retry_after_seconds = n.retry_seconds,
       logs_ref = n.logs_ref, usage = n.usage, decision = n.decision
  from unnest(:ids::uuid[], :statuses::text[], :seqs::int4[], :started::int8[], :finished::int8[], :deadlines::int8[],
              :results::text[], :error_classes::text[], :error_codes::text[], :error_statuses::int4[],
              :error_summaries::text[], :overridden::bool[], :retry_seconds::int4[], :logs_refs::text[],
              :usages::text[], :decisions::text[])
    as n(id, status, seq, started, finished, deadline, result, error_class, error_code, error_status, error_summary,
         overridden, retry_seconds, logs_ref, usage, decision)
 where s.account_id = :account and s.id = any(:ids::uuid[]) and s.id = n.id

-- name: begin
-- In the transaction of a claim, where the execution is not locked: nobody else changes an attempt whose item is locked.
update orchestration_step s
   set status = 'running', seq = s.seq + 1, started_ms = :now, deadline_ms = coalesce(s.deadline_ms, :now + s.timeout_ms)
 where s.account_id = :account and s.id = any(:ids::uuid[]) and s.status in ('pending', 'retrying')
returning s.*

-- name: page
-- The history of an execution, oldest first.
select s.* from orchestration_step s
 where s.account_id = :account and s.execution_id = :execution and (:after::uuid is null or s.id > :after)
   and (:step::text is null or s.step_id = :step) and (:status::text is null or s.status = :status)
 order by s.id limit :most

-- name: newest_of_steps
-- Where each step of an execution is.
select distinct on (s.step_id) s.* from orchestration_step s
 where s.account_id = :account and s.execution_id = :execution and s.kind = 'step'
 order by s.step_id, s.attempt_number desc
