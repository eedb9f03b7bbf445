-- Worker tokens. New tables only: takes no lock on anything in use.

-- What a worker may take from the queue. In each of the lists null means anything and an empty list
-- means nothing.
create table worker_token (
  account_id     uuid   not null references account,
  token_id       uuid   not null,
  worker_id      text   not null check (length(worker_id) between 1 and 200),
  description    text   not null check (length(description) <= 500),
  repositories   text[] check (cardinality(repositories) <= 100),
  kinds          text[] check (cardinality(kinds) <= 100),
  capabilities   text[] check (cardinality(capabilities) <= 100),
  created_ms     bigint not null,
  expires_ms     bigint,
  -- Null while it is active.
  deactivated_ms bigint,
  last_used_ms   bigint,
  last_used_from text   check (length(last_used_from) <= 100),
  primary key (account_id, token_id)
);
-- How many tokens of an account work: those that ended long ago are not gone through.
create index worker_token_live on worker_token (account_id, coalesce(expires_ms, 9223372036854775807))
  where deactivated_ms is null;
-- The purger looks here: when a token stopped working, by whichever end came first.
create index worker_token_ended on worker_token (least(deactivated_ms, expires_ms), account_id)
  where deactivated_ms is not null or expires_ms is not null;

-- What opens the door for a token: one secret without an end, and for a while those that it
-- replaced. Only hashes are here.
create table worker_token_secret (
  account_id uuid   not null,
  token_id   uuid   not null,
  token_hash bytea  not null unique check (octet_length(token_hash) = 32),
  created_ms bigint not null,
  ends_ms    bigint,
  primary key (account_id, token_id, token_hash),
  foreign key (account_id, token_id) references worker_token on delete cascade
);
create unique index worker_token_secret_current on worker_token_secret (account_id, token_id)
  where ends_ms is null;
