-- name: find
select t.* from run_ticket t where t.account_id = :account and t.id = :id

-- name: open_of_run
select t.* from run_ticket t where t.account_id = :account and t.run_id = :run and t.status = 'open'

-- name: page
-- Newest first.
select t.* from run_ticket t
 where t.account_id = :account and (:before::uuid is null or t.id < :before)
   and (:status::text is null or t.status = :status) and (:run::uuid is null or t.run_id = :run)
 order by t.id desc limit :most

-- name: insert
insert into run_ticket
  (account_id, id, run_id, seq, status, severity, trigger, added, error_code, error, holds, created_ms)
select a.account_id, :id::uuid, :run::uuid, 1, 'open', 'high', :trigger, 0, :code, :error, :holds, :now
  from account a
 where a.account_id = :account

-- name: update
update run_ticket t
   set seq = :seq, status = :status, added = :added, last_trigger = :last, holds = :holds, resolved_ms = :resolved,
       resolved_by = :by, resolution = :resolution, note = :note
 where t.account_id = :account and t.id = :id and t.status = 'open'
