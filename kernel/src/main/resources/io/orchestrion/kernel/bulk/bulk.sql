-- Bulk operations. Statements that look for work take no locks: the verbs lock what they change.

-- name: insert
insert into bulk_operation as b (account_id, id, action, profile, states, kind, created_from_ms,
    created_before_ms, finished_before_ms, failure_part, ids, max_items, why, key_id, key_name,
    state, reached, matched, matched_all, done, skipped, failed, failed_ids, failed_reasons, tries,
    next_ms, created_ms, updated_ms)
select a.account_id, :id, :action, :profile, :states::text[], :kind, :created_from::bigint,
    :created_before::bigint, :finished_before::bigint, :failure_part, :ids::uuid[], :max, :why,
    :key_id::uuid, :key_name, 'running', :reached::uuid, :matched, :matched_all, 0, 0, 0, '{}', '{}', 0, :now, :now, :now
  from account a
 where a.account_id = :account
returning b.*

-- name: lock_account
-- Makes the operations of one account come one after the other, so that their number stays within the bound.
select a.account_id from account a where a.account_id = :account for no key update

-- name: running
select count(*) as running
  from bulk_operation b
 where b.account_id = :account and b.state = 'running'

-- name: get
select b.* from bulk_operation b where b.account_id = :account and b.id = :id

-- name: page
-- Newest first: ids grow with time.
select b.*
  from bulk_operation b
 where b.account_id = :account and b.id < :before
 order by b.id desc
 limit :most

-- part: fits
-- Whether a row matches the filter of an operation, whatever its state.
(w.profile = :profile and w.created_ms <= :made
  and (:kind::text is null or w.kind = :kind)
  and (:created_from::bigint is null or w.created_ms >= :created_from)
  and (:created_before::bigint is null or w.created_ms < :created_before)
  and (:finished_before::bigint is null or coalesce(w.finished_ms < :finished_before, false))
  and (w.finished_ms is null or w.finished_ms <= :made)
  and (:failure_part::text is null
       or coalesce(position(:failure_part::text in w.failure) > 0, false)))

-- name: matching
-- Which items match a filter now: for each state the number among its oldest rows, up to a bound, and the
-- first of them. One range of the index by state is read for each, row by row where the filter has no index,
-- so the number is bounded. The range is written as a comparison of rows, and the order names all its
-- columns, because no other index can give that order. With plain equality the planner takes the primary key
-- when a state is common, and then reads a whole account when the state is rare.
select m.fitting, m.looked_at, m.first
  from unnest(:states::text[]) as wanted(state)
 cross join lateral (
   select count(*) filter (where r.fits) as fitting, count(*) as looked_at,
          (array_agg(r.id) filter (where r.fits))[1:20] as first
     from (
     select w.id,
            -- use: fits
            as fits
       from work w
      where w.account_id = :account
        and w.state <> '' and (w.queue, w.state, w.id) > (:queue, wanted.state, :after)
        and (w.queue, w.state, w.id) <= (:queue, wanted.state, :last)
      order by w.queue, w.state, w.id
      limit :most) as r) as m

-- name: scan
-- The next rows of its states after the place that the operation has reached, each with whether it matches.
select s.id, s.fits
  from unnest(:states::text[]) as wanted(state)
 cross join lateral (
   select w.id,
          -- use: fits
          as fits
     from work w
    where w.account_id = :account
      and w.state <> '' and (w.queue, w.state, w.id) > (:queue, wanted.state, :after)
      and (w.queue, w.state, w.id) <= (:queue, wanted.state, :last)
    order by w.queue, w.state, w.id
    limit :most) as s
 order by s.id
 limit :most

-- name: scan_ids
-- The same for an operation that names its tasks.
select w.id,
       w.state = any(:states::text[]) and
       -- use: fits
       as fits
  from work w
 where w.account_id = :account and w.id = any(:ids::uuid[]) and w.queue = :queue
   and w.id > :after and w.id <= :last
 order by w.id
 limit :most

-- name: due
-- Reads over all accounts, without a lock.
select b.account_id, b.id
  from bulk_operation b
 where b.next_ms <= :now
 order by b.next_ms
 limit :most

-- name: lock_running
-- The node that works on an operation holds its row; another node passes on to the next.
select b.*
  from bulk_operation b
 where b.account_id = :account and b.id = :id and b.state = 'running'
   for update skip locked

-- name: lock_any
select b.*
  from bulk_operation b
 where b.account_id = :account and b.id = :id
   for no key update

-- name: store
update bulk_operation b
   set state = :state, reached = :reached, done = :done, skipped = :skipped, failed = :failed,
       failed_ids = :failed_ids::uuid[], failed_reasons = :failed_reasons::text[], tries = :tries,
       next_ms = :next, finished_ms = :finished, updated_ms = :now
 where b.account_id = :account and b.id = :id and b.state = 'running'

-- name: accounts_with_old_operations
select b.account_id, min(b.finished_ms) as oldest
  from bulk_operation b
 where b.finished_ms <= :until
 group by b.account_id
 order by oldest
 limit :most

-- name: purge
with gone as materialized (
  select b.id
    from bulk_operation b
   where b.account_id = :account and b.finished_ms <= :until
   order by b.finished_ms
   limit :most
     for update skip locked)
delete from bulk_operation b using gone
 where b.account_id = :account and b.id = gone.id
