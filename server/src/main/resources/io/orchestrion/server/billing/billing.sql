-- Purchases and their ledger.

-- name: insert
insert into purchase (account_id, purchase_id, plan, amount_cents, currency, provider, order_id,
    approval_url, state, claims, looks, created_ms, updated_ms)
values (:account, :id, :plan, :cents, :currency, :provider, :order, :approval_url, 'created', 0, 0,
    :now, :now)

-- name: find
select p.* from purchase p where p.account_id = :account and p.purchase_id = :id

-- name: lock
select p.* from purchase p where p.account_id = :account and p.purchase_id = :id for update

-- name: newest
select p.* from purchase p
 where p.account_id = :account
 order by p.created_ms desc, p.purchase_id desc
 limit :most

-- name: claim
-- The row is locked. From here on the settler looks after it, should this capturer never come back.
update purchase p
   set state = 'capturing', claims = p.claims + 1, claimed_until_ms = :until, look_ms = :until,
       updated_ms = :now
 where p.account_id = :account and p.purchase_id = :id

-- name: change
-- The row is locked, and whoever changes it no longer holds it.
update purchase p
   set state = :state, claimed_until_ms = null, look_ms = :look, failure = :failure,
       activated_ms = :activated, updated_ms = :now
 where p.account_id = :account and p.purchase_id = :id

-- name: append
insert into payment_entry (account_id, purchase_id, seq, at_ms, event, amount_cents, currency,
    reference, detail)
select :account, :id, coalesce(max(e.seq), 0) + 1, :now, :event, :cents, :currency, :reference,
    :detail
  from payment_entry e
 where e.account_id = :account and e.purchase_id = :id

-- name: entries
select e.* from payment_entry e
 where e.account_id = :account and e.purchase_id = any(:ids)
 order by e.purchase_id, e.seq

-- name: due_for_a_look
select p.account_id, p.purchase_id
  from purchase p
 where p.look_ms <= :now and p.provider = :provider
 order by p.look_ms
 limit :most

-- name: take_look
-- Each look waits twice as long as the one before, from one minute to an hour. Of several nodes one
-- gets it.
update purchase p
   set looks = p.looks + 1, look_ms = :now + least(3600000, 60000 * power(2, least(p.looks, 10)))::bigint
 where p.account_id = :account and p.purchase_id = :id and p.look_ms <= :now
returning p.*
