-- The statements on room and order over all accounts: those that look read only, those that write serve one
-- account.

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
-- No further than to where it is more than there may be. What is assigned may come back. One state at a time and
-- in the order of the index that holds nothing else, lest the planner take another.
select (select count(*)
          from (select 1
                  from work w
                 where w.profile = 'jobs' and w.finished_ms is null and w.state = 'waiting'
                 order by w.order_ms, w.id
                 limit :most) as each)
       + (select count(*)
          from (select 1
                  from work w
                 where w.profile = 'jobs' and w.finished_ms is null and w.state = 'ready'
                 order by w.order_ms, w.id
                 limit :most) as each) as waiting,
       (select count(*)
          from (select 1
                  from work w
                 where w.profile = 'jobs' and w.finished_ms is null and w.state = 'leased'
                 order by w.order_ms, w.id
                 limit :most) as each) as assigned

-- name: count_active
select (select count(*)
          from (select 1
                  from work w
                 where w.profile = 'jobs' and w.finished_ms is null and w.state = 'leased'
                 order by w.order_ms, w.id
                 limit :most) as each)
       + (select count(*)
          from (select 1
                  from work w
                 where w.profile = 'jobs' and w.finished_ms is null and w.state = 'running'
                 order by w.order_ms, w.id
                 limit :most) as each) as active

-- name: due
-- Jobs whose time has come and that nobody has made ready yet. It looks at so many rows of all queues and not
-- further: the promoter sees to the rest.
select distinct d.account_id, d.kind
  from (select w.account_id, w.queue, w.kind
          from work w
         where w.state = 'waiting' and w.wait_reason in ('schedule', 'backoff') and w.run_at_ms <= :now
         order by w.run_at_ms
         limit :most) as d
 where d.queue = 'jobs'

-- name: heads
-- The oldest of all accounts, as they look without a lock. An item that has lost its job, which the start-up
-- check tells of, must not stand in the way of all others.
select w.account_id, w.id
  from work w
 where w.profile = 'jobs' and w.finished_ms is null and w.state = 'ready'
   and exists (select 1 from job j where j.account_id = w.account_id and j.job_id = w.id)
 order by w.order_ms, w.id
 limit :most

-- name: active_by_account
select a.account_id, count(*) as active
  from ((select w.account_id
           from work w
          where w.profile = 'jobs' and w.finished_ms is null and w.state = 'leased'
          order by w.order_ms, w.id
          limit :most)
         union all
        (select w.account_id
           from work w
          where w.profile = 'jobs' and w.finished_ms is null and w.state = 'running'
          order by w.order_ms, w.id
          limit :most)) as a
 group by a.account_id

-- name: heads_by_account
-- Accounts that have jobs with the first ones that are ready, from one account to the next along the index, from a
-- place on.
with recursive walk as (
  (select w.account_id, 1 as seen
     from work w
    where w.profile = 'jobs' and w.account_id > :from::uuid
    order by w.account_id
    limit 1)
  union all
  select further.account_id, walk.seen + 1
    from walk
   cross join lateral (
     select w.account_id
       from work w
      where w.profile = 'jobs' and w.account_id > walk.account_id
      order by w.account_id
      limit 1) as further
   where walk.seen < :accounts)
select walk.account_id, h.id, h.order_ms
  from walk
  left join lateral (
   select w.id, w.order_ms
     from work w
    where w.account_id = walk.account_id and w.profile = 'jobs'
      and job_state(w.state, w.wait_reason) = 'QUEUED' and w.state = 'ready'
      and exists (select 1 from job j where j.account_id = w.account_id and j.job_id = w.id)
    order by w.id
    limit :most) as h on true
 order by walk.account_id

-- name: accounts_with_ready_jobs
-- The accounts of the walk above where they are spread over several machines, which cannot walk along one index.
select distinct w.account_id
  from work w
 where w.profile = 'jobs' and w.finished_ms is null and w.state = 'ready' and w.account_id > :from::uuid
 order by w.account_id
 limit :accounts

-- name: heads_of_account
select w.id, w.order_ms
  from work w
 where w.account_id = :account and w.profile = 'jobs'
   and job_state(w.state, w.wait_reason) = 'QUEUED' and w.state = 'ready'
   and exists (select 1 from job j where j.account_id = :account and j.job_id = w.id)
 order by w.id
 limit :most

-- name: lock_free
-- Those of them that are still ready and that nobody is just writing.
select w.id
  from work w
 where w.account_id = :account and w.id = any(:ids::uuid[]) and w.state || '' = 'ready'
 order by w.id
   for update skip locked
