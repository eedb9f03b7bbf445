-- What engines tell of their own subjects (an execution, a run, an approval), beside the histories of items. Which of
-- them a transaction wrote is in event_chunk, as for items, so that both have one order and one cursor in an account.
create table subject_event (
  account_id     uuid    not null,
  subject_id     uuid    not null,
  -- From 1 on, without gaps; the engine counts under the lock of its subject.
  seq            integer not null,
  kind           text    not null,
  event          text    not null,
  from_state     text,
  to_state       text,
  at_ms          bigint  not null,
  correlation_id text,
  data           jsonb,
  primary key (account_id, subject_id, seq)
);
comment on table subject_event is 'What happened to the subjects of engines; goes when the engine removes the subject.';
