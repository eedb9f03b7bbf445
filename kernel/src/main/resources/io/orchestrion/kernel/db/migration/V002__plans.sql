-- Plans, usage and rate limits. New tables only: takes no lock on anything in use.

-- What an account has paid for. Rows of one account never overlap; the future ones are laid out
-- anew by each purchase.
create table plan_period (
  account_id uuid   not null,
  from_ms    bigint not null,
  until_ms   bigint not null check (until_ms > from_ms),
  plan       text   not null,
  primary key (account_id, from_ms)
);

-- Tasks created in a calendar month (UTC), as 202611.
create table usage_month (
  account_id uuid    not null,
  month      integer not null,
  tasks      bigint  not null check (tasks >= 0),
  primary key (account_id, month)
);

-- A sliding window: sixty slots, the newest first, of which the first has the number step. What is
-- counted by address has the nil account.
create table allowance (
  account_id uuid      not null,
  subject    text      not null,
  bucket     text      not null,
  step       bigint    not null,
  counts     integer[] not null check (cardinality(counts) = 60),
  idle_ms    bigint    not null,
  primary key (account_id, subject, bucket)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);
-- The purger looks here: from this moment on the whole window is empty.
create index allowance_idle on allowance (idle_ms);
