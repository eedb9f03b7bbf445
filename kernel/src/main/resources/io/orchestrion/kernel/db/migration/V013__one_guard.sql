-- The rules of a row of work move from check constraints into the guard of R__work_guard.sql.
-- PostgreSQL reads and compiles every constraint anew with each statement, which took as long as the
-- rest of a small update (measured); the guard's function is compiled once a session. A short
-- exclusive lock on work, and no row is touched.
alter table work
  drop constraint work_state_check,
  drop constraint work_wait_reason_check,
  drop constraint work_attempt_check,
  drop constraint work_max_attempts_check,
  drop constraint work_retries_check,
  drop constraint work_lease_seconds_check,
  drop constraint work_lease_number_check,
  drop constraint work_if_parent_fails_check,
  drop constraint work_waits_for_something,
  drop constraint work_waits_for_a_time,
  drop constraint work_is_held_by_one_lease,
  drop constraint work_ended_has_an_end,
  drop constraint work_open_is_kept,
  drop constraint work_owner_is_whole;
