-- What became of the items of runs, in the words of the contract, and the messages of all of them. Makes views: no table is
-- locked for longer than a moment, and no row is read.

-- An item is there once it was given out. Its result and its acknowledgement are one row of the kernel, so that neither is
-- there without the other. A cancelled item that somebody had has failed: nothing came of it.
create view work_results as
select i.account_id, i.account_id as org_id, i.id as work_id, 'run_' || i.owner_id as run_id, i.kind,
       case when i.state in ('leased', 'running') then 'processing' when i.state = 'succeeded' then 'completed' else 'failed' end
         as status,
       to_timestamp(coalesce(s.started_ms, (select max(e.at_ms) from item_event e
                                             where e.account_id = i.account_id and e.item_id = i.id and e.event = 'lease'))
                    / 1000.0) as started_at,
       to_timestamp(i.finished_ms / 1000.0) as completed_at,
       case when i.state = 'succeeded' then i.result end as result,
       case when i.state in ('failed', 'dead', 'cancelled') then coalesce(s.error_code || ': ' || s.error, i.failure, i.state) end
         as error
  from item i
  left join run_step_attempt s on s.account_id = i.account_id and s.id = i.id
 where i.owner_kind = 'run' and i.attempt >= 1 and i.state in ('leased', 'running', 'succeeded', 'failed', 'dead', 'cancelled');
comment on view work_results is 'What became of the items of runs: processing, completed with a result, or failed with an error.';

-- Items that tell whoever is on call have messages, too.
create or replace view run_items as
select i.account_id, i.account_id as org_id, i.id as item_id, 'run_' || i.owner_id as run_id, i.kind, i.state,
       case i.kind when 'run_drive' then m.queue when 'agent_plan' then 'agents.work' else i.queue end as queue,
       coalesce(m.message_id, s.message_id,
                case i.kind when 'builtin_run_on_call' then i.payload::jsonb ->> 'message_id' end) as message_id
  from item i
  left join run_message m on m.account_id = i.account_id and m.item_id = i.id and m.run_id = i.owner_id
  left join run_step_attempt s on s.account_id = i.account_id and s.id = i.id
 where i.owner_kind = 'run';
