-- Errands. A new table: no lock that anybody waits for.
create table errand (
  account_id uuid, id uuid, input text not null, correlation_id text,
  state text not null check (state in ('RUNNING', 'PAUSED', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  seq integer not null, step text not null, attempt integer not null, primary key (account_id, id));
