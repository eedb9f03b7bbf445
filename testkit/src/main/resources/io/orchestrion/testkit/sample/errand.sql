-- name: lock_free
select e.id from errand e where e.account_id = :account and e.id = any(:ids::uuid[])
 order by e.id for update skip locked

-- name: lock
select * from errand e where e.account_id = :account and e.id = :id for update

-- name: save
insert into errand (account_id, id, input, correlation_id, state, seq, step, attempt)
values (:account, :id, :input, :correlation, :state, :seq, :step, :attempt)
on conflict (account_id, id) do update
   set state = excluded.state, seq = excluded.seq, step = excluded.step, attempt = excluded.attempt
