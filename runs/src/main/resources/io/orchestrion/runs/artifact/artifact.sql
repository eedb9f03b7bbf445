-- Artifacts of runs. Each statement serves one account.

-- name: space
select s.space, s.url_key from run_artifact_space s where s.account_id = :account

-- name: make_space
-- Of two that come at once, one makes it.
insert into run_artifact_space as s (account_id, space, url_key, created_ms)
select a.account_id, :space, :url_key, :now from account a where a.account_id = :account
    on conflict (account_id) do nothing

-- name: lock_run
-- Uploads of one run come one after the other here, and never at once with the end of the run. Not for update: artifacts
-- refer to the row, and the check of that reference takes a weaker lock beside this one.
select r.status, r.deleted_ms is not null as deleted
  from run r
 where r.account_id = :account and r.id = :run
   for no key update

-- name: has_run
select r.id from run r where r.account_id = :account and r.id = :run and r.deleted_ms is null

-- name: any_left
select f.id from run_artifact f where f.account_id = :account and f.run_id = :run limit 1

-- name: has_step
select s.id from run_step s where s.account_id = :account and s.run_id = :run and s.id = :step

-- name: use
-- What a run has. A run has so few artifacts that counting them costs less than keeping count.
select count(*) as artifacts, coalesce(sum(f.size), 0)::bigint as bytes,
       count(*) filter (where f.state = 'uploading') as uploads
  from run_artifact f
 where f.account_id = :account and f.run_id = :run and not f.discarded and f.state <> 'deleted'

-- name: named
select f.* from run_artifact f
 where f.account_id = :account and f.run_id = :run and f.name = :name and not f.discarded

-- name: begin
insert into run_artifact as f (account_id, id, run_id, name, object_key, content_type, size, state, discarded,
    source_step_id, created_ms, due_ms)
select r.account_id, :id, r.id, :name, :object_key, :content_type, :size, 'uploading', false, :step, :now, :due
  from run r
 where r.account_id = :account and r.id = :run

-- name: renew
-- The upload goes on. No row: it was discarded meanwhile.
update run_artifact f set due_ms = :due, size = :size
 where f.account_id = :account and f.id = :id and f.state = 'uploading'

-- name: finish
update run_artifact f
   set state = 'ready', size = :size, sha256 = :sha256, finished_ms = :now, due_ms = null
 where f.account_id = :account and f.id = :id and f.state = 'uploading'
returning f.*

-- name: discard
-- The sweeper removes what may have been written, now.
update run_artifact f set state = 'deleted', discarded = true, deleted_ms = :now, due_ms = :now
 where f.account_id = :account and f.id = :id and f.state = 'uploading'

-- name: removed
update run_artifact f set due_ms = null
 where f.account_id = :account and f.id = any(:ids) and f.state = 'deleted' and f.due_ms = :due

-- name: find
select f.* from run_artifact f where f.account_id = :account and f.id = :id

-- name: extend
-- Access never makes the time shorter. What has no end yet gets none.
update run_artifact f set expires_ms = :until, due_ms = :until
 where f.account_id = :account and f.id = :id and f.state = 'ready' and f.expires_ms > :now and f.expires_ms < :until
returning f.*

-- name: page
select f.* from run_artifact f
 where f.account_id = :account and f.run_id = :run and f.id < :before
   and case when :state::text is null then not f.discarded else f.state = :state end
 order by f.id desc
 limit :most

-- name: end_uploads
-- Whoever uploads finds out. What was written by then is removed when the upload would have counted as dead.
update run_artifact f set state = 'deleted', discarded = true, deleted_ms = :now
 where f.account_id = :account and f.run_id = :run and f.state = 'uploading'

-- name: end_ready
update run_artifact f set expires_ms = :until, due_ms = :until
 where f.account_id = :account and f.run_id = :run and f.state = 'ready'
   and (f.expires_ms is null or (f.expires_ms > :now and f.expires_ms < :until))

-- name: purge
-- Only what has no object any more.
delete from run_artifact f
 where f.account_id = :account
   and f.id in (select g.id from run_artifact g
                 where g.account_id = :account and g.run_id = :run and g.state = 'deleted' and g.due_ms is null
                 limit :most)
returning f.id

-- name: expire_all
update run_artifact f set expires_ms = :now, due_ms = :now
 where f.account_id = :account and f.run_id = :run and f.state = 'ready'
