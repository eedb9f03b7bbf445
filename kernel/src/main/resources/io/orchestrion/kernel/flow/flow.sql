-- Limits for each key of a type: which key is next, how much room it has, and what waits. The claim itself is
-- in work.sql; here is what it needs.

-- part: held
-- The slots of a concurrency key that are taken: rows with a lease, even one that has run out and that no
-- sweep has ended yet. If that did not count, a heartbeat that read the time just before the end and commits
-- just after it could make one lease too many. The key is written as a range, and in its order. So no plan,
-- not even one that was made while the table was empty, takes another index of held rows, which would read
-- all those of the account.
select count(*)
          from (select from work w
                 where w.account_id = :account and w.queue = :queue and w.kind = :kind
                   and w.concurrency_key >= split_part(k.flow_key, chr(31), 1)
                   and w.concurrency_key <= split_part(k.flow_key, chr(31), 1)
                   and w.state in ('leased', 'running')
                 order by w.concurrency_key
                 limit t.concurrency_max) as one

-- part: starts
select coalesce(sum(s.starts), 0)
          from flow_start s
         where s.account_id = :account and s.queue = :queue and s.kind = :kind
           and s.rate_key = split_part(k.flow_key, chr(31), 2)
           and s.last_ms > :now - t.rate_period_ms

-- name: limited_kinds
select t.queue, t.kind
  from work_type t
 where t.account_id = :account and t.queue = any(:queues::text[]) and t.kind = any(:kinds::text[])
   and t.flow

-- name: lock_rings
-- Makes claims of a limited type come one after the other. A statement that begins after this lock is held
-- sees every lease that was given before.
select r.kind, r.last_key
  from flow_ring r
 where r.account_id = :account and r.queue = :queue and r.kind = any(:kinds::text[])
 order by r.kind
   for update

-- name: make_rings
insert into flow_ring as r (account_id, queue, kind, last_key)
select a.account_id, :queue, n.kind, ''
  from account a, unnest(:kinds::text[]) as n(kind)
 where a.account_id = :account
on conflict (account_id, queue, kind) do nothing

-- name: move_ring
-- Moves past keys without room. When the claim takes something, it moves the ring itself.
update flow_ring r
   set last_key = :last_key
 where r.account_id = :account and r.queue = :queue and r.kind = :kind and r.last_key <> :last_key

-- name: page
-- The next keys after :after that have ready items, once around up to :until. Each comes with its room, and
-- with its first items up to its share. Each key costs one look into the index, however many items it has.
-- The offset 0 keeps the planner from flattening the lateral query.
with recursive key(flow_key, lap, n) as (
  select :after::text, :lap::boolean, 0
  union all
  select s.flow_key, k.lap or s.flow_key <= k.flow_key, k.n + 1
    from key k
   cross join lateral (
     select coalesce(
         (select w.flow_key
            from work w
           where w.account_id = :account and w.queue = :queue and w.kind = :kind
             and w.state = 'ready' and w.flow_key > k.flow_key
           order by w.flow_key
           limit 1),
         (select w.flow_key
            from work w
           where w.account_id = :account and w.queue = :queue and w.kind = :kind
             and w.state = 'ready' and w.flow_key is not null and not k.lap
           order by w.flow_key
           limit 1)) as flow_key
     offset 0) as s
   where k.n < :keys and s.flow_key is not null
     and (s.flow_key <= :until or not k.lap and s.flow_key > k.flow_key))
select k.n, k.flow_key, k.lap, room.concurrency, room.rate, t.rate_period_ms, h.id
  from key k
  join work_type t
    on t.account_id = :account and t.queue = :queue and t.kind = :kind
   and t.flow and not t.reflow and not t.paused
 cross join lateral (
   select case when t.concurrency_max is not null and split_part(k.flow_key, chr(31), 1) <> ''
               then t.concurrency_max - (
        -- use: held
               ) end as concurrency,
          case when t.rate_max is not null and split_part(k.flow_key, chr(31), 2) <> ''
               then t.rate_max - (
        -- use: starts
               ) end as rate
   offset 0) as room
  left join lateral (
    select w.id, w.rank, w.order_ms
      from work w
     where w.account_id = :account and w.queue = :queue and w.kind = :kind
       and w.state = 'ready' and w.flow_key = k.flow_key
     order by w.rank desc, w.order_ms, w.id
     limit greatest(0, least(room.concurrency, room.rate,
         (select (:wanted + count(*) - 2) / greatest(count(*) - 1, 1) from key)))) as h on true
 where k.n > 0
 order by k.n, h.rank desc, h.order_ms, h.id

-- name: rooms
-- The room for items that are claimed by their ids. If the item's own lease has run out, it does not count
-- against itself.
select n.id, t.concurrency_max, t.rate_max, t.rate_period_ms,
       case when t.concurrency_max is not null then held.count end as held, held.first_end,
       case when t.rate_max is not null then started.starts end as starts, started.next_ms
  from unnest(:ids::uuid[], :queues::text[], :kinds::text[], :concurrency_keys::text[],
              :rate_keys::text[]) as n(id, queue, kind, concurrency_key, rate_key)
  join work_type t
    on t.account_id = :account and t.queue = n.queue and t.kind = n.kind and t.flow
 cross join lateral (
   select count(*) as count, min(one.lease_until_ms) as first_end
     from (select w.lease_until_ms
             from work w
            where w.account_id = :account and w.queue = n.queue and w.kind = n.kind
              and w.concurrency_key >= n.concurrency_key
              and w.concurrency_key <= n.concurrency_key
              and w.state in ('leased', 'running') and w.id <> n.id
            order by w.concurrency_key) as one) as held
 cross join lateral (
   select coalesce(sum(s.starts), 0) as starts,
          max(s.last_ms) filter (where s.newer >= t.rate_max) + t.rate_period_ms as next_ms
     from (select s.last_ms, s.starts,
                  sum(s.starts) over (order by s.last_ms desc, s.slice_ms desc) as newer
             from flow_start s
            where s.account_id = :account and s.queue = n.queue and s.kind = n.kind
              and s.rate_key = n.rate_key and s.last_ms > :now - t.rate_period_ms) as s) as started

-- name: add_starts
insert into flow_start as s (account_id, queue, kind, rate_key, slice_ms, last_ms, starts, purge_ms)
select a.account_id, n.queue, n.kind, n.rate_key, n.slice_ms, :now, n.starts, n.purge_ms
  from account a,
       unnest(:queues::text[], :kinds::text[], :rate_keys::text[], :slices::bigint[],
              :starts::int[], :purges::bigint[])
         as n(queue, kind, rate_key, slice_ms, starts, purge_ms)
 where a.account_id = :account
on conflict (account_id, queue, kind, rate_key, slice_ms)
do update set starts = s.starts + excluded.starts, last_ms = greatest(s.last_ms, excluded.last_ms)

-- name: settings
select t.concurrency_max, t.rate_max, t.rate_period_ms, t.flow, t.reflow, t.paused
  from work_type t
 where t.account_id = :account and t.queue = :queue and t.kind = :kind

-- name: waiting_keys
-- What waits, key by key. Counts end at :most_waiting.
with recursive key(flow_key, n) as (
  select :after::text, 0
  union all
  select s.flow_key, k.n + 1
    from key k
   cross join lateral (
     select (select w.flow_key
               from work w
              where w.account_id = :account and w.queue = :queue and w.kind = :kind
                and w.state = 'ready' and w.flow_key > k.flow_key
              order by w.flow_key
              limit 1) as flow_key
     offset 0) as s
   where k.n < :keys and s.flow_key is not null)
select k.flow_key, waiting.count as waiting, waiting.since,
       case when split_part(k.flow_key, chr(31), 1) <> '' then held.count end as held,
       held.first_end,
       case when split_part(k.flow_key, chr(31), 2) <> '' then started.starts end as starts,
       started.next_ms
  from key k
  join work_type t
    on t.account_id = :account and t.queue = :queue and t.kind = :kind
 cross join lateral (
   select count(*) as count, min(one.since) as since
     from (select greatest(w.created_ms, w.run_at_ms) as since
             from work w
            where w.account_id = :account and w.queue = :queue and w.kind = :kind
              and w.state = 'ready' and w.flow_key = k.flow_key
            order by w.rank desc, w.order_ms, w.id
            limit :most_waiting) as one) as waiting
 cross join lateral (
   select count(*) as count, min(one.lease_until_ms) as first_end
     from (select w.lease_until_ms
             from work w
            where w.account_id = :account and w.queue = :queue and w.kind = :kind
              and w.concurrency_key >= split_part(k.flow_key, chr(31), 1)
              and w.concurrency_key <= split_part(k.flow_key, chr(31), 1)
              and w.state in ('leased', 'running')
            order by w.concurrency_key
            limit :most_waiting) as one) as held
 cross join lateral (
   select coalesce(sum(s.starts), 0) as starts,
          max(s.last_ms) filter (where s.newer >= t.rate_max) + t.rate_period_ms as next_ms
     from (select s.last_ms, s.starts,
                  sum(s.starts) over (order by s.last_ms desc, s.slice_ms desc) as newer
             from flow_start s
            where s.account_id = :account and s.queue = :queue and s.kind = :kind
              and s.rate_key = split_part(k.flow_key, chr(31), 2)
              and s.last_ms > :now - t.rate_period_ms) as s) as started
 where k.n > 0
 order by k.n

-- name: types_to_reflow
select t.account_id, t.queue, t.kind, t.flow
  from work_type t
 where t.reflow
 order by t.account_id, t.queue, t.kind
 limit :most

-- name: rings_after
-- Each type that has or had a limit, over all accounts.
select r.account_id, r.queue, r.kind, coalesce(t.flow, false) as flow
  from flow_ring r
  left join work_type t
    on t.account_id = r.account_id and t.queue = r.queue and t.kind = r.kind
 where (r.account_id, r.queue, r.kind) > (:after::uuid, :queue::text, :kind::text)
 order by r.account_id, r.queue, r.kind
 limit :most

-- name: strays
-- by account: n
-- Those of the types of which a ready row is in the index of types without limits, because a transaction put
-- it there that had not seen the change.
select n.account_id, n.queue, n.kind, n.flow
  from unnest(:accounts::uuid[], :queues::text[], :kinds::text[], :flows::bool[])
         as n(account_id, queue, kind, flow)
 where case when n.flow
            then exists (select from work w
                          where w.account_id = n.account_id and w.queue = n.queue
                            and w.kind = n.kind and w.state || '' = 'ready' and w.flow_key is null)
            else exists (select from work w
                          where w.account_id = n.account_id and w.queue = n.queue
                            and w.kind = n.kind and w.state = 'ready' and w.flow_key is not null)
             end

-- name: give_keys
-- Ids in an array are looked up one by one, however full the table was when the plan was made.
with wrong as materialized (
  select w.id
    from work w
   where w.account_id = :account and w.queue = :queue and w.kind = :kind
     and w.state || '' = 'ready' and w.flow_key is null
   order by w.rank desc, w.order_ms, w.id
   limit :most
     for update skip locked)
update work w
   set flow_key = coalesce(w.concurrency_key, '') || chr(31) || coalesce(w.rate_key, '')
 where w.account_id = :account and w.id = any(array(select wrong.id from wrong))
   and w.state = 'ready'

-- name: take_keys
with wrong as materialized (
  select w.id
    from work w
   where w.account_id = :account and w.queue = :queue and w.kind = :kind
     and w.state = 'ready' and w.flow_key is not null
   order by w.flow_key, w.rank desc, w.order_ms, w.id
   limit :most
     for update skip locked)
update work w
   set flow_key = null
 where w.account_id = :account and w.id = any(array(select wrong.id from wrong))
   and w.state = 'ready'

-- name: end_reflow
-- Unless the limit was switched again meanwhile.
update work_type t
   set reflow = false
 where t.account_id = :account and t.queue = :queue and t.kind = :kind
   and t.reflow and t.flow = :flow

-- name: accounts_with_old_starts
select s.account_id, min(s.purge_ms) as oldest
  from flow_start s
 where s.purge_ms <= :now
 group by s.account_id
 order by oldest
 limit :most

-- name: purge_starts
with old as materialized (
  select s.ctid as place
    from flow_start s
   where s.account_id = :account and s.purge_ms <= :now
   order by s.purge_ms
   limit :most
     for update skip locked)
delete from flow_start s
 where s.account_id = :account and s.ctid = any(array(select old.place from old))
