-- What holds of all rows at every commit. The rows of a page are found over all accounts, in the order of a key; a second
-- statement looks at them, and gives those that break a rule. Nothing is written or locked. One statement sees one moment,
-- so what others write meanwhile breaks nothing.

-- name: runs_after
select r.account_id, r.id
  from run r
 where (r.account_id, r.id) > (:account, :id::uuid)
 order by r.account_id, r.id
 limit :most

-- name: runs
-- by account: n
select r.account_id, r.id,
       array_remove(array[
         case when r.credits_reserved < r.credits_charged or r.credits_charged < 0
              then '1 more is charged than is reserved' end,
         case when s.ended and r.credits_charged + r.credits_refunded <> r.credits_reserved
              then '1 the run is over and its credits are not settled' end,
         case when l.held <> case when s.started and not s.ended then r.credits_reserved else 0 end
              then '1 the ledger has something else reserved' end,
         case when u.charged <> r.credits_charged then '1 steps used something else than is charged' end,
         case when r.agent_count <> g.agents then '2 agent_count is not the number of agents' end,
         case when r.status = 'running' and g.active = 0 then '3 the run is running and no agent is' end,
         case when r.status = 'completed' and g.not_done > 0 then '3 the run is completed and an agent is not' end,
         case when r.status = 'failed' and g.agents > 0 and g.failed = 0
              then '3 the run is failed and no agent is' end,
         case when r.status = 'cancelled' and g.not_over > 0
              then '3 the run is cancelled and an agent is not over' end,
         case when r.status = 'running' and r.last_heartbeat_ms > :now then '7 the heartbeat is in the future' end,
         case when r.status = 'running' and coalesce(r.last_heartbeat_ms, 0) < :oldest_heartbeat
              then '7 the run is running without a heartbeat' end], null) as rules
  from unnest(:accounts::uuid[], :ids::uuid[]) as n(account_id, id)
  join run r on r.account_id = n.account_id and r.id = n.id
 cross join lateral (
   select r.status in ('completed', 'failed', 'cancelled', 'skipped') as ended, r.status <> 'created' as started) s
 cross join lateral (
   select coalesce((select e.held_after
                      from credit_entry e
                     where e.account_id = n.account_id and e.run_id = r.id and e.attempt = r.attempt_number
                       and e.held_after is not null
                     order by e.seq desc
                     limit 1), 0) as held) l
 cross join lateral (
   select coalesce(sum(c.charged), 0) as charged
     from run_usage c
    where c.account_id = n.account_id and c.run_id = r.id and c.attempt = r.attempt_number) u
 cross join lateral (
   select count(*) as agents,
          count(*) filter (where a.status in ('pending', 'running')) as active,
          count(*) filter (where a.status = 'failed') as failed,
          -- An agent that a person has cancelled counts as failed, and a run that continues leaves it behind.
          count(*) filter (where not a.superseded and a.status not in ('completed', 'skipped')
                             and not (a.status = 'cancelled' and r.failure_mode = 'continue')) as not_done,
          count(*) filter (where a.status not in ('cancelled', 'completed', 'failed', 'skipped')) as not_over
     from run_agent a
    where a.account_id = n.account_id and a.run_id = r.id and a.attempt_number = r.attempt_number) g

-- name: agents_after
select a.account_id, a.id
  from run_agent a
 where (a.account_id, a.id) > (:account, :id::uuid)
 order by a.account_id, a.id
 limit :most

-- name: agents
-- by account: n
select a.account_id, a.id, array['2 task_count is not the number of tasks'] as rules
  from unnest(:accounts::uuid[], :ids::uuid[]) as n(account_id, id)
  join run_agent a on a.account_id = n.account_id and a.id = n.id
 where a.task_count <> (select count(*) from run_task t where t.account_id = n.account_id and t.agent_id = a.id)

-- name: tasks_after
select t.account_id, t.id
  from run_task t
 where (t.account_id, t.id) > (:account, :id::uuid)
 order by t.account_id, t.id
 limit :most

-- name: tasks
-- by account: n
select t.account_id, t.id, array['2 step_count is not the number of steps'] as rules
  from unnest(:accounts::uuid[], :ids::uuid[]) as n(account_id, id)
  join run_task t on t.account_id = n.account_id and t.id = n.id
 where t.step_count <> (select count(*) from run_step s where s.account_id = n.account_id and s.task_id = t.id)

-- name: artifacts_after
select f.account_id, f.id
  from run_artifact f
 where (f.account_id, f.id) > (:account, :id::uuid)
 order by f.account_id, f.id
 limit :most

-- name: artifacts
-- by account: n
-- What a removed or purged run leaves expires at once, so what has expired may have expired early.
select f.account_id, f.id,
       array_remove(array[
         case when r.id is null then '4 there is no run of the artifact' end,
         case when f.created_ms > :now then '4 the artifact is in the future' end,
         case when r.status = 'completed' and not f.discarded and f.expires_ms is null
              then '4 the run is completed and the artifact never expires' end,
         case when r.status = 'completed' and f.state = 'ready' and f.expires_ms > :now
                   and f.expires_ms < r.completed_ms + :kept
              then '8 the artifact expires too early' end,
         case when f.state <> 'deleted' and f.expires_ms < :expired_before
              then '8 the artifact has expired and is still there' end], null) as rules
  from unnest(:accounts::uuid[], :ids::uuid[]) as n(account_id, id)
  join run_artifact f on f.account_id = n.account_id and f.id = n.id
  left join run r on r.account_id = n.account_id and r.id = f.run_id

-- name: entries_after
select e.account_id, e.id, e.seq
  from credit_entry e
 where (e.account_id, e.seq) > (:account, :seq::bigint)
 order by e.account_id, e.seq
 limit :most

-- name: entries
-- by account: n
select e.account_id, e.id,
       array_remove(array[
         case when e.amount <= 0 then '6 the amount is not positive' end,
         case when e.created_ms > :now then '6 the entry is in the future' end,
         case when e.seq > 1 and b.seq is null then '6 the entry before it is missing' end,
         case when b.created_ms > e.created_ms then '6 the entry is older than the one before it' end,
         case when e.balance_after <> coalesce(b.balance_after, 0)
                   + case when e.transaction_type = 'grant' or e.refund_kind = 'reversal' then e.amount
                          when e.transaction_type = 'charge' then -e.amount else 0 end
                   or e.reserved_after <> coalesce(b.reserved_after, 0)
                   + case when e.transaction_type = 'reserve' then e.amount
                          when e.transaction_type = 'charge' or e.refund_kind = 'release' then -e.amount else 0 end
              then '1 the entry does not lead from the balance before it to the one after it' end,
         case when e.reverses is not null
                   and not exists (select from credit_entry c
                                    where c.account_id = n.account_id and c.id = e.reverses
                                      and c.transaction_type = 'charge' and c.amount = e.amount)
              then '1 the entry gives back what was not charged' end], null) as rules
  from unnest(:accounts::uuid[], :seqs::bigint[]) as n(account_id, seq)
  join credit_entry e on e.account_id = n.account_id and e.seq = n.seq
  left join credit_entry b on b.account_id = n.account_id and b.seq = n.seq - 1

-- name: balances_after
select b.account_id
  from credit_balance b
 where b.account_id > :account
 order by b.account_id
 limit :most

-- name: balances
-- by account: n
select b.account_id, b.account_id as id,
       array_remove(array[
         case when b.reserved < 0 or b.balance < b.reserved then '1 more is reserved than there is' end,
         case when b.seq <> e.seq then '6 the newest entry has another number' end,
         case when b.balance <> e.balance or b.reserved <> e.reserved
              then '1 the newest entry leads to another balance' end], null) as rules
  from unnest(:accounts::uuid[]) as n(account_id)
  join credit_balance b on b.account_id = n.account_id
 cross join lateral (
   select coalesce(max(l.seq), 0) as seq, coalesce(max(l.balance_after), 0) as balance,
          coalesce(max(l.reserved_after), 0) as reserved
     from (select w.seq, w.balance_after, w.reserved_after
             from credit_entry w
            where w.account_id = n.account_id
            order by w.seq desc
            limit 1) l) e

-- name: guards
-- The constraints and triggers that the invariants rest on, and that somebody has disabled or removed.
select g.rule || ': ' || g.name as broken
  from (values ('1 a check is missing', 'run', 'run_credits', 'c'),
               ('1 a check is missing', 'run', 'run_conserves', 'c'),
               ('1 a check is missing', 'credit_balance', 'credit_balance_available', 'c'),
               ('1 a key is missing', 'credit_entry', 'credit_entry_once', 'u'),
               ('2 a reference is missing', 'run_agent', 'run_agent_run', 'f'),
               ('2 a reference is missing', 'run_task', 'run_task_agent', 'f'),
               ('2 a reference is missing', 'run_step', 'run_step_task', 'f'),
               ('4 a reference is missing', 'run_artifact', 'run_artifact_run', 'f'),
               ('4 a key is missing', 'run_artifact', 'run_artifact_key', 'u'),
               ('5 a key is missing', 'idempotency', 'idempotency_pkey', 'p'),
               ('6 a check is missing', 'credit_entry', 'credit_entry_amount', 'c'),
               ('6 a reference is missing', 'credit_entry', 'credit_entry_account', 'f'),
               ('6 a reference is missing', 'credit_balance', 'credit_balance_account', 'f'),
               ('6 a trigger is missing', 'credit_entry', 'credit_entry_is_final', 't'),
               ('6 a trigger is missing', 'credit_entry', 'credit_entry_is_not_truncated', 't'))
       as g(rule, relation, name, kind)
 where not exists (select from pg_constraint c
                    where g.kind <> 't' and c.conrelid = to_regclass(g.relation) and c.conname = g.name
                      and c.contype = g.kind::"char" and c.convalidated)
   and not exists (select from pg_trigger t
                    where g.kind = 't' and t.tgrelid = to_regclass(g.relation) and t.tgname = g.name
                      and t.tgenabled = 'A')
 order by g.rule, g.name

-- name: attempts_after
select t.account_id, t.run_id, t.attempt_number
  from run_attempt t
 where (t.account_id, t.run_id, t.attempt_number) > (:account, :run::uuid, :attempt::integer)
 order by t.account_id, t.run_id, t.attempt_number
 limit :most

-- name: attempts
-- by account: n
-- Those of the attempts of which the ledger says something odd.
select p.account_id, p.run_id, p.attempt_number, p.kinds, p.charged, p.metered
  from (
    select t.account_id, t.run_id, t.attempt_number, t.credits_charged as metered, l.charged,
           array_remove(array[
             case when l.charges > 1 then 'several_charges' end,
             case when t.outcome is not null and l.charges = 1 and l.charged <> t.credits_charged
                  then 'charge_differs' end,
             case when t.outcome is not null and l.ever = 0 and t.credits_charged > 0 then 'charge_missing' end,
             case when t.outcome is not null and l.held <> 0 then 'reservation_left' end], null) as kinds
      from unnest(:accounts::uuid[], :runs::uuid[], :attempts::integer[]) as n(account_id, run_id, attempt)
      join run_attempt t on t.account_id = n.account_id and t.run_id = n.run_id and t.attempt_number = n.attempt
     cross join lateral (
       select count(*) filter (where e.transaction_type = 'charge' and not e.reversed) as charges,
              count(*) filter (where e.transaction_type = 'charge') as ever,
              coalesce(sum(e.amount) filter (where e.transaction_type = 'charge' and not e.reversed), 0) as charged,
              coalesce(sum(case when e.transaction_type = 'reserve' then e.amount
                                when e.transaction_type = 'charge' or e.refund_kind = 'release' then -e.amount end), 0)
                as held
         from (select c.transaction_type, c.refund_kind, c.amount,
                      exists (select from credit_entry v
                               where v.account_id = n.account_id and v.reverses = c.id) as reversed
                 from credit_entry c
                where c.account_id = n.account_id and c.run_id = t.run_id and c.attempt = t.attempt_number) e) l) p
 where cardinality(p.kinds) > 0
 order by p.account_id, p.run_id, p.attempt_number
