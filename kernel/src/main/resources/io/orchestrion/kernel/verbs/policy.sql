-- The statements on items that have requirements for their worker. The claim itself is in work.sql.

-- name: insert_work
-- As for all work, with the requirements of each item. It is a statement of its own, so that other work does
-- not carry these columns.
insert into work as w (account_id, id, profile, queue, kind, state, wait_reason, priority, order_ms,
    run_at_ms, attempt, max_attempts, retries, lease_seconds, lease_number, timeout_ms,
    cancel_requested, owner_kind, owner_id, created_ms, updated_ms, event_seq, event_ms,
    rank, concurrency_key, rate_key, unique_key, flow_key, if_parent_fails,
    repository, repository_owner, capabilities, trace, correlation_id, payload, history)
select a.account_id, n.id, n.profile, n.queue, n.kind, n.state, n.wait_reason, n.priority, n.order_ms,
    n.run_at_ms, 0, n.max_attempts, 0, n.lease_seconds, 0, n.timeout_ms,
    false, n.owner_kind, n.owner_id, :now, :now, 1, :now,
    n.priority, n.concurrency_key, n.rate_key, n.unique_key, null, n.if_parent_fails,
    n.repository, n.repository_owner, string_to_array(n.capabilities, chr(31)), n.trace,
    n.correlation_id, n.payload, n.history
  from account a,
       unnest(:ids::uuid[], :profiles::text[], :queues::text[], :kinds::text[], :states::text[],
              :wait_reasons::text[], :priorities::int[], :orders::bigint[], :run_ats::bigint[],
              :max_attempts::int[], :lease_seconds::int[], :timeouts::bigint[],
              :owner_kinds::text[], :owner_ids::uuid[], :concurrency_keys::text[], :rate_keys::text[],
              :unique_keys::text[], :if_parent_fails::text[], :repositories::text[],
              :repository_owners::text[], :capabilities::text[], :traces::text[], :correlation_ids::text[],
              :payloads::text[], :histories::text[])
         as n(id, profile, queue, kind, state, wait_reason, priority, order_ms, run_at_ms,
              max_attempts, lease_seconds, timeout_ms, owner_kind, owner_id, concurrency_key, rate_key,
              unique_key, if_parent_fails, repository, repository_owner, capabilities, trace,
              correlation_id, payload, history)
 where a.account_id = :account

-- name: lapsed
-- Leases that have run out and that no sweeper has ended yet. Candidates only, read without a lock.
select w.id
  from work w
 where w.account_id = :account and w.queue = :queue and w.state in ('leased', 'running')
   and w.lease_check_ms <= :now and w.lease_until_ms <= :now
 order by w.lease_check_ms
 limit :most

-- name: kinds_due
-- The kinds that have due items, from one kind to the next along the index.
with recursive waits as (
  (select w.kind
     from work w
    where w.account_id = :account and w.queue = :queue
      and w.state = 'waiting' and w.wait_reason in ('schedule', 'backoff')
    order by w.kind
    limit 1)
  union all
  select further.kind
    from waits
   cross join lateral (
     select w.kind
       from work w
      where w.account_id = :account and w.queue = :queue and w.kind > waits.kind
        and w.state = 'waiting' and w.wait_reason in ('schedule', 'backoff')
      order by w.kind
      limit 1) as further)
select waits.kind
  from waits
 cross join lateral (
   select w.id
     from work w
    where w.account_id = :account and w.queue = :queue and w.kind = waits.kind
      and w.state = 'waiting' and w.wait_reason in ('schedule', 'backoff') and w.run_at_ms <= :now
    order by w.run_at_ms
    limit 1) as due
 limit :most

-- name: heartbeat
-- As for all work, but the holder proves itself by its name, and says the length of the lease. A lease that
-- becomes shorter is looked at sooner; otherwise no indexed column is touched. The item's log has a line for
-- it, so the time of its newest event moves on.
with beat as materialized (
  select locked.row, n.lease_seconds
    from (select *
            from unnest(:ids::uuid[], :tokens::uuid[], :numbers::bigint[], :holders::text[],
                        :lease_seconds::int[]) as n(id, token, number, holder, lease_seconds)
           order by id
           limit :many) as n
   cross join lateral (
     select w.ctid as row
       from work w
      where w.account_id = :account and w.id = n.id and w.queue = :queue
        and w.state || '' in ('leased', 'running') and w.lease_until_ms > :now
        and (n.token is null or n.token = w.lease_token)
        and (n.number is null or n.number = w.lease_number)
        and (n.holder is null or n.holder = w.holder)
        for update skip locked) as locked)
update work w
   set lease_seconds = coalesce(beat.lease_seconds, w.lease_seconds),
       lease_until_ms = least(:now + coalesce(beat.lease_seconds, w.lease_seconds) * 1000::bigint,
                              w.deadline_ms),
       lease_check_ms = least(:now + coalesce(beat.lease_seconds, w.lease_seconds) * 1000::bigint,
                              w.deadline_ms, w.lease_check_ms),
       heartbeat_ms = :now, updated_ms = greatest(w.updated_ms + 1, :now),
       event_ms = greatest(w.event_ms + 1, :now)
  from beat
 where w.account_id = :account and w.ctid = beat.row and w.state || '' in ('leased', 'running')
returning
-- use: item
