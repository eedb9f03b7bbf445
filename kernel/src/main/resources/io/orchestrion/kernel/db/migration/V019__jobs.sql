-- Jobs: what they are beyond a work item. New tables; two indexes on work and one on work_event that hold
-- jobs only, which are none yet: to build them, the tables are read once while writers wait.

-- Where a job stands, in the words of its door. A retry that waits for its time is queued already.
create function job_state(state text, wait_reason text) returns text
  language sql immutable parallel safe
  return case state
    when 'waiting' then case when wait_reason = 'backoff' then 'QUEUED' else 'CREATED' end
    when 'ready' then 'QUEUED'
    when 'leased' then 'ASSIGNED'
    when 'running' then 'RUNNING'
    when 'succeeded' then 'SUCCEEDED'
    when 'cancelled' then 'CANCELED'
    else 'FAILED' end;

create table job (
  account_id   uuid    not null,
  job_id       uuid    not null,
  type         text    not null check (type in ('EXECUTE', 'DEFERRED', 'EMIT_EVENT')),
  execution_ms bigint,
  callback     text,
  handler      text,
  auto_retry   boolean not null,
  primary key (account_id, job_id),
  constraint job_deferred_has_a_time check ((type = 'DEFERRED') = (execution_ms is not null))
) with (autovacuum_vacuum_cost_delay = 0);
-- Whose a job is: another account's is told from one that there is not.
create index job_anybodys on job (job_id);

create table job_definition (
  account_id   uuid    not null,
  job_id       uuid    not null,
  work_kind    text    not null check (length(work_kind) between 1 and 64),
  duration_ms  bigint  not null check (duration_ms >= 0),
  should_fail  boolean not null,
  payload_size integer not null check (payload_size >= 0),
  -- The time of the request, from which the rest can be made again.
  seed_ms      bigint  not null,
  primary key (account_id, job_id),
  foreign key (account_id, job_id) references job on delete cascade
) with (autovacuum_vacuum_cost_delay = 0);

-- One for each attempt that ended, written with its end.
create table job_report (
  account_id    uuid    not null,
  job_id        uuid    not null,
  attempt       integer not null check (attempt >= 1),
  outcome       text    not null check (outcome in ('SUCCESS', 'FAILED', 'CANCELED')),
  started_ms    bigint  not null,
  finished_ms   bigint  not null check (finished_ms >= started_ms),
  duration_ms   bigint  not null,
  failure       text,
  output_bytes  bigint,
  output_sha256 text,
  result        text,
  -- The history up to this end, in the kernel's words.
  events        jsonb   not null,
  primary key (account_id, job_id, attempt),
  foreign key (account_id, job_id) references job on delete cascade,
  check (duration_ms = finished_ms - started_ms)
) with (autovacuum_vacuum_cost_delay = 0);

-- Failed jobs that are to be tried again by themselves.
create table job_retry (
  account_id uuid   not null,
  job_id     uuid   not null,
  next_ms    bigint not null,
  primary key (account_id, job_id),
  foreign key (account_id, job_id) references job on delete cascade
);
create index job_retry_next on job_retry (next_ms, account_id);

-- The room there is for all accounts together. Who adds to what waits locks the first row, who adds to
-- what is active the second; who takes away locks nothing. spare is what may be added without counting.
create table job_capacity (
  name       text   primary key,
  max        bigint not null,
  spare      bigint not null,
  counted_ms bigint not null
);
insert into job_capacity values ('waiting', 0, 0, 0), ('active', 0, 0, 0);

-- What the start-up check found: jobs that are not whole.
create table job_problem (
  account_id uuid   not null,
  job_id     uuid   not null,
  problem    text   not null,
  found_ms   bigint not null,
  primary key (account_id, job_id, problem)
);

-- What was told stays as it was told.
create function is_never_changed() returns trigger language plpgsql as $$
begin
  raise exception 'a row of % is never changed', tg_table_name using errcode = '23514';
end
$$;
create trigger job_report_is_final before update on job_report
  for each statement execute function is_never_changed();
create trigger job_definition_is_final before update on job_definition
  for each statement execute function is_never_changed();
create trigger work_event_is_final before update on work_event
  for each statement execute function is_never_changed();

-- The oldest that are ready, over all accounts; how many wait; how many are active.
create index work_job_open on work (state, order_ms, id) where profile = 'jobs' and finished_ms is null;
-- An account's jobs in a state, newest first.
create index work_job_state on work (account_id, job_state(state, wait_reason), id) where profile = 'jobs';
-- An event of a job is known by when it was and what it was.
create unique index work_event_of_job on work_event (account_id, work_id, at_ms, event) where queue = 'jobs';

-- For people: jobs and their events in the words of their door.
create view job_readable as
select w.account_id, w.id as job_id, j.type, job_state(w.state, w.wait_reason) as state,
       case w.state when 'succeeded' then 'SUCCESS' when 'failed' then 'FAILED' when 'dead' then 'FAILED'
                    when 'cancelled' then 'CANCELED' end as outcome,
       w.retries + 1 as attempt, to_timestamp(w.created_ms / 1000.0) as created_at,
       to_timestamp(w.updated_ms / 1000.0) as updated_at,
       to_timestamp(j.execution_ms / 1000.0) as execution_at, j.callback
  from work w
  join job j on j.account_id = w.account_id and j.job_id = w.id;

create view job_events as
select e.account_id, md5(e.work_id || ':' || e.seq)::uuid as event_id, e.work_id as job_id, e.seq,
       case e.event
         when 'submit' then 'job.created'
         when 'promote' then 'job.queued'
         when 'lease' then 'job.assigned'
         when 'start' then 'job.running'
         when 'complete' then case j.type when 'EMIT_EVENT' then 'job.emitted' else 'job.succeeded' end
         when 'fail' then 'job.failed'
         when 'expire' then case e.to_state when 'ready' then 'job.lease_expired' else 'job.failed' end
         when 'time_out' then 'job.timed_out'
         when 'cancel' then 'job.canceled'
         when 'retry' then 'job.retried' end as event_name,
       case when e.from_state is not null then
         job_state(e.from_state, case when e.attempt > 0 then 'backoff' end) end as prev_state,
       job_state(e.to_state, case when e.event = 'retry' then 'backoff' end) as next_state,
       to_timestamp(e.at_ms / 1000.0) as timestamp
  from work_event e
  join job j on j.account_id = e.account_id and j.job_id = e.work_id
 where e.queue = 'jobs';
