-- name: insert
insert into orchestration_approval
  (account_id, id, execution_id, step_id, step_execution_id, kind, status, seq, assignee_group, title, input,
   requested_ms, due_ms)
select a.account_id, n.id, n.execution, n.step, n.step_execution, n.kind, n.status, n.seq, n.assignee, n.title, n.input,
       n.requested, n.due
  from account a
  cross join unnest(:ids::uuid[], :executions::uuid[], :steps::text[], :step_executions::uuid[], :kinds::text[],
                    :statuses::text[], :seqs::int4[], :assignees::text[], :titles::text[], :inputs::text[],
                    :requested::int8[], :dues::int8[])
    as n(id, execution, step, step_execution, kind, status, seq, assignee, title, input, requested, due)
 where a.account_id = :account

-- name: update
-- The ids are also given as an array: joined alone, a plan made on an empty table reads all rows of the account.
update orchestration_approval p
   set status = n.status, seq = n.seq, decided_ms = n.decided, decided_by = n.decided_by,
       decided_by_name = n.decided_by_name, note = n.note
  from unnest(:ids::uuid[], :statuses::text[], :seqs::int4[], :decided::int8[], :decided_by::uuid[],
              :decided_by_names::text[], :notes::text[])
    as n(id, status, seq, decided, decided_by, decided_by_name, note)
 where p.account_id = :account and p.id = any(:ids::uuid[]) and p.id = n.id

-- name: find
select p.* from orchestration_approval p where p.account_id = :account and p.id = :id

-- name: pending_of_execution
select p.* from orchestration_approval p
 where p.account_id = :account and p.execution_id = :execution and p.status = 'pending' order by p.id

-- name: newest_of_step
select p.* from orchestration_approval p
 where p.account_id = :account and p.execution_id = :execution and p.step_id = :step
 order by p.id desc limit 1

-- name: page
-- The inbox, oldest first.
select p.* from orchestration_approval p
 where p.account_id = :account and (:after::uuid is null or p.id > :after)
   and (:status::text is null or p.status = :status) and (:kind::text is null or p.kind = :kind)
   and (:assignee::text is null or p.assignee_group = :assignee)
   and (:execution::uuid is null or p.execution_id = :execution)
   and (:due_before::int8 is null or p.due_ms < :due_before)
 order by p.id limit :most
