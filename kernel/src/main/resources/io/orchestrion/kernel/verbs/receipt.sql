-- Earlier answers, for requests that are sent again.

-- name: keep_failures
-- The rows as the failures left them, read in the transaction that has just written them.
insert into work_receipt as r (account_id, work_id, token, digest, snapshot, created_ms)
select a.account_id, n.id, n.token, n.digest, to_jsonb(w) - array['payload', 'result', 'output_ref', 'error', 'usage', 'logs_ref'], :now
  from account a, unnest(:ids::uuid[], :tokens::uuid[], :digests::uuid[]) as n(id, token, digest)
  join work w on w.account_id = :account and w.id = n.id
 where a.account_id = :account

-- name: failures
select
-- use: item
       , r.created_ms as answered_ms
  from unnest(:ids::uuid[], :tokens::uuid[], :digests::uuid[]) as n(id, token, digest)
  join work_receipt r
    on r.account_id = :account and r.work_id = n.id and r.token = n.token and r.digest = n.digest
 cross join lateral jsonb_populate_record(null::work, r.snapshot) as w

-- name: take_claims
-- Takes the ids that are free. If another open transaction is taking one, this one waits for its end: then
-- the id is known, or free after all. The caller has sorted the ids, so that no two batches wait for each
-- other.
insert into claim_receipt as r (account_id, claim_id, digest, created_ms)
select a.account_id, n.claim_id, n.digest, :now
  from account a, unnest(:claims::uuid[], :digests::uuid[]) as n(claim_id, digest)
 where a.account_id = :account
on conflict (account_id, claim_id) do nothing
returning r.claim_id

-- name: free_claims
delete from claim_receipt r
 where r.account_id = :account and r.claim_id = any(:claims::uuid[])

-- name: keep_leases
insert into claim_lease as l (account_id, claim_id, place, work_id, token)
select a.account_id, n.claim_id, n.place, n.work_id, n.token
  from account a,
       unnest(:claims::uuid[], :places::int[], :ids::uuid[], :tokens::uuid[])
         as n(claim_id, place, work_id, token)
 where a.account_id = :account

-- name: leases
-- Every lease of these claims, with its item if that is still held under the lease.
select
-- use: item
,
-- use: documents
, r.claim_id, r.digest
  from unnest(:claims::uuid[]) as n(claim_id)
  join claim_receipt r on r.account_id = :account and r.claim_id = n.claim_id
  join claim_lease l on l.account_id = :account and l.claim_id = n.claim_id
  left join work w
    on w.account_id = :account and w.id = l.work_id and w.lease_token = l.token
   and w.state in ('leased', 'running') and w.lease_until_ms > :now
 order by l.claim_id, l.place

-- name: accounts_with_old_claims
select distinct r.account_id
  from claim_receipt r
 where r.created_ms <= :before
 limit :most

-- name: purge_claims
with gone as materialized (
  select r.claim_id
    from claim_receipt r
   where r.account_id = :account and r.created_ms <= :before
   limit :most
     for update skip locked),
leases as (
  delete from claim_lease l using gone
   where l.account_id = :account and l.claim_id = gone.claim_id)
delete from claim_receipt r using gone
 where r.account_id = :account and r.claim_id = gone.claim_id
