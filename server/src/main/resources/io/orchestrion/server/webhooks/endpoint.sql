-- Receivers and their secrets.

-- part: endpoint
  e.account_id, e.endpoint_id, e.kind, e.url, e.events, e.description, e.state, e.reason, e.from_position,
  e.created_ms, e.updated_ms, e.failures, e.failing_since_ms, e.opened, e.open_until_ms,
  e.last_success_ms, e.last_failure

-- name: insert
insert into webhook_endpoint as e
  (account_id, endpoint_id, kind, url, events, once, description, state, from_position, created_ms,
   updated_ms, last_place, failures, opened)
select a.account_id, :id, :kind, :url, :events::text[], :once, :description, 'active', :from_position,
       :now, :now, 0, 0, 0
  from account a
 where a.account_id = :account
on conflict do nothing

-- name: count_webhooks
select count(*)
  from webhook_endpoint e
 where e.account_id = :account and e.kind = 'webhook' and e.state <> 'deleted'

-- name: callback_of
-- Locked against the purger, which removes receivers that were sent nothing for long.
select e.endpoint_id
  from webhook_endpoint e
 where e.account_id = :account and e.kind = 'callback' and e.once = :once and e.state <> 'deleted'
   for key share

-- name: listening
select
-- use: endpoint
  from webhook_endpoint e
 where e.account_id = :account and e.kind = 'webhook' and e.state in ('active', 'paused')
 order by e.endpoint_id

-- name: get
select
-- use: endpoint
  from webhook_endpoint e
 where e.account_id = :account and e.endpoint_id = :id

-- name: lock
select
-- use: endpoint
  from webhook_endpoint e
 where e.account_id = :account and e.endpoint_id = :id
   for update

-- name: lock_unless_busy
select
-- use: endpoint
  from webhook_endpoint e
 where e.account_id = :account and e.endpoint_id = :id
   for update skip locked

-- name: exists_anywhere
-- Whether another account has it, for a caller that has not.
select e.account_id
  from webhook_endpoint e
 where e.endpoint_id = :id and e.kind = 'webhook' and e.state <> 'deleted'

-- name: list
select
-- use: endpoint
  from webhook_endpoint e
 where e.account_id = :account and e.kind = 'webhook' and e.state <> 'deleted'
   and e.endpoint_id < coalesce(:before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
 order by e.endpoint_id desc
 limit :most

-- name: change
update webhook_endpoint e
   set events = :events::text[], once = :once, description = :description, state = :state,
       reason = :reason, updated_ms = :now, failures = :failures, failing_since_ms = :failing_since,
       opened = :opened, open_until_ms = :open_until, next_ms = :next
 where e.account_id = :account and e.endpoint_id = :id
   and not exists (
     select
       from webhook_endpoint o
      where o.account_id = :account and o.kind = e.kind and o.once = :once and o.state <> 'deleted'
        and o.endpoint_id <> :id)

-- name: delete
update webhook_endpoint e
   set state = 'deleted', reason = null, updated_ms = :now, next_ms = null
 where e.account_id = :account and e.endpoint_id = :id

-- name: delete_secrets
delete from webhook_secret s where s.account_id = :account and s.endpoint_id = :id

-- name: insert_secret
insert into webhook_secret as s (account_id, endpoint_id, secret_id, sealed, created_ms)
select a.account_id, :id, :secret_id, :sealed, :now
  from account a
 where a.account_id = :account

-- name: end_secrets
update webhook_secret s
   set ends_ms = :ends
 where s.account_id = :account and s.endpoint_id = :id and (s.ends_ms is null or s.ends_ms > :ends)

-- name: delete_ended_secrets
delete from webhook_secret s
 where s.account_id = :account and s.endpoint_id = :id and s.ends_ms <= :now

-- name: secrets
-- The newest first, because it is the one that stays.
select s.secret_id, s.sealed, s.ends_ms
  from webhook_secret s
 where s.account_id = :account and s.endpoint_id = :id and (s.ends_ms is null or s.ends_ms > :now)
 order by s.created_ms desc, s.secret_id desc

-- name: more_to_deliver
-- Takes so many places, and sets the next look to now. It also shows a purger that the receiver is in use.
update webhook_endpoint e
   set last_place = e.last_place + :count, next_ms = least(coalesce(e.next_ms, :now), :now),
       updated_ms = :now
 where e.account_id = :account and e.endpoint_id = :id and e.state <> 'deleted'
returning e.last_place

-- name: any_active
select e.endpoint_id
  from webhook_endpoint e
 where e.state = 'active'
 limit :most

-- name: due
select e.account_id, e.endpoint_id
  from webhook_endpoint e
 where e.state = 'active' and e.next_ms <= :now and e.account_id <> all(:without::uuid[])
 order by e.next_ms
 limit :most

-- name: look_at
update webhook_endpoint e
   set next_ms = :next
 where e.account_id = :account and e.endpoint_id = :id

-- name: judged
update webhook_endpoint e
   set failures = :failures, failing_since_ms = :failing_since, opened = :opened,
       open_until_ms = :open_until, last_success_ms = :last_success, last_failure = :last_failure,
       state = :state, reason = :reason, next_ms = :next, updated_ms = :now
 where e.account_id = :account and e.endpoint_id = :id

-- name: purge
-- Removes deleted receivers, and those of callbacks, when no deliveries to them are known any more.
delete from webhook_endpoint e
 where e.account_id = :account and (e.state = 'deleted' or e.kind = 'callback') and e.updated_ms < :before
   and not exists (
     select from webhook_delivery d where d.account_id = :account and d.endpoint_id = e.endpoint_id)

-- name: accounts_to_purge
select distinct e.account_id
  from webhook_endpoint e
 where (e.state = 'deleted' or e.kind = 'callback') and e.updated_ms < :before
 limit :most
