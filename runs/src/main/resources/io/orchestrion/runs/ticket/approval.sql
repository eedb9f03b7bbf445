-- name: find
select p.* from run_approval p where p.account_id = :account and p.id = :id

-- name: page
-- Newest first.
select p.* from run_approval p
 where p.account_id = :account and (:before::uuid is null or p.id < :before)
   and (:status::text is null or p.status = :status) and (:run::uuid is null or p.run_id = :run)
 order by p.id desc limit :most

-- name: insert
insert into run_approval
  (account_id, id, run_id, step_id, attempt_number, seq, status, tool, input, requested_ms)
select a.account_id, n.id, n.run, n.step, n.attempt, 1, 'pending', n.tool, n.input, :now
  from account a
  cross join unnest(:ids::uuid[], :runs::uuid[], :steps::uuid[], :attempts::int4[], :tools::text[], :inputs::text[])
    as n(id, run, step, attempt, tool, input)
 where a.account_id = :account

-- name: decide
update run_approval p
   set seq = :seq, status = :status, decided_ms = :now, decided_by = :by, note = :note
 where p.account_id = :account and p.id = :id and p.status = 'pending'

-- name: cancel
update run_approval p
   set seq = p.seq + 1, status = 'cancelled', decided_ms = :now
 where p.account_id = :account and p.id = any(:ids::uuid[]) and p.status = 'pending'
returning p.*
