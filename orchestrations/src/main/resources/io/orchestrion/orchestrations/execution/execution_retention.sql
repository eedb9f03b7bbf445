-- How executions that ended long ago go, with all that belongs to them. Each but the first serves one account.

-- name: accounts_with_old_executions
select distinct e.account_id
  from orchestration_execution e
 where e.completed_ms <= :before
 limit :most

-- name: executions_go
-- Lets frozen rows go, in this transaction alone. As a set and no function: a distributed PostgreSQL passes it on to the
-- nodes that the rows are on.
set local orchestrion.executions_purged = 'yes'

-- name: lock_old
select e.id from orchestration_execution e
 where e.account_id = :account and e.completed_ms <= :before
 order by e.completed_ms limit :most
   for update skip locked

-- name: remove_steps
-- The attempts of one execution, and the notices that were sent under their keys.
with gone as materialized (
  select s.id, s.idempotency_key
    from orchestration_step s
   where s.account_id = :account and s.execution_id = :execution
   order by s.id
   limit :most),
notices as (
  delete from orchestration_notification n using gone
   where n.account_id = :account and n.step_idempotency_key = gone.idempotency_key)
delete from orchestration_step s using gone
 where s.account_id = :account and s.id = gone.id
returning s.id

-- name: remove_approvals
with gone as materialized (
  select p.id
    from orchestration_approval p
   where p.account_id = :account and p.execution_id = :execution
   order by p.id
   limit :most)
delete from orchestration_approval p using gone
 where p.account_id = :account and p.id = gone.id
returning p.id

-- name: remove_dead_letters
with gone as materialized (
  select d.id
    from orchestration_dead_letter d
   where d.account_id = :account and d.execution_id = :execution
   order by d.id
   limit :most)
delete from orchestration_dead_letter d using gone
 where d.account_id = :account and d.id = gone.id
returning d.id, d.reason, d.status

-- name: remove_execution
delete from orchestration_execution e where e.account_id = :account and e.id = :execution
