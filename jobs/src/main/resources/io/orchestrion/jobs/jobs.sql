-- The statements on jobs. Each but the last two serves one account.

-- part: job
-- All that is read of a job, in the order in which it is read. The report is that of its current attempt, so
-- there is one when the job has ended.
j.account_id, j.job_id, j.type, i.state, i.wait_reason, i.created_ms, j.execution_ms, i.updated_ms, i.retries,
       i.max_attempts, j.callback, i.payload, j.handler, j.auto_retry, i.timeout_ms, i.deadline_ms, i.run_at_ms,
       i.holder, i.failure, d.work_kind, d.duration_ms, d.should_fail, d.payload_size, d.seed_ms,
       r.started_ms, r.finished_ms

-- name: insert_jobs
insert into job (account_id, job_id, type, execution_ms, callback, handler, auto_retry)
select a.account_id, n.id, n.type, n.execution_ms, n.callback, n.handler, n.auto_retry
  from account a,
       unnest(:ids::uuid[], :types::text[], :executions::bigint[], :callbacks::text[], :handlers::text[],
              :auto_retries::bool[]) as n(id, type, execution_ms, callback, handler, auto_retry)
 where a.account_id = :account

-- name: insert_definitions
insert into job_definition (account_id, job_id, work_kind, duration_ms, should_fail, payload_size, seed_ms)
select a.account_id, n.id, n.work_kind, n.duration_ms, n.should_fail, n.payload_size, n.seed_ms
  from account a,
       unnest(:ids::uuid[], :work_kinds::text[], :durations::bigint[], :should_fails::bool[],
              :payload_sizes::int[], :seeds::bigint[])
         as n(id, work_kind, duration_ms, should_fail, payload_size, seed_ms)
 where a.account_id = :account

-- name: jobs
select
-- use: job
  from job j
  join item i on i.account_id = :account and i.id = j.job_id
  left join job_definition d on d.account_id = :account and d.job_id = j.job_id
  left join job_report r
    on r.account_id = :account and r.job_id = j.job_id and r.attempt = i.retries + 1
 where j.account_id = :account and j.job_id = any(:ids::uuid[])

-- name: page
-- Newest first by id, which is creation order.
select
-- use: job
  from (select p.*
          from job p
         where p.account_id = :account
           and p.job_id < coalesce(:after::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
         order by p.job_id desc
         limit :most) as j
  join item i on i.account_id = :account and i.id = j.job_id
  left join job_definition d on d.account_id = :account and d.job_id = j.job_id
  left join job_report r
    on r.account_id = :account and r.job_id = j.job_id and r.attempt = i.retries + 1
 order by j.job_id desc

-- name: page_in_state
-- The same along the index of jobs in that state. It is written as a range of the whole key, so that the
-- planner prefers this index.
select
-- use: job
  from (select s.*
          from item s
         where s.account_id = :account and s.profile = 'jobs'
           and (job_state(s.state, s.wait_reason), s.id)
               >= (:state::text, '00000000-0000-0000-0000-000000000000'::uuid)
           and (job_state(s.state, s.wait_reason), s.id)
               < (:state::text, coalesce(:after::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))
         order by job_state(s.state, s.wait_reason) desc, s.id desc
         limit :most) as i
  join job j on j.account_id = :account and j.job_id = i.id
  left join job_definition d on d.account_id = :account and d.job_id = j.job_id
  left join job_report r
    on r.account_id = :account and r.job_id = j.job_id and r.attempt = i.retries + 1
 order by j.job_id desc

-- name: facts
select j.job_id, j.type, d.work_kind, j.callback, i.max_attempts, j.handler
  from job j
  join item i on i.account_id = :account and i.id = j.job_id
  left join job_definition d on d.account_id = :account and d.job_id = j.job_id
 where j.account_id = :account and j.job_id = any(:ids::uuid[])

-- name: others
-- Whether another account has the job.
select 1 as found
  from job j
 where j.job_id = :id
 limit 1
