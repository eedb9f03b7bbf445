-- The log of an account's queue: one row for each transaction that wrote to it. Its position is given after
-- the commit, see sequence.sql.

-- name: insert_chunk
-- A row says which items have new lines, and which lines of their histories these are.
insert into event_chunk as c (account_id, queue, tx_id, part, work_ids, seqs, sums, look_ms)
select a.account_id, :queue, :tx::bigint, :part, :work_ids::uuid[], :seqs::int[], :sums::jsonb, :look_at
  from account a
 where a.account_id = :account

-- name: accounts_with_old_chunks
select c.account_id, min(c.look_ms) as oldest
  from event_chunk c
 where c.look_ms <= :now
 group by c.account_id
 order by oldest
 limit :most

-- name: purge_chunks
-- Removes rows whose items and subjects are all gone, if they are counted. For each other row, one item that
-- still exists says when to look again: when it will be removed, or later if that is not known yet.
with looked as materialized (
  select c.queue, c.tx_id, c.part, c.position, c.work_ids
    from event_chunk c
   where c.account_id = :account and c.look_ms <= :now and c.position > 0
   order by c.look_ms
   limit :most
     for update skip locked),
found as materialized (
  select l.queue, l.tx_id, l.part,
         case when f.account_id is null or f.position < l.position then :later
              else coalesce(there.purge_after_ms, told.look_ms) end as look_ms
    from looked l
    left join event_fold f on f.account_id = :account and f.queue = l.queue
    left join lateral (
      select greatest(:now + 1, coalesce(w.purge_after_ms, :later)) as purge_after_ms
        from unnest(l.work_ids) as n(id)
        join work w on w.account_id = :account and w.id = n.id
       limit 1) there on true
    left join lateral (
      select :later::bigint as look_ms
        from unnest(l.work_ids) as n(id)
        join subject_event s on s.account_id = :account and s.subject_id = n.id
       limit 1) told on true),
kept as (
  update event_chunk c
     set look_ms = found.look_ms
    from found
   where c.account_id = :account and c.queue = found.queue and c.tx_id = found.tx_id
     and c.part = found.part and found.look_ms is not null)
delete from event_chunk c
 using found
 where c.account_id = :account and c.queue = found.queue and c.tx_id = found.tx_id
   and c.part = found.part and found.look_ms is null
