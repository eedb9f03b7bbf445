-- What whoever is on call is told of tickets. Each statement serves one account.

-- name: open
-- A ticket is told of once.
insert into run_ticket_notice as n (account_id, ticket_id, item_id, status, message, attempts, created_ms)
select t.account_id, t.id, :item, 'waiting', :message, 1, :now
  from run_ticket t where t.account_id = :account and t.id = :ticket
    on conflict (account_id, ticket_id) do nothing

-- name: begin
-- No row: it is told already, or another item tells it.
update run_ticket_notice n
   set status = 'sending'
 where n.account_id = :account and n.item_id = :item and n.status in ('waiting', 'sending')
returning n.message

-- name: sent
update run_ticket_notice n
   set status = 'sent', sent_ms = :now, last_error = null
 where n.account_id = :account and n.item_id = :item and n.status in ('waiting', 'sending')

-- name: failed
update run_ticket_notice n
   set status = 'failed', last_error = :error
 where n.account_id = :account and n.item_id = :item and n.status in ('waiting', 'sending')

-- name: again
update run_ticket_notice n
   set status = 'waiting', item_id = :next, attempts = n.attempts + 1, last_error = :error
 where n.account_id = :account and n.item_id = :item and n.status in ('waiting', 'sending')

-- name: told
select n.ticket_id, n.attempts from run_ticket_notice n where n.account_id = :account and n.item_id = :item

-- name: find
select n.ticket_id, n.status, n.message, n.attempts, n.created_ms, n.sent_ms, n.last_error
  from run_ticket_notice n where n.account_id = :account and n.ticket_id = :ticket
