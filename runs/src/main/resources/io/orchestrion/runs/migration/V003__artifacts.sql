-- Artifacts: what runs have produced. The bytes lie in an object store, each artifact as one object under a key of its own.
-- Makes tables, a trigger and a view only: locks nothing that exists.

create table run_artifact_space (
  account_id uuid  not null,
  -- The part of all object keys that tells this database's objects of the account from those of any other.
  space      uuid  not null,
  -- Signs the addresses under which artifacts of the account can be got without a key.
  url_key    bytea not null check (length(url_key) = 32),
  created_ms bigint not null,
  primary key (account_id),
  constraint run_artifact_space_account foreign key (account_id) references account
);
comment on table run_artifact_space is 'Where the objects of each account lie, and what signs their addresses.';

create table run_artifact (
  account_id     uuid    not null,
  id             uuid    not null,
  run_id         uuid    not null,
  name           text    not null check (length(name) between 1 and 255),
  object_key     text    not null,
  content_type   text    not null,
  -- While it is uploaded: what is set aside for it of all that the run may have.
  size           bigint  not null check (size >= 0),
  sha256         text    check (sha256 ~ '^[0-9a-f]{64}$'),
  state          text    not null constraint run_artifact_state check (state in ('uploading', 'ready', 'deleted')),
  -- Whether it never became an artifact: its name is free again.
  discarded      boolean not null,
  source_step_id uuid,
  created_ms     bigint  not null,
  finished_ms    bigint,
  expires_ms     bigint,
  deleted_ms     bigint,
  -- When the sweeper looks at it: once its upload counts as dead, once it has expired, or to remove its object. Null when
  -- there is nothing to do.
  due_ms         bigint,
  primary key (account_id, id),
  constraint run_artifact_key unique (account_id, object_key),
  constraint run_artifact_run foreign key (account_id, run_id) references run (account_id, id),
  constraint run_artifact_discarded check (state = 'deleted' or not discarded),
  constraint run_artifact_whole check (discarded or (state = 'uploading') = (sha256 is null)),
  constraint run_artifact_finished check ((sha256 is null) = (finished_ms is null)),
  constraint run_artifact_deleted check ((state = 'deleted') = (deleted_ms is not null)),
  constraint run_artifact_uploading check (state <> 'uploading' or (due_ms is not null and expires_ms is null)),
  constraint run_artifact_expires check (state <> 'ready' or due_ms is not distinct from expires_ms),
  constraint run_artifact_kept check (state <> 'deleted' or discarded or expires_ms is not null)
) with (fillfactor = 80);
-- With it, what a step makes is unique by run, step and name.
create unique index run_artifact_name on run_artifact (account_id, run_id, name) where not discarded;
create index run_artifact_by_run on run_artifact (account_id, run_id, id);
create index run_artifact_due on run_artifact (account_id, due_ms) where due_ms is not null;
-- For the sweeper, which looks over all accounts.
create index run_artifact_due_anywhere on run_artifact (due_ms) where due_ms is not null;
comment on table run_artifact is 'Artifacts of runs. A record outlives its object.';

create function run_artifact_stays() returns trigger language plpgsql as $$
begin
  if new.object_key <> old.object_key or new.run_id <> old.run_id or new.name <> old.name
     or new.created_ms <> old.created_ms or (old.sha256 is not null and new.sha256 is distinct from old.sha256)
     or (old.sha256 is not null and new.size <> old.size) then
    raise exception 'the artifact % does not change once it is written', old.id using errcode = '23514';
  end if;
  if old.state = 'deleted' and new.state <> 'deleted' or old.state = 'ready' and new.state = 'uploading' then
    raise exception 'the artifact % is % and cannot become %', old.id, old.state, new.state
      using errcode = '23514';
  end if;
  return new;
end $$;
create trigger run_artifact_stays before update on run_artifact for each row execute function run_artifact_stays();
-- Always: also in sessions that replay the changes of another server.
alter table run_artifact enable always trigger run_artifact_stays;

create view artifacts as
select 'art_' || f.id as id, 'run_' || f.run_id as run_id, f.account_id, f.account_id as org_id, f.name, f.object_key as s3_key,
       f.size, f.content_type, f.sha256 as checksum, f.state as status, f.discarded,
       'step_' || f.source_step_id as source_step_id, to_timestamp(f.created_ms / 1000.0) as created_at,
       to_timestamp(f.expires_ms / 1000.0) as expires_at, to_timestamp(f.deleted_ms / 1000.0) as deleted_at
  from run_artifact f;
comment on view artifacts is 'Artifacts in the words of the contract.';
