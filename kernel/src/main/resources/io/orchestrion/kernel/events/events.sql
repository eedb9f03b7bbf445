-- The log of an account's queue. Readers lock nothing and stop at the horizon.

-- name: horizon
-- Every transaction below it has ended: all that it wrote is there, and nothing more comes. Of the
-- statement's own snapshot; a later statement sees at least as much.
select max(r.start) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon
  from event_era r
 where r.start >= :lowest

-- name: scan
-- Row by row along the index, so that no more is put in order and looked up than is wanted: rows of one
-- transaction are in no order among themselves. What an item's history had of it went with the item.
select c.position, n.work_id, n.seq, (e.line->>1)::bigint as at_ms, e.line->>2 as event, e.line->>3 as from_state,
       e.line->>4 as to_state, (e.line->>5)::integer as attempt, (e.line->>6)::bigint as lease_number,
       e.line->>7 as holder, e.line->>8 as detail, w.kind
  from event_chunk c
 cross join lateral unnest(c.work_ids, c.seqs) as n(work_id, seq)
  join work w on w.account_id = :account and w.id = n.work_id
 cross join lateral (
   select split_part(w.history, E'\n', n.seq)::jsonb as line
    where split_part(w.history, E'\n', n.seq) <> '' offset 0) as e
 where c.account_id = :account and c.queue = :queue and c.position >= :position and c.position < :horizon
   and (c.position, n.work_id, n.seq) > (:position, :work_id, :seq)
 order by c.position, n.work_id, n.seq
 limit :most

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
   select c.position
     from event_chunk c
    where c.account_id = f.account_id and c.queue = f.queue and c.position > f.seen
      and c.position < :horizon
    order by c.position desc
    limit 1) n
