-- What has to go, and what the store holds without a reason. Each statement but the first serves one account.

-- name: accounts_with_due_artifacts
select distinct f.account_id from run_artifact f where f.due_ms <= :now limit :most

-- name: claim_due
-- Whoever has them removes their objects before the time at which they are due again, or else the next one does.
with due as materialized (
  select f.id, f.state from run_artifact f
   where f.account_id = :account and f.due_ms <= :now
   order by f.due_ms
   limit :most
     for update skip locked)
update run_artifact f
   set state = 'deleted', discarded = f.discarded or due.state = 'uploading', deleted_ms = coalesce(f.deleted_ms, :now),
       due_ms = :again
  from due
 where f.account_id = :account and f.id = due.id
returning f.id, f.run_id, f.name, f.object_key, due.state as was

-- name: known
-- What is known of these objects.
select f.object_key, f.state
  from run_artifact f
 where f.account_id = :account and f.object_key = any(:keys)
