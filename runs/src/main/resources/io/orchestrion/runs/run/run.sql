-- name: lock_free
-- Passes over runs that another session holds: no shared transaction waits for an owner.
select r.account_id, r.id, r.seq, r.status, r.name, r.task, r.context, r.planner_mode, r.priority, r.failure_mode,
       r.tool_policies, r.created_by, r.trace, r.max_attempts, r.max_agents, r.max_replans, r.max_tokens,
       r.max_concurrent_tasks, r.max_concurrent_steps, r.pending_timeout_ms, r.running_timeout_ms,
       r.paused_timeout_ms, r.resuming_timeout_ms, r.retrying_timeout_ms, r.agent_timeout_ms, r.task_timeout_ms,
       r.step_timeout_ms, r.planning_timeout_ms, r.attempt_number, r.plan_version, r.replan_count, r.agent_count,
       r.task_count, r.step_count, r.agents_open, r.agents_completed, r.agents_skipped, r.agents_lost, r.tasks_lost,
       r.agents_completed_before, r.steps_in_flight, r.replanner_id, r.credits_reserved, r.credits_charged,
       r.credits_refunded, r.credits_held, r.credits_over, r.short_of_credits, r.created_ms, r.started_ms,
       r.running_ms, r.active_ms, r.running_since_ms, r.deadline_ms, r.last_heartbeat_ms, r.completed_ms,
       r.cancelled_ms, r.duration_ms, r.deleted_ms, r.last_error_code, r.last_error, r.pause_reason, r.ticket_id,
       r.escalated, r.window_from_ms, r.driver_id
  from run r
 where r.account_id = :account and r.id = any(:ids::uuid[])
 order by r.id for update skip locked

-- name: lock
select r.account_id, r.id, r.seq, r.status, r.name, r.task, r.context, r.planner_mode, r.priority, r.failure_mode,
       r.tool_policies, r.created_by, r.trace, r.max_attempts, r.max_agents, r.max_replans, r.max_tokens,
       r.max_concurrent_tasks, r.max_concurrent_steps, r.pending_timeout_ms, r.running_timeout_ms,
       r.paused_timeout_ms, r.resuming_timeout_ms, r.retrying_timeout_ms, r.agent_timeout_ms, r.task_timeout_ms,
       r.step_timeout_ms, r.planning_timeout_ms, r.attempt_number, r.plan_version, r.replan_count, r.agent_count,
       r.task_count, r.step_count, r.agents_open, r.agents_completed, r.agents_skipped, r.agents_lost, r.tasks_lost,
       r.agents_completed_before, r.steps_in_flight, r.replanner_id, r.credits_reserved, r.credits_charged,
       r.credits_refunded, r.credits_held, r.credits_over, r.short_of_credits, r.created_ms, r.started_ms,
       r.running_ms, r.active_ms, r.running_since_ms, r.deadline_ms, r.last_heartbeat_ms, r.completed_ms,
       r.cancelled_ms, r.duration_ms, r.deleted_ms, r.last_error_code, r.last_error, r.pause_reason, r.ticket_id,
       r.escalated, r.window_from_ms, r.driver_id
  from run r
 where r.account_id = :account and r.id = :id for update

-- name: lock_if_free
select r.account_id, r.id, r.seq, r.status, r.name, r.task, r.context, r.planner_mode, r.priority, r.failure_mode,
       r.tool_policies, r.created_by, r.trace, r.max_attempts, r.max_agents, r.max_replans, r.max_tokens,
       r.max_concurrent_tasks, r.max_concurrent_steps, r.pending_timeout_ms, r.running_timeout_ms,
       r.paused_timeout_ms, r.resuming_timeout_ms, r.retrying_timeout_ms, r.agent_timeout_ms, r.task_timeout_ms,
       r.step_timeout_ms, r.planning_timeout_ms, r.attempt_number, r.plan_version, r.replan_count, r.agent_count,
       r.task_count, r.step_count, r.agents_open, r.agents_completed, r.agents_skipped, r.agents_lost, r.tasks_lost,
       r.agents_completed_before, r.steps_in_flight, r.replanner_id, r.credits_reserved, r.credits_charged,
       r.credits_refunded, r.credits_held, r.credits_over, r.short_of_credits, r.created_ms, r.started_ms,
       r.running_ms, r.active_ms, r.running_since_ms, r.deadline_ms, r.last_heartbeat_ms, r.completed_ms,
       r.cancelled_ms, r.duration_ms, r.deleted_ms, r.last_error_code, r.last_error, r.pause_reason, r.ticket_id,
       r.escalated, r.window_from_ms, r.driver_id
  from run r
 where r.account_id = :account and r.id = :id for update skip locked

-- name: plan
-- As long as it may be, it is read by whoever needs it and with no other look at the run.
select r.plan from run r where r.account_id = :account and r.id = :id

-- name: find
select r.account_id, r.id, r.seq, r.status, r.name, r.task, r.context, r.planner_mode, r.priority, r.failure_mode,
       r.tool_policies, r.created_by, r.trace, r.max_attempts, r.max_agents, r.max_replans, r.max_tokens,
       r.max_concurrent_tasks, r.max_concurrent_steps, r.pending_timeout_ms, r.running_timeout_ms,
       r.paused_timeout_ms, r.resuming_timeout_ms, r.retrying_timeout_ms, r.agent_timeout_ms, r.task_timeout_ms,
       r.step_timeout_ms, r.planning_timeout_ms, r.attempt_number, r.plan_version, r.replan_count, r.agent_count,
       r.task_count, r.step_count, r.agents_open, r.agents_completed, r.agents_skipped, r.agents_lost, r.tasks_lost,
       r.agents_completed_before, r.steps_in_flight, r.replanner_id, r.credits_reserved, r.credits_charged,
       r.credits_refunded, r.credits_held, r.credits_over, r.short_of_credits, r.created_ms, r.started_ms,
       r.running_ms, r.active_ms, r.running_since_ms, r.deadline_ms, r.last_heartbeat_ms, r.completed_ms,
       r.cancelled_ms, r.duration_ms, r.deleted_ms, r.last_error_code, r.last_error, r.pause_reason, r.ticket_id,
       r.escalated, r.window_from_ms, r.driver_id
  from run r
 where r.account_id = :account and r.id = :id

-- name: insert
insert into run
  (account_id, id, seq, status, name, task, context, plan, planner_mode, priority, failure_mode, tool_policies, created_by, trace,
   max_attempts, max_agents, max_replans, max_tokens, max_concurrent_tasks, max_concurrent_steps, pending_timeout_ms,
   running_timeout_ms, paused_timeout_ms, resuming_timeout_ms, retrying_timeout_ms, agent_timeout_ms, task_timeout_ms,
   step_timeout_ms, planning_timeout_ms, attempt_number, plan_version, replan_count, agent_count, task_count, step_count,
   agents_open, agents_completed, agents_skipped, agents_lost, tasks_lost, agents_completed_before, steps_in_flight, credits_reserved,
   credits_charged, credits_refunded, credits_held, credits_over, short_of_credits, created_ms, active_ms, escalated,
   window_from_ms)
select a.account_id, :id::uuid, :seq, :status, :name, :task, :context, :plan, :planner, :priority, :failure_mode,
       :tool_policies, :created_by, :trace, :max_attempts, :max_agents, :max_replans, :max_tokens, :max_tasks, :max_steps,
       :pending_ms, :running_ms, :paused_ms, :resuming_ms, :retrying_ms, :agent_ms, :task_ms, :step_ms, :planning_ms,
       1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, :created, 0, false, 0
  from account a
 where a.account_id = :account

-- name: update
update run r
   set seq = :seq, status = :status, attempt_number = :attempt, plan_version = :plan_version, replan_count = :replans,
       agent_count = :agents, task_count = :tasks, step_count = :steps, agents_open = :open,
       agents_completed = :completed_agents, agents_skipped = :skipped, agents_lost = :lost_agents,
       tasks_lost = :lost_tasks, agents_completed_before = :before, steps_in_flight = :in_flight, replanner_id = :replanner, credits_reserved = :reserved,
       credits_charged = :charged, credits_refunded = :refunded, credits_held = :held, credits_over = :over,
       short_of_credits = :short, started_ms = :started, running_ms = :running, active_ms = :active,
       running_since_ms = :since, deadline_ms = :deadline, last_heartbeat_ms = :heartbeat, completed_ms = :completed,
       cancelled_ms = :cancelled, duration_ms = :duration, deleted_ms = :deleted, last_error_code = :error_code,
       last_error = :error, pause_reason = :pause_reason, ticket_id = :ticket, escalated = :escalated,
       window_from_ms = :window_from, driver_id = :driver
 where r.account_id = :account and r.id = :id

-- name: page
-- Newest first. Deleted ones are gone for whoever asks.
select r.account_id, r.id, r.seq, r.status, r.name, r.task, r.context, r.planner_mode, r.priority, r.failure_mode,
       r.tool_policies, r.created_by, r.trace, r.max_attempts, r.max_agents, r.max_replans, r.max_tokens,
       r.max_concurrent_tasks, r.max_concurrent_steps, r.pending_timeout_ms, r.running_timeout_ms,
       r.paused_timeout_ms, r.resuming_timeout_ms, r.retrying_timeout_ms, r.agent_timeout_ms, r.task_timeout_ms,
       r.step_timeout_ms, r.planning_timeout_ms, r.attempt_number, r.plan_version, r.replan_count, r.agent_count,
       r.task_count, r.step_count, r.agents_open, r.agents_completed, r.agents_skipped, r.agents_lost, r.tasks_lost,
       r.agents_completed_before, r.steps_in_flight, r.replanner_id, r.credits_reserved, r.credits_charged,
       r.credits_refunded, r.credits_held, r.credits_over, r.short_of_credits, r.created_ms, r.started_ms,
       r.running_ms, r.active_ms, r.running_since_ms, r.deadline_ms, r.last_heartbeat_ms, r.completed_ms,
       r.cancelled_ms, r.duration_ms, r.deleted_ms, r.last_error_code, r.last_error, r.pause_reason, r.ticket_id,
       r.escalated, r.window_from_ms, r.driver_id
  from run r
 where r.account_id = :account and r.deleted_ms is null and (:before::uuid is null or r.id < :before)
   and (:status::text is null or r.status = :status)
   and (:escalated::bool is null or r.escalated = :escalated)
   and (:created_from::int8 is null or r.created_ms >= :created_from)
   and (:created_to::int8 is null or r.created_ms < :created_to)
 order by r.id desc limit :most
