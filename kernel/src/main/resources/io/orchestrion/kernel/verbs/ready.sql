-- For an engine or a door that chooses itself which of its items are claimed next.

-- name: claimable
-- Ready items and due items, so many of either, each read in the order of its index.
select c.id
  from ((select w.id
           from work w
          where w.account_id = :account and w.queue = :queue and w.kind = :kind
            and w.state || '' = 'ready' and w.flow_key is null
          order by w.rank desc, w.order_ms, w.id
          limit :most)
        union all
        (select w.id
           from work w
          where w.account_id = :account and w.queue = :queue and w.kind = :kind
            and w.state = 'waiting' and w.wait_reason in ('schedule', 'backoff')
            and w.run_at_ms <= :now
          order by w.run_at_ms
          limit :most)) as c

-- name: lock_ready
select w.id
  from work w
 where w.account_id = :account and w.id = any(:ids::uuid[]) and w.state || '' = 'ready'
 order by w.id
   for update skip locked
