-- Key management. A column without a default and two indexes on a small table: a short exclusive
-- lock on api_key.

alter table api_key add column last_used_ms bigint;

-- How many keys of an account work: those that ended long ago are not gone through.
create index api_key_live on api_key (account_id, coalesce(expires_ms, 9223372036854775807))
  where revoked_ms is null;
-- The purger looks here: when a key stopped working, by whichever end came first.
create index api_key_ended on api_key (least(revoked_ms, expires_ms), account_id)
  where revoked_ms is not null or expires_ms is not null;
