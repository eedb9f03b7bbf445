-- The statements on kinds of work, by what their types say.

-- name: paused_among
-- For a claim by id. It runs in the claiming transaction, as in a claim by kind.
select distinct t.queue, t.kind
  from work_type t
  join unnest(:queues::text[], :kinds::text[]) as n(queue, kind)
    on n.queue = t.queue and n.kind = t.kind
 where t.account_id = :account and t.paused

-- name: kinds_of_running
select w.id, w.kind
  from work w
 where w.account_id = :account and w.id = any(:ids::uuid[]) and w.queue = :queue and w.state || '' = 'running'
