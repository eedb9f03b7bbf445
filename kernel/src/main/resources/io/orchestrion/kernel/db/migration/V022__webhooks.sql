-- Webhooks: who wants to hear of what, and what became of each delivery. New tables only: takes no lock on
-- anything in use.

-- How far those who pass on an account's log have read it. A row for each log that somebody wants to hear of;
-- accounts that nobody listens to have none and cost nothing.
create table log_reader (
  account_id uuid    not null,
  queue      text    not null,
  position   bigint  not null,
  work_id    uuid    not null,
  seq        integer not null,
  primary key (account_id, queue)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- A receiver: a webhook that was registered, or the server that callbacks of single jobs lead to.
create table webhook_endpoint (
  account_id      uuid    not null references account,
  endpoint_id     uuid    not null,
  kind            text    not null check (kind in ('webhook', 'callback')),
  -- Of callbacks the server alone; each delivery has its own address.
  url             text    not null check (length(url) between 1 and 2048),
  events          text[]  not null check (cardinality(events) <= 100),
  -- Address and events in short, of which there is one at a time.
  once            bytea   not null check (octet_length(once) = 32),
  description     text    not null check (length(description) <= 500),
  state           text    not null check (state in ('active', 'paused', 'deleted')),
  -- Why it is paused.
  reason          text    check (length(reason) <= 1000),
  -- Events of transactions before this one are none of its business.
  from_position   bigint  not null,
  created_ms      bigint  not null,
  updated_ms      bigint  not null,
  last_place      bigint  not null,
  -- When to look whether there is something to deliver; null while there is not.
  next_ms         bigint,
  -- In a row, and since when.
  failures        integer not null check (failures >= 0),
  failing_since_ms bigint,
  -- How often in a row the circuit was opened, and until when it is; null while it is closed.
  opened          integer not null check (opened >= 0),
  open_until_ms   bigint,
  last_success_ms bigint,
  last_failure    text    check (length(last_failure) <= 1000),
  primary key (account_id, endpoint_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create unique index webhook_endpoint_once on webhook_endpoint (account_id, kind, once)
  where state <> 'deleted';
-- The deliverer looks here, over all accounts.
create index webhook_endpoint_due on webhook_endpoint (next_ms) where state = 'active' and next_ms is not null;
-- Whose it is, for a caller who names somebody else's.
create index webhook_endpoint_id on webhook_endpoint (endpoint_id);

-- What deliveries are signed with: one without an end, and for a while those that it replaced.
create table webhook_secret (
  account_id  uuid   not null,
  endpoint_id uuid   not null,
  secret_id   uuid   not null,
  sealed      bytea  not null,
  created_ms  bigint not null,
  ends_ms     bigint,
  primary key (account_id, endpoint_id, secret_id),
  foreign key (account_id, endpoint_id) references webhook_endpoint on delete cascade
);

-- One event for one receiver. Whether it has arrived says the item of work with its id.
create table webhook_delivery (
  account_id    uuid    not null,
  delivery_id   uuid    not null,
  endpoint_id   uuid    not null,
  -- In the order of the log, per receiver.
  place         bigint  not null,
  -- Which event: whose log, of which item, and its place in the item's history.
  queue         text    not null,
  subject       uuid    not null,
  seq           integer not null,
  event_id      uuid    not null,
  event_name    text    not null,
  -- Of callbacks; else the receiver's.
  url           text    check (length(url) between 1 and 2048),
  redelivery_of uuid,
  created_ms    bigint  not null,
  -- The item that it tells of was removed: this is removed next.
  orphan        boolean not null default false,
  primary key (account_id, delivery_id)
);
create unique index webhook_delivery_once on webhook_delivery (account_id, endpoint_id, queue, subject, seq)
  where redelivery_of is null;
create index webhook_delivery_place on webhook_delivery (account_id, endpoint_id, place);
create index webhook_delivery_order on webhook_delivery (account_id, endpoint_id, subject, place);
create index webhook_delivery_subject on webhook_delivery (account_id, subject, delivery_id);
create index webhook_delivery_orphan on webhook_delivery (account_id) where orphan;

-- What each try came to; without an end it was cut off with the server that made it.
create table webhook_attempt (
  account_id  uuid    not null,
  delivery_id uuid    not null,
  number      bigint  not null,
  started_ms  bigint  not null,
  duration_ms bigint,
  status      integer,
  error       text    check (length(error) <= 100),
  detail      text    check (length(detail) <= 500),
  -- The first of what the receiver said.
  answer      text    check (length(answer) <= 1024),
  next_ms     bigint,
  primary key (account_id, delivery_id, number),
  foreign key (account_id, delivery_id) references webhook_delivery on delete cascade
);
