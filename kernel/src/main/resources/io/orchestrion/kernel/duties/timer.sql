-- How timers end, and items that are given up, account by account.

-- name: due
-- Read without a lock: their owners are locked first.
select w.id, w.owner_kind, w.owner_id
  from work w
 where w.account_id = :account and w.queue = :queue and w.kind = :kind
   and w.state = 'waiting' and w.wait_reason in ('schedule', 'backoff') and w.run_at_ms <= :now
   and coalesce(w.owner_id, w.id) <> all(:without::uuid[])
 order by w.run_at_ms
 limit :most

-- name: accounts_with_overdue_work
select w.account_id, min(w.give_up_ms) as oldest
  from work w
 where w.give_up_ms <= :now and w.finished_ms is null
 group by w.account_id
 order by oldest
 limit :most

-- name: overdue
-- Read without a lock: their owners are locked first.
select w.id, w.owner_kind, w.owner_id
  from work w
 where w.account_id = :account and w.give_up_ms <= :now and w.finished_ms is null
   and coalesce(w.owner_id, w.id) <> all(:without::uuid[])
 order by w.give_up_ms
 limit :most
