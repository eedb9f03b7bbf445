-- The histories of all items of an account as one log with a cursor. Rewrites work_event once under
-- an exclusive lock, in proportion to its rows.
--
-- The order is that of the writing transactions: position is the transaction's number, which no row
-- has to be locked for, and a reader stops below the oldest transaction still open, so that nothing
-- can appear behind it. Transaction numbers begin anew in another cluster (a dump restored there), so
-- each era has a start that is added to them; Eras chooses it and sets the default of the column.

alter table work_event add column queue text, add column position bigint;

update work_event e
   set queue = w.queue, position = n.position
  from work w,
       (select account_id, work_id, seq,
               row_number() over (partition by account_id order by at_ms, work_id, seq) as position
          from work_event) n
 where w.account_id = e.account_id and w.id = e.work_id
   and n.account_id = e.account_id and n.work_id = e.work_id and n.seq = e.seq;

alter table work_event alter column queue set not null, alter column position set not null;

create index work_event_log on work_event (account_id, queue, position, work_id, seq);

create table event_era (
  start   bigint not null primary key,
  cluster text   not null
);
