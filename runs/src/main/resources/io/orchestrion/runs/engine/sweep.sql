-- What the sweepers look for over all accounts, read only, and the heartbeats of the runs that one node drives.

-- name: beat
-- Passes over runs that are being changed: that notes a heartbeat, too.
with mine as materialized (
  select r.id from run r
   where r.account_id = :account and r.id = any(:ids::uuid[]) and r.status = 'running'
     and r.driver_id = any(:drivers::uuid[])
   order by r.id for update skip locked)
update run r set last_heartbeat_ms = :now
  from mine
 where r.account_id = :account and r.id = mine.id

-- name: without_heartbeat
select r.account_id, r.id as run_id, r.id from run r
 where r.status = 'running' and r.last_heartbeat_ms < :time
 order by r.last_heartbeat_ms limit :most

-- name: due_runs
select r.account_id, r.id as run_id, r.id from run r
 where r.deadline_ms <= :time
 order by r.deadline_ms limit :most

-- name: due_agents
select g.account_id, g.run_id, g.id from run_agent g
 where g.deadline_ms <= :time
 order by g.deadline_ms limit :most

-- name: due_tasks
select t.account_id, t.run_id, t.id from run_task t
 where t.deadline_ms <= :time
 order by t.deadline_ms limit :most
