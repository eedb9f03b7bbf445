-- name: take
select t.ask, t.granted, t.used, t.wait_ms
  from take_allowances(:now, :ahead, :accounts::uuid[], :subjects::text[], :buckets::text[],
                       :slots::bigint[], :requests::int[], :rows::int[], :amounts::int[],
                       :maxima::int[]) as t
 order by t.ask

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
