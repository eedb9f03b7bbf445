-- Credits: what accounts have, the ledger of every change of it, and what attempts of steps used. Makes tables and views
-- only: locks nothing that exists.

create table credit_balance (
  account_id uuid           not null,
  -- What was granted or given back and is not charged. The reserved part is not available.
  balance    numeric(20, 6) not null,
  reserved   numeric(20, 6) not null,
  -- The number and the time of the newest entry. Whoever writes entries holds the lock of this row.
  seq        bigint         not null,
  entry_ms   bigint         not null,
  primary key (account_id),
  constraint credit_balance_account foreign key (account_id) references account,
  constraint credit_balance_reserved check (reserved >= 0),
  constraint credit_balance_available check (balance >= reserved)
) with (fillfactor = 50);
comment on table credit_balance is 'The credits of each account. Its lock puts the entries of the account in order.';

create table credit_entry (
  account_id       uuid           not null,
  seq              bigint         not null check (seq >= 1),
  id               uuid           not null,
  transaction_type text           not null constraint credit_entry_type
                                  check (transaction_type in ('reserve', 'charge', 'refund', 'grant')),
  -- A release gives back what is reserved and not charged, a reversal what was charged.
  refund_kind      text           check (refund_kind in ('release', 'reversal')),
  run_id           uuid,
  attempt          integer        check (attempt >= 1),
  amount           numeric(20, 6) not null constraint credit_entry_amount check (amount > 0),
  idempotency_key  text           not null check (length(idempotency_key) between 1 and 255),
  -- The charge that a reversal gives back.
  reverses         uuid,
  reason           text,
  created_ms       bigint         not null,
  -- What the entry left: of the account, and of what the attempt of the run has reserved.
  balance_after    numeric(20, 6) not null,
  reserved_after   numeric(20, 6) not null,
  held_after       numeric(20, 6) constraint credit_entry_held check (held_after >= 0),
  primary key (account_id, seq),
  constraint credit_entry_id unique (account_id, id),
  constraint credit_entry_once unique nulls not distinct (account_id, run_id, transaction_type, idempotency_key),
  constraint credit_entry_account foreign key (account_id) references credit_balance,
  constraint credit_entry_left check (reserved_after >= 0 and balance_after >= reserved_after),
  constraint credit_entry_refund check ((transaction_type = 'refund') = (refund_kind is not null)),
  constraint credit_entry_run check ((transaction_type = 'grant') = (run_id is null) and (run_id is null) = (attempt is null)),
  constraint credit_entry_reverses check (coalesce(refund_kind = 'reversal', false) = (reverses is not null)),
  constraint credit_entry_holds check (
    (transaction_type in ('reserve', 'charge') or coalesce(refund_kind = 'release', false)) = (held_after is not null))
);
-- The entries of a run, in order.
create index credit_entry_by_run on credit_entry (account_id, run_id, seq) where run_id is not null;
-- An operator names an entry by its id alone.
create index credit_entry_by_id on credit_entry (id);
-- A charge is given back once.
create unique index credit_entry_reversed on credit_entry (account_id, reverses) where reverses is not null;
comment on table credit_entry is 'The ledger. An entry is never changed or removed.';

create table run_usage (
  account_id      uuid           not null,
  step_attempt_id uuid           not null,
  run_id          uuid           not null,
  attempt         integer        not null check (attempt >= 1),
  tokens          bigint         not null check (tokens >= 0),
  -- What it cost by the prices, the part that the reservation paid, and the part beyond it.
  cost            numeric(20, 6) not null check (cost >= 0),
  charged         numeric(20, 6) not null check (charged >= 0),
  overage         numeric(20, 6) not null check (overage >= 0),
  created_ms      bigint         not null,
  primary key (account_id, step_attempt_id),
  constraint run_usage_adds_up check (cost = charged + overage)
);
create index run_usage_by_run on run_usage (account_id, run_id, attempt);
comment on table run_usage is 'What each ended attempt of a step used. A row is never changed, and goes with its run.';

create table credit_notice (
  account_id uuid           not null,
  -- Of the entry that it tells of.
  entry_id   uuid           not null,
  run_id     uuid           not null,
  amount     numeric(20, 6) not null,
  message    text           not null,
  created_ms bigint         not null,
  primary key (account_id, entry_id),
  constraint credit_notice_entry foreign key (account_id, entry_id) references credit_entry (account_id, id)
);
comment on table credit_notice is 'What accounts were told about corrections of their credits.';

create function credit_rows_are_final() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or removed', tg_table_name using errcode = '23514';
end
$$;
-- Whoever removes a run says so in its transaction. The charge of the run stays in the ledger.
create function run_usage_is_final() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and coalesce(current_setting('orchestrion.runs_purged', true), '') = 'yes' then
    return null;
  end if;
  raise exception 'rows of run_usage are never changed or removed' using errcode = '23514';
end
$$;
-- Always: also in sessions that replay the changes of another server.
create trigger credit_entry_is_final before update or delete on credit_entry
  for each statement execute function credit_rows_are_final();
create trigger credit_entry_is_not_truncated before truncate on credit_entry
  for each statement execute function credit_rows_are_final();
create trigger run_usage_is_final before update or delete on run_usage
  for each statement execute function run_usage_is_final();
create trigger run_usage_is_not_truncated before truncate on run_usage
  for each statement execute function credit_rows_are_final();
create trigger credit_notice_is_final before update or delete on credit_notice
  for each statement execute function credit_rows_are_final();
create trigger credit_notice_is_not_truncated before truncate on credit_notice
  for each statement execute function credit_rows_are_final();
alter table credit_entry enable always trigger credit_entry_is_final;
alter table credit_entry enable always trigger credit_entry_is_not_truncated;
alter table run_usage enable always trigger run_usage_is_final;
alter table run_usage enable always trigger run_usage_is_not_truncated;
alter table credit_notice enable always trigger credit_notice_is_final;
alter table credit_notice enable always trigger credit_notice_is_not_truncated;

-- What operators ask, in the words of their runbooks.
create view billing_ledger as
select e.account_id, 'entry_' || e.id as id, e.account_id as org_id, 'run_' || e.run_id as run_id, e.attempt as attempt_number,
       e.seq, e.transaction_type, e.refund_kind, e.amount, e.idempotency_key, 'entry_' || e.reverses as reverses,
       e.reason,
       to_timestamp(e.created_ms / 1000.0) as created_at
  from credit_entry e;
create view credit_balances as
select b.account_id, b.account_id as org_id, b.balance, b.reserved, b.balance - b.reserved as available,
       b.seq + 1 as next_seq, to_timestamp(b.entry_ms / 1000.0) as updated_at
  from credit_balance b;
