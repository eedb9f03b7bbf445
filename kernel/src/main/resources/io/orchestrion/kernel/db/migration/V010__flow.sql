-- Limits for each key of a type. New tables, and one small index on a small table: takes no lock
-- that anybody would notice.

-- One row for each type that has, or had, a limit. Claims of the type lock it, so that they come
-- one after the other on all nodes; slots themselves are counted from the leases and nowhere else.
create table flow_ring (
  account_id uuid not null,
  queue      text not null,
  kind       text not null,
  -- The key that was served last: the next claim begins behind it.
  last_key   text not null,
  primary key (account_id, queue, kind)
) with (fillfactor = 20, autovacuum_vacuum_cost_delay = 0);

-- How many items of a rate key were started in a slice of time. A slice counts until its last
-- start is a whole period old, so that no period of time ever has more starts than allowed.
create table flow_start (
  account_id uuid    not null,
  queue      text    not null,
  kind       text    not null,
  rate_key   text    not null,
  slice_ms   bigint  not null,
  last_ms    bigint  not null,
  starts     integer not null check (starts >= 1),
  purge_ms   bigint  not null,
  primary key (account_id, queue, kind, rate_key, slice_ms)
) with (fillfactor = 70, autovacuum_vacuum_cost_delay = 0);
create index flow_start_purge on flow_start (purge_ms, account_id);

create index work_type_reflow on work_type (account_id) where reflow;
