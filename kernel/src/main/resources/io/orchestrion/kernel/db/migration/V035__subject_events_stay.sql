-- What engines told of their subjects is the log of their transitions: it is only added to, and goes only with its
-- subject. Makes a trigger: locks subject_event for a moment.
create function subject_event_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and coalesce(current_setting('orchestrion.subjects_removed', true), '') = 'yes' then
    return old;
  end if;
  raise exception 'event % of % % stays as it is', old.seq, old.kind, old.subject_id using errcode = 'check_violation';
end $$;
create trigger subject_event_stays before update or delete on subject_event
  for each row execute function subject_event_stays();
create function subject_event_is_not_emptied() returns trigger language plpgsql as $$
begin
  raise exception 'subject_event is not emptied' using errcode = 'check_violation';
end $$;
create trigger subject_event_is_not_emptied before truncate on subject_event
  for each statement execute function subject_event_is_not_emptied();
