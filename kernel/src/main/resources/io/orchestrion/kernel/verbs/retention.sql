-- How ended items are removed. Each statement serves one account, except the first.

-- name: accounts_to_purge
select w.account_id, min(w.purge_after_ms) as oldest
  from work w
 where w.purge_after_ms <= :now
 group by w.account_id
 order by oldest
 limit :most

-- name: items_go
-- Allows the removal of the lines of their logs together with the items, in this transaction only. It is a
-- set and not a function, because a distributed PostgreSQL passes a set on to the nodes of the rows.
set local orchestrion.items_purged = 'yes'

-- name: keep_longer
with kept as materialized (
  select w.id
    from work w
   where w.account_id = :account and w.purge_after_ms <= :now and w.profile = any(:metered::text[])
     and w.finished_ms + :kept_ms > :now
   order by w.purge_after_ms
   limit :most
     for update skip locked)
update work w
   set purge_after_ms = w.finished_ms + :kept_ms
  from kept
 where w.account_id = :account and w.id = kept.id and w.finished_ms is not null

-- part: all_of_it
-- Removes all rows that belong to the items in gone, and then the items themselves, with their histories.
logs as (
  delete from job_event j using gone where j.account_id = :account and j.work_id = gone.id),
counters as (
  delete from job_log l using gone where l.account_id = :account and l.work_id = gone.id),
-- The job goes with its definition and its reports.
jobs as (
  delete from job j using gone where j.account_id = :account and j.job_id = gone.id),
receipts as (
  delete from work_receipt r using gone where r.account_id = :account and r.work_id = gone.id),
-- Its events go, too. Its deliveries are items themselves, and another duty removes them.
told as (
  update webhook_delivery d
     set orphan = true
    from gone
   where d.account_id = :account and d.subject = gone.id and not d.orphan),
delivered as (
  delete from webhook_delivery d using gone
   where d.account_id = :account and d.delivery_id = gone.id),
-- A create locks its key before it locks items. So rows that it holds are skipped, and a later purge removes
-- them.
answered as materialized (
  select k.surface, k.scope, k.action, k.key
    from gone
   cross join lateral (
     select i.surface, i.scope, i.action, i.key
       from idempotency i
      where i.account_id = :account and i.work_id = gone.id
        for update skip locked) as k),
answers as (
  delete from idempotency i using answered
   where i.account_id = :account and i.surface = answered.surface and i.scope = answered.scope
     and i.action = answered.action and i.key = answered.key),
parents as (
  delete from work_dependency d using gone where d.account_id = :account and d.work_id = gone.id),
-- A key that a create has just locked is left to the create. It finds that the item is gone, and takes the
-- key.
held as materialized (
  select k.queue, k.kind, k.unique_key
    from gone
   cross join lateral (
     select u.queue, u.kind, u.unique_key
       from work_unique u
      where u.account_id = :account and u.queue = gone.queue and u.kind = gone.kind
        and u.unique_key = gone.unique_key and u.work_id = gone.id
        for update skip locked) as k),
keys as (
  delete from work_unique u using held
   where u.account_id = :account and u.queue = held.queue and u.kind = held.kind
     and u.unique_key = held.unique_key)
delete from work w using gone where w.account_id = :account and w.id = gone.id

-- name: purgeable
-- Never an open item, and none that the plan of today would still keep. The items are locked from here on.
select w.id
  from work w
 where w.account_id = :account and w.purge_after_ms <= :now
   and w.state in ('succeeded', 'failed', 'dead', 'cancelled')
   and (w.profile <> all(:metered::text[]) or w.finished_ms + :kept_ms <= :now)
 order by w.purge_after_ms
 limit :most
   for update skip locked

-- name: purge
-- The item and all rows that belong to it, in one statement.
with gone as materialized (
  select w.id, w.queue, w.kind, w.unique_key
    from work w
   where w.account_id = :account and w.id = any(:ids::uuid[])
     and w.state in ('succeeded', 'failed', 'dead', 'cancelled')
     for update skip locked),
-- use: all_of_it

-- name: remove
-- The same for ended items that are to be removed before their time. The caller has locked them, so none is
-- skipped.
with gone as materialized (
  select w.id, w.queue, w.kind, w.unique_key
    from work w
   where w.account_id = :account and w.id = any(:ids::uuid[]) and w.profile = :profile
     and w.state in ('succeeded', 'failed', 'dead', 'cancelled')
     for update skip locked),
-- use: all_of_it
