-- The kernel's tables. New tables only: takes no lock on anything in use.
--
-- account_id leads every primary key and every hot index, so that one account's rows lie together
-- and the same schema spreads over a distributed PostgreSQL by account.
-- Times are epoch milliseconds of the database's clock: they are bound, compared and added to as
-- plain numbers, which a distributed PostgreSQL accepts everywhere and timestamps it does not.

create table account (
  account_id uuid primary key,
  name       text   not null check (length(name) between 1 and 200),
  plan       text   not null,
  created_ms bigint not null
);

-- Looked up by hash before the account is known: small, and on a distributed PostgreSQL a
-- reference table, hence the one unique key without account_id.
create table api_key (
  account_id uuid   not null references account,
  key_id     uuid   not null,
  key_hash   bytea  not null unique check (octet_length(key_hash) = 32),
  name       text   not null check (length(name) between 1 and 200),
  scopes     text[] not null check (scopes <@ array['producer', 'worker', 'operator', 'admin']),
  created_ms bigint not null,
  expires_ms bigint,
  revoked_ms bigint,
  primary key (account_id, key_id)
);

-- The narrow hot row: what claiming, holding and ending need, and nothing else.
create table work (
  account_id       uuid     not null,
  id               uuid     not null,
  profile          text     not null,
  queue            text     not null,
  kind             text     not null,
  state            text     not null check (state in
                     ('waiting', 'ready', 'leased', 'running', 'succeeded', 'failed', 'dead', 'cancelled')),
  wait_reason      text     check (wait_reason in ('schedule', 'backoff', 'dependency', 'hold')),
  priority         integer  not null,
  order_ms         bigint   not null,
  run_at_ms        bigint,
  attempt          integer  not null check (attempt >= 0),
  max_attempts     integer  not null check (max_attempts >= 1),
  retries          integer  not null check (retries >= 0),
  lease_seconds    integer  not null check (lease_seconds >= 1),
  lease_number     bigint   not null check (lease_number >= 0),
  lease_token      uuid,
  lease_until_ms   bigint,
  lease_check_ms   bigint,
  holder           text,
  timeout_ms       bigint,
  deadline_ms      bigint,
  cancel_requested boolean  not null,
  owner_kind       text,
  owner_id         uuid,
  created_ms       bigint   not null,
  updated_ms       bigint   not null,
  claimed_ms       bigint,
  heartbeat_ms     bigint,
  finished_ms      bigint,
  failed_ms        bigint,
  failure          text,
  event_seq        integer  not null,
  event_ms         bigint   not null,
  purge_after_ms   bigint,
  primary key (account_id, id),
  constraint work_waits_for_something check ((state = 'waiting') = (wait_reason is not null)),
  constraint work_waits_for_a_time
    check (wait_reason is null or wait_reason not in ('schedule', 'backoff') or run_at_ms is not null),
  constraint work_is_held_by_one_lease
    check ((state in ('leased', 'running')) = (lease_token is not null)
       and (lease_token is null) = (lease_until_ms is null)
       and (lease_token is null) = (lease_check_ms is null)),
  constraint work_ended_has_an_end
    check ((state in ('succeeded', 'failed', 'dead', 'cancelled')) = (finished_ms is not null)),
  constraint work_open_is_kept check (finished_ms is not null or purge_after_ms is null),
  constraint work_owner_is_whole check ((owner_kind is null) = (owner_id is null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
        autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- Claim: the head of one account's queue of one kind. Finished rows are not in it.
create index work_ready on work (account_id, queue, kind, priority desc, order_ms, id)
  where state = 'ready';
-- Claim looks here first, for what has become due and nobody has promoted yet.
create index work_due on work (account_id, queue, kind, run_at_ms)
  where state = 'waiting' and wait_reason in ('schedule', 'backoff');
-- The promoter looks here, over all accounts.
create index work_due_time on work (run_at_ms, account_id)
  where state = 'waiting' and wait_reason in ('schedule', 'backoff');
-- The reaper looks here. lease_check_ms is when a lease is worth looking at again, not when it
-- ends: heartbeats move lease_until_ms alone, which no index holds, and so stay HOT.
create index work_lease_check on work (lease_check_ms, account_id)
  where state in ('leased', 'running');
create index work_by_state on work (account_id, queue, state, id);
create index work_purge on work (purge_after_ms, account_id) where purge_after_ms is not null;
create index work_owner on work (account_id, owner_kind, owner_id) where owner_kind is not null;

-- Written once at submit, read at claim: kept apart so that state changes do not copy it.
create table work_payload (
  account_id uuid  not null,
  id         uuid  not null,
  payload    jsonb not null,
  primary key (account_id, id)
);

-- At most one for each item: the schema forbids a second outcome.
create table work_outcome (
  account_id uuid   not null,
  id         uuid   not null,
  result     jsonb,
  output_ref text,
  created_ms bigint not null,
  primary key (account_id, id)
);

-- The history of each item, in its own order and with times that only grow.
create table work_event (
  account_id   uuid    not null,
  work_id      uuid    not null,
  seq          integer not null,
  at_ms        bigint  not null,
  event        text    not null,
  from_state   text,
  to_state     text    not null,
  attempt      integer not null,
  lease_number bigint  not null,
  holder       text,
  detail       text,
  primary key (account_id, work_id, seq)
) with (autovacuum_vacuum_cost_delay = 0);

-- One answer for one key. answer null: a placeholder of somebody at work, to be taken for abandoned
-- after locked_until_ms.
create table idempotency (
  account_id   uuid    not null,
  surface      text    not null,
  scope        uuid    not null,
  action       text    not null,
  key          text    not null check (length(key) between 1 and 255),
  request_hash bytea   not null,
  work_id      uuid,
  status       integer,
  answer       text,
  locked_until_ms bigint not null,
  created_ms   bigint  not null,
  expires_ms   bigint  not null,
  primary key (account_id, surface, scope, action, key),
  check ((status is null) = (answer is null))
);
create index idempotency_expiry on idempotency (expires_ms, account_id);
create index idempotency_work on idempotency (account_id, work_id) where work_id is not null;

-- Messages written with the change that they tell of, and sent afterwards.
create table outbox (
  account_id uuid    not null,
  id         uuid    not null,
  topic      text    not null,
  work_id    uuid    not null,
  event_seq  integer not null,
  created_ms bigint  not null,
  tries      integer not null,
  next_ms    bigint  not null,
  primary key (account_id, id)
);
create index outbox_next on outbox (next_ms, account_id);

-- For people: the same rows with times one can read.
create view work_readable as
select account_id, id, profile, queue, kind, state, wait_reason, priority, attempt, max_attempts,
       to_timestamp(run_at_ms / 1000.0) as run_at, lease_number, holder,
       to_timestamp(lease_until_ms / 1000.0) as lease_until,
       to_timestamp(created_ms / 1000.0) as created_at,
       to_timestamp(updated_ms / 1000.0) as updated_at,
       to_timestamp(finished_ms / 1000.0) as finished_at,
       failure, owner_kind, owner_id
  from work;
