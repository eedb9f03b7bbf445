-- The W3C traceparent that an item was handed in with, so that what happens to it in other processes belongs
-- to the same trace. Adds a column without a default: no row is rewritten, the lock is short.
alter table work add column trace text;
alter table work alter column trace set statistics 0;
