-- What is kept of a run beside its row: attempts, transitions, decisions, plans, and the messages of its driver.

-- name: insert_attempt
insert into run_attempt
  (account_id, run_id, attempt_number, credits_reserved, credits_charged, credits_refunded, started_ms)
select a.account_id, :run::uuid, :attempt, :reserved, 0, 0, :now
  from account a
 where a.account_id = :account

-- name: end_attempt
update run_attempt t
   set outcome = :outcome, credits_charged = :charged, credits_refunded = :refunded, error_code = :error_code,
       error = :error, ended_ms = :now
 where t.account_id = :account and t.run_id = :run and t.attempt_number = :attempt and t.outcome is null

-- name: attempts
select t.* from run_attempt t where t.account_id = :account and t.run_id = :run order by t.attempt_number

-- name: insert_transition
-- The next number under the run's lock.
insert into run_transition
  (account_id, run_id, number, attempt_number, from_status, to_status, actor, reason, at_ms)
select a.account_id, :run::uuid, n.number, :attempt, :from, :to, :actor, :reason, :now
  from account a
 cross join (select coalesce(max(t.number), 0) + 1 as number from run_transition t
              where t.account_id = :account and t.run_id = :run) n
 where a.account_id = :account

-- name: transitions
select t.* from run_transition t where t.account_id = :account and t.run_id = :run order by t.number

-- name: insert_decision
insert into run_decision
  (account_id, id, run_id, attempt_number, level, subject_id, kind, trigger, inputs, outcome, at_ms)
select a.account_id, :id::uuid, :run::uuid, :attempt, :level, :subject::uuid, :kind, :trigger, :inputs, :outcome, :now
  from account a
 where a.account_id = :account

-- name: decisions
select d.* from run_decision d
 where d.account_id = :account and d.run_id = :run and (:after::uuid is null or d.id > :after)
 order by d.id limit :most

-- name: insert_plan
insert into run_plan
  (account_id, run_id, attempt_number, plan_version, source, document, failure_analysis, made_by, at_ms)
select a.account_id, :run::uuid, :attempt, :version, :source, :document, :analysis, :made_by, :now
  from account a
 where a.account_id = :account

-- name: plans
select p.* from run_plan p
 where p.account_id = :account and p.run_id = :run
 order by p.attempt_number, p.plan_version

-- name: plan
select p.* from run_plan p
 where p.account_id = :account and p.run_id = :run and p.attempt_number = :attempt and p.plan_version = :version

-- name: enqueued
-- The item of a message, where it was handed in less than a day ago.
select m.item_id from run_message m
 where m.account_id = :account and m.message_id = :message and m.created_ms > :since

-- name: enqueue
-- A message that is older than a day may come again.
insert into run_message as m (account_id, message_id, run_id, item_id, queue, created_ms)
select a.account_id, :message, :run::uuid, :item::uuid, :queue, :now
  from account a
 where a.account_id = :account
    on conflict (account_id, message_id) do update
   set item_id = excluded.item_id, run_id = excluded.run_id, queue = excluded.queue, created_ms = excluded.created_ms
