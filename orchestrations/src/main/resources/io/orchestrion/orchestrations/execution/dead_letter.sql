-- name: insert
insert into orchestration_dead_letter
  (account_id, id, execution_id, definition_id, definition_version, step_id, step_execution_id, reason, status, seq,
   error_class, error_code, error_status, error_summary, correlation_id, action_required, compensation, created_ms,
   closed_ms, closed_by, note)
select a.account_id, n.id, n.execution, n.definition, n.version, n.step, n.step_execution, n.reason, n.status, n.seq,
       n.error_class, n.error_code, n.error_status, n.error_summary, n.correlation, n.action, n.compensation, n.created,
       n.closed, n.closed_by, n.note
  from account a
  cross join unnest(:ids::uuid[], :executions::uuid[], :definitions::uuid[], :versions::int4[], :steps::text[],
                    :step_executions::uuid[], :reasons::text[], :statuses::text[], :seqs::int4[],
                    :error_classes::text[], :error_codes::text[], :error_statuses::int4[], :error_summaries::text[],
                    :correlations::text[], :actions::text[], :compensations::text[], :created::int8[],
                    :closed::int8[], :closed_by::text[], :notes::text[])
    as n(id, execution, definition, version, step, step_execution, reason, status, seq, error_class, error_code,
         error_status, error_summary, correlation, action, compensation, created, closed, closed_by, note)
 where a.account_id = :account

-- name: update
-- The ids are also given as an array: joined alone, a plan made on an empty table reads all rows of the account.
update orchestration_dead_letter d
   set reason = n.reason, status = n.status, seq = n.seq, action_required = n.action, compensation = n.compensation,
       closed_ms = n.closed, closed_by = n.closed_by, note = n.note
  from unnest(:ids::uuid[], :reasons::text[], :statuses::text[], :seqs::int4[], :actions::text[],
              :compensations::text[], :closed::int8[], :closed_by::text[], :notes::text[])
    as n(id, reason, status, seq, action, compensation, closed, closed_by, note)
 where d.account_id = :account and d.id = any(:ids::uuid[]) and d.id = n.id

-- name: find
select d.* from orchestration_dead_letter d where d.account_id = :account and d.id = :id

-- name: open
select d.* from orchestration_dead_letter d
 where d.account_id = :account and d.execution_id = :execution and d.step_id = :step and d.status = 'open'

-- name: open_of_execution
select d.* from orchestration_dead_letter d
 where d.account_id = :account and d.execution_id = :execution and d.status = 'open' order by d.id

-- name: newest_of_step
-- The open one is the newest. Its id need not say so: who began first may have waited for the execution longest.
select d.* from orchestration_dead_letter d
 where d.account_id = :account and d.execution_id = :execution and d.step_id = :step
 order by (d.status = 'open') desc, d.id desc limit 1

-- name: page
-- Newest first.
select d.* from orchestration_dead_letter d
 where d.account_id = :account and (:before::uuid is null or d.id < :before)
   and (:status::text is null or d.status = :status) and (:reason::text is null or d.reason = :reason)
   and (:definition::uuid is null or d.definition_id = :definition)
   and (:execution::uuid is null or d.execution_id = :execution)
   and (:from_ms::int8 is null or d.created_ms >= :from_ms) and (:to_ms::int8 is null or d.created_ms < :to_ms)
   and (not :acting or d.action_required is not null or d.compensation is not null)
 order by d.id desc limit :most
