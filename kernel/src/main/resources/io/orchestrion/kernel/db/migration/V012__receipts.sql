-- What was answered, for callers that did not hear it and ask again. New tables only: takes no lock
-- on anything in use.

-- What a failure came to. A completed item still says so itself; a failed one goes on, so its row
-- as it was then is kept here, for as long as the item.
create table work_receipt (
  account_id uuid   not null,
  work_id    uuid   not null,
  -- The lease that the failure ended, and a digest of what was said.
  token      uuid   not null,
  digest     uuid   not null,
  snapshot   jsonb  not null,
  created_ms bigint not null,
  primary key (account_id, work_id, token)
);

-- A claim that may be asked for again, and the leases that it was given.
create table claim_receipt (
  account_id uuid   not null,
  claim_id   uuid   not null,
  digest     uuid   not null,
  created_ms bigint not null,
  primary key (account_id, claim_id)
);
create index claim_receipt_age on claim_receipt (created_ms, account_id);

create table claim_lease (
  account_id uuid    not null,
  claim_id   uuid    not null,
  place      integer not null,
  work_id    uuid    not null,
  token      uuid    not null,
  primary key (account_id, claim_id, place)
);
