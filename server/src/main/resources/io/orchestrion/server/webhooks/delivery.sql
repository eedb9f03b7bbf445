-- Deliveries and their attempts. The item of work with the same id says whether a delivery is open.

-- part: delivery
  d.account_id, d.delivery_id, d.endpoint_id, d.place, d.queue, d.subject, d.event_id, d.event_name,
  coalesce(d.url, e.url) as url, e.kind as endpoint_kind, d.redelivery_of, d.created_ms, i.state as work_state, i.attempt, i.max_attempts,
  i.run_at_ms, i.finished_ms, i.failure

-- name: insert
insert into webhook_delivery as d
  (account_id, delivery_id, endpoint_id, place, queue, subject, seq, event_id, event_name, url,
   redelivery_of, created_ms)
select a.account_id, n.delivery_id, n.endpoint_id, n.place, n.queue, n.subject, n.seq, n.event_id,
       n.event_name, n.url, n.redelivery_of, :now
  from account a,
       unnest(:ids::uuid[], :endpoints::uuid[], :places::bigint[], :queues::text[], :subjects::uuid[],
              :seqs::int[], :event_ids::uuid[], :event_names::text[], :urls::text[],
              :redelivery_ofs::uuid[])
         as n(delivery_id, endpoint_id, place, queue, subject, seq, event_id, event_name, url,
              redelivery_of)
 where a.account_id = :account

-- name: open_count
-- Up to a bound. An item's kind is its receiver.
select count(*)
  from (select i.id
          from item i
         where i.account_id = :account and i.queue = 'deliveries' and i.kind = :kind
           and i.state in ('waiting', 'ready', 'running') and i.state <> ''
         limit :most) as counted

-- name: running_count
select count(*)
  from item i
 where i.account_id = :account and i.queue = 'deliveries' and i.state = 'running' and i.state <> ''
   and i.kind = :kind

-- name: claimable
-- The next deliveries to one receiver, out of those that a claim could take. Among the events of one item, a
-- later delivery waits while an earlier one is under way or still in its quick tries. So they begin in order,
-- and a single one that fails for hours does not hold up the others.
select d.delivery_id
  from webhook_delivery d
 where d.account_id = :account and d.delivery_id = any(:ids::uuid[])
   and not exists (
   select
     from webhook_delivery b
     join item i on i.account_id = :account and i.id = b.delivery_id
    where b.account_id = :account and b.endpoint_id = :endpoint and b.subject = d.subject
      and b.place < d.place
      and (i.state = 'running' or (i.state in ('waiting', 'ready') and i.attempt <= :quick)))
 order by d.place
 limit :most

-- name: next_look
-- When a delivery can be due again: when a wait ends, or the lease of a lost holder.
select least(
   (select i.run_at_ms
      from item i
     where i.account_id = :account and i.queue = 'deliveries' and i.kind = :kind
       and i.state = 'waiting' and i.wait_reason in ('schedule', 'backoff')
     order by i.run_at_ms
     limit 1),
   (select min(i.lease_until_ms) + 500
      from item i
     where i.account_id = :account and i.queue = 'deliveries' and i.state = 'running' and i.state <> ''
       and i.kind = :kind)) as next_ms

-- name: to_send
select d.delivery_id, d.subject, d.event_id, d.event_name, coalesce(d.url, e.url) as url, s.trace
  from webhook_delivery d
  join webhook_endpoint e on e.account_id = :account and e.endpoint_id = d.endpoint_id
  left join item s on s.account_id = :account and s.id = d.subject
 where d.account_id = :account and d.delivery_id = any(:ids::uuid[])

-- name: begin_attempts
insert into webhook_attempt as t (account_id, delivery_id, number, started_ms)
select a.account_id, n.delivery_id, n.number, :now
  from account a, unnest(:ids::uuid[], :numbers::bigint[]) as n(delivery_id, number)
 where a.account_id = :account

-- name: end_attempt
update webhook_attempt t
   set duration_ms = :duration, status = :status, error = :error, detail = :detail, answer = :answer,
       next_ms = :next
 where t.account_id = :account and t.delivery_id = :id and t.number = :number

-- name: attempts
select t.delivery_id, t.number, t.started_ms, t.duration_ms, t.status, t.error, t.detail, t.answer,
       t.next_ms
  from webhook_attempt t
 where t.account_id = :account and t.delivery_id = any(:ids::uuid[])
 order by t.delivery_id, t.number

-- name: get
select
-- use: delivery
  from webhook_delivery d
  join item i on i.account_id = :account and i.id = d.delivery_id
  join webhook_endpoint e on e.account_id = :account and e.endpoint_id = d.endpoint_id
 where d.account_id = :account and d.delivery_id = :id and not d.orphan

-- name: source
-- The content of a delivery that is sent again: the same event in the same words.
select d.endpoint_id, d.queue, d.subject, d.seq, d.event_id, d.event_name, d.url, i.payload
  from webhook_delivery d
  join item i on i.account_id = :account and i.id = d.delivery_id
 where d.account_id = :account and d.delivery_id = :id and not d.orphan

-- name: of_endpoint
-- The newest first.
select
-- use: delivery
  from webhook_delivery d
  join item i on i.account_id = :account and i.id = d.delivery_id
  join webhook_endpoint e on e.account_id = :account and e.endpoint_id = d.endpoint_id
 where d.account_id = :account and d.endpoint_id = :endpoint and not d.orphan
   and d.place < coalesce(:before::bigint, 9223372036854775807)
   and (:state::text[] is null or i.state = any(:state::text[]))
 order by d.place desc
 limit :most

-- name: of_subject
-- In the order in which they were made.
select
-- use: delivery
  from webhook_delivery d
  join item i on i.account_id = :account and i.id = d.delivery_id
  join webhook_endpoint e on e.account_id = :account and e.endpoint_id = d.endpoint_id
 where d.account_id = :account and d.subject = :subject and d.queue = :queue and not d.orphan
   and d.delivery_id > coalesce(:after::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
 order by d.delivery_id
 limit :most

-- name: open_of_endpoint
select i.id
  from item i
 where i.account_id = :account and i.queue = 'deliveries' and i.kind = :kind
   and i.state in ('waiting', 'ready', 'leased', 'running') and i.state <> ''
 order by i.id
 limit :most

-- name: accounts_with_orphans
select distinct d.account_id
  from webhook_delivery d
 where d.orphan
 limit :most

-- name: orphans
select d.delivery_id
  from webhook_delivery d
 where d.account_id = :account and d.orphan
 order by d.delivery_id
 limit :most

-- name: delete
delete from webhook_delivery d where d.account_id = :account and d.delivery_id = any(:ids::uuid[])
