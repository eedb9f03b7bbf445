-- Schedules and the history of their fires. New tables only: takes no lock on anything in use.

create table schedule (
  account_id        uuid    not null,
  schedule_id       uuid    not null,
  name              text    not null check (name ~ '^[A-Za-z0-9._-]{1,200}$'),
  cron              text,
  every_seconds     bigint  check (every_seconds >= 1),
  timezone          text    not null,
  start_ms          bigint,
  end_ms            bigint,
  -- What a fixed distance is counted from.
  anchor_ms         bigint  not null,
  catch_up          text    not null check (catch_up in ('skip', 'latest', 'all')),
  catch_up_max      integer not null check (catch_up_max >= 1),
  catch_up_within_s integer not null check (catch_up_within_s >= 1),
  overlap           text    not null check (overlap in
                      ('allow', 'skip', 'cancel_previous', 'buffer_one')),
  jitter_s          integer not null check (jitter_s >= 0),
  task_type         text    not null,
  payload           jsonb   not null,
  priority          integer not null,
  max_attempts      integer not null check (max_attempts >= 1),
  lease_seconds     integer not null check (lease_seconds >= 1),
  paused            boolean not null,
  next_fire_ms      bigint,
  -- When somebody has to look at it: at its next fire, or before, when a fire waits.
  due_ms            bigint,
  buffered_ms       bigint,
  fire_seq          bigint  not null check (fire_seq >= 0),
  last_fire_ms      bigint,
  last_task_id      uuid,
  fired             bigint  not null,
  missed            bigint  not null,
  skipped           bigint  not null,
  failed            bigint  not null,
  failure_ms        bigint,
  failure           text,
  created_ms        bigint  not null,
  updated_ms        bigint  not null,
  primary key (account_id, schedule_id),
  unique (account_id, name),
  constraint schedule_goes_by_one_rule check ((cron is null) <> (every_seconds is null)),
  constraint schedule_paused_is_not_due
    check (not paused or due_ms is null and next_fire_ms is null and buffered_ms is null),
  constraint schedule_with_a_time_is_due check (next_fire_ms is null or due_ms is not null),
  constraint schedule_buffer_is_looked_at check (buffered_ms is null or due_ms is not null)
);
-- The firer looks here, over all accounts and then in one.
create index schedule_due on schedule (due_ms, account_id) where due_ms is not null;
create index schedule_due_of_account on schedule (account_id, due_ms) where due_ms is not null;

-- What came of each time. The unique index is the last guard: a second task for one time is
-- refused by the database itself, whatever the code does.
create table schedule_fire (
  account_id  uuid    not null,
  schedule_id uuid    not null,
  seq         bigint  not null,
  fire_ms     bigint  not null,
  manual      boolean not null,
  late        boolean not null,
  result      text    not null check (result in ('fired', 'skipped', 'missed', 'failed')),
  times       bigint  not null check (times >= 1),
  task_id     uuid,
  detail      text,
  at_ms       bigint  not null,
  primary key (account_id, schedule_id, seq),
  constraint schedule_fire_has_its_task check ((result = 'fired') = (task_id is not null)),
  constraint schedule_fire_stands_for_one check (times = 1 or result = 'missed')
);
create unique index schedule_fire_once on schedule_fire (account_id, schedule_id, fire_ms)
  where not manual;
-- Which earlier tasks may still be open.
create index schedule_fire_tasks on schedule_fire (account_id, schedule_id, seq desc)
  where task_id is not null;
-- The purger looks here.
create index schedule_fire_old on schedule_fire (at_ms, account_id);
