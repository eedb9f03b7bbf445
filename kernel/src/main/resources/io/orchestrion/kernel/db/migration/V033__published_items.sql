-- What engines and doors may read of items and of their histories: two views, and nothing else of the kernel's own
-- tables (decision 163). A column that is not here may change or go with any release. PostgreSQL puts the text of a
-- view into the statement that names it, so the indexes of work serve as if the table were named. The views are read
-- only: items are changed and locked by the kernel's verbs. Makes views: no table is locked for longer than a moment,
-- and no row is read.

create view item as
select w.account_id, w.id, w.profile, w.queue, w.kind, w.owner_kind, w.owner_id, w.state, w.wait_reason, w.order_ms,
       w.run_at_ms, w.attempt, w.max_attempts, w.retries, w.timeout_ms, w.deadline_ms, w.lease_until_ms, w.holder,
       w.created_ms, w.updated_ms, w.finished_ms, w.failure, w.payload, w.result, w.trace
  from work w;

comment on view item is 'What engines and doors may read of items. Times are the database''s, in epoch milliseconds.';
comment on column item.account_id is 'Whose it is. Every statement says which account it is about.';
comment on column item.id is 'Its id. Later items have higher ids.';
comment on column item.profile is 'The rules that it follows.';
comment on column item.queue is 'Whose claims see it.';
comment on column item.kind is 'What is to be done, in the words of whoever made it.';
comment on column item.owner_kind is 'The engine that it belongs to. Null without one.';
comment on column item.owner_id is 'Which of the engine''s rows it belongs to. Null without an owner.';
comment on column item.state is 'waiting, ready, leased, running, succeeded, failed, dead or cancelled.';
comment on column item.wait_reason is 'Why it waits: schedule, backoff, dependency or hold. Null in other states.';
comment on column item.order_ms is 'Its place among items of the same priority: lower ones are claimed first, then lower ids.';
comment on column item.run_at_ms is 'The time before which nobody gets it, also when it has passed. Null for none.';
comment on column item.attempt is 'How many leases it was given since it was made or opened again.';
comment on column item.max_attempts is 'How many attempts it may have.';
comment on column item.retries is 'How many retries somebody asked for and got.';
comment on column item.timeout_ms is 'How long one attempt may run. Null without a bound.';
comment on column item.deadline_ms is 'When the attempt that runs is ended. Null where nothing ends it.';
comment on column item.lease_until_ms is 'When the lease of its holder ends. Null without a lease.';
comment on column item.holder is 'Who has it, or had it last. Null before the first lease.';
comment on column item.created_ms is 'When it was made.';
comment on column item.updated_ms is 'When it was changed last.';
comment on column item.finished_ms is 'When it ended. Null while it is open.';
comment on column item.failure is 'Why the newest attempt that failed did, as text. Kept when a later attempt succeeds.';
comment on column item.payload is 'What is to be worked on, as JSON text.';
comment on column item.result is 'What came of it, as JSON text. Null unless it succeeded and its holder gave one.';
comment on column item.trace is 'The W3C traceparent that it was handed in with. Null without one.';

create view item_event as
select e.account_id, e.work_id as item_id, e.queue, e.seq, e.at_ms, e.event, e.from_state, e.to_state, e.attempt,
       e.lease_number, e.holder, e.detail, e.error
  from work_event e;

comment on view item_event is 'The histories of items, a row for each event. A history lies in the row of its item, so it is read by account and item.';
comment on column item_event.account_id is 'Whose item it is. Every statement says which account it is about.';
comment on column item_event.item_id is 'The id of the item.';
comment on column item_event.queue is 'The queue of the item.';
comment on column item_event.seq is 'The number of the event, from 1 on without gaps.';
comment on column item_event.at_ms is 'When it happened. Later than the event before it, whatever the clock says.';
comment on column item_event.event is 'What happened, in the kernel''s words, such as submit, lease or complete.';
comment on column item_event.from_state is 'The state that it ended. Null for the first event.';
comment on column item_event.to_state is 'The state that it led to.';
comment on column item_event.attempt is 'The attempt that the item was in afterwards.';
comment on column item_event.lease_number is 'The number of the newest lease. It only grows.';
comment on column item_event.holder is 'Who held the item. Null where nobody did.';
comment on column item_event.detail is 'More to tell, such as the reason of a failure. Null for nothing.';
comment on column item_event.error is 'The failure for programs, as JSON text, where the holder gave one. Null elsewhere.';

-- The views of jobs for people read what every engine reads.
create or replace view job_readable as
select i.account_id, i.id as job_id, j.type, job_state(i.state, i.wait_reason) as state,
       case i.state when 'succeeded' then 'SUCCESS' when 'failed' then 'FAILED' when 'dead' then 'FAILED'
                    when 'cancelled' then 'CANCELED' end as outcome,
       i.retries + 1 as attempt, to_timestamp(i.created_ms / 1000.0) as created_at,
       to_timestamp(i.updated_ms / 1000.0) as updated_at,
       to_timestamp(j.execution_ms / 1000.0) as execution_at, j.callback
  from item i
  join job j on j.account_id = i.account_id and j.job_id = i.id;

create or replace view job_events as
select e.account_id, md5(e.item_id || ':' || e.seq)::uuid as event_id, e.item_id as job_id, e.seq,
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
  from item_event e
  join job j on j.account_id = e.account_id and j.job_id = e.item_id
 where e.queue = 'jobs';
