-- The statements on room and order over all accounts. Those that span accounts only read, and lock no rows
-- but those of job_capacity.

-- name: lock_capacity
select c.max, c.spare, c.counted_ms
  from job_capacity c
 where c.name = :name
   for update

-- name: put_capacity
update job_capacity c
   set max = :max, spare = :spare, counted_ms = :counted
 where c.name = :name

-- name: count_waiting
-- Counts no further than one more than are allowed. Assigned jobs count too, because they may be queued
-- again. Each state is read by itself, in the order of the index that holds only such jobs; otherwise the
-- planner may take another index.
select (select count(*)
          from (select 1
                  from item i
                 where i.profile = 'jobs' and i.finished_ms is null and i.state = 'waiting'
                 order by i.order_ms, i.id
                 limit :most) as each)
       + (select count(*)
          from (select 1
                  from item i
                 where i.profile = 'jobs' and i.finished_ms is null and i.state = 'ready'
                 order by i.order_ms, i.id
                 limit :most) as each) as waiting,
       (select count(*)
          from (select 1
                  from item i
                 where i.profile = 'jobs' and i.finished_ms is null and i.state = 'leased'
                 order by i.order_ms, i.id
                 limit :most) as each) as assigned

-- name: count_active
select (select count(*)
          from (select 1
                  from item i
                 where i.profile = 'jobs' and i.finished_ms is null and i.state = 'leased'
                 order by i.order_ms, i.id
                 limit :most) as each)
       + (select count(*)
          from (select 1
                  from item i
                 where i.profile = 'jobs' and i.finished_ms is null and i.state = 'running'
                 order by i.order_ms, i.id
                 limit :most) as each) as active

-- name: due
-- Due jobs that nobody has made ready yet. It looks at so many rows of all queues and no further; the
-- promoter finds the rest.
select distinct d.account_id, d.kind
  from (select i.account_id, i.queue, i.kind
          from item i
         where i.state = 'waiting' and i.wait_reason in ('schedule', 'backoff') and i.run_at_ms <= :now
         order by i.run_at_ms
         limit :most) as d
 where d.queue = 'jobs'

-- name: heads
-- The oldest jobs of all accounts, read without a lock. An item whose job row is missing, which the check
-- after the start reports, must not block all others.
select i.account_id, i.id
  from item i
 where i.profile = 'jobs' and i.finished_ms is null and i.state = 'ready'
   and exists (select 1 from job j where j.account_id = i.account_id and j.job_id = i.id)
 order by i.order_ms, i.id
 limit :most

-- name: active_by_account
select a.account_id, count(*) as active
  from ((select i.account_id
           from item i
          where i.profile = 'jobs' and i.finished_ms is null and i.state = 'leased'
          order by i.order_ms, i.id
          limit :most)
         union all
        (select i.account_id
           from item i
          where i.profile = 'jobs' and i.finished_ms is null and i.state = 'running'
          order by i.order_ms, i.id
          limit :most)) as a
 group by a.account_id

-- name: heads_by_account
-- Accounts that have ready jobs, with the first of these. The walk goes from one account to the next along
-- the index, from a given place on.
with recursive walk as (
  (select i.account_id, 1 as seen
     from item i
    where i.profile = 'jobs' and i.account_id > :from::uuid
    order by i.account_id
    limit 1)
  union all
  select further.account_id, walk.seen + 1
    from walk
   cross join lateral (
     select i.account_id
       from item i
      where i.profile = 'jobs' and i.account_id > walk.account_id
      order by i.account_id
      limit 1) as further
   where walk.seen < :accounts)
select walk.account_id, h.id, h.order_ms
  from walk
  left join lateral (
   select i.id, i.order_ms
     from item i
    where i.account_id = walk.account_id and i.profile = 'jobs'
      and job_state(i.state, i.wait_reason) = 'QUEUED' and i.state = 'ready'
      and exists (select 1 from job j where j.account_id = i.account_id and j.job_id = i.id)
    order by i.id
    limit :most) as h on true
 order by walk.account_id

-- name: accounts_with_ready_jobs
-- The accounts of the walk above where they are spread over several machines, and no single index has them
-- all.
select distinct i.account_id
  from item i
 where i.profile = 'jobs' and i.finished_ms is null and i.state = 'ready' and i.account_id > :from::uuid
 order by i.account_id
 limit :accounts

-- name: heads_of_account
select i.id, i.order_ms
  from item i
 where i.account_id = :account and i.profile = 'jobs'
   and job_state(i.state, i.wait_reason) = 'QUEUED' and i.state = 'ready'
   and exists (select 1 from job j where j.account_id = :account and j.job_id = i.id)
 order by i.id
 limit :most
