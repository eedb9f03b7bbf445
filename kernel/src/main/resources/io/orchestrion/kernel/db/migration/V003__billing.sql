-- Purchases and what happened to them. New tables only: takes no lock on anything in use.

-- One plan for one period, from its checkout to its activation.
create table purchase (
  account_id       uuid    not null,
  purchase_id      uuid    not null,
  plan             text    not null,
  amount_cents     bigint  not null check (amount_cents > 0),
  currency         text    not null check (currency ~ '^[A-Z]{3}$'),
  provider         text    not null,
  order_id         text    not null,
  approval_url     text    not null,
  state            text    not null check (state in
                     ('created', 'capturing', 'pending', 'activated', 'failed', 'mismatched')),
  -- How many captures were begun; also the number of the claim that is in force.
  claims           integer not null check (claims >= 0),
  -- Until then one capturer has it to itself.
  claimed_until_ms bigint,
  -- When somebody must look at it, whether or not the buyer comes back; null when all is settled.
  look_ms          bigint,
  looks            integer not null check (looks >= 0),
  failure          text,
  created_ms       bigint  not null,
  updated_ms       bigint  not null,
  activated_ms     bigint,
  primary key (account_id, purchase_id),
  constraint purchase_is_looked_at_while_open
    check ((state in ('capturing', 'pending')) = (look_ms is not null)),
  constraint purchase_is_claimed_for_capture
    check (claimed_until_ms is null or state = 'capturing'),
  constraint purchase_activated_has_a_time check ((state = 'activated') = (activated_ms is not null)),
  constraint purchase_failed_has_a_reason check (state <> 'failed' or failure is not null)
);
create index purchase_newest on purchase (account_id, created_ms desc, purchase_id desc);
-- The settler looks here, over all accounts.
create index purchase_look on purchase (look_ms, account_id) where look_ms is not null;

-- The ledger: everything that happened to a purchase, in its order.
create table payment_entry (
  account_id   uuid    not null,
  purchase_id  uuid    not null,
  seq          integer not null,
  at_ms        bigint  not null,
  event        text    not null,
  amount_cents bigint,
  currency     text,
  reference    text,
  detail       text,
  primary key (account_id, purchase_id, seq),
  check ((amount_cents is null) = (currency is null))
);

create function payment_entry_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'an entry of the ledger is never changed or removed' using errcode = '23514';
end
$$;
create trigger payment_entry_is_final before update or delete on payment_entry
  for each row execute function payment_entry_is_final();

-- Orders of the local provider, which moves no money.
create table local_order (
  account_id   uuid   not null,
  order_id     text   not null,
  purchase_id  uuid   not null,
  description  text   not null,
  amount_cents bigint not null,
  currency     text   not null,
  state        text   not null check (state in ('created', 'approved', 'captured')),
  created_ms   bigint not null,
  approved_ms  bigint,
  captured_ms  bigint,
  primary key (account_id, order_id),
  check ((state = 'created') = (approved_ms is null)),
  check ((state = 'captured') = (captured_ms is not null))
);
-- An order is found before its account is known: by the person who approves it.
create index local_order_by_id on local_order (order_id);
