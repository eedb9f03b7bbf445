-- What holders in this process ask of the items that they hold.

-- name: lost
-- A look without a lock. What it misses, the next heartbeat is told.
select h.id
  from unnest(:ids::uuid[], :tokens::uuid[]) as h(id, token)
  left join work w
    on w.account_id = :account and w.id = h.id and w.lease_token = h.token
       and w.state in ('leased', 'running')
 where w.id is null
