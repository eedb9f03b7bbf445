-- The registry of runners: a few rows of the whole system. None of these statements serves an account.

-- name: seen
-- A runner that was forgotten, such as after its machine slept, is entered again.
insert into runner as r (runner_id, name, started_ms, seen_ms, capacity, busy)
values (:id, :name, :now, :now, :capacity, :busy)
on conflict (runner_id) do update
   set seen_ms = greatest(r.seen_ms, excluded.seen_ms), busy = excluded.busy

-- name: leave
delete from runner r where r.runner_id = :id

-- name: forget
delete from runner r where r.seen_ms < :before

-- name: available
select count(*)::int as runners, coalesce(sum(r.capacity), 0)::int as capacity,
       coalesce(sum(r.busy), 0)::int as busy
  from runner r
 where r.seen_ms > :since

-- name: present
select r.runner_id, r.name, r.started_ms, r.seen_ms, r.capacity, r.busy
  from runner r
 where r.seen_ms > :since
 order by r.started_ms, r.runner_id
