-- The terms on which an item is done, beside its schedule and its priority. Adds columns without
-- rewriting rows, but fills one and builds two indexes: on a large table, claims wait meanwhile.

-- What an account says about one kind of work. Read inside the statements that insert and claim,
-- so that a change holds from its commit on, on every node.
create table work_type (
  account_id      uuid    not null,
  queue           text    not null,
  kind            text    not null,
  payload_schema  jsonb,
  result_schema   jsonb,
  priority        integer,
  max_attempts    integer check (max_attempts >= 1),
  lease_seconds   integer check (lease_seconds >= 1),
  aging_ms        bigint  check (aging_ms >= 1000),
  concurrency_max integer check (concurrency_max >= 1),
  rate_max        integer check (rate_max >= 1),
  rate_period_ms  bigint  check (rate_period_ms >= 1000),
  -- Whether items of the type are claimed key by key: their rows then carry a flow_key.
  flow            boolean not null default false,
  -- Rows are being given their flow_key, or losing it: nothing is claimed until that is done.
  reflow          boolean not null default false,
  paused          boolean not null default false,
  draining        boolean not null default false,
  created_ms      bigint  not null,
  updated_ms      bigint  not null,
  primary key (account_id, queue, kind),
  constraint work_type_rate_is_whole check ((rate_max is null) = (rate_period_ms is null)),
  constraint work_type_flow_has_a_limit
    check (not flow or concurrency_max is not null or rate_max is not null)
);

-- rank is what claims go by: the priority, or with aging the priority less the time of coming in
-- units of the aging interval, so that what waited long stands before what is fresh and no row is
-- rewritten as time passes.
alter table work
  add column rank            bigint not null default 0,
  add column concurrency_key text,
  add column rate_key        text,
  add column unique_key      text,
  add column flow_key        text,
  -- What becomes of it when something it depends on ends otherwise than well.
  add column if_parent_fails text check (if_parent_fails in ('cancel', 'ignore', 'hold')),
  add column has_dependents  boolean not null default false,
  -- The lease that ended it last and a digest of what its holder said then.
  add column settled_token   uuid,
  add column settled_digest  uuid;
update work set rank = priority where priority <> 0;

-- Each ready row is in one of the two: those claimed in order, and those claimed key by key.
drop index work_ready;
create index work_ready on work (account_id, queue, kind, rank desc, order_ms, id)
  where state = 'ready' and flow_key is null;
create index work_flow on work (account_id, queue, kind, flow_key, rank desc, order_ms, id)
  where state = 'ready' and flow_key is not null;
-- Who holds a key's slots: the live leases themselves.
create index work_flow_held on work (account_id, queue, kind, concurrency_key)
  where state in ('leased', 'running') and concurrency_key is not null;
