-- name: make_table
create table if not exists errand (
  account_id uuid, id uuid, input text not null, correlation_id text,
  state text not null check (state in ('RUNNING', 'PAUSED', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  seq integer not null, step text not null, attempt integer not null, primary key (account_id, id))

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
