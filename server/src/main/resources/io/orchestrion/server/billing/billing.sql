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
-- The row is locked. From here on the settler looks after it, in case the capturing node never comes back to
-- it. A look that is set for later stays: looks become rarer however many captures were tried.
update purchase p
   set state = 'capturing', claims = p.claims + 1, claimed_until_ms = :until,
       look_ms = greatest(p.look_ms, :until),
       looks = case when p.state = 'created' then 0 else p.looks end, updated_ms = :now
 where p.account_id = :account and p.purchase_id = :id

-- name: change
-- The row is locked. A claim ends with its capture. A look that is set for later stays.
update purchase p
   set state = :state,
       claimed_until_ms = case when :state = 'capturing' then p.claimed_until_ms end,
       look_ms = case when :state in ('capturing', 'pending') then greatest(p.look_ms, :look) end,
       failure = :failure, activated_ms = :activated, updated_ms = :now
 where p.account_id = :account and p.purchase_id = :id

-- name: append
insert into payment_entry as n (account_id, purchase_id, seq, at_ms, event, amount_cents, currency,
    reference, detail)
select a.account_id, :id::uuid, l.seq + 1, :now, :event, :cents, :currency, :reference, :detail
  from account a
 cross join lateral (
   select coalesce(max(e.seq), 0) as seq
     from payment_entry e
    where e.account_id = :account and e.purchase_id = :id) as l
 where a.account_id = :account

-- name: entries
select e.*
  from purchase p
  cross join lateral (
    select n.* from payment_entry n
     where n.account_id = :account and n.purchase_id = p.purchase_id
     order by n.seq desc
     limit :most) e
 where p.account_id = :account and p.purchase_id = any(:ids)
 order by e.purchase_id, e.seq

-- name: count_events
select count(*) as events from payment_entry e
 where e.account_id = :account and e.purchase_id = :id and e.event = :event

-- name: open_elsewhere
select count(*) as purchases from purchase p
 where p.state in ('created', 'capturing', 'pending') and p.provider <> :provider

-- name: due_for_a_look
select p.account_id, p.purchase_id
  from purchase p
 where p.look_ms <= :now and p.provider = :provider
 order by p.look_ms
 limit :most

-- name: take_look
-- Each look waits twice as long as the one before, from one minute to an hour. Of several nodes one gets it.
-- A purchase whose capture was begun too long ago is looked at this one more time. If its buyer approves it
-- again, the looks begin anew.
update purchase p
   set looks = p.looks + 1,
       look_ms = case
         when (select min(e.at_ms) from payment_entry e
                where e.account_id = :account and e.purchase_id = p.purchase_id
                  and e.seq > (select max(a.seq) from payment_entry a
                                where a.account_id = :account
                                  and a.purchase_id = p.purchase_id
                                  and a.event in ('order_created', 'approval_missing')))
              <= :begun_by then :never
         else :now + least(3600000, 60000 * power(2, least(p.looks, 10)))::bigint end
 where p.account_id = :account and p.purchase_id = :id and p.look_ms <= :now
returning p.*
