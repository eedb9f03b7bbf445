-- Generated from the profiles' transition tables; WorkGuardTest rewrites it. Replaces a function
-- and two triggers: a short exclusive lock on work.
create or replace function work_guard() returns trigger language plpgsql as $guard$
begin
  if tg_op = 'INSERT' then
    raise exception 'work cannot begin as %', new.state using errcode = 'check_violation';
  end if;
  if new.account_id <> old.account_id or new.id <> old.id or new.profile <> old.profile
     or new.created_ms <> old.created_ms then
    raise exception 'work cannot change what it is' using errcode = 'check_violation';
  end if;
  if new.lease_number < old.lease_number or new.event_seq < old.event_seq
     or new.event_ms < old.event_ms then
    raise exception 'leases and events of work only go forward' using errcode = 'check_violation';
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
    'jobs ready waiting',
    'steps waiting ready',
    'steps ready running',
    'steps running succeeded',
    'steps running failed',
    'steps waiting cancelled',
    'steps ready cancelled',
    'steps running cancelled',
    'steps ready waiting',
    'drivers waiting ready',
    'drivers ready running',
    'drivers running succeeded',
    'drivers running failed',
    'drivers running ready',
    'drivers waiting cancelled',
    'drivers ready cancelled',
    'drivers running cancelled',
    'drivers ready waiting',
    'builtin waiting ready',
    'builtin ready running',
    'builtin running succeeded',
    'builtin running failed',
    'builtin waiting cancelled',
    'builtin ready cancelled',
    'builtin running cancelled',
    'builtin ready waiting']))
  then
    raise exception 'work of profile % cannot go from % to %', new.profile, old.state, new.state
      using errcode = 'check_violation';
  end if;
  return new;
end
$guard$;

drop trigger if exists work_guard_change on work;
create trigger work_guard_change before update on work for each row
  when (old.state <> new.state or old.account_id <> new.account_id or old.id <> new.id
        or old.profile <> new.profile or old.created_ms <> new.created_ms
        or new.lease_number < old.lease_number or new.event_seq < old.event_seq
        or new.event_ms < old.event_ms)
  execute function work_guard();

drop trigger if exists work_guard_begin on work;
create trigger work_guard_begin before insert on work for each row
  when (new.state not in ('waiting', 'ready'))
  execute function work_guard();
