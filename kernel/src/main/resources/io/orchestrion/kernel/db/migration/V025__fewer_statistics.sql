-- No statement is planned by what these columns hold, and taking samples of the hot tables was 4 to 5 % of the
-- database's time under load, in few long pieces. What this saves of it was not measured. Locks
-- against other changes of the schema only, for a moment.
alter table work
  alter column priority set statistics 0,
  alter column attempt set statistics 0,
  alter column max_attempts set statistics 0,
  alter column retries set statistics 0,
  alter column lease_seconds set statistics 0,
  alter column lease_number set statistics 0,
  alter column lease_token set statistics 0,
  alter column holder set statistics 0,
  alter column timeout_ms set statistics 0,
  alter column deadline_ms set statistics 0,
  alter column cancel_requested set statistics 0,
  alter column created_ms set statistics 0,
  alter column updated_ms set statistics 0,
  alter column claimed_ms set statistics 0,
  alter column heartbeat_ms set statistics 0,
  alter column failed_ms set statistics 0,
  alter column failure set statistics 0,
  alter column event_seq set statistics 0,
  alter column event_ms set statistics 0,
  alter column rate_key set statistics 0,
  alter column if_parent_fails set statistics 0,
  alter column has_dependents set statistics 0,
  alter column settled_token set statistics 0,
  alter column settled_digest set statistics 0;
