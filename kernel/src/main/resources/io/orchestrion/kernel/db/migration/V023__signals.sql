-- The W3C traceparent that an item was handed in with, so that what happens to it in other processes belongs
-- to the same trace. Adds a column without a default: no row is rewritten, the lock is short.
alter table work add column trace text;
alter table work alter column trace set statistics 0;

-- What the event log adds up to, for metrics: each event is counted once, by whichever node comes first, and
-- stays counted when its item is purged. Both tables are small; on a distributed PostgreSQL they are not spread.
create table event_fold (
  account_id uuid    not null,
  queue      text    not null,
  position   bigint  not null,
  work_id    uuid    not null,
  seq        integer not null,
  primary key (account_id, queue)
);
comment on table event_fold is 'How far the log of an account''s queue is counted.';

create table event_total (
  queue      text    not null,
  kind       text    not null,
  event      text    not null,
  from_word  text    not null,
  to_word    text    not null,
  again      boolean not null,
  bucket     integer not null,
  count      bigint  not null,
  millis     bigint  not null,
  primary key (queue, kind, event, from_word, to_word, again, bucket)
) with (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
comment on table event_total is 'Events by what happened and by how long the state that ended had lasted.';
