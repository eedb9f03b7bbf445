-- name: lock_account
-- Makes changes of one account's schedules come one after the other, so that no two count the same.
select a.account_id from account a where a.account_id = :account for no key update

-- name: count
select count(*) as schedules from schedule s where s.account_id = :account

-- name: named
select s.schedule_id from schedule s where s.account_id = :account and s.name = :name

-- name: insert
insert into schedule
       (account_id, schedule_id, name, cron, every_seconds, timezone, start_ms, end_ms, anchor_ms,
        catch_up, catch_up_max, catch_up_within_s, overlap, jitter_s, task_type, payload, priority,
        max_attempts, lease_seconds, paused, next_fire_ms, due_ms, fire_seq, fired, missed, skipped,
        failed, created_ms, updated_ms)
values (:account, :id, :name, :cron, :every, :timezone, :start, :end, :anchor,
        :catch_up, :catch_up_max, :catch_up_within, :overlap, :jitter, :type, :payload::jsonb,
        :priority, :attempts, :lease, :paused, :next, :next, 0, 0, 0, 0, 0, :now, :now)

-- name: redefine
update schedule s
   set name = :name, cron = :cron, every_seconds = :every, timezone = :timezone, start_ms = :start,
       end_ms = :end, anchor_ms = :anchor, catch_up = :catch_up, catch_up_max = :catch_up_max,
       catch_up_within_s = :catch_up_within, overlap = :overlap, jitter_s = :jitter,
       task_type = :type, payload = :payload::jsonb, priority = :priority,
       max_attempts = :attempts, lease_seconds = :lease, updated_ms = :now
 where s.account_id = :account and s.schedule_id = :id

-- name: get
select s.*, s.payload::text as payload_text
  from schedule s
 where s.account_id = :account and s.schedule_id = :id

-- name: list
-- A page, newest first: ids grow with time.
select s.*, s.payload::text as payload_text
  from schedule s
 where s.account_id = :account and s.schedule_id < :before
 order by s.schedule_id desc
 limit :most

-- name: lock
-- For the owner of the schedule, who waits while it is being fired.
select s.*, s.payload::text as payload_text
  from schedule s
 where s.account_id = :account and s.schedule_id = :id
   for update

-- name: accounts_due
select s.account_id, min(s.due_ms) as oldest
  from schedule s
 where s.due_ms <= :now
 group by s.account_id
 order by oldest
 limit :most

-- name: due
select s.schedule_id
  from schedule s
 where s.account_id = :account and s.due_ms <= :now
 order by s.due_ms
 limit :most

-- name: lock_due
-- Another node may have fired it since the look, or may be firing it now. Then it is left to that node.
select s.*, s.payload::text as payload_text
  from schedule s
 where s.account_id = :account and s.schedule_id = :id and s.due_ms <= :now
   for update skip locked

-- name: save
update schedule s
   set paused = :paused, next_fire_ms = :next, due_ms = :due, buffered_ms = :buffered,
       fire_seq = :fire_seq, last_fire_ms = :last_fire, last_task_id = :last_task, fired = :fired,
       missed = :missed, skipped = :skipped, failed = :failed, failure_ms = :failure_ms,
       failure = :failure
 where s.account_id = :account and s.schedule_id = :id

-- name: touch
update schedule s set updated_ms = :now where s.account_id = :account and s.schedule_id = :id

-- name: delete
delete from schedule s where s.account_id = :account and s.schedule_id = :id

-- name: delete_all_fires
delete from schedule_fire f where f.account_id = :account and f.schedule_id = :id

-- name: delete_fires
-- The fire of a task that is still open stays; otherwise the rule on overlap would no longer see the task.
delete from schedule_fire f
 where f.account_id = :account and f.schedule_id = :id and f.seq <= :seq
   and (f.task_id is null or not exists (
     select from work w
      where w.account_id = :account and w.id = f.task_id and w.finished_ms is null))

-- name: insert_fire
insert into schedule_fire
       (account_id, schedule_id, seq, fire_ms, manual, late, result, times, task_id, detail, at_ms)
values (:account, :id, :seq, :fire, :manual, :late, :result, :times, :task, :detail, :now)

-- name: insert_fire_unless_known
-- For a fire that failed: an entry for its time may have been written already.
insert into schedule_fire
       (account_id, schedule_id, seq, fire_ms, manual, late, result, times, task_id, detail, at_ms)
values (:account, :id, :seq, :fire, :manual, :late, :result, :times, :task, :detail, :now)
on conflict do nothing

-- name: fires
select f.seq, f.fire_ms, f.manual, f.late, f.result, f.times, f.task_id, f.detail, f.at_ms
  from schedule_fire f
 where f.account_id = :account and f.schedule_id = :id and f.seq < :before
 order by f.seq desc
 limit :most

-- name: open_tasks
-- Those of its newest tasks that have not ended.
select w.id, w.state
  from (select f.task_id
          from schedule_fire f
         where f.account_id = :account and f.schedule_id = :id and f.task_id is not null
         order by f.seq desc
         limit :newest) t
  join work w on w.account_id = :account and w.id = t.task_id
 where w.account_id = :account and w.state in ('waiting', 'ready', 'leased', 'running')

-- name: lock_tasks
-- A locked task stays pending until it is cancelled.
select w.id, w.state
  from work w
 where w.account_id = :account and w.id = any(:ids::uuid[])
   and w.state in ('waiting', 'ready', 'leased', 'running')
 order by w.id
   for update

-- name: accounts_with_old_fires
select distinct f.account_id from schedule_fire f where f.at_ms <= :old limit :most

-- name: purge_fires
with gone as materialized (
  select f.schedule_id, f.seq
    from schedule_fire f
   where f.account_id = :account and f.at_ms <= :old
     and (f.task_id is null or not exists (
       select from work w
        where w.account_id = :account and w.id = f.task_id and w.finished_ms is null))
   limit :most
     for update skip locked)
delete from schedule_fire f using gone
 where f.account_id = :account and f.schedule_id = gone.schedule_id and f.seq = gone.seq
