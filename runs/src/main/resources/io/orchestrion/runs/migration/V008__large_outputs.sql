-- A large output is kept once, with the item of the attempt that gave it: the step names the item. Adds a column without a
-- value and replaces a view: the table is locked for a moment, and no row is read.

alter table run_step add column output_item uuid;
comment on column run_step.output_item is 'The item that has the output, where it is large. Null where the step has it.';

create or replace view run_steps as
select 'step_' || s.id as id, 'rtask_' || s.task_id as task_id, 'agent_' || s.agent_id as agent_id,
       'run_' || s.run_id as run_id, s.account_id, s.account_id as org_id, s.sequence_number, s.name, s.tool, s.input, s.status,
       coalesce(s.output, i.result) as output, s.error, s.idempotency_key, s.attempts_made,
       to_timestamp(s.created_ms / 1000.0) as created_at, to_timestamp(s.started_ms / 1000.0) as started_at,
       to_timestamp(s.ended_ms / 1000.0) as completed_at
  from run_step s
  left join item i on i.account_id = s.account_id and i.id = s.output_item;
