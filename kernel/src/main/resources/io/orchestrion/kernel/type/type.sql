-- The statements on types of work, and those that move items to where an aging interval puts them.

-- name: find
select t.*
  from work_type t
 where t.account_id = :account and t.queue = :queue and t.kind = :kind and not t.removed

-- name: draining
select exists (
  select from work_type t
   where t.account_id = :account and t.queue = :queue and t.kind = :kind and t.draining) as draining

-- name: list
select t.*
  from work_type t
 where t.account_id = :account and t.queue = :queue and t.kind > :after and not t.removed
 order by t.kind
 limit :most

-- name: known
-- All that the door needs before it accepts a task, in one row. There is none for an account that is gone.
select a.strict_types, t.*
  from account a
  left join work_type t
    on t.account_id = :account and t.queue = :queue and t.kind = :kind and not t.removed
 where a.account_id = :account

-- name: checks_results
select exists (
  select from work_type t
   where t.account_id = :account and t.queue = :queue and t.result_schema is not null) as checks

-- name: strict
select a.strict_types from account a where a.account_id = :account

-- name: set_strict
update account a set strict_types = :strict where a.account_id = :account

-- name: lock_account
-- Makes changes of one account's types come one after the other, so that their number stays within the bound.
select a.account_id from account a where a.account_id = :account for no key update

-- name: count
select count(*) from work_type t
 where t.account_id = :account and t.queue = :queue and not t.removed

-- name: lock
-- Also locks a type that was removed by its account and whose row still exists.
select t.*
  from work_type t
 where t.account_id = :account and t.queue = :queue and t.kind = :kind
   for no key update

-- name: lock_unless_busy
select t.*
  from work_type t
 where t.account_id = :account and t.queue = :queue and t.kind = :kind
   for no key update skip locked

-- name: put
insert into work_type as t (account_id, queue, kind, description, payload_schema, result_schema,
    priority, max_attempts, lease_seconds, aging_ms, concurrency_max, rate_max, rate_period_ms, flow,
    reflow, paused, paused_ms, draining, draining_ms, removed, reranking, rerank_after, rerank_check_ms,
    created_ms, updated_ms)
values (:account, :queue, :kind, :description, :payload_schema::jsonb, :result_schema::jsonb,
    :priority, :max_attempts, :lease_seconds, :aging_ms, :concurrency_max, :rate_max, :rate_period_ms, :flow,
    :reflow, :paused, :paused_ms, :draining, :draining_ms, :removed, :reranking, :rerank_after,
    :rerank_check_ms, :created_ms, :updated_ms)
on conflict (account_id, queue, kind) do update
   set description = excluded.description, payload_schema = excluded.payload_schema,
       result_schema = excluded.result_schema, priority = excluded.priority,
       max_attempts = excluded.max_attempts, lease_seconds = excluded.lease_seconds,
       aging_ms = excluded.aging_ms, concurrency_max = excluded.concurrency_max,
       rate_max = excluded.rate_max, rate_period_ms = excluded.rate_period_ms, flow = excluded.flow,
       reflow = t.reflow or excluded.reflow, paused = excluded.paused,
       paused_ms = excluded.paused_ms, draining = excluded.draining,
       draining_ms = excluded.draining_ms, removed = excluded.removed,
       reranking = excluded.reranking, rerank_after = excluded.rerank_after,
       rerank_check_ms = excluded.rerank_check_ms, created_ms = excluded.created_ms,
       updated_ms = excluded.updated_ms

-- name: move
-- Pausing, draining and resuming change nothing else of the type.
update work_type t
   set paused = :paused, paused_ms = :paused_ms, draining = :draining, draining_ms = :draining_ms,
       updated_ms = :now
 where t.account_id = :account and t.queue = :queue and t.kind = :kind

-- name: set_rerank
update work_type t
   set reranking = :reranking, rerank_after = :rerank_after, rerank_check_ms = :rerank_check_ms
 where t.account_id = :account and t.queue = :queue and t.kind = :kind

-- name: delete
delete from work_type t
 where t.account_id = :account and t.queue = :queue and t.kind = :kind

-- name: unsettled
-- Reads over all accounts, without a lock.
select t.account_id, t.queue, t.kind
  from work_type t
 where (t.removed or t.rerank_after is not null or t.rerank_check_ms is not null)
   and (t.rerank_after is not null or t.rerank_check_ms <= :now
        or (t.removed and t.rerank_check_ms is null and not t.reflow))
 order by t.account_id, t.queue, t.kind
 limit :most

-- name: claimable
-- Items that can be claimed now or when their time has come, up to so many of each.
(select w.id from work w
  where w.account_id = :account and w.queue = :queue and w.kind = :kind
    and w.state || '' = 'ready' and w.flow_key is null
  limit :most)
union all
(select w.id from work w
  where w.account_id = :account and w.queue = :queue and w.kind = :kind
    and w.state = 'ready' and w.flow_key is not null
  limit :most)
union all
(select w.id from work w
  where w.account_id = :account and w.queue = :queue and w.kind = :kind
    and w.state = 'waiting' and w.wait_reason in ('schedule', 'backoff')
  limit :most)

-- part: due_rank
-- The rank of an item under the type's aging interval. For a retried item it counts from its creation,
-- because its run time is that of the retry.
(w.priority - coalesce(
   case when w.attempt > 0 then w.created_ms else greatest(w.created_ms, w.run_at_ms) end
     / :aging_ms::bigint, 0))

-- name: rerank
-- The ids are written twice; otherwise a planner without statistics compares every id with every row.
with stale as materialized (
  select w.id
    from work w
   where w.account_id = :account and w.id = any(:ids::uuid[])
     and w.rank <>
     -- use: due_rank
   order by w.id
     for update skip locked)
update work w
   set rank =
   -- use: due_rank
  from stale
 where w.account_id = :account and w.id = any(:ids::uuid[]) and w.id = stale.id

-- name: claimable_is_stale
select exists (
    select from work w
     where w.account_id = :account and w.queue = :queue and w.kind = :kind
       and w.state || '' = 'ready' and w.flow_key is null
       and w.rank <>
       -- use: due_rank
       )
  or exists (
    select from work w
     where w.account_id = :account and w.queue = :queue and w.kind = :kind
       and w.state = 'ready' and w.flow_key is not null
       and w.rank <>
       -- use: due_rank
       )
  or exists (
    select from work w
     where w.account_id = :account and w.queue = :queue and w.kind = :kind
       and w.state = 'waiting' and w.wait_reason in ('schedule', 'backoff')
       and w.rank <>
       -- use: due_rank
       ) as stale

-- name: window_end
-- The last of the next so many items of the account, of any kind; none after the last.
select n.id
  from (select w.id from work w
         where w.account_id = :account and w.id > :after
         order by w.id
         limit :most) as n
 order by n.id desc
 limit 1

-- name: rerank_window
with stale as materialized (
  select w.id
    from work w
   where w.account_id = :account and w.id > :after and w.id <= :until
     and w.queue = :queue and w.kind = :kind and w.state not in ('succeeded', 'cancelled')
     and w.rank <>
     -- use: due_rank
   order by w.id
     for update skip locked)
update work w
   set rank =
   -- use: due_rank
  from stale
 where w.account_id = :account and w.id > :after and w.id <= :until and w.id = stale.id

-- name: window_is_stale
-- Whether somebody holds one of the items, so that the window has to be looked at again.
select exists (
  select from work w
   where w.account_id = :account and w.id > :after and w.id <= :until
     and w.queue = :queue and w.kind = :kind and w.state not in ('succeeded', 'cancelled')
     and w.rank <>
     -- use: due_rank
     ) as stale
