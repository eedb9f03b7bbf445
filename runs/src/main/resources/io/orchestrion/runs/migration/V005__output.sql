-- What steps write while they are under way. Makes tables only: locks nothing that exists.

create table run_output_head (
  account_id uuid    not null,
  run_id     uuid    not null,
  -- The number of its newest piece. Whoever writes pieces holds the lock of this row.
  seq        bigint  not null check (seq >= 0),
  primary key (account_id, run_id)
) with (fillfactor = 50);
comment on table run_output_head is 'How far the output of each run goes. Its lock puts the pieces in order.';

create table run_output (
  account_id uuid    not null,
  run_id     uuid    not null,
  seq        bigint  not null check (seq >= 1),
  step_id    uuid    not null,
  attempt_id uuid    not null,
  channel    text    not null check (channel in ('stdout', 'stderr')),
  content    text    not null,
  -- Of all pieces of the step, with this one.
  step_bytes bigint  not null check (step_bytes >= 1),
  created_ms bigint  not null,
  primary key (account_id, run_id, seq)
);
create index run_output_of_step on run_output (account_id, step_id, seq);
comment on table run_output is 'Output of steps, piece by piece. Goes with its run.';
