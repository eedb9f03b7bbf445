-- name: find
select i.surface, i.scope, i.action, i.key, i.request_hash, i.status, i.answer, i.locked_until_ms, i.expires_ms
  from unnest(:surfaces::text[], :scopes::uuid[], :actions::text[], :keys::text[])
         as n(surface, scope, action, key)
  join idempotency i on i.account_id = :account and i.surface = n.surface and i.scope = n.scope
                    and i.action = n.action and i.key = n.key

-- name: take
-- Takes a key that is free. It also takes over an expired key, and a placeholder that was abandoned. If
-- another open transaction is taking the key, this one waits, for its lock_timeout at most.
insert into idempotency as i (account_id, surface, scope, action, key, request_hash, work_id, status,
    answer, locked_until_ms, created_ms, expires_ms)
select a.account_id, n.surface, n.scope, n.action, n.key, n.request_hash, n.work_id, n.status,
    n.answer, n.locked_until_ms, :now, n.expires_ms
  from account a,
       unnest(:surfaces::text[], :scopes::uuid[], :actions::text[], :keys::text[], :hashes::bytea[],
              :work_ids::uuid[], :statuses::int[], :answers::text[], :locked_untils::bigint[],
              :expiries::bigint[])
         as n(surface, scope, action, key, request_hash, work_id, status, answer, locked_until_ms,
              expires_ms)
 where a.account_id = :account
on conflict (account_id, surface, scope, action, key) do update
   set request_hash = excluded.request_hash, work_id = excluded.work_id, status = excluded.status,
       answer = excluded.answer, locked_until_ms = excluded.locked_until_ms, created_ms = excluded.created_ms,
       expires_ms = excluded.expires_ms
 where i.expires_ms <= excluded.created_ms
    or (i.answer is null and i.locked_until_ms <= excluded.created_ms)
returning i.work_id

-- name: accounts_with_expired
select distinct i.account_id
  from idempotency i
 where i.expires_ms <= :now
 limit :most

-- name: purge_expired
with gone as materialized (
  select i.surface, i.scope, i.action, i.key
    from idempotency i
   where i.account_id = :account and i.expires_ms <= :now
   limit :most
     for update skip locked)
delete from idempotency i using gone
 where i.account_id = :account and i.surface = gone.surface and i.scope = gone.scope
   and i.action = gone.action and i.key = gone.key

-- name: release
delete from idempotency i
 where i.account_id = :account and i.work_id = any(:work_ids::uuid[])

-- name: restate
-- For keys taken in this transaction whose answer is known only now.
update idempotency i
   set work_id = n.work_id, status = n.status, answer = n.answer
  from unnest(:drafts::uuid[], :work_ids::uuid[], :statuses::int[], :answers::text[])
         as n(draft, work_id, status, answer)
 where i.account_id = :account and i.work_id = n.draft
