-- Which item has a unique key.

-- name: lock_keys
-- Takes the free keys and locks the others. The order of the keys is the same for all callers, so that no two
-- batches wait for each other. A key that is taken already is written over with itself, because a key that is
-- only read is not locked.
insert into work_unique as u (account_id, queue, kind, unique_key, work_id, created_ms)
select a.account_id, n.queue, n.kind, n.unique_key, n.work_id, :now
  from account a,
       unnest(:queues::text[], :kinds::text[], :keys::text[], :work_ids::uuid[])
         as n(queue, kind, unique_key, work_id)
 where a.account_id = :account
on conflict (account_id, queue, kind, unique_key) do update
   set work_id = u.work_id
returning u.queue, u.kind, u.unique_key, u.work_id, u.created_ms

-- name: hand_over
update work_unique u
   set work_id = n.work_id, created_ms = :now
  from unnest(:queues::text[], :kinds::text[], :keys::text[], :work_ids::uuid[])
         as n(queue, kind, unique_key, work_id)
 where u.account_id = :account and u.queue = n.queue and u.kind = n.kind
   and u.unique_key = n.unique_key

-- name: give_back
delete from work_unique u
 using unnest(:queues::text[], :kinds::text[], :keys::text[]) as n(queue, kind, unique_key)
 where u.account_id = :account and u.queue = n.queue and u.kind = n.kind
   and u.unique_key = n.unique_key
