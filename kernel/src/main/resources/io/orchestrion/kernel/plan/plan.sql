-- What an account may use, and how much of it is used.

-- name: standing
select a.plan, p.plan as period_plan, p.from_ms, p.until_ms
  from account a
  left join plan_period p on p.account_id = :account
 where a.account_id = :account
 order by p.from_ms

-- name: lock_account
-- Makes purchases of one account be laid out one after the other.
select a.plan from account a where a.account_id = :account for update

-- name: delete_periods
delete from plan_period p where p.account_id = :account

-- name: insert_periods
insert into plan_period (account_id, from_ms, until_ms, plan)
select a.account_id, n.from_ms, n.until_ms, n.plan
  from account a,
       unnest(:froms::bigint[], :untils::bigint[], :plans::text[]) as n(from_ms, until_ms, plan)
 where a.account_id = :account

-- name: add_if_all_fit
insert into usage_month as u (account_id, month, tasks) values (:account, :month, :tasks)
on conflict (account_id, month) do update set tasks = u.tasks + excluded.tasks
 where u.tasks + excluded.tasks <= :most
returning u.tasks

-- name: lock_month
-- The row of the month, locked. It is made if it does not exist.
insert into usage_month as u (account_id, month, tasks) values (:account, :month, 0)
on conflict (account_id, month) do update set tasks = u.tasks
returning u.tasks

-- name: add_to_month
update usage_month u
   set tasks = u.tasks + :tasks
 where u.account_id = :account and u.month = :month

-- name: month
select u.tasks from usage_month u where u.account_id = :account and u.month = :month

-- name: live_leases
-- An expired lease does not count, even before the sweep.
select count(*) as leases, min(w.lease_until_ms) as first_end
  from work w
 where w.account_id = :account and w.queue = :queue and w.state in ('leased', 'running')
   and w.lease_until_ms > :now
