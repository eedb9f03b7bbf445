-- What was answered before, for those who ask again.

-- name: keep_failures
-- The rows as the failures left them, read back where they were just written.
insert into work_receipt as r (account_id, work_id, token, digest, snapshot, created_ms)
select a.account_id, n.id, n.token, n.digest, to_jsonb(w), :now
  from account a, unnest(:ids::uuid[], :tokens::uuid[], :digests::uuid[]) as n(id, token, digest)
  join work w on w.account_id = :account and w.id = n.id
 where a.account_id = :account

-- name: failures
select s.*, r.created_ms as answered_ms
  from unnest(:ids::uuid[], :tokens::uuid[], :digests::uuid[]) as n(id, token, digest)
  join work_receipt r
    on r.account_id = :account and r.work_id = n.id and r.token = n.token and r.digest = n.digest
 cross join lateral jsonb_populate_record(null::work, r.snapshot) as s
