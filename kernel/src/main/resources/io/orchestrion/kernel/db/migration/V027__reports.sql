-- What holders report of an attempt beside its result, what an item is a part of, and when and how it is to be
-- stopped. Adds columns without defaults: no row is rewritten, the locks are short. The index reads the table once
-- while it is made and finds nothing in it.
alter table work add column error text;
alter table work add column usage text;
alter table work add column logs_ref text;
alter table work add column correlation_id text;
alter table work add column give_up_ms bigint;
alter table work add column pause_requested boolean;

-- Nobody looks for rows by these, and the column with the most statistics says how large the samples of the whole
-- table are. A distributed table has no such settings.
do $$
begin
  if not exists (select from pg_extension where extname = 'citus') then
    alter table work
      alter column error set statistics 0, alter column usage set statistics 0,
      alter column logs_ref set statistics 0, alter column correlation_id set statistics 0,
      alter column give_up_ms set statistics 0, alter column pause_requested set statistics 0;
  end if;
end
$$;

comment on column work.error is 'JSON: why the newest attempt that failed did, in a form for programs.';
comment on column work.usage is 'JSON: what the newest attempt that was reported used up.';
comment on column work.logs_ref is 'Where the logs of that attempt are kept.';
comment on column work.correlation_id is 'What its producer calls the whole that it is a part of.';
comment on column work.give_up_ms is 'When it is ended in whatever open state it is; null for never.';
comment on column work.pause_requested is 'Whether its holder is asked to pause; null for no.';

-- A line of a history has the error as a tenth value, a text that is JSON, where the holder of a failed attempt
-- gave one.
create or replace view work_event as
select w.account_id, w.id as work_id, w.queue, l.seq::integer as seq, (e.line->>0)::bigint as tx_id,
       (e.line->>1)::bigint as at_ms, e.line->>2 as event, e.line->>3 as from_state, e.line->>4 as to_state,
       (e.line->>5)::integer as attempt, (e.line->>6)::bigint as lease_number, e.line->>7 as holder,
       e.line->>8 as detail, e.line->>9 as error
  from work w
 cross join lateral string_to_table(w.history, E'\n') with ordinality as l(text, seq)
 cross join lateral (select l.text::jsonb as line offset 0) as e
 where l.text <> '';

-- Only what has such a time and is not over: other items have no entry in it.
create index work_give_up on work (give_up_ms, account_id) where give_up_ms is not null and finished_ms is null;
