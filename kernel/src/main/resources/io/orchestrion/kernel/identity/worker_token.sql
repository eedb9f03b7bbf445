-- Worker tokens and their secrets.

-- name: insert_token
insert into worker_token (account_id, token_id, worker_id, description, repositories, kinds,
    capabilities, created_ms, expires_ms)
values (:account, :token_id, :worker, :description, :repositories::text[], :kinds::text[],
    :capabilities::text[], :now, :expires)

-- name: insert_secret
insert into worker_token_secret (account_id, token_id, token_hash, created_ms)
values (:account, :token_id, :hash, :now)

-- name: find
-- The look-up that starts without an account, because it finds the account. It serves many requests at once.
select s.token_hash, s.ends_ms as secret_ends_ms,
       t.account_id, t.token_id, t.worker_id, t.description, t.repositories, t.kinds,
       t.capabilities, t.created_ms, t.expires_ms, t.deactivated_ms, t.last_used_ms,
       t.last_used_from, s.created_ms as secret_ms, s.ends_ms as former_ends_ms
  from worker_token_secret s
  join worker_token t on t.account_id = s.account_id and t.token_id = s.token_id
 where s.token_hash = any (:hashes::bytea[])

-- name: token
select t.account_id, t.token_id, t.worker_id, t.description, t.repositories, t.kinds,
       t.capabilities, t.created_ms, t.expires_ms, t.deactivated_ms, t.last_used_ms,
       t.last_used_from, s.created_ms as secret_ms,
       (select max(f.ends_ms)
          from worker_token_secret f
         where f.account_id = :account and f.token_id = t.token_id and f.ends_ms > :now)
         as former_ends_ms
  from worker_token t
  join worker_token_secret s
    on s.account_id = :account and s.token_id = t.token_id and s.ends_ms is null
 where t.account_id = :account and t.token_id = :token_id

-- name: tokens
-- A page, newest first: ids grow with time.
select t.account_id, t.token_id, t.worker_id, t.description, t.repositories, t.kinds,
       t.capabilities, t.created_ms, t.expires_ms, t.deactivated_ms, t.last_used_ms,
       t.last_used_from, s.created_ms as secret_ms,
       (select max(f.ends_ms)
          from worker_token_secret f
         where f.account_id = :account and f.token_id = t.token_id and f.ends_ms > :now)
         as former_ends_ms
  from worker_token t
  join worker_token_secret s
    on s.account_id = :account and s.token_id = t.token_id and s.ends_ms is null
 where t.account_id = :account and t.token_id < :before
   and (:worker::text is null or t.worker_id = :worker)
 order by t.token_id desc
 limit :most

-- name: live_tokens
select count(*) as tokens
  from worker_token t
 where t.account_id = :account and t.deactivated_ms is null
   and coalesce(t.expires_ms, 9223372036854775807) > :now

-- name: change_token
update worker_token t
   set description = :description, repositories = :repositories::text[], kinds = :kinds::text[],
       capabilities = :capabilities::text[], expires_ms = :expires
 where t.account_id = :account and t.token_id = :token_id

-- name: switch_token
update worker_token t
   set deactivated_ms = :deactivated
 where t.account_id = :account and t.token_id = :token_id

-- name: end_secrets
-- No older secret works longer than the one that is replaced.
update worker_token_secret s
   set ends_ms = least(coalesce(s.ends_ms, :ends), :ends)
 where s.account_id = :account and s.token_id = :token_id

-- name: remove_ended_secrets
delete from worker_token_secret s
 where s.account_id = :account and s.token_id = :token_id and s.ends_ms <= :now

-- name: working_secrets
select count(*) as secrets
  from worker_token_secret s
 where s.account_id = :account and s.token_id = :token_id
   and coalesce(s.ends_ms, 9223372036854775807) > :now

-- name: note_use
-- As for keys.
update worker_token t
   set last_used_ms = n.used_ms, last_used_from = n.used_from
  from unnest(:tokens::uuid[], :times::bigint[], :addresses::text[]) as n(token_id, used_ms, used_from)
 where t.account_id = :account and t.token_id = n.token_id
   and (t.last_used_ms is null or t.last_used_ms <= n.used_ms - :pause)

-- name: accounts_with_old_tokens
select distinct t.account_id
  from worker_token t
 where least(t.deactivated_ms, t.expires_ms) <= :ended
   and (t.deactivated_ms is not null or t.expires_ms is not null)
 limit :most

-- name: old_tokens
select t.token_id
  from worker_token t
 where t.account_id = :account and least(t.deactivated_ms, t.expires_ms) <= :ended
 order by t.token_id
 limit :most

-- name: purge_tokens
-- A token that was given more time since the look stays.
delete from worker_token t
 where t.account_id = :account and t.token_id = any(:ids::uuid[])
   and least(t.deactivated_ms, t.expires_ms) <= :ended
