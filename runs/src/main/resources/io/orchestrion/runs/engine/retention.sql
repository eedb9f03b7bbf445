-- How runs that ended long ago go, with all that belongs to them. Each but the first serves one account. The ledger and
-- what was used stay: they are never removed.

-- name: accounts_with_old_runs
select distinct r.account_id
  from run r
 where coalesce(r.completed_ms, r.cancelled_ms, r.deleted_ms) <= :before
   and (r.status in ('completed', 'failed', 'cancelled', 'skipped') or r.deleted_ms is not null)
 limit :most

-- name: runs_go
-- Lets frozen rows go, in this transaction alone. As a set and no function: a distributed PostgreSQL passes it on to the
-- nodes that the rows are on.
set local orchestrion.runs_purged = 'yes'

-- name: lock_old
select r.id, r.status, r.attempt_number, r.deleted_ms is not null as deleted from run r
 where r.account_id = :account and coalesce(r.completed_ms, r.cancelled_ms, r.deleted_ms) <= :before
   and (r.status in ('completed', 'failed', 'cancelled', 'skipped') or r.deleted_ms is not null)
 order by r.id limit :most
   for update skip locked

-- name: remove_attempts
with gone as materialized (
  select t.id from run_step_attempt t
   where t.account_id = :account and t.run_id = :run
   order by t.id limit :most)
delete from run_step_attempt t using gone
 where t.account_id = :account and t.id = gone.id
returning t.id

-- name: remove_approvals
with gone as materialized (
  select p.id from run_approval p
   where p.account_id = :account and p.run_id = :run
   order by p.id limit :most)
delete from run_approval p using gone
 where p.account_id = :account and p.id = gone.id
returning p.id

-- name: remove_steps
with gone as materialized (
  select s.id from run_step s
   where s.account_id = :account and s.run_id = :run
   order by s.id limit :most)
delete from run_step s using gone
 where s.account_id = :account and s.id = gone.id
returning s.id

-- name: remove_tasks
with gone as materialized (
  select t.id from run_task t
   where t.account_id = :account and t.run_id = :run
   order by t.id limit :most)
delete from run_task t using gone
 where t.account_id = :account and t.id = gone.id
returning t.id

-- name: remove_decisions
with gone as materialized (
  select d.id from run_decision d
   where d.account_id = :account and d.run_id = :run
   order by d.id limit :most)
delete from run_decision d using gone
 where d.account_id = :account and d.id = gone.id
returning d.id

-- name: remove_tickets
delete from run_ticket t where t.account_id = :account and t.run_id = :run
returning t.id

-- name: remove_agents
delete from run_agent g where g.account_id = :account and g.run_id = :run
returning g.id

-- name: remove_plans
delete from run_plan p where p.account_id = :account and p.run_id = :run

-- name: remove_messages
delete from run_message m where m.account_id = :account and m.run_id = :run

-- name: remove_run_attempts
delete from run_attempt t where t.account_id = :account and t.run_id = :run

-- name: remove_transitions
-- All at once: each is referred to by the next one.
delete from run_transition t where t.account_id = :account and t.run_id = :run

-- name: remove_run
delete from run r where r.account_id = :account and r.id = :run
