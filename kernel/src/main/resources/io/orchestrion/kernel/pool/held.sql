-- What the holders in this process ask about the items that they hold.

-- name: lost
-- Read without a lock. A lost lease that this misses is found by the next heartbeat.
select h.id
  from unnest(:ids::uuid[], :tokens::uuid[]) as h(id, token)
  left join work w
    on w.account_id = :account and w.id = h.id and w.lease_token = h.token
       and w.state in ('leased', 'running')
 where w.id is null
