-- Finds accounts that have work for the pool of this server. The claims themselves are made account by
-- account.

-- name: waiting
-- Read without a lock, from one account to the next along an index that holds only this work. It looks at so
-- many items and no more. An account that has more than that is passed over by the next look, which begins
-- after it.
select s.account_id, min(s.order_ms) as oldest_ms, count(*) as seen
  from (select w.account_id, w.order_ms
          from work w
         where w.queue = :queue and w.kind = :kind and w.account_id > :from::uuid
           and w.profile in ('drivers', 'builtin') and w.state || '' = 'ready'
         order by w.account_id, w.order_ms
         limit :scanned) as s
 group by s.account_id
 order by s.account_id
