-- Deliveries and their attempts. Whether a delivery is open says its item of work.

-- part: delivery
  d.account_id, d.delivery_id, d.endpoint_id, d.place, d.queue, d.subject, d.event_id, d.event_name,
  coalesce(d.url, e.url) as url, e.kind as endpoint_kind, d.redelivery_of, d.created_ms, w.state as work_state, w.attempt, w.max_attempts,
  w.run_at_ms, w.finished_ms, w.failure

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
  from (select w.id
          from work w
         where w.account_id = :account and w.queue = 'deliveries' and w.kind = :kind
           and w.state in ('waiting', 'ready', 'running') and w.state <> ''
         limit :most) as counted

-- name: running_count
select count(*)
  from work w
 where w.account_id = :account and w.queue = 'deliveries' and w.state = 'running' and w.state <> ''
   and w.kind = :kind

-- name: claimable
-- The next deliveries to one receiver. Of one item's events a later one waits while an earlier one is under
-- way or still in its quick tries: they begin in order, and a single one that fails for hours holds up no
-- other. Ready ones and due ones are read each in the order of its index.
select d.delivery_id
  from ((select w.id, w.order_ms
           from work w
          where w.account_id = :account and w.queue = 'deliveries' and w.kind = :kind
            and w.state || '' = 'ready' and w.flow_key is null
          order by w.rank desc, w.order_ms, w.id
          limit :scanned)
        union all
        (select w.id, w.run_at_ms
           from work w
          where w.account_id = :account and w.queue = 'deliveries' and w.kind = :kind
            and w.state = 'waiting' and w.wait_reason in ('schedule', 'backoff')
            and w.run_at_ms <= :now
          order by w.run_at_ms
          limit :scanned)) as c
  join webhook_delivery d on d.account_id = :account and d.delivery_id = c.id
 where not exists (
   select
     from webhook_delivery b
     join work v on v.account_id = :account and v.id = b.delivery_id
    where b.account_id = :account and b.endpoint_id = :endpoint and b.subject = d.subject
      and b.place < d.place
      and (v.state = 'running' or (v.state in ('waiting', 'ready') and v.attempt <= :quick)))
 order by d.place
 limit :most

-- name: next_look
-- When something can be due again: a wait ends, or a lease does whose holder is gone.
select least(
   (select w.run_at_ms
      from work w
     where w.account_id = :account and w.queue = 'deliveries' and w.kind = :kind
       and w.state = 'waiting' and w.wait_reason in ('schedule', 'backoff')
     order by w.run_at_ms
     limit 1),
   (select min(w.lease_until_ms) + 500
      from work w
     where w.account_id = :account and w.queue = 'deliveries' and w.state = 'running' and w.state <> ''
       and w.kind = :kind)) as next_ms

-- name: to_send
select d.delivery_id, d.subject, d.event_id, d.event_name, coalesce(d.url, e.url) as url, s.trace
  from webhook_delivery d
  join webhook_endpoint e on e.account_id = :account and e.endpoint_id = d.endpoint_id
  left join work s on s.account_id = :account and s.id = d.subject
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
  join work w on w.account_id = :account and w.id = d.delivery_id
  join webhook_endpoint e on e.account_id = :account and e.endpoint_id = d.endpoint_id
 where d.account_id = :account and d.delivery_id = :id and not d.orphan

-- name: source
-- What is sent again: the same event with the same words.
select d.endpoint_id, d.queue, d.subject, d.seq, d.event_id, d.event_name, d.url, w.payload
  from webhook_delivery d
  join work w on w.account_id = :account and w.id = d.delivery_id
 where d.account_id = :account and d.delivery_id = :id and not d.orphan

-- name: of_endpoint
-- The newest first.
select
-- use: delivery
  from webhook_delivery d
  join work w on w.account_id = :account and w.id = d.delivery_id
  join webhook_endpoint e on e.account_id = :account and e.endpoint_id = d.endpoint_id
 where d.account_id = :account and d.endpoint_id = :endpoint and not d.orphan
   and d.place < coalesce(:before::bigint, 9223372036854775807)
   and (:state::text[] is null or w.state = any(:state::text[]))
 order by d.place desc
 limit :most

-- name: of_subject
-- In the order in which they were made.
select
-- use: delivery
  from webhook_delivery d
  join work w on w.account_id = :account and w.id = d.delivery_id
  join webhook_endpoint e on e.account_id = :account and e.endpoint_id = d.endpoint_id
 where d.account_id = :account and d.subject = :subject and d.queue = :queue and not d.orphan
   and d.delivery_id > coalesce(:after::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
 order by d.delivery_id
 limit :most

-- name: open_of_endpoint
select w.id
  from work w
 where w.account_id = :account and w.queue = 'deliveries' and w.kind = :kind
   and w.state in ('waiting', 'ready', 'leased', 'running') and w.state <> ''
 order by w.id
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
