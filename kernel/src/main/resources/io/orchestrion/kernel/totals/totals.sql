-- The totals of the event log. A log is counted from its cursor up to the oldest open transaction, as its readers read it.
-- Not hot: said every few seconds and by whoever reads the metrics, for many accounts at once, on tables of their own.

-- part: word
-- A wait after a failure has a word of its own, because the doors call it something else than a wait for a time.
case when s.to_state = 'waiting' and s.event in ('fail', 'expire', 'time_out', 'retry') then 'backoff' else s.to_state end

-- part: sums
-- What the events in chunk add up to. The state that an event ends is the one the last change of state before it led to:
-- of a promotion that is not in the log, the lease after it ends the wait. So what ever entered a state less what left it is
-- what is in it. A lease after a wait for a time is measured from that time on.
select n.queue, n.kind, n.event, n.from_word, n.to_word, n.again,
       case when n.lasted is null then -1 else width_bucket(n.lasted, :bounds::bigint[]) end as bucket,
       count(*) as count, coalesce(sum(n.lasted), 0)::bigint as millis
  from (select e.queue, e.event, coalesce(came.word, '') as from_word,
               -- Items are looked up for the few that need it only: as joins, these looked up each of them.
               case when e.queue = any(:by_kind::text[]) then coalesce((
                 select w.kind from work w where w.account_id = e.account_id and w.id = e.work_id), '') else '' end as kind,
               case when e.from_state = e.to_state then coalesce(came.word, e.to_state) else e.word end as to_word,
               e.attempt > 1 as again,
               e.at_ms - greatest(came.at_ms,
                 case when e.event = 'lease' and came.word in ('waiting', 'backoff') and e.queue <> all(:by_kind::text[]) then (
                   select w.run_at_ms from work w
                    where w.account_id = e.account_id and w.id = e.work_id and w.run_at_ms <= e.at_ms) end) as lasted
          from chunk e
          left join lateral (
            select s.at_ms,
-- use: word
                   as word
              from work_event s
             where s.account_id = e.account_id and s.work_id = e.work_id and s.seq < e.seq
               and s.from_state is distinct from s.to_state
             order by s.seq desc
             limit 1) came on true) n
 group by 1, 2, 3, 4, 5, 6, 7

-- name: horizon
-- Below the first, everything is there to be counted; all that was committed before now is below the second.
select max(r.start) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint as reached,
       max(r.start) + pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next
  from event_era r
 where r.start >= :lowest

-- name: accounts_after
select a.account_id
  from account a
 where a.account_id > :after
 order by a.account_id
 limit :most

-- name: logs_behind
-- Which logs of these accounts have something that is not counted: one look at the index for each.
select a.account_id, q.queue
  from unnest(:accounts::uuid[]) as a(account_id)
 cross join unnest(:queues::text[]) as q(queue)
  left join event_fold f on f.account_id = a.account_id and f.queue = q.queue
 cross join lateral (
   select 1
     from work_event e
    where e.account_id = a.account_id and e.queue = q.queue
      and (e.position, e.work_id, e.seq)
        > (coalesce(f.position, 0), coalesce(f.work_id, '00000000-0000-0000-0000-000000000000'::uuid), coalesce(f.seq, 0))
    limit 1) more

-- name: begin_folds
insert into event_fold as f (account_id, queue, position, work_id, seq)
select n.account_id, n.queue, 0, '00000000-0000-0000-0000-000000000000'::uuid, 0
  from unnest(:accounts::uuid[], :queues::text[]) as n(account_id, queue)
 order by n.account_id, n.queue
    on conflict (account_id, queue) do nothing

-- name: lock_folds
-- What another node counts just now is left to it.
select f.account_id, f.queue, f.position, f.work_id, f.seq
  from event_fold f
 where (f.account_id, f.queue) in (
         select n.account_id, n.queue from unnest(:accounts::uuid[], :queues::text[]) as n(account_id, queue))
 order by f.account_id, f.queue
   for update skip locked

-- name: lock_account
-- For events that are about to go: a count that is under way has to end first.
select f.account_id, f.queue, f.position, f.work_id, f.seq
  from event_fold f
 where f.account_id = :account
 order by f.queue
   for update

-- name: sums
-- So many events of each log, and where that leads.
with horizon as materialized (
  select max(r.start) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint as position
    from event_era r
   where r.start >= :lowest),
logs as materialized (
  select f.*
    from unnest(:accounts::uuid[], :queues::text[], :positions::bigint[], :work_ids::uuid[], :seqs::int[])
           as f(account_id, queue, position, work_id, seq)),
chunk as materialized (
  select s.account_id, s.work_id, s.seq, s.queue, s.position, s.at_ms, s.event, s.from_state, s.to_state, s.attempt,
-- use: word
         as word
    from logs f
   cross join horizon
   cross join lateral (
     select e.*
       from work_event e
      where e.account_id = f.account_id and e.queue = f.queue and e.position < horizon.position
        and (e.position, e.work_id, e.seq) > (f.position, f.work_id, f.seq)
      order by e.position, e.work_id, e.seq
      limit :most) s),
sums as (
-- use: sums
),
ends as (
  select f.account_id, f.queue, coalesce(c.position, f.position) as position,
         coalesce(c.work_id, f.work_id) as work_id, coalesce(c.seq, f.seq) as seq
    from logs f
    left join lateral (
      select c.position, c.work_id, c.seq
        from chunk c
       where c.account_id = f.account_id and c.queue = f.queue
       order by c.position desc, c.work_id desc, c.seq desc
       limit 1) c on true)
select null::uuid as account_id, s.queue, null::bigint as position, null::uuid as work_id, null::int as seq, false as more,
       s.kind, s.event, s.from_word, s.to_word, s.again, s.bucket, s.count, s.millis
  from sums s
union all
select n.account_id, n.queue, n.position, n.work_id, n.seq,
       exists (select 1
                 from work_event e
                where e.account_id = n.account_id and e.queue = n.queue
                  and (e.position, e.work_id, e.seq) > (n.position, n.work_id, n.seq)),
       '', '', '', '', false, 0, 0, 0
  from ends n

-- name: sums_of_items
-- What is not counted yet of items that are about to go.
with chunk as materialized (
  select s.account_id, s.work_id, s.seq, s.queue, s.position, s.at_ms, s.event, s.from_state, s.to_state, s.attempt,
-- use: word
         as word
    from work_event s
    left join unnest(:queues::text[], :positions::bigint[], :work_ids::uuid[], :seqs::int[])
           as f(queue, position, work_id, seq) on f.queue = s.queue
   where s.account_id = :account and s.work_id = any(:ids::uuid[])
     and (s.position, s.work_id, s.seq) > (f.position, f.work_id, f.seq))
-- use: sums

-- name: add
insert into event_total as t (queue, kind, event, from_word, to_word, again, bucket, count, millis)
select n.*
  from unnest(:queues::text[], :kinds::text[], :events::text[], :from_words::text[], :to_words::text[],
              :agains::boolean[], :buckets::int[], :counts::bigint[], :millis::bigint[]) as n
 order by 1, 2, 3, 4, 5, 6, 7
    on conflict (queue, kind, event, from_word, to_word, again, bucket)
    do update set count = t.count + excluded.count, millis = t.millis + excluded.millis

-- name: move
update event_fold f
   set position = n.position, work_id = n.work_id, seq = n.seq
  from unnest(:accounts::uuid[], :queues::text[], :positions::bigint[], :work_ids::uuid[], :seqs::int[])
         as n(account_id, queue, position, work_id, seq)
 where f.account_id = n.account_id and f.queue = n.queue

-- name: read
select t.queue, t.kind, t.event, t.from_word, t.to_word, t.again, t.bucket, t.count, t.millis
  from event_total t
 where t.queue <> :none
