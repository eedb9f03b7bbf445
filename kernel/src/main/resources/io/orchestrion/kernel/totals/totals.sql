-- The totals of the event log. A log is counted from its cursor on, in the order in which its readers read
-- it. The sums of a row were written with its events. Sums of amounts end where a bigint does: counting never
-- fails for them. These statements run every few seconds and when the
-- metrics are read, on tables of their own. Where one machine has all accounts, each statement serves many of
-- them.

-- name: accounts_after
select a.account_id
  from account a
 where a.account_id > :after
 order by a.account_id
 limit :most

-- name: logs_behind
-- by account: a
-- Which logs of these accounts have events that are not counted yet: a look at two indexes for each.
select a.account_id, q.queue
  from unnest(:accounts::uuid[]) as a(account_id)
 cross join unnest(:queues::text[]) as q(queue)
  left join event_fold f on f.account_id = a.account_id and f.queue = q.queue
 where exists (
   select
     from event_chunk c
    where c.account_id = a.account_id and c.queue = q.queue and c.position > 0
      and c.position > coalesce(f.position, 0))
    or exists (
   select
     from event_chunk c
    where c.account_id = a.account_id and c.queue = q.queue and c.position = 0)

-- name: begin_folds
-- by account: n
insert into event_fold as f (account_id, queue, position)
select a.account_id, n.queue, 0
  from unnest(:accounts::uuid[], :queues::text[]) as n(account_id, queue)
  join account a on a.account_id = n.account_id
 order by n.account_id, n.queue
    on conflict (account_id, queue) do nothing

-- name: lock_folds
-- by account: n
-- Logs that another node is counting are left to it.
select f.account_id, f.queue, f.position
  from unnest(:accounts::uuid[], :queues::text[]) as n(account_id, queue)
  join event_fold f on f.account_id = n.account_id and f.queue = n.queue
 order by f.account_id, f.queue
   for update of f skip locked

-- name: sums
-- by account: f, n
-- The next rows of each log, up to a bound, with their sums and the new cursor. No two rows of a log have the
-- same position.
with logs as materialized (
  select f.*
    from unnest(:accounts::uuid[], :queues::text[], :positions::bigint[]) as f(account_id, queue, position)),
chunk as materialized (
  select s.*
    from logs f
   cross join lateral (
     select c.account_id, c.queue, c.position, c.sums
       from event_chunk c
      where c.account_id = f.account_id and c.queue = f.queue and c.position > 0 and c.position > f.position
      order by c.position
      limit :most) s),
ends as (
  select f.account_id, f.queue,
         coalesce((select max(c.position) from chunk c where c.account_id = f.account_id and c.queue = f.queue),
                  f.position) as position
    from logs f)
select null::uuid as account_id, c.queue, null::bigint as position, false as more,
       s.one->>0 as kind, s.one->>1 as event, s.one->>2 as from_word, s.one->>3 as to_word,
       (s.one->>4)::boolean as again, (s.one->>5)::int as bucket, sum((s.one->>6)::bigint)::bigint as count,
       least(sum((s.one->>7)::bigint), 9223372036854775807)::bigint as millis
  from chunk c
 cross join lateral jsonb_array_elements(c.sums) as s(one)
 group by c.queue, s.one->>0, s.one->>1, s.one->>2, s.one->>3, s.one->>4, s.one->>5
union all
select n.account_id, n.queue, n.position,
       exists (select
                 from event_chunk c
                where c.account_id = n.account_id and c.queue = n.queue and c.position > 0
                  and c.position > n.position)
    or exists (select
                 from event_chunk c
                where c.account_id = n.account_id and c.queue = n.queue and c.position = 0),
       '', '', '', '', false, 0, 0, 0
  from ends n

-- name: add
insert into event_total as t (queue, kind, event, from_word, to_word, again, bucket, count, millis)
select n.*
  from unnest(:queues::text[], :kinds::text[], :events::text[], :from_words::text[], :to_words::text[],
              :agains::boolean[], :buckets::int[], :counts::bigint[], :millis::bigint[]) as n
 order by 1, 2, 3, 4, 5, 6, 7
    on conflict (queue, kind, event, from_word, to_word, again, bucket)
    do update set count = t.count + excluded.count,
                  millis = least(t.millis::numeric + excluded.millis, 9223372036854775807)::bigint

-- name: move
-- by account: n
update event_fold f
   set position = n.position
  from unnest(:accounts::uuid[], :queues::text[], :positions::bigint[]) as n(account_id, queue, position)
 where f.account_id = n.account_id and f.queue = n.queue

-- name: read
select t.queue, t.kind, t.event, t.from_word, t.to_word, t.again, t.bucket, t.count, t.millis
  from event_total t
 where t.queue <> :none
