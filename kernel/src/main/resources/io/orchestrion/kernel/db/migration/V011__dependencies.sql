-- Items that wait for others, and items of which there may be one. New tables only: takes no lock
-- on anything in use.

-- What an item waits for. A row is written with its item, changed only by whoever holds the lock
-- on that item, and goes with it; the parent may be purged before.
create table work_dependency (
  account_id uuid    not null,
  work_id    uuid    not null,
  parent_id  uuid    not null,
  place      integer not null,
  -- How the parent ended last, as far as the child has been told; null while it is open.
  ended      text    check (ended in ('succeeded', 'failed', 'dead', 'cancelled')),
  -- Somebody decided that the child goes on all the same.
  waived     boolean not null default false,
  primary key (account_id, work_id, parent_id)
);
create index work_dependency_parent on work_dependency (account_id, parent_id, work_id);

-- Ends of which the children are still to be told, each written in the transaction of the end.
-- The sequence number is in the key, so that an item that ends again never waits for this row.
create table parent_end (
  account_id uuid    not null,
  work_id    uuid    not null,
  event_seq  integer not null,
  ended      text    not null,
  -- Children up to this one have been told.
  after_id   uuid,
  created_ms bigint  not null,
  next_ms    bigint  not null,
  primary key (account_id, work_id, event_seq)
);
create index parent_end_next on parent_end (next_ms, account_id);

-- Who has a key: the newest item that was created with it.
create table work_unique (
  account_id uuid   not null,
  queue      text   not null,
  kind       text   not null,
  unique_key text   not null,
  work_id    uuid   not null,
  created_ms bigint not null,
  primary key (account_id, queue, kind, unique_key)
);
