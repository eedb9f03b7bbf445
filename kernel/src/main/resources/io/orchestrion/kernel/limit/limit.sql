-- name: take
select t.before, t.refused, t.wait_ms
  from take_from_windows(:now, :ahead, :waits, :accounts::uuid[], :subjects::text[],
                         :buckets::text[], :slots::bigint[], :wanted::int[], :needed::int[],
                         :least::int[], :requests::int[], :rows::int[], :amounts::int[],
                         :maxima::int[]) as t

-- name: used
-- Waits for nobody: what is being taken at this moment is not seen yet.
select n.place,
       (select sum(c) from unnest(
           a.counts[1 : 60 - least(greatest(:now / n.slot - a.step, 0), 60)::int]) as c) as used
  from unnest(:subjects::text[], :buckets::text[], :slots::bigint[])
         with ordinality as n(subject, bucket, slot, place)
  join allowance a on a.account_id = :account and a.subject = n.subject and a.bucket = n.bucket

-- name: purge_idle
-- Windows in which nothing is left.
with idle as materialized (
  select a.account_id, a.subject, a.bucket
    from allowance a
   where a.idle_ms <= :now
   order by a.idle_ms
   limit :most
     for update skip locked)
delete from allowance a
 using idle
 where a.account_id = idle.account_id and a.subject = idle.subject and a.bucket = idle.bucket
