-- part: inserted
insert into orchestration_execution as e
  (account_id, id, definition_id, definition_version, status, seq, target_type, target_id, input, digest,
   idempotency_key, correlation_id, trace, parent_id, depth, attempt_count, started_ms, active_ms, running_since_ms, timeout_ms,
   timer_id, compensated, reviewed)
select a.account_id, n.id, n.definition, n.version, 'running', 1, n.target_type, n.target_id, n.input, n.digest, n.key,
       n.correlation, n.trace, n.parent, n.depth, 1, :now, 0, :now, n.timeout, n.timer, false, false
  from account a
  cross join unnest(:ids::uuid[], :definitions::uuid[], :versions::int4[], :target_types::text[], :target_ids::text[],
                    :inputs::text[], :digests::uuid[], :keys::text[], :correlations::text[], :traces::text[],
                    :parents::uuid[], :depths::int4[], :timeouts::int8[], :timers::uuid[])
    as n(id, definition, version, target_type, target_id, input, digest, key, correlation, trace, parent, depth,
         timeout, timer)
 where a.account_id = :account

-- name: lock_free
-- Passes over executions that another session holds: no shared transaction waits for an owner.
select e.* from orchestration_execution e
 where e.account_id = :account and e.id = any(:ids::uuid[])
 order by e.id for update skip locked

-- name: lock
select e.* from orchestration_execution e
 where e.account_id = :account and e.id = any(:ids::uuid[])
 order by e.id for update

-- name: find
select e.* from orchestration_execution e where e.account_id = :account and e.id = any(:ids::uuid[])

-- name: find_by_key
select e.* from orchestration_execution e
 where e.account_id = :account and e.idempotency_key = any(:keys::text[])

-- name: insert
-- Executions whose keys are made of their ids.
-- use: inserted

-- name: insert_keyed
-- The key of an execution never expires. A key that is there already adds nothing.
-- use: inserted
 order by n.key
    on conflict (account_id, idempotency_key) do nothing
returning e.id

-- name: update
-- The ids are also given as an array: joined alone, a plan made on an empty table reads all rows of the account.
update orchestration_execution e
   set status = n.status, seq = n.seq, attempt_count = n.attempts, completed_ms = n.completed, active_ms = n.active,
       running_since_ms = n.since, timer_id = n.timer, output = n.output, error_class = n.error_class,
       error_code = n.error_code, error_status = n.error_status, error_summary = n.error_summary,
       compensated = n.compensated, reviewed = n.reviewed
  from unnest(:ids::uuid[], :statuses::text[], :seqs::int4[], :attempts::int4[], :completed::int8[], :active::int8[],
              :since::int8[], :timers::uuid[], :outputs::text[], :error_classes::text[], :error_codes::text[],
              :error_statuses::int4[], :error_summaries::text[], :compensated::bool[], :reviewed::bool[])
    as n(id, status, seq, attempts, completed, active, since, timer, output, error_class, error_code, error_status,
         error_summary, compensated, reviewed)
 where e.account_id = :account and e.id = any(:ids::uuid[]) and e.id = n.id

-- name: active_of_target
select count(*)::int4 as found from orchestration_execution e
 where e.account_id = :account and e.definition_id = :definition and e.target_type = :target_type
   and e.target_id = :target_id and e.status in ('running', 'waiting_approval', 'paused')

-- name: active_of_definition
select count(*)::int4 as found from orchestration_execution e
 where e.account_id = :account and e.definition_id = :definition
   and e.status in ('running', 'waiting_approval', 'paused')

-- name: timers
-- When these waits of an execution are over. The item of a wait has the id of its attempt.
select i.id, i.run_at_ms from item i
 where i.account_id = :account and i.id = any(:ids::uuid[])

-- name: page
-- Newest first. Each filter has an index that begins with it; the planner takes the one that fits.
select e.* from orchestration_execution e
 where e.account_id = :account and (:before::uuid is null or e.id < :before)
   and (:status::text is null or e.status = :status)
   and (:definition::uuid is null or e.definition_id = :definition)
   and (:target_type::text is null or e.target_type = :target_type)
   and (:target_id::text is null or e.target_id = :target_id)
   and (:correlation::text is null or e.correlation_id = :correlation)
 order by e.id desc limit :most

-- name: unreviewed
-- Executions that failed and that nobody has closed, newest first.
select e.* from orchestration_execution e
 where e.account_id = :account and e.status = 'failed' and not e.reviewed
   and (:before::uuid is null or e.id < :before)
 order by e.id desc limit :most
