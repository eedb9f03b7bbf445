-- The table and the two indexes that db-scheduler's own definition for PostgreSQL has. Its third index is for
-- enablePriority() only, which is off here; one index less is in the peer's favour.
create table scheduled_tasks (
  task_name            text                     not null,
  task_instance        text                     not null,
  task_data            bytea,
  execution_time       timestamp with time zone not null,
  picked               boolean                  not null,
  picked_by            text,
  last_success         timestamp with time zone,
  last_failure         timestamp with time zone,
  consecutive_failures int,
  last_heartbeat       timestamp with time zone,
  version              bigint                   not null,
  priority             smallint,
  primary key (task_name, task_instance)
);
create index execution_time_idx on scheduled_tasks (execution_time);
create index last_heartbeat_idx on scheduled_tasks (last_heartbeat);
