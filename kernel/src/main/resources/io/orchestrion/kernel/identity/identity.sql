-- name: insert_account
insert into account (account_id, name, plan, created_ms) values (:account, :name, :plan, :now)
on conflict (account_id) do nothing

-- name: insert_key
insert into api_key (account_id, key_id, key_hash, name, scopes, created_ms)
values (:account, :key_id, :hash, :name, :scopes::text[], :now)

-- name: find_key
-- The one look-up that starts without an account: it is what finds it.
select k.account_id, k.key_id, k.scopes, k.expires_ms, k.revoked_ms
  from api_key k
 where k.key_hash = :hash
