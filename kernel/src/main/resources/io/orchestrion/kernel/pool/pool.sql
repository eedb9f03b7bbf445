-- The claim across accounts: which accounts have work that this server does itself.

-- name: waiting
-- Read without a lock, from one account to the next along an index that holds this work alone. It looks at so many
-- items and no more; an account that has more than that is passed over by the next look, which begins behind it.
-- The claim itself is made in each account.
select s.account_id, min(s.order_ms) as oldest_ms, count(*) as seen
  from (select w.account_id, w.order_ms
          from work w
         where w.queue = :queue and w.kind = :kind and w.account_id > :from::uuid
           and w.profile in ('drivers', 'builtin') and w.state || '' = 'ready'
         order by w.account_id, w.order_ms
         limit :scanned) as s
 group by s.account_id
 order by s.account_id
