-- name: begin
insert into run_output_head as h (account_id, run_id, seq)
select a.account_id, :run::uuid, 0 from account a where a.account_id = :account
    on conflict (account_id, run_id) do nothing

-- name: lock
select h.seq from run_output_head h where h.account_id = :account and h.run_id = :run for update

-- name: end
select h.seq from run_output_head h where h.account_id = :account and h.run_id = :run

-- name: written
-- How much the step has written.
select o.step_bytes from run_output o
 where o.account_id = :account and o.step_id = :step
 order by o.seq desc limit 1

-- name: append
insert into run_output
  (account_id, run_id, seq, step_id, attempt_id, channel, content, step_bytes, created_ms)
select a.account_id, :run::uuid, :seq, :step::uuid, :attempt::uuid, :channel, :content, :step_bytes, :now
  from account a
 where a.account_id = :account

-- name: move
update run_output_head h set seq = :seq where h.account_id = :account and h.run_id = :run

-- name: after
select o.* from run_output o
 where o.account_id = :account and o.run_id = :run and o.seq > :after
   and (:step::uuid is null or o.step_id = :step)
 order by o.seq limit :most

-- name: moved
-- by account: f
-- Which of the followed runs have something new: one look at the key for each.
select f.account_id, f.run_id, h.seq
  from unnest(:accounts::uuid[], :runs::uuid[], :seen::bigint[]) as f(account_id, run_id, seen)
  join run_output_head h on h.account_id = f.account_id and h.run_id = f.run_id and h.seq > f.seen

-- name: purge
-- Of a run that is removed.
with gone as materialized (
  select o.run_id, o.seq
    from run_output o
   where o.account_id = :account and o.run_id = :run
   limit :most
     for update skip locked)
delete from run_output o using gone
 where o.account_id = :account and o.run_id = gone.run_id and o.seq = gone.seq

-- name: forget
delete from run_output_head h where h.account_id = :account and h.run_id = :run
