-- Orchestrations: definitions in versions, executions of them, the attempts of their steps, approvals, dead letters and
-- notifications that were sent. The graphs of executions and attempts are held by triggers that are made from the tables
-- in the code (R__orchestration_guard.sql). Makes tables only: locks nothing that exists.

create table orchestration_definition (
  account_id    uuid    not null,
  id            uuid    not null,
  version       integer not null check (version >= 1),
  status        text    not null constraint orchestration_definition_status
                        check (status in ('draft', 'published', 'deprecated')),
  name          text    not null,
  -- Canonical JSON text, and its SHA-256.
  document      text    not null,
  checksum      text    not null,
  created_ms    bigint  not null,
  updated_ms    bigint  not null,
  published_ms  bigint,
  deprecated_ms bigint,
  primary key (account_id, id, version)
);
-- A definition has one draft at a time.
create unique index orchestration_definition_draft on orchestration_definition (account_id, id) where status = 'draft';
comment on table orchestration_definition is 'Versions of definitions; a published one never changes.';

create table orchestration_execution (
  account_id         uuid    not null,
  id                 uuid    not null,
  definition_id      uuid    not null,
  definition_version integer not null,
  status             text    not null constraint orchestration_execution_status
                             check (status in ('running', 'waiting_approval', 'paused', 'succeeded', 'failed', 'canceled')),
  -- The number of its newest event in subject_event.
  seq                integer not null,
  target_type        text    not null,
  target_id          text    not null,
  input              text    not null,
  -- Of definition, target and input: the same key with another digest is a conflict.
  digest             uuid    not null,
  idempotency_key    text    not null,
  correlation_id     text    not null,
  trace              text,
  -- The execution whose step started this one, and how many such starts lie before it.
  parent_id          uuid,
  depth              integer not null,
  attempt_count      integer not null,
  started_ms         bigint  not null,
  completed_ms       bigint,
  -- How long it was running before running_since_ms; paused and waiting for people do not count.
  active_ms          bigint  not null,
  running_since_ms   bigint,
  timeout_ms         bigint,
  timer_id           uuid,
  output             text,
  error_class        text constraint orchestration_execution_error_class
                          check (error_class in ('TRANSIENT', 'RETRYABLE', 'NON_RETRYABLE', 'RATE_LIMITED', 'DEPENDENCY_FAILED',
                                                  'COMPENSATION_REQUIRED')),
  error_code         text,
  error_status       integer,
  error_summary      text,
  compensated        boolean not null,
  reviewed           boolean not null,
  primary key (account_id, id),
  constraint orchestration_execution_key unique (account_id, idempotency_key),
  constraint orchestration_execution_definition foreign key (account_id, definition_id, definition_version)
    references orchestration_definition (account_id, id, version),
  constraint orchestration_execution_ends
    check ((status in ('succeeded', 'failed', 'canceled')) = (completed_ms is not null)),
  constraint orchestration_execution_runs check ((status = 'running') = (running_since_ms is not null)),
  constraint orchestration_execution_output check (output is null or status = 'succeeded')
);
create index orchestration_execution_by_status on orchestration_execution (account_id, status, id);
create index orchestration_execution_by_definition on orchestration_execution (account_id, definition_id, id);
create index orchestration_execution_by_target on orchestration_execution (account_id, target_type, target_id, id);
-- What is old enough to be removed.
create index orchestration_execution_ended on orchestration_execution (completed_ms) where completed_ms is not null;
create index orchestration_execution_by_correlation on orchestration_execution (account_id, correlation_id, id);
comment on table orchestration_execution is 'One run of a definition for one target.';

create table orchestration_step (
  account_id          uuid    not null,
  -- Also the id of its work item, where it has one.
  id                  uuid    not null,
  execution_id        uuid    not null,
  step_id             text    not null,
  step_type           text    not null,
  kind                text    not null check (kind in ('step', 'guard', 'compensation')),
  attempt_number      integer not null check (attempt_number >= 1),
  budget_from         integer not null,
  status              text    not null constraint orchestration_step_status
                              check (status in ('pending', 'running', 'succeeded', 'failed', 'retrying', 'timed_out',
                                                'skipped', 'awaiting_approval')),
  seq                 integer not null,
  idempotency_key     text    not null,
  key_epoch           integer not null,
  safe_retry          text    not null constraint orchestration_step_safe_retry
                              check (safe_retry in ('SAFE_TO_RETRY', 'NOT_SAFE_TO_RETRY', 'SAFE_TO_RETRY_WITH_GUARD')),
  created_ms          bigint  not null,
  retry_after_ms      bigint,
  started_ms          bigint,
  finished_ms         bigint,
  -- How long the whole step may take from the first attempt's start on, and when that is over.
  timeout_ms          bigint  not null,
  deadline_ms         bigint,
  result              text,
  error_class         text constraint orchestration_step_error_class
                           check (error_class in ('TRANSIENT', 'RETRYABLE', 'NON_RETRYABLE', 'RATE_LIMITED',
                                                  'DEPENDENCY_FAILED', 'COMPENSATION_REQUIRED')),
  error_code          text,
  error_status        integer,
  error_summary       text,
  error_overridden    boolean not null,
  retry_after_seconds integer,
  logs_ref            text,
  usage               text,
  -- What followed from its end and what that rested on, as JSON.
  decision            text,
  primary key (account_id, id),
  constraint orchestration_step_attempt unique (account_id, execution_id, step_id, kind, attempt_number),
  constraint orchestration_step_execution foreign key (account_id, execution_id)
    references orchestration_execution (account_id, id),
  constraint orchestration_step_fails
    check (error_class is not null or status not in ('failed', 'timed_out')),
  constraint orchestration_step_succeeds check (error_class is null or status <> 'succeeded')
);
-- Nobody runs a step of an execution twice at once.
create unique index orchestration_step_running on orchestration_step (account_id, execution_id, step_id)
 where status = 'running';
-- What an execution has open, and what ended while it was paused.
create index orchestration_step_open on orchestration_step (account_id, execution_id)
 where status in ('pending', 'running', 'retrying', 'awaiting_approval')
    or (decision is null and status in ('succeeded', 'failed', 'timed_out', 'skipped'));
-- Pages of an execution's history.
create index orchestration_step_by_execution on orchestration_step (account_id, execution_id, id);
comment on table orchestration_step is 'Attempts of steps. A row is frozen when its attempt has ended.';

create table orchestration_approval (
  account_id        uuid   not null,
  id                uuid   not null,
  execution_id      uuid   not null,
  step_id           text   not null,
  step_execution_id uuid   not null,
  kind              text   not null check (kind in ('step', 'compensation')),
  status            text   not null check (status in ('pending', 'approved', 'rejected', 'expired', 'canceled')),
  seq               integer not null,
  assignee_group    text,
  title             text,
  -- What is to be approved.
  input             text,
  requested_ms      bigint not null,
  due_ms            bigint,
  decided_ms        bigint,
  decided_by        uuid,
  decided_by_name   text,
  note              text,
  primary key (account_id, id),
  constraint orchestration_approval_execution foreign key (account_id, execution_id)
    references orchestration_execution (account_id, id)
);
create unique index orchestration_approval_pending on orchestration_approval (account_id, execution_id, step_id, kind)
 where status = 'pending';
create index orchestration_approval_inbox on orchestration_approval (account_id, status, id);
comment on table orchestration_approval is 'What people were asked, and what they said. Frozen once it is decided.';

create table orchestration_dead_letter (
  account_id         uuid    not null,
  id                 uuid    not null,
  execution_id       uuid    not null,
  definition_id      uuid    not null,
  definition_version integer not null,
  step_id            text    not null,
  -- The last attempt.
  step_execution_id  uuid    not null,
  reason             text    not null constraint orchestration_dead_letter_reason
                             check (reason in ('attempts_exhausted', 'non_retryable', 'compensation_required',
                                               'not_safe_to_retry', 'timed_out', 'guard_failed', 'compensation_failed')),
  status             text    not null check (status in ('open', 'handled', 'reprocessed', 'resolved')),
  seq                integer not null,
  error_class        text    not null constraint orchestration_dead_letter_error_class
                             check (error_class in ('TRANSIENT', 'RETRYABLE', 'NON_RETRYABLE', 'RATE_LIMITED', 'DEPENDENCY_FAILED',
                                                  'COMPENSATION_REQUIRED')),
  error_code         text    not null,
  error_status       integer,
  error_summary      text,
  correlation_id     text    not null,
  -- What a person has to do; null where looking is enough.
  action_required    text,
  -- What became of the compensation; null where none is needed.
  compensation       text check (compensation in ('needed', 'asked', 'running', 'done', 'failed', 'rejected', 'marked')),
  created_ms         bigint  not null,
  closed_ms          bigint,
  closed_by          text,
  note               text,
  primary key (account_id, id),
  constraint orchestration_dead_letter_execution foreign key (account_id, execution_id)
    references orchestration_execution (account_id, id)
);
create unique index orchestration_dead_letter_open on orchestration_dead_letter (account_id, execution_id, step_id)
 where status = 'open';
create index orchestration_dead_letter_by_status on orchestration_dead_letter (account_id, status, id);
comment on table orchestration_dead_letter is 'Steps that failed for good.';

create table orchestration_notification (
  account_id           uuid    not null,
  step_idempotency_key text    not null,
  state                text    not null check (state in ('sending', 'sent')),
  target               text    not null,
  attempts             integer not null,
  first_ms             bigint  not null,
  sent_ms              bigint,
  result               text,
  primary key (account_id, step_idempotency_key)
);
comment on table orchestration_notification is 'Notices that were sent, once for each key of a step.';
