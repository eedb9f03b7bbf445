-- name: take
select t.before, t.refused, t.wait_ms
  from take_from_windows(:now, :ahead, :waits, :accounts::uuid[], :subjects::text[],
                         :buckets::text[], :slots::bigint[], :wanted::int[], :needed::int[],
                         :least::int[], :requests::int[], :rows::int[], :amounts::int[],
                         :maxima::int[]) as t

-- part: used
-- What is used of a window now: its oldest slots may have passed since it was written.
case when :now::bigint / :slot <= a.step then a.total
     else a.total - (select sum(c) from unnest(
              a.counts[61 - least(:now::bigint / :slot - a.step, 60)::int : 60]) as c) end::int

-- name: look
-- Locks one window until the end of the transaction, if it exists.
select
-- use: used
       as used
  from allowance a
 where a.account_id = :account and a.subject = :subject and a.bucket = :bucket
   for update

-- name: take_held
-- For a transaction that has locked the window and has seen room in it.
update allowance a
   set step = greatest(a.step, :now::bigint / :slot), total = :amount::int +
-- use: used
       ,
       counts = case when :now::bigint / :slot <= a.step then (a.counts[1] + :amount) || a.counts[2 : 60]
                     else :amount || array_fill(0, array[least(:now::bigint / :slot - a.step, 60)::int - 1])
                          || a.counts[1 : 60 - least(:now::bigint / :slot - a.step, 60)::int] end,
       idle_ms = case when :now::bigint / :slot <= a.step then a.idle_ms else (:now::bigint / :slot + 60) * :slot end
 where a.account_id = :account and a.subject = :subject and a.bucket = :bucket

-- name: used
-- Waits for no lock, so a request that is being counted at this moment is not seen yet.
select n.place,
       a.total - coalesce((select sum(c) from unnest(
           a.counts[61 - least(greatest(:now / n.slot - a.step, 0), 60)::int : 60]) as c), 0) as used
  from unnest(:subjects::text[], :buckets::text[], :slots::bigint[])
         with ordinality as n(subject, bucket, slot, place)
  join allowance a on a.account_id = :account and a.subject = n.subject and a.bucket = n.bucket

-- name: purge_idle
-- Removes windows of which nothing is used any more.
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
