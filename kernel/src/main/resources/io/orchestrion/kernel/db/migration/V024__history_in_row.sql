-- The history of an item moves into its own row, and the log of an account's queue becomes one row for each
-- transaction that wrote to it. As rows of their own, with two indexes, events took more than a third of the
-- database's time, and to count them for the metrics took half as much again (decision 120). Rewrites work once
-- under an exclusive lock, in proportion to its events.

-- Lines of JSON, each ended: position, time, event, from, to, attempt, lease, holder, detail. The number of a
-- line is the event's seq. Lines are added and never changed, which the guard sees to.
alter table work add column history text not null default '';
alter table work alter column history set statistics 0;

alter table work disable trigger user;
update work w
   set history = h.history
  from (select e.account_id, e.work_id,
               string_agg('[' || e.position || ',' || e.at_ms || ',' || to_json(e.event) || ','
                              || coalesce(to_json(e.from_state)::text, 'null') || ',' || to_json(e.to_state) || ','
                              || e.attempt || ',' || e.lease_number || ','
                              || coalesce(to_json(e.holder)::text, 'null') || ','
                              || coalesce(to_json(e.detail)::text, 'null') || E']\n',
                          '' order by e.seq) as history
          from work_event e
         group by e.account_id, e.work_id) h
 where w.account_id = h.account_id and w.id = h.work_id;
alter table work enable trigger user;

-- Which items a transaction told something of, and what that adds up to for the metrics. What it was is in the
-- items' histories, and goes with them; rows all of whose items are gone go later, look_ms says when to look.
create table event_chunk (
  account_id uuid    not null,
  queue      text    not null,
  position   bigint  not null,
  -- One transaction may tell of the same queue several times.
  part       integer not null,
  work_ids   uuid[]  not null,
  seqs       integer[] not null,
  -- [kind, event, from, to, again, bucket, count, millis] for each that differs.
  sums       jsonb   not null,
  look_ms    bigint  not null,
  primary key (account_id, queue, position, part)
) with (autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.2);
create index event_chunk_look on event_chunk (look_ms, account_id);
-- To compress a few kilobytes of ids takes longer than to write them.
alter table event_chunk
  alter column work_ids set storage external, alter column work_ids set statistics 0,
  alter column seqs set storage external, alter column seqs set statistics 0,
  alter column sums set storage external, alter column sums set statistics 0;

insert into event_chunk (account_id, queue, position, part, work_ids, seqs, sums, look_ms)
select e.account_id, e.queue, e.position, 0, array_agg(e.work_id order by e.work_id, e.seq),
       array_agg(e.seq order by e.work_id, e.seq), '[]', max(e.at_ms) + 86400000
  from work_event e
 group by e.account_id, e.queue, e.position;

-- What was not counted yet, which is little, is counted here, because from now on each row brings its sums. How
-- long the states had lasted is left out: they count as short.
insert into event_total as t (queue, kind, event, from_word, to_word, again, bucket, count, millis)
select e.queue, case when e.queue = 'jobs' then coalesce(w.kind, '') else '' end, e.event, coalesce(e.from_word, ''),
       e.to_word, e.attempt > 1, case when e.from_word is null then -1 else 0 end, count(*), 0
  from (select s.*, lag(s.word) over of_item as from_word,
               case when s.from_state = s.to_state then coalesce(lag(s.word) over of_item, s.to_state)
                    else s.word end as to_word
          from (select x.*,
                       case when x.to_state = 'waiting' and x.event in ('fail', 'expire', 'time_out', 'retry')
                            then 'backoff' else x.to_state end as word
                  from work_event x) s
        window of_item as (partition by s.account_id, s.work_id order by s.seq)) e
  left join work w on w.account_id = e.account_id and w.id = e.work_id
  left join event_fold f on f.account_id = e.account_id and f.queue = e.queue
 where f.account_id is null or (e.position, e.work_id, e.seq) > (f.position, f.work_id, f.seq)
 group by 1, 2, 3, 4, 5, 6, 7
    on conflict (queue, kind, event, from_word, to_word, again, bucket)
    do update set count = t.count + excluded.count, millis = t.millis + excluded.millis;

drop table event_fold;
create table event_fold (
  account_id uuid    not null,
  queue      text    not null,
  position   bigint  not null,
  part       integer not null,
  primary key (account_id, queue)
) with (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
comment on table event_fold is 'How far the log of an account''s queue is counted.';
insert into event_fold (account_id, queue, position, part)
select c.account_id, c.queue, max(c.position), 0 from event_chunk c group by c.account_id, c.queue;

drop view job_events;
drop table work_event;

-- Where the log of the transaction that asks lies. Eras puts the start of its era in.
create function event_position() returns bigint language sql stable as $$
  select pg_current_xact_id()::text::bigint
$$;

-- For people, and for whoever wants all of one item's history.
create view work_event as
select w.account_id, w.id as work_id, w.queue, l.seq::integer as seq, (e.line->>0)::bigint as position,
       (e.line->>1)::bigint as at_ms, e.line->>2 as event, e.line->>3 as from_state, e.line->>4 as to_state,
       (e.line->>5)::integer as attempt, (e.line->>6)::bigint as lease_number, e.line->>7 as holder,
       e.line->>8 as detail
  from work w
 cross join lateral string_to_table(w.history, E'\n') with ordinality as l(text, seq)
 cross join lateral (select l.text::jsonb as line offset 0) as e
 where l.text <> '';

create view job_events as
select e.account_id, md5(e.work_id || ':' || e.seq)::uuid as event_id, e.work_id as job_id, e.seq,
       case e.event
         when 'submit' then 'job.created'
         when 'promote' then 'job.queued'
         when 'lease' then 'job.assigned'
         when 'start' then 'job.running'
         when 'complete' then case j.type when 'EMIT_EVENT' then 'job.emitted' else 'job.succeeded' end
         when 'fail' then 'job.failed'
         when 'expire' then case e.to_state when 'ready' then 'job.lease_expired' else 'job.failed' end
         when 'time_out' then 'job.timed_out'
         when 'cancel' then 'job.canceled'
         when 'retry' then 'job.retried' end as event_name,
       case when e.from_state is not null then
         job_state(e.from_state, case when e.attempt > 0 then 'backoff' end) end as prev_state,
       job_state(e.to_state, case when e.event = 'retry' then 'backoff' end) as next_state,
       to_timestamp(e.at_ms / 1000.0) as timestamp
  from work_event e
  join job j on j.account_id = e.account_id and j.job_id = e.work_id
 where e.queue = 'jobs';
