-- The begin of an attempt changed its status, which two indexes held, so it wrote new entries into all five indexes. Now no
-- index holds what a begin changes, and the new version of the row lies beside the old one. Makes one index in place of two:
-- locks orchestration_step against writes while that is built.
drop index orchestration_step_open;
drop index orchestration_step_running;
-- What is under way has no decision, and neither has what ended while its execution was paused. So nobody runs a step of an
-- execution twice at once, and no second attempt begins before it is decided what follows from the first.
alter table orchestration_step add constraint orchestration_step_decides
  check (decision is null or status in ('succeeded', 'failed', 'timed_out', 'skipped'));
create unique index orchestration_step_running on orchestration_step (account_id, execution_id, step_id)
 where decision is null;
alter table orchestration_step set (fillfactor = 75);
