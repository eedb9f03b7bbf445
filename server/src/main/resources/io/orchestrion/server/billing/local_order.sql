-- Orders of the local provider.

-- name: insert
insert into local_order (account_id, order_id, purchase_id, description, amount_cents, currency, state,
    created_ms)
values (:account, :order, :purchase, :description, :cents, :currency, 'created', :now)

-- name: find
-- A link to an order names no account, so the account is found by the order.
select o.* from local_order o where o.order_id = :order

-- name: approve
update local_order o set state = 'approved', approved_ms = :now
 where o.account_id = :account and o.order_id = :order and o.state = 'created'

-- name: capture
update local_order o set state = 'captured', captured_ms = :now
 where o.account_id = :account and o.order_id = :order and o.state = 'approved'
