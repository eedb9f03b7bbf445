-- Balances and the ledger. Each statement serves one account.

-- name: open
-- The first look at the credits of an account.
insert into credit_balance as b (account_id, balance, reserved, seq, entry_ms)
select a.account_id, 0, 0, 0, :now from account a where a.account_id = :account
    on conflict (account_id) do nothing

-- name: balance
select b.balance, b.reserved, b.seq, b.entry_ms from credit_balance b where b.account_id = :account

-- name: lock
-- Not for update: entries refer to the row, and the check of that reference takes a weaker lock beside this one.
select b.balance, b.reserved, b.seq, b.entry_ms from credit_balance b where b.account_id = :account for no key update

-- name: look
-- A statement of its own after the lock: one that both waited for the lock and read entries would read them as they were
-- before it waited. Gives the entries with these keys and the newest that changed what the attempt has reserved.
select e.seq, e.id, e.transaction_type, e.refund_kind, e.run_id, e.attempt, e.amount, e.idempotency_key, e.reverses,
       e.reason, e.created_ms, e.held_after
  from credit_entry e
 where e.account_id = :account and e.run_id = :run
   and (e.idempotency_key = any(:keys::text[])
        or e.seq = (select max(h.seq) from credit_entry h
                     where h.account_id = :account and h.run_id = :run and h.attempt = :attempt
                       and h.held_after is not null))
 order by e.seq

-- name: look_for_grant
select e.seq, e.id, e.transaction_type, e.refund_kind, e.run_id, e.attempt, e.amount, e.idempotency_key, e.reverses,
       e.reason, e.created_ms, e.held_after
  from credit_entry e
 where e.account_id = :account and e.run_id is null and e.transaction_type = 'grant' and e.idempotency_key = :key

-- name: entry
select e.seq, e.id, e.transaction_type, e.refund_kind, e.run_id, e.attempt, e.amount, e.idempotency_key, e.reverses,
       e.reason, e.created_ms, e.held_after
  from credit_entry e
 where e.account_id = :account and e.id = :id

-- name: change
update credit_balance b
   set balance = :balance, reserved = :reserved, seq = :seq, entry_ms = :at
 where b.account_id = :account

-- name: append
insert into credit_entry as e (account_id, seq, id, transaction_type, refund_kind, run_id, attempt, amount,
    idempotency_key, reverses, reason, created_ms, balance_after, reserved_after, held_after)
select a.account_id, n.seq, n.id, n.transaction_type, n.refund_kind, :run::uuid, :attempt::integer, n.amount,
       n.idempotency_key, :reverses::uuid, :reason::text, :at, n.balance_after, n.reserved_after, n.held_after
  from account a
 cross join unnest(:seqs::bigint[], :ids::uuid[], :types::text[], :refund_kinds::text[], :amounts::numeric[],
                   :keys::text[], :balances::numeric[], :reserveds::numeric[], :helds::numeric[])
         as n(seq, id, transaction_type, refund_kind, amount, idempotency_key, balance_after, reserved_after, held_after)
 where a.account_id = :account

-- name: forget_usage
delete from run_usage u
 where u.account_id = :account
   and u.step_attempt_id in (select g.step_attempt_id from run_usage g
                              where g.account_id = :account and g.run_id = :run
                              limit :most)

-- name: use
insert into run_usage as u (account_id, step_attempt_id, run_id, attempt, tokens, cost, charged, overage, created_ms)
select a.account_id, n.id, n.run_id, n.attempt, n.tokens, n.cost, n.charged, n.cost - n.charged, :now
  from account a
 cross join unnest(:ids::uuid[], :runs::uuid[], :attempts::integer[], :tokens::bigint[], :costs::numeric[],
                   :charges::numeric[])
         as n(id, run_id, attempt, tokens, cost, charged)
 where a.account_id = :account

-- name: owner
-- Of an entry that the operator names by its id.
select e.account_id from credit_entry e where e.id = :id

-- name: page
select e.seq, e.id, e.transaction_type, e.refund_kind, e.run_id, e.attempt, e.amount, e.idempotency_key, e.reverses,
       e.reason, e.created_ms, e.held_after
  from credit_entry e
 where e.account_id = :account and e.seq > :after
 order by e.seq
 limit :most

-- name: page_of_run
select e.seq, e.id, e.transaction_type, e.refund_kind, e.run_id, e.attempt, e.amount, e.idempotency_key, e.reverses,
       e.reason, e.created_ms, e.held_after
  from credit_entry e
 where e.account_id = :account and e.run_id = :run and e.seq > :after
 order by e.seq
 limit :most

-- name: notify
insert into credit_notice as n (account_id, entry_id, run_id, amount, message, created_ms)
select a.account_id, :entry, :run, :amount, :message, :now from account a where a.account_id = :account

-- name: notices
select n.entry_id, n.run_id, n.amount, n.message, n.created_ms
  from credit_notice n
 where n.account_id = :account and n.entry_id > :after
 order by n.entry_id
 limit :most
