-- The statements on reports, and on what follows from the end of an attempt. Each serves one account, except
-- those that look for work.

-- name: insert_reports
-- The history is taken from the row, with the end that was just written. An attempt that never began counts
-- as begun when it ended. The result is taken from the item, where the end has just put it. The owner was
-- given it, too, but it may be large, and sending it would cost a second transfer.
insert into job_report (account_id, job_id, attempt, outcome, started_ms, finished_ms, duration_ms, failure,
    output_bytes, output_sha256, result, events)
select a.account_id, n.id, n.attempt, n.outcome, s.started_ms, n.finished_ms, n.finished_ms - s.started_ms,
    n.failure, n.output_bytes, n.output_sha256, i.result, h.events
  from account a,
       unnest(:ids::uuid[], :attempts::int[], :outcomes::text[], :finisheds::bigint[], :failures::text[],
              :outputs_bytes::bigint[], :outputs_sha256::text[])
         as n(id, attempt, outcome, finished_ms, failure, output_bytes, output_sha256)
  join item i on i.account_id = :account and i.id = n.id
 cross join lateral (
   select least(n.finished_ms,
                coalesce(max(e.at_ms) filter (where e.event = 'start' and e.attempt = n.attempt),
                         n.finished_ms)) as started_ms
     from item_event e
    where e.account_id = :account and e.item_id = n.id) as s
 cross join lateral (
   select coalesce(jsonb_agg(jsonb_build_object('seq', e.seq, 'at', e.at_ms, 'event', e.event,
                                'from', e.from_state, 'to', e.to_state, 'attempt', e.attempt,
                                'lease', e.lease_number, 'holder', e.holder, 'detail', e.detail)
                             order by e.seq), '[]'::jsonb) as events
     from item_event e
    where e.account_id = :account and e.item_id = n.id and not :bare::bool) as h
 where a.account_id = :account

-- name: report
select r.attempt, r.outcome, r.started_ms, r.finished_ms, r.duration_ms, r.failure, r.output_bytes,
       r.output_sha256, r.result
  from job_report r
 where r.account_id = :account and r.job_id = :id and r.attempt = :attempt

-- name: reported_events
select e.seq, e.at as at_ms, e.event, e."from" as from_state, e."to" as to_state, e.attempt,
       e.lease as lease_number, e.holder, e.detail
  from job_report r
 cross join lateral jsonb_to_recordset(r.events)
    as e(seq int, at bigint, event text, "from" text, "to" text, attempt int, lease bigint, holder text,
         detail text)
 where r.account_id = :account and r.job_id = :id and r.attempt = :attempt
 order by e.seq

-- name: want_retries
-- Notes those of the failed jobs that ask for a retry.
insert into job_retry (account_id, job_id, next_ms)
select j.account_id, j.job_id, :now
  from job j
 where j.account_id = :account and j.job_id = any(:ids::uuid[]) and j.auto_retry
    on conflict (account_id, job_id) do update set next_ms = excluded.next_ms

-- name: accounts_with_retries
select r.account_id, min(r.next_ms) as oldest
  from job_retry r
 where r.next_ms <= :now
 group by r.account_id
 order by oldest
 limit :most

-- name: wanted_retries
select r.job_id
  from job_retry r
 where r.account_id = :account and r.next_ms <= :now
 order by r.next_ms
 limit :most

-- name: retried
delete from job_retry r where r.account_id = :account and r.job_id = :id

-- name: forget_retry
-- Another node may have retried the job since the look, and the job may have failed again. Then it is a new
-- wish, which stays.
delete from job_retry r
 where r.account_id = :account and r.job_id = :id
   and not exists (
     select
       from item i
      where i.account_id = :account and i.id = :id and i.state = 'failed' and i.retries + 1 < i.max_attempts)

-- name: retry_later
update job_retry r set next_ms = :at where r.account_id = :account and r.job_id = :id

-- name: jobs_after
-- Jobs of all accounts from a place on.
select i.account_id, job_state(i.state, i.wait_reason) as job_state, i.id
  from item i
 where i.profile = 'jobs'
   and (i.account_id, job_state(i.state, i.wait_reason), i.id) > (:after::uuid, :state::text, :id::uuid)
 order by i.account_id, job_state(i.state, i.wait_reason), i.id
 limit :most

-- name: unsound
-- by account: n
-- Those of the jobs that are not whole.
select l.account_id, l.id, l.no_job, l.no_definition, l.no_report
  from (select i.account_id, i.id,
               not exists (select 1 from job j
                            where j.account_id = n.account_id and j.job_id = n.id) as no_job,
               not exists (select 1 from job_definition d
                            where d.account_id = n.account_id and d.job_id = n.id) as no_definition,
               i.finished_ms is not null
                 and not exists (select 1 from job_report r
                                  where r.account_id = n.account_id and r.job_id = n.id
                                    and r.attempt = i.retries + 1) as no_report
          from unnest(:accounts::uuid[], :ids::uuid[]) as n(account_id, id)
          join item i on i.account_id = n.account_id and i.id = n.id) as l
 where l.no_job or l.no_definition or l.no_report
 order by l.account_id, l.id

-- name: note_problem
insert into job_problem (account_id, job_id, problem, found_ms)
values (:account, :id, :problem, :now)
    on conflict do nothing

-- name: accounts_with_problems
select distinct p.account_id
  from job_problem p
 order by p.account_id

-- name: forget_problems
delete from job_problem p
 where p.account_id = :account
   and not exists (select 1 from item i where i.account_id = :account and i.id = p.job_id)
