-- name: insert_account
insert into account (account_id, name, plan, created_ms) values (:account, :name, :plan, :now)
on conflict (account_id) do nothing

-- name: lock_account
-- Makes the changes of one account's keys come one after the other.
select a.account_id from account a where a.account_id = :account for no key update

-- name: insert_client
insert into client (account_id, created_ms) values (:account, :now)

-- name: client
select c.created_ms from client c where c.account_id = :account

-- name: account
select a.account_id from account a where a.account_id = :account

-- name: insert_key
insert into api_key (account_id, key_id, key_hash, name, scopes, created_ms, expires_ms)
values (:account, :key_id, :hash, :name, :scopes::text[], :now, :expires)

-- name: find_key
-- The one look-up that starts without an account, because it finds the account.
select k.account_id, k.key_id, k.scopes, k.expires_ms, k.revoked_ms, k.last_used_ms
  from api_key k
 where k.key_hash = :hash

-- name: key
select k.key_id, k.key_hash, k.name, k.scopes, k.created_ms, k.expires_ms, k.revoked_ms,
       k.last_used_ms
  from api_key k
 where k.account_id = :account and k.key_id = :key_id

-- name: keys
-- A page, newest first: ids grow with time.
select k.key_id, k.key_hash, k.name, k.scopes, k.created_ms, k.expires_ms, k.revoked_ms,
       k.last_used_ms
  from api_key k
 where k.account_id = :account and k.key_id < :before
 order by k.key_id desc
 limit :most

-- name: live_keys
select count(*) as keys, count(*) filter (where 'admin' = any (k.scopes)) as admins
  from api_key k
 where k.account_id = :account and k.revoked_ms is null
   and coalesce(k.expires_ms, 9223372036854775807) > :now

-- name: rename_key
update api_key k
   set name = :name
 where k.account_id = :account and k.key_id = :key_id

-- name: revoke_key
update api_key k
   set revoked_ms = :now
 where k.account_id = :account and k.key_id = :key_id and k.revoked_ms is null

-- name: renew_key
-- The old secret is named, so that of two renewals at once the second finds another secret in its place.
update api_key k
   set key_hash = :hash, expires_ms = :expires
 where k.account_id = :account and k.key_id = :key_id and k.key_hash = :old
   and k.revoked_ms is null

-- name: note_use
-- Nodes that note the same keys at the same moment wait for each other: each machine of a distributed
-- PostgreSQL has a copy of the row, and locked ones cannot be skipped there.
update api_key k
   set last_used_ms = n.used_ms
  from unnest(:keys::uuid[], :times::bigint[]) as n(key_id, used_ms)
 where k.account_id = :account and k.key_id = n.key_id
   and (k.last_used_ms is null or k.last_used_ms <= n.used_ms - :pause)

-- name: accounts_with_old_keys
-- A revoked key is always removed. An expired key is removed only where its account has a key that works. The
-- other accounts keep their last ones, and this look leaves them out, because it would find them every time.
select distinct k.account_id
  from api_key k
 where least(k.revoked_ms, k.expires_ms) <= :ended
   and (k.revoked_ms is not null or k.expires_ms is not null)
   and (k.revoked_ms <= :ended
        or exists (select
                     from api_key l
                    where l.account_id = k.account_id and l.revoked_ms is null
                      and coalesce(l.expires_ms, 9223372036854775807) > :now))
 limit :most

-- name: old_keys
select k.key_id
  from api_key k
 where k.account_id = :account and least(k.revoked_ms, k.expires_ms) <= :ended
   and (k.revoked_ms <= :ended
        or exists (select
                     from api_key l
                    where l.account_id = :account and l.revoked_ms is null
                      and coalesce(l.expires_ms, 9223372036854775807) > :now))
 order by k.key_id
 limit :most

-- name: purge_keys
-- A key that was renewed since the look stays.
delete from api_key k
 where k.account_id = :account and k.key_id = any(:ids::uuid[])
   and least(k.revoked_ms, k.expires_ms) <= :ended
