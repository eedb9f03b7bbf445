-- The log of an account's queue. Readers lock nothing and stop at the horizon.

-- name: horizon
-- Every transaction below it has ended: all that it wrote is there, and nothing more comes. Of the
-- statement's own snapshot; a later statement sees at least as much.
select max(r.start) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon
  from event_era r
 where r.start >= :lowest

-- name: scan
select e.position, e.work_id, e.seq, e.at_ms, e.event, e.from_state, e.to_state, e.attempt,
       e.lease_number, e.holder, e.detail, w.kind
  from (select e.*
          from work_event e
         where e.account_id = :account and e.queue = :queue and e.position < :horizon
           and (e.position, e.work_id, e.seq) > (:position, :work_id, :seq)
         order by e.position, e.work_id, e.seq
         limit :most) e
  join work w on w.account_id = :account and w.id = e.work_id
 order by e.position, e.work_id, e.seq

-- name: scan_item
select e.position, e.work_id, e.seq, e.at_ms, e.event, e.from_state, e.to_state, e.attempt,
       e.lease_number, e.holder, e.detail, w.kind
  from work_event e
  join work w on w.account_id = :account and w.id = e.work_id
 where e.account_id = :account and e.work_id = :item and e.queue = :queue and e.position < :horizon
   and (e.position, e.work_id, e.seq) > (:position, :work_id, :seq)
 order by e.seq
 limit :most

-- name: moved
-- Which of the followed logs have something new: one look at the index for each.
select f.account_id, f.queue, n.position
  from unnest(:accounts::uuid[], :queues::text[], :seen::bigint[]) as f(account_id, queue, seen)
 cross join lateral (
   select e.position
     from work_event e
    where e.account_id = f.account_id and e.queue = f.queue and e.position > f.seen
      and e.position < :horizon
    order by e.position desc
    limit 1) n
