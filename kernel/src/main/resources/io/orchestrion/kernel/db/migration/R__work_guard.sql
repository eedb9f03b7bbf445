-- Generated from the rules of rows and the profiles' transition tables; WorkGuardTest rewrites
-- it. Replaces a function and a trigger: a short exclusive lock on work.
create or replace function work_guard() returns trigger language plpgsql as $guard$
declare
  broken text;
begin
  if ((new.state = any (array['waiting', 'ready', 'leased', 'running', 'succeeded', 'failed', 'dead', 'cancelled']))
      and (new.wait_reason in ('schedule', 'backoff', 'dependency', 'hold'))
      and (new.attempt >= 0)
      and (new.max_attempts >= 1)
      and (new.retries >= 0)
      and (new.lease_seconds >= 1)
      and (new.lease_number >= 0)
      and (new.if_parent_fails in ('cancel', 'ignore', 'hold'))
      and ((new.state = 'waiting') = (new.wait_reason is not null))
      and (new.wait_reason is null or new.wait_reason not in ('schedule', 'backoff') or new.run_at_ms is not null)
      and ((new.state in ('leased', 'running')) = (new.lease_token is not null) and (new.lease_token is null) = (new.lease_until_ms is null) and (new.lease_token is null) = (new.lease_check_ms is null))
      and ((new.state in ('succeeded', 'failed', 'dead', 'cancelled')) = (new.finished_ms is not null))
      and (new.finished_ms is not null or new.purge_after_ms is null)
      and ((new.owner_kind is null) = (new.owner_id is null))
      and (new.state = 'succeeded' or (new.result is null and new.output_ref is null))) is false then
    broken := case
      when (new.state = any (array['waiting', 'ready', 'leased', 'running', 'succeeded', 'failed', 'dead', 'cancelled'])) is false then 'work_state_check'
      when (new.wait_reason in ('schedule', 'backoff', 'dependency', 'hold')) is false then 'work_wait_reason_check'
      when (new.attempt >= 0) is false then 'work_attempt_check'
      when (new.max_attempts >= 1) is false then 'work_max_attempts_check'
      when (new.retries >= 0) is false then 'work_retries_check'
      when (new.lease_seconds >= 1) is false then 'work_lease_seconds_check'
      when (new.lease_number >= 0) is false then 'work_lease_number_check'
      when (new.if_parent_fails in ('cancel', 'ignore', 'hold')) is false then 'work_if_parent_fails_check'
      when ((new.state = 'waiting') = (new.wait_reason is not null)) is false then 'work_waits_for_something'
      when (new.wait_reason is null or new.wait_reason not in ('schedule', 'backoff') or new.run_at_ms is not null) is false then 'work_waits_for_a_time'
      when ((new.state in ('leased', 'running')) = (new.lease_token is not null) and (new.lease_token is null) = (new.lease_until_ms is null) and (new.lease_token is null) = (new.lease_check_ms is null)) is false then 'work_is_held_by_one_lease'
      when ((new.state in ('succeeded', 'failed', 'dead', 'cancelled')) = (new.finished_ms is not null)) is false then 'work_ended_has_an_end'
      when (new.finished_ms is not null or new.purge_after_ms is null) is false then 'work_open_is_kept'
      when ((new.owner_kind is null) = (new.owner_id is null)) is false then 'work_owner_is_whole'
      when (new.state = 'succeeded' or (new.result is null and new.output_ref is null)) is false then 'work_outcome_is_of_success'
    end;
    raise exception 'work breaks the rule %', broken
      using errcode = 'check_violation', constraint = broken, table = 'work';
  end if;
  if tg_op = 'INSERT' then
    if new.state not in ('waiting', 'ready')
       or (new.state = 'ready' and new.profile = any (array['timers'])) then
      raise exception 'work cannot begin as %', new.state using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if new.account_id <> old.account_id or new.id <> old.id or new.profile <> old.profile
     or new.created_ms <> old.created_ms then
    raise exception 'work cannot change what it is' using errcode = 'check_violation';
  end if;
  if old.state = 'succeeded' and (old.result is not null or old.output_ref is not null)
     and (new.result is distinct from old.result or new.output_ref is distinct from old.output_ref)
  then
    raise exception 'work has one outcome' using errcode = 'check_violation';
  end if;
  if new.lease_number < old.lease_number or new.event_seq < old.event_seq
     or new.event_ms < old.event_ms then
    raise exception 'leases and events of work only go forward' using errcode = 'check_violation';
  end if;
  if not starts_with(new.history, old.history) then
    raise exception 'what the history of work tells stays' using errcode = 'check_violation';
  end if;
  -- So no two events of an item have one number, or one time.
  if new.history <> old.history
     and (new.event_seq = old.event_seq or new.event_ms = old.event_ms) then
    raise exception 'each event of work is later than the one before' using errcode = 'check_violation';
  end if;
  if old.state <> new.state
     and not (new.profile || ' ' || old.state || ' ' || new.state = any (array[
    'tasks waiting ready',
    'tasks ready running',
    'tasks running succeeded',
    'tasks running ready',
    'tasks running waiting',
    'tasks running dead',
    'tasks waiting cancelled',
    'tasks ready cancelled',
    'tasks running cancelled',
    'tasks dead ready',
    'tasks ready waiting',
    'queue waiting ready',
    'queue ready running',
    'queue running succeeded',
    'queue running ready',
    'queue running waiting',
    'queue running failed',
    'queue running dead',
    'queue waiting cancelled',
    'queue ready cancelled',
    'queue running cancelled',
    'queue dead ready',
    'queue ready waiting',
    'jobs waiting ready',
    'jobs ready leased',
    'jobs leased running',
    'jobs running succeeded',
    'jobs running failed',
    'jobs leased ready',
    'jobs waiting cancelled',
    'jobs ready cancelled',
    'jobs leased cancelled',
    'jobs running cancelled',
    'jobs failed waiting',
    'steps waiting ready',
    'steps ready running',
    'steps running succeeded',
    'steps running failed',
    'steps waiting cancelled',
    'steps ready cancelled',
    'steps running cancelled',
    'steps waiting failed',
    'steps ready failed',
    'steps ready waiting',
    'drivers waiting ready',
    'drivers ready running',
    'drivers running succeeded',
    'drivers running failed',
    'drivers running ready',
    'drivers waiting cancelled',
    'drivers ready cancelled',
    'drivers running cancelled',
    'drivers waiting failed',
    'drivers ready failed',
    'drivers ready waiting',
    'builtin waiting ready',
    'builtin ready running',
    'builtin running succeeded',
    'builtin running failed',
    'builtin waiting cancelled',
    'builtin ready cancelled',
    'builtin running cancelled',
    'builtin waiting failed',
    'builtin ready failed',
    'builtin ready waiting',
    'timers waiting succeeded',
    'timers waiting cancelled',
    'deliveries waiting ready',
    'deliveries ready running',
    'deliveries running succeeded',
    'deliveries running ready',
    'deliveries running waiting',
    'deliveries running failed',
    'deliveries running dead',
    'deliveries waiting cancelled',
    'deliveries ready cancelled',
    'deliveries running cancelled',
    'deliveries ready waiting']))
  then
    raise exception 'work of profile % cannot go from % to %', new.profile, old.state, new.state
      using errcode = 'check_violation';
  end if;
  -- Staying where one is is a change as well when the history tells of it, or another reason is given.
  if old.state = new.state
     and (new.event_seq <> old.event_seq or new.wait_reason is distinct from old.wait_reason)
     and not (new.profile || ' ' || old.state || ' ' || new.state = any (array[
    'tasks waiting waiting',
    'queue running running',
    'queue waiting waiting',
    'steps succeeded succeeded',
    'steps failed failed',
    'steps cancelled cancelled',
    'steps waiting waiting',
    'drivers waiting waiting',
    'builtin succeeded succeeded',
    'builtin failed failed',
    'builtin cancelled cancelled',
    'builtin waiting waiting',
    'timers waiting waiting',
    'deliveries waiting waiting']))
  then
    raise exception 'work of profile % cannot go from % to %', new.profile, old.state, new.state
      using errcode = 'check_violation';
  end if;
  -- Where waiting for a first time is seen from outside, nothing comes back to it, and what was
  -- given to a holder comes back when its lease is over and not before.
  if old.state <> new.state and new.profile = any (array['jobs'])
     and ((new.state = 'waiting' and new.wait_reason <> 'backoff')
          or (old.state = 'leased' and new.state = 'ready' and old.lease_until_ms > new.updated_ms))
  then
    raise exception 'work of profile % cannot go from % to %', new.profile, old.state, new.state
      using errcode = 'check_violation';
  end if;
  return new;
end
$guard$;

drop trigger if exists work_guard_begin on work;
drop trigger if exists work_guard_change on work;
drop trigger if exists work_guard on work;
-- The lanes' own statements name the state that they find and the one that they leave, and are let be as
-- long as they do what they always do: to prepare all rules anew with every statement took them a
-- quarter of their time. Any other change of a state is looked at in their sessions, too. The
-- conditions are as short as they are for the same reason.
create trigger work_guard_begin before insert on work for each row
  when (current_setting('orchestrion.guard', true) is distinct from 'statement'
        or new.state not in ('waiting', 'ready'))
  execute function work_guard();
create trigger work_guard_change before update on work for each row
  when (current_setting('orchestrion.guard', true) is distinct from 'statement'
        or (old.state <> new.state and not (
      new.profile <> 'timers' and (
      (old.state = 'ready' and new.state = 'running' and new.profile in ('tasks', 'queue', 'steps', 'drivers', 'builtin', 'deliveries'))
      or (old.state = 'running' and new.state = 'succeeded')
      or (old.state = 'waiting' and new.state = 'ready')
      or (old.state = 'ready' and new.state = 'leased' and new.profile in ('jobs'))))))
  execute function work_guard();
