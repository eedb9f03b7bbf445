-- The log of an account's queue. Readers take no locks and see only rows with a position, see sequence.sql.

-- name: scan
-- Row by row along the index, so that no more rows are sorted and looked up than are wanted. Events of an
-- item that was removed are gone with its history.
select c.position, n.work_id, n.seq, (e.line->>1)::bigint as at_ms, e.line->>2 as event, e.line->>3 as from_state,
       e.line->>4 as to_state, (e.line->>5)::integer as attempt, (e.line->>6)::bigint as lease_number,
       e.line->>7 as holder, e.line->>8 as detail, e.line->>9 as error, w.kind,
       w.correlation_id
  from event_chunk c
 cross join lateral unnest(c.work_ids, c.seqs) as n(work_id, seq)
  join work w on w.account_id = :account and w.id = n.work_id
 cross join lateral (
   select split_part(w.history, E'\n', n.seq)::jsonb as line
    where split_part(w.history, E'\n', n.seq) <> '' offset 0) as e
 where c.account_id = :account and c.queue = :queue and c.position > 0 and c.position >= :position
   and (c.position, n.work_id, n.seq) > (:position, :work_id, :seq)
 order by c.position, n.work_id, n.seq
 limit :most

-- name: scan_item
-- The item's history names transactions; the rows of the log are found by these.
select p.position, e.work_id, e.seq, e.at_ms, e.event, e.from_state, e.to_state, e.attempt,
       e.lease_number, e.holder, e.detail, e.error, w.kind, w.correlation_id
  from work_event e
  join work w on w.account_id = :account and w.id = e.work_id
 cross join lateral (
   select c.position
     from event_chunk c
    cross join lateral unnest(c.work_ids, c.seqs) as n(work_id, seq)
    where c.account_id = :account and c.queue = :queue and c.tx_id = e.tx_id and c.position > 0
      and n.work_id = e.work_id and n.seq = e.seq
    limit 1) as p
 where e.account_id = :account and e.work_id = :item
   and (p.position, e.work_id, e.seq) > (:position, :work_id, :seq)
 order by e.seq
 limit :most

-- name: moved
-- by account: f
-- Which of the followed logs have something new: one look at the index for each.
select f.account_id, f.queue, n.position
  from unnest(:accounts::uuid[], :queues::text[], :seen::bigint[]) as f(account_id, queue, seen)
 cross join lateral (
   select c.position
     from event_chunk c
    where c.account_id = f.account_id and c.queue = f.queue and c.position > 0 and c.position > f.seen
    order by c.position desc
    limit 1) n
