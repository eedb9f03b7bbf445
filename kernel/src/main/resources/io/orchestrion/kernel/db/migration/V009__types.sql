-- What an account says about its types, beyond what inserts and claims read. Adds columns without
-- rewriting rows: a short exclusive lock on two small tables.
alter table account
  -- Whether tasks are only made of types that are registered.
  add column strict_types boolean not null default false;

alter table work_type
  add column description     text,
  add column paused_ms       bigint,
  add column draining_ms     bigint,
  -- Taken out by its account; the row stays until no item stands where it put it.
  add column removed         boolean not null default false,
  -- Ready items still stand where another aging interval put them.
  add column reranking       boolean not null default false,
  -- The last item that the pass under way has looked at.
  add column rerank_after    uuid,
  -- When to look for items that were being inserted while the interval changed.
  add column rerank_check_ms bigint;

create index work_type_unsettled on work_type (account_id)
  where removed or rerank_after is not null or rerank_check_ms is not null;
