create table reference_task (
  id uuid primary key,
  kind text not null,
  state text not null,
  lease_until_ms bigint,
  payload jsonb not null,
  result jsonb
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);
create index reference_ready on reference_task (kind, id) where state = 'ready';
