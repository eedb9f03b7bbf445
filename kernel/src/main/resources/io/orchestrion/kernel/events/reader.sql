-- How far the logs of accounts have been passed on.

-- name: reader_known
select r.position
  from log_reader r
 where r.account_id = :account and r.queue = :queue
   for update

-- name: reader_exists
select r.position
  from log_reader r
 where r.account_id = :account and r.queue = :queue

-- name: begin_reader
insert into log_reader as r (account_id, queue, position, work_id, seq)
values (:account, :queue, :position, :work_id, :seq)
on conflict (account_id, queue) do nothing

-- name: any_reader
select r.queue
  from log_reader r
 limit 1

-- name: logs_to_read
-- The logs that have something new, with or without a position, the one that is furthest behind first. Each
-- costs a look at two indexes.
select r.account_id, r.queue
  from log_reader r
 where exists (
   select
     from event_chunk c
    where c.account_id = r.account_id and c.queue = r.queue and c.position = 0)
    or exists (
   select
     from event_chunk c
    where c.account_id = r.account_id and c.queue = r.queue and c.position > 0 and c.position >= r.position
      and (c.position > r.position
           or exists (select
                        from unnest(c.work_ids, c.seqs) as n(work_id, seq)
                       where (n.work_id, n.seq) > (r.work_id, r.seq))))
 order by r.position
 limit :most

-- name: take_reader
select r.position, r.work_id, r.seq
  from log_reader r
 where r.account_id = :account and r.queue = :queue
   for update skip locked

-- name: move_reader
update log_reader r
   set position = :position, work_id = :work_id, seq = :seq
 where r.account_id = :account and r.queue = :queue

-- name: end_reader
delete from log_reader r where r.account_id = :account and r.queue = :queue
