-- The trace that a run is a part of. Adds a column without a default: locks the table for a moment and writes no row.

alter table run add column trace text check (length(trace) <= 100);
comment on column run.trace is 'The traceparent of the request that made the run. Everything that follows is in that trace.';
