-- Runs: what was asked for, its attempts, plans, agents, tasks, steps and the attempts of steps, what was decided, tickets
-- and approvals. The graphs of statuses are held by triggers that are made from the tables in the code
-- (R__runs_guard.sql). Credits and artifacts have migrations of their own. Makes tables and views only: locks nothing that
-- exists.

create table run (
  account_id             uuid    not null,
  id                     uuid    not null,
  -- The number of its newest event in subject_event.
  seq                    integer not null,
  status                 text    not null constraint run_status
                                 check (status in ('created', 'pending', 'running', 'paused', 'resuming', 'completed',
                                                   'failed', 'cancelled', 'retrying', 'skipped')),

  -- What was asked for.
  name                   text    not null,
  task                   text    not null,
  context                text,
  -- JSON text of a plan that was sent along; null where a worker or an LLM makes one.
  plan                   text,
  planner_mode           text    not null check (planner_mode in ('static', 'claim', 'openai')),
  priority               text    not null check (priority in ('normal', 'high')),
  failure_mode           text    not null check (failure_mode in ('fail-fast', 'continue', 'retry')),
  -- JSON text: tool -> allow, confirm or block; null for all allowed.
  tool_policies          text,
  created_by             text    not null,

  -- Its bounds, as they were when it was made: a later change of the settings does not change a run.
  max_attempts           integer not null check (max_attempts >= 1),
  max_agents             integer not null check (max_agents >= 1),
  max_replans            integer not null check (max_replans >= 0),
  max_tokens             bigint  not null check (max_tokens >= 1),
  max_concurrent_tasks   integer not null check (max_concurrent_tasks >= 1),
  max_concurrent_steps   integer not null check (max_concurrent_steps >= 1),
  pending_timeout_ms     bigint  not null,
  running_timeout_ms     bigint  not null,
  paused_timeout_ms      bigint  not null,
  resuming_timeout_ms    bigint  not null,
  retrying_timeout_ms    bigint  not null,
  agent_timeout_ms       bigint  not null,
  task_timeout_ms        bigint  not null,
  step_timeout_ms        bigint  not null,
  planning_timeout_ms    bigint  not null,

  -- Where its attempt is.
  attempt_number         integer not null check (attempt_number >= 1),
  plan_version           integer not null,
  replan_count           integer not null,
  -- Rows of the attempt, of all versions of its plan.
  agent_count            integer not null,
  task_count             integer not null,
  step_count             integer not null,
  -- Of the newest plan: workers that have not ended, and how the others ended.
  agents_open            integer not null,
  agents_completed       integer not null,
  agents_skipped         integer not null,
  -- What counts for another plan: agents and tasks of the newest plan that failed, tolerated or not.
  agents_lost            integer not null,
  tasks_lost             integer not null,
  -- Agents of earlier plans of the attempt that completed.
  agents_completed_before integer not null,
  -- Attempts of steps that workers may have now.
  steps_in_flight        integer not null,
  -- The planner that makes another plan while the agents of the old one go on; null for none.
  replanner_id           uuid,

  credits_reserved       numeric(20, 6) not null,
  credits_charged        numeric(20, 6) not null,
  credits_refunded       numeric(20, 6) not null,
  -- Of the reservation, for steps that are in flight.
  credits_held           numeric(20, 6) not null,
  -- What was used beyond the reservation.
  credits_over           numeric(20, 6) not null,
  -- Whether a step waits for money that another one may give back.
  short_of_credits       boolean not null,

  created_ms             bigint  not null,
  started_ms             bigint,
  -- When its attempt began to run.
  running_ms             bigint,
  -- How long the attempt had been running before running_since_ms; pauses do not count.
  active_ms              bigint  not null,
  running_since_ms       bigint,
  -- When the state that it is in takes too long.
  deadline_ms            bigint,
  last_heartbeat_ms      bigint,
  completed_ms           bigint,
  cancelled_ms           bigint,
  duration_ms            bigint,
  deleted_ms             bigint,

  last_error_code        text,
  last_error             text,
  pause_reason           text,
  ticket_id              uuid,
  escalated              boolean not null,
  -- Errors before this time count for no escalation.
  window_from_ms         bigint  not null,
  -- The item of its driver; null while nobody is to drive it.
  driver_id              uuid,

  primary key (account_id, id),
  constraint run_credits check (credits_charged >= 0 and credits_reserved >= credits_charged and credits_refunded >= 0
                                and credits_held >= 0 and credits_over >= 0),
  constraint run_conserves check (status not in ('completed', 'failed', 'cancelled', 'skipped')
                                  or credits_charged + credits_refunded = credits_reserved),
  constraint run_counts check (agent_count >= 0 and task_count >= 0 and step_count >= 0 and agents_open >= 0
                               and steps_in_flight >= 0),
  constraint run_paid check (status not in ('pending', 'running', 'paused', 'resuming', 'retrying') or credits_reserved > 0),
  constraint run_runs check ((status = 'running') = (running_since_ms is not null)),
  constraint run_has_agents check (status not in ('running', 'paused', 'resuming') or agent_count >= 1),
  constraint run_beats check (status <> 'running' or last_heartbeat_ms is not null),
  constraint run_completed check ((status in ('completed', 'failed', 'skipped')) = (completed_ms is not null)),
  constraint run_cancelled check ((status = 'cancelled') = (cancelled_ms is not null)),
  constraint run_lasted check (status not in ('completed', 'failed', 'skipped', 'cancelled') or duration_ms is not null),
  constraint run_says_why check (status <> 'failed' or last_error is not null),
  constraint run_deleted check (deleted_ms is null or status = 'created')
);
create index run_by_status on run (account_id, status, id);
create index run_escalated on run (account_id, id) where escalated;
-- For sweepers, which look over all accounts.
create index run_deadlines on run (deadline_ms) where deadline_ms is not null;
create index run_beats on run (last_heartbeat_ms) where status = 'running';
create index run_ended on run (coalesce(completed_ms, cancelled_ms, deleted_ms))
 where status in ('completed', 'failed', 'cancelled', 'skipped') or deleted_ms is not null;
comment on table run is 'Runs: a task that agents work on, with its credits.';

create table run_attempt (
  account_id       uuid    not null,
  run_id           uuid    not null,
  attempt_number   integer not null check (attempt_number >= 1),
  -- Null while it is under way.
  outcome          text    check (outcome in ('completed', 'failed', 'cancelled', 'skipped')),
  credits_reserved numeric(20, 6) not null check (credits_reserved > 0),
  credits_charged  numeric(20, 6) not null,
  credits_refunded numeric(20, 6) not null,
  error_code       text,
  error            text,
  started_ms       bigint  not null,
  ended_ms         bigint,
  primary key (account_id, run_id, attempt_number),
  constraint run_attempt_run foreign key (account_id, run_id) references run (account_id, id),
  constraint run_attempt_ends check ((outcome is null) = (ended_ms is null)),
  constraint run_attempt_conserves check (outcome is null or credits_charged + credits_refunded = credits_reserved)
);
comment on table run_attempt is 'What each attempt of a run was given, used and gave back. Frozen at its end.';

create table run_transition (
  account_id     uuid    not null,
  run_id         uuid    not null,
  number         integer not null check (number >= 1),
  attempt_number integer not null,
  from_status    text,
  to_status      text    not null,
  actor          text    not null,
  reason         text,
  at_ms          bigint  not null,
  -- Each begins where the one before it ended: a reference holds the chain together.
  after_number   integer generated always as (number - 1) stored,
  primary key (account_id, run_id, number),
  constraint run_transition_place unique (account_id, run_id, number, to_status),
  constraint run_transition_chain foreign key (account_id, run_id, after_number, from_status)
    references run_transition (account_id, run_id, number, to_status),
  constraint run_transition_run foreign key (account_id, run_id) references run (account_id, id),
  constraint run_transition_first check ((number = 1) = (from_status is null))
);
comment on table run_transition is 'Every change of status of every run, each beginning where the one before it ended. Append-only.';

create table run_decision (
  account_id     uuid    not null,
  id             uuid    not null,
  run_id         uuid    not null,
  attempt_number integer not null,
  level          text    not null check (level in ('step', 'task', 'agent', 'run')),
  -- The step, task, agent or run that it is about.
  subject_id     uuid    not null,
  kind           text    not null check (kind in ('retry', 'stop', 'skip', 'fail', 'escalate', 'abort', 'replan', 'go_on')),
  trigger        text,
  -- JSON text: what it was decided by.
  inputs         text    not null,
  -- JSON text: what follows.
  outcome        text    not null,
  at_ms          bigint  not null,
  primary key (account_id, id),
  constraint run_decision_run foreign key (account_id, run_id) references run (account_id, id)
);
create index run_decision_of_run on run_decision (account_id, run_id, id);
comment on table run_decision is 'Why the engine retried, escalated, aborted, skipped or made another plan. Append-only.';

create table run_plan (
  account_id       uuid    not null,
  run_id           uuid    not null,
  attempt_number   integer not null,
  plan_version     integer not null check (plan_version >= 1),
  source           text    not null check (source in ('static', 'worker', 'openai', 'hand')),
  document         text    not null,
  -- JSON text, of a plan that replaces another one: what had failed.
  failure_analysis text,
  made_by          text    not null,
  at_ms            bigint  not null,
  primary key (account_id, run_id, attempt_number, plan_version),
  constraint run_plan_run foreign key (account_id, run_id) references run (account_id, id)
);
comment on table run_plan is 'Every plan that a run has had. Append-only.';

create table run_agent (
  account_id       uuid    not null,
  id               uuid    not null,
  run_id           uuid    not null,
  attempt_number   integer not null,
  -- Of a planner: the version that was there when it began, 0 for none.
  plan_version     integer not null,
  sequence_number  integer not null check (sequence_number >= 0),
  role             text    not null check (role in ('planner', 'worker')),
  subtask          text    not null,
  status           text    not null constraint run_agent_status
                           check (status in ('pending', 'running', 'paused', 'completed', 'failed', 'cancelled', 'skipped')),
  seq              integer not null,
  failure_mode     text    not null check (failure_mode in ('fail-fast', 'continue', 'retry')),
  parallelism_mode text    not null check (parallelism_mode in ('sequential', 'parallel', 'dag')),
  -- Whether workers plan its tasks, round by round.
  loops            boolean not null,
  rounds           integer not null,
  superseded       boolean not null,
  -- How often it was begun from its first task on.
  agent_attempt    integer not null check (agent_attempt >= 1),
  task_count       integer not null,
  -- Of the attempt: tasks that have not ended, that are given out, and how the others ended.
  tasks_open       integer not null check (tasks_open >= 0),
  tasks_active     integer not null check (tasks_active >= 0),
  tasks_completed  integer not null,
  tasks_skipped    integer not null,
  timeout_ms       bigint  not null,
  active_ms        bigint  not null,
  running_since_ms bigint,
  deadline_ms      bigint,
  -- Nothing of it begins before this time.
  not_before_ms    bigint,
  created_ms       bigint  not null,
  started_ms       bigint,
  ended_ms         bigint,
  error_code       text,
  error            text,
  primary key (account_id, id),
  constraint run_agent_run foreign key (account_id, run_id) references run (account_id, id),
  constraint run_agent_place unique (account_id, run_id, attempt_number, plan_version, role, sequence_number)
);
create index run_agent_deadlines on run_agent (deadline_ms) where deadline_ms is not null;
comment on table run_agent is 'Agents of runs, of all attempts and all plans.';

create table run_task (
  account_id       uuid    not null,
  id               uuid    not null,
  run_id           uuid    not null,
  agent_id         uuid    not null,
  sequence_number  integer not null check (sequence_number >= 0),
  name             text    not null,
  status           text    not null constraint run_task_status
                           check (status in ('pending', 'running', 'completed', 'failed', 'skipped', 'cancelled')),
  seq              integer not null,
  failure_mode     text    not null check (failure_mode in ('fail-fast', 'continue', 'retry')),
  parallelism_mode text    not null check (parallelism_mode in ('sequential', 'parallel', 'dag')),
  -- Names, as the plan has them.
  dependencies     text    not null,
  -- Ids of the tasks that wait for this one.
  dependents       uuid[]  not null,
  -- How many dependencies there are, and how many of them have not ended well yet.
  needs            integer not null,
  unmet            integer not null check (unmet >= 0),
  -- The round of its agent's planning that it came from, and the attempt of its agent that it belongs to.
  round            integer not null,
  -- Whether steps of it are, or may be, given out.
  active           boolean not null,
  task_attempt     integer not null check (task_attempt >= 1),
  step_count       integer not null,
  steps_open       integer not null check (steps_open >= 0),
  steps_active     integer not null check (steps_active >= 0),
  steps_completed  integer not null,
  steps_skipped    integer not null,
  timeout_ms       bigint  not null,
  active_ms        bigint  not null,
  running_since_ms bigint,
  deadline_ms      bigint,
  not_before_ms    bigint,
  created_ms       bigint  not null,
  started_ms       bigint,
  ended_ms         bigint,
  skip_reason      text,
  error_code       text,
  error            text,
  primary key (account_id, id),
  constraint run_task_agent foreign key (account_id, agent_id) references run_agent (account_id, id),
  constraint run_task_run foreign key (account_id, run_id) references run (account_id, id),
  constraint run_task_place unique (account_id, agent_id, sequence_number)
);
-- The next to give out is the first that waits for nothing more.
create index run_task_next on run_task (account_id, agent_id, sequence_number)
 where status = 'pending' and not active and unmet = 0;
create index run_task_deadlines on run_task (deadline_ms) where deadline_ms is not null;
create index run_task_of_run on run_task (account_id, run_id, id);
comment on table run_task is 'Tasks of agents.';

create table run_step (
  account_id      uuid    not null,
  id              uuid    not null,
  run_id          uuid    not null,
  agent_id        uuid    not null,
  task_id         uuid    not null,
  sequence_number integer not null check (sequence_number >= 0),
  name            text    not null,
  -- What workers do of it: the call of a tool, the plan of the run, or the plan of its agent.
  kind            text    not null check (kind in ('tool', 'run_plan', 'agent_plan')),
  tool            text    not null,
  input           text    not null,
  status          text    not null constraint run_step_status
                          check (status in ('pending', 'running', 'completed', 'failed', 'skipped', 'cancelled')),
  seq             integer not null,
  idempotency_key text    not null,
  dependencies    text    not null,
  dependents      uuid[]  not null,
  needs           integer not null,
  unmet           integer not null check (unmet >= 0),
  timeout_ms      bigint,
  max_attempts    integer not null check (max_attempts >= 1),
  max_tokens      bigint,
  output_schema   text,
  -- What the run's policy says of its tool.
  policy          text    not null check (policy in ('allow', 'confirm')),
  approved        boolean not null,
  -- The attempt, or the approval, that is under way; null while nothing is.
  open_id         uuid,
  -- Of the current attempt of its task.
  attempt_number  integer not null,
  attempts_made   integer not null,
  not_before_ms   bigint,
  output          text,
  output_bytes    integer,
  error_code      text,
  error           text,
  skip_reason     text,
  created_ms      bigint  not null,
  started_ms      bigint,
  ended_ms        bigint,
  primary key (account_id, id),
  constraint run_step_task foreign key (account_id, task_id) references run_task (account_id, id),
  constraint run_step_run foreign key (account_id, run_id) references run (account_id, id),
  constraint run_step_place unique (account_id, task_id, sequence_number),
  constraint run_step_output check (output is null or status = 'completed')
);
create index run_step_next on run_step (account_id, task_id, sequence_number)
 where status in ('pending', 'running') and open_id is null and unmet = 0;
create index run_step_of_agent on run_step (account_id, agent_id, status);
create index run_step_of_run on run_step (account_id, run_id, id);
comment on table run_step is 'Steps of tasks, with their outputs.';

create table run_step_attempt (
  account_id          uuid    not null,
  -- The id of its item, too.
  id                  uuid    not null,
  run_id              uuid    not null,
  step_id             uuid    not null,
  run_attempt         integer not null,
  agent_attempt       integer not null,
  task_attempt        integer not null,
  attempt_number      integer not null,
  -- The same for the same attempt, whoever makes it: run, attempt, step and attempts.
  message_id          text    not null,
  status              text    not null constraint run_step_attempt_status
                              check (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
  -- Whether what follows from its end has followed: not while the run was paused.
  applied             boolean not null,
  credits_held        numeric(20, 6) not null,
  created_ms          bigint  not null,
  not_before_ms       bigint,
  started_ms          bigint,
  ended_ms            bigint,
  error_code          text,
  error_status        integer,
  error               text,
  -- Whether something may be half done, after which nothing is repeated.
  error_partial       boolean,
  retry_after_seconds integer,
  usage               text,
  logs_ref            text,
  worker              text,
  primary key (account_id, id),
  constraint run_step_attempt_step foreign key (account_id, step_id) references run_step (account_id, id),
  constraint run_step_attempt_number unique (account_id, step_id, agent_attempt, task_attempt, attempt_number),
  constraint run_step_attempt_message unique (account_id, message_id)
);
-- What ended during a pause, in the order of the ends.
create index run_step_attempt_unapplied on run_step_attempt (account_id, run_id, ended_ms) where not applied;
-- What ended lately, for escalations.
create index run_step_attempt_lately on run_step_attempt (account_id, run_id, ended_ms)
 where status in ('completed', 'failed');
create index run_step_attempt_failed on run_step_attempt (account_id, run_id, ended_ms) where status = 'failed';
comment on table run_step_attempt is 'Every attempt of every step; each is one item of the queue. Frozen at its end.';

-- Items of runs that are not attempts of steps: handed in once for each message.
create table run_message (
  account_id uuid   not null,
  message_id text   not null,
  run_id     uuid   not null,
  item_id    uuid   not null,
  queue      text   not null check (queue in ('runs.high_priority', 'runs.normal')),
  created_ms bigint not null,
  primary key (account_id, message_id)
);
create index run_message_of_run on run_message (account_id, run_id);
comment on table run_message is 'Items of drivers by their messages: the same message makes no second item for a day.';

create table run_ticket (
  account_id  uuid    not null,
  id          uuid    not null,
  run_id      uuid    not null,
  seq         integer not null,
  status      text    not null check (status in ('open', 'resolved', 'closed')),
  severity    text    not null check (severity in ('high')),
  trigger     text    not null,
  -- Further triggers while it was open: how many, and the newest.
  added       integer not null,
  last_trigger text,
  error_code  text,
  error       text    not null,
  -- Whether the run waits for what is said.
  holds       boolean not null,
  created_ms  bigint  not null,
  resolved_ms bigint,
  resolved_by text,
  resolution  text    check (resolution in ('resume', 'cancel', 'over')),
  note        text,
  primary key (account_id, id),
  constraint run_ticket_run foreign key (account_id, run_id) references run (account_id, id),
  constraint run_ticket_resolved check ((status = 'open') = (resolved_ms is null))
);
create unique index run_ticket_open on run_ticket (account_id, run_id) where status = 'open';
create index run_ticket_by_status on run_ticket (account_id, status, id);
comment on table run_ticket is 'What people are called for.';

create table run_approval (
  account_id     uuid    not null,
  id             uuid    not null,
  run_id         uuid    not null,
  step_id        uuid    not null,
  attempt_number integer not null,
  seq            integer not null,
  status         text    not null check (status in ('pending', 'approved', 'rejected', 'cancelled')),
  -- The exact call.
  tool           text    not null,
  input          text    not null,
  requested_ms   bigint  not null,
  decided_ms     bigint,
  decided_by     text,
  note           text,
  primary key (account_id, id),
  constraint run_approval_step foreign key (account_id, step_id) references run_step (account_id, id),
  constraint run_approval_decided check ((status = 'pending') = (decided_ms is null))
);
create unique index run_approval_pending on run_approval (account_id, step_id) where status = 'pending';
create index run_approval_by_status on run_approval (account_id, status, id);
create index run_approval_of_run on run_approval (account_id, run_id, id);
comment on table run_approval is 'Calls of tools that people are asked about first. Frozen once decided.';

-- The names of the published runbooks. Read only.
create view runs as
select 'run_' || r.id as run_id, 'run_' || r.id as id, r.account_id, r.account_id as org_id, r.name, r.task, r.status, r.context,
       r.attempt_number, r.max_attempts, r.failure_mode, r.max_agents, r.max_tokens, r.priority, r.agent_count,
       r.task_count, r.step_count, r.replan_count, r.credits_reserved, r.credits_charged, r.credits_refunded,
       to_timestamp(r.created_ms / 1000.0) as created_at, to_timestamp(r.started_ms / 1000.0) as started_at,
       to_timestamp(r.running_ms / 1000.0) as running_at, to_timestamp(r.last_heartbeat_ms / 1000.0) as last_heartbeat,
       to_timestamp(r.completed_ms / 1000.0) as completed_at, to_timestamp(r.cancelled_ms / 1000.0) as cancelled_at,
       to_timestamp(r.deleted_ms / 1000.0) as deleted_at, r.duration_ms, r.last_error, r.pause_reason, r.escalated,
       'ticket_' || r.ticket_id as escalation_ticket_id
  from run r;
comment on view runs is 'Runs in the words of the contract.';

create view agents as
select 'agent_' || a.id as id, 'run_' || a.run_id as run_id, a.account_id, a.account_id as org_id, a.attempt_number, a.plan_version,
       a.sequence_number, a.role, a.subtask, a.status, a.failure_mode, a.parallelism_mode, a.task_count, a.superseded,
       a.error as last_error, to_timestamp(a.created_ms / 1000.0) as created_at,
       to_timestamp(a.started_ms / 1000.0) as started_at, to_timestamp(a.ended_ms / 1000.0) as completed_at
  from run_agent a;
comment on view agents is 'Agents in the words of the contract.';

create view run_tasks as
select 'rtask_' || t.id as id, 'agent_' || t.agent_id as agent_id, 'run_' || t.run_id as run_id, t.account_id, t.account_id as org_id,
       t.sequence_number, t.name, t.status, t.failure_mode, t.parallelism_mode, t.dependencies, t.step_count,
       t.task_attempt, t.error as last_error, to_timestamp(t.created_ms / 1000.0) as created_at,
       to_timestamp(t.started_ms / 1000.0) as started_at, to_timestamp(t.ended_ms / 1000.0) as completed_at
  from run_task t;
comment on view run_tasks is 'Tasks in the words of the contract.';

create view run_steps as
select 'step_' || s.id as id, 'rtask_' || s.task_id as task_id, 'agent_' || s.agent_id as agent_id,
       'run_' || s.run_id as run_id, s.account_id, s.account_id as org_id, s.sequence_number, s.name, s.tool, s.input, s.status,
       s.output, s.error, s.idempotency_key, s.attempts_made, to_timestamp(s.created_ms / 1000.0) as created_at,
       to_timestamp(s.started_ms / 1000.0) as started_at, to_timestamp(s.ended_ms / 1000.0) as completed_at
  from run_step s;
comment on view run_steps is 'Steps in the words of the contract.';

-- The queues of the contract are names for what the kernel keeps by profile, kind and priority.
create view run_items as
select i.account_id, i.account_id as org_id, i.id as item_id, 'run_' || i.owner_id as run_id, i.kind, i.state,
       case i.kind when 'run_drive' then m.queue when 'agent_plan' then 'agents.work' else i.queue end as queue,
       coalesce(m.message_id, s.message_id) as message_id
  from item i
  left join run_message m on m.account_id = i.account_id and m.item_id = i.id and m.run_id = i.owner_id
  left join run_step_attempt s on s.account_id = i.account_id and s.id = i.id
 where i.owner_kind = 'run';
comment on view run_items is 'The items of runs with the queues and the message ids of the contract.';
