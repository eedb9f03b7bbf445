-- Bulk operations and the audit log. New tables only: takes no lock on anything in use.

-- One action on all tasks that fit a filter, walked through in the order of their ids.
create table bulk_operation (
  account_id        uuid    not null,
  id                uuid    not null,
  action            text    not null check (action in ('cancel', 'requeue', 'purge')),
  profile           text    not null,
  states            text[]  not null check (cardinality(states) > 0),
  kind              text,
  created_from_ms   bigint,
  created_before_ms bigint,
  finished_before_ms bigint,
  failure_part      text,
  ids               uuid[],
  max_items         integer not null check (max_items >= 1),
  why               text,
  key_id            uuid    not null,
  key_name          text,
  state             text    not null check (state in ('running', 'finished', 'cancelled', 'failed')),
  -- The newest id that was looked at: written with what was done, so that nothing is done twice.
  reached           uuid    not null,
  matched           integer not null check (matched >= 0),
  matched_all       boolean not null,
  done              integer not null check (done >= 0 and done <= max_items),
  skipped           integer not null check (skipped >= 0),
  failed            integer not null check (failed >= 0),
  -- The first few that failed.
  failed_ids        uuid[]  not null,
  failed_reasons    text[]  not null,
  -- Passes in a row that came to nothing.
  tries             integer not null check (tries >= 0),
  next_ms           bigint,
  created_ms        bigint  not null,
  updated_ms        bigint  not null,
  finished_ms       bigint,
  primary key (account_id, id),
  check ((state = 'running') = (next_ms is not null)),
  check ((state = 'running') = (finished_ms is null)),
  check (cardinality(failed_ids) = cardinality(failed_reasons))
);
-- How many of an account are under way.
create index bulk_operation_running on bulk_operation (account_id) where state = 'running';
-- The runner and the purger look here, over all accounts.
create index bulk_operation_next on bulk_operation (next_ms, account_id) where next_ms is not null;
create index bulk_operation_ended on bulk_operation (finished_ms, account_id)
  where finished_ms is not null;

-- Where the log of each account stands. Its row is locked by whoever writes an entry until its
-- commit: entries are numbered in the order in which they become visible, without gaps.
create table audit_head (
  account_id uuid   not null primary key,
  seq        bigint not null,
  at_ms      bigint not null
);

create table audit (
  account_id   uuid   not null,
  seq          bigint not null,
  at_ms        bigint not null,
  actor_kind   text   not null check (actor_kind in ('key', 'server')),
  actor_id     uuid,
  actor_name   text,
  action       text   not null check (length(action) between 1 and 100),
  subject_kind text   not null,
  subject_id   text   not null,
  detail       jsonb  not null check (length(detail::text) <= 8000),
  primary key (account_id, seq),
  check ((actor_kind = 'key') = (actor_id is not null))
);
create index audit_age on audit (at_ms, account_id);

-- Nobody changes an entry, and nobody removes one but the purger, which says in its transaction up
-- to which time it means to.
create function audit_is_final() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at_ms <= coalesce(
       nullif(current_setting('orchestrion.audit_purged_until_ms', true), ''), '-1')::bigint then
    return old;
  end if;
  raise exception 'an entry of the audit log is never changed or removed' using errcode = '23514';
end
$$;
create trigger audit_is_final before update or delete on audit
  for each row execute function audit_is_final();
create trigger audit_is_not_truncated before truncate on audit
  for each statement execute function audit_is_final();
