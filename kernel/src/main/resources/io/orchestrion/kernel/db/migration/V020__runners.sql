-- Who runs jobs. A new table only: takes no lock on anything in use.

-- A row for each runner that is up, or was until it was killed. Small and of the whole system, so
-- it has no account.
create table runner (
  runner_id  uuid    not null primary key,
  name       text    not null check (length(name) between 1 and 200),
  started_ms bigint  not null,
  seen_ms    bigint  not null,
  capacity   integer not null check (capacity >= 1),
  busy       integer not null check (busy >= 0)
);
create index runner_seen on runner (seen_ms);
