-- The log that an item keeps of itself. New tables only: takes no lock on anything in use.

-- at_ms is given under the lock of the item's row, later than that of any line before it: who has read
-- up to one line has missed none, and no two share a millisecond.
create table job_event (
  account_id uuid    not null,
  work_id    uuid    not null,
  at_ms      bigint  not null,
  id         uuid    not null,
  level      text    not null,
  message    text    not null,
  payload    jsonb,
  holder     text,
  -- What happened to the item; all null for what its holder says.
  event      text,
  state      text,
  attempt    integer,
  primary key (account_id, work_id, at_ms),
  constraint job_event_level check (level in ('debug', 'info', 'warn', 'error')),
  constraint job_event_message check (length(message) between 1 and 5000),
  constraint job_event_happened
    check ((event is null) = (state is null) and (event is null) = (attempt is null))
) with (autovacuum_vacuum_cost_delay = 0);

-- How much an item's holders have written. Changed under the lock of the item's row only.
create table job_log (
  account_id uuid    not null,
  work_id    uuid    not null,
  events     integer not null check (events >= 0),
  bytes      bigint  not null check (bytes >= 0),
  -- The stretch of time that the rate is counted in, and how many came in it.
  window_ms  bigint  not null,
  in_window  integer not null check (in_window >= 0),
  primary key (account_id, work_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- Nobody changes a line, and nobody removes one but what removes the item with all that hangs on it
-- and says so in its transaction.
create function job_event_is_final() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE'
     and coalesce(current_setting('orchestrion.items_purged', true), '') = 'yes' then
    return old;
  end if;
  raise exception 'a line of an item''s log is never changed or removed' using errcode = '23514';
end
$$;
create trigger job_event_is_final before update or delete on job_event
  for each row execute function job_event_is_final();
create trigger job_event_is_not_truncated before truncate on job_event
  for each statement execute function job_event_is_final();
