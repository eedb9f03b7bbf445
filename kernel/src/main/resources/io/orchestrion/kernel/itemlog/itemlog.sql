-- The logs of items. A transaction that writes one holds the lock of the item's row.

-- name: insert_events
insert into job_event as j (account_id, work_id, at_ms, id, level, message, payload, holder, event,
    state, attempt)
select a.account_id, n.work_id, n.at_ms, n.id, n.level, n.message, n.payload::jsonb, n.holder,
    n.event, n.state, n.attempt
  from account a,
       unnest(:work_ids::uuid[], :ats::bigint[], :ids::uuid[], :levels::text[], :messages::text[],
              :payloads::text[], :holders::text[], :events::text[], :states::text[],
              :attempts::int[])
         as n(work_id, at_ms, id, level, message, payload, holder, event, state, attempt)
 where a.account_id = :account

-- name: stamp
-- Makes the next line of the item come later than this one.
update work w
   set event_ms = n.at_ms
  from unnest(:ids::uuid[], :ats::bigint[]) as n(id, at_ms)
 where w.account_id = :account and w.id = any(:ids::uuid[]) and w.id = n.id
   and w.event_ms < n.at_ms

-- name: counters
select l.work_id, l.events, l.bytes, l.window_ms, l.in_window
  from job_log l
 where l.account_id = :account and l.work_id = any(:ids::uuid[])

-- name: keep_counters
insert into job_log as l (account_id, work_id, events, bytes, window_ms, in_window)
select a.account_id, n.work_id, n.events, n.bytes, n.window_ms, n.in_window
  from account a,
       unnest(:ids::uuid[], :events::int[], :bytes::bigint[], :windows::bigint[],
              :in_windows::int[]) as n(work_id, events, bytes, window_ms, in_window)
 where a.account_id = :account
on conflict (account_id, work_id) do update
   set events = excluded.events, bytes = excluded.bytes, window_ms = excluded.window_ms,
       in_window = excluded.in_window

-- name: known
select w.id
  from work w
 where w.account_id = :account and w.id = :id and w.queue = :queue

-- name: after
select j.work_id, j.at_ms, j.id, j.level, j.message, j.payload::text as payload, j.holder, j.event,
       j.state, j.attempt
  from job_event j
 where j.account_id = :account and j.work_id = :id and j.at_ms > :after
 order by j.at_ms
 limit :most

-- name: moved
-- by account: f
-- Which of the followed logs have something new: one look at the key for each.
select f.account_id, f.work_id, n.at_ms
  from unnest(:accounts::uuid[], :ids::uuid[], :seen::bigint[]) as f(account_id, work_id, seen)
 cross join lateral (
   select j.at_ms
     from job_event j
    where j.account_id = f.account_id and j.work_id = f.work_id and j.at_ms > f.seen
    order by j.at_ms desc
    limit 1) n
