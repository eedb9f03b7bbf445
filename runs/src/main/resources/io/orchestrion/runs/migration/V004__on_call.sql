-- Whether whoever is on call was told of a ticket. Makes a table only: locks nothing that exists.

create table run_ticket_notice (
  account_id uuid    not null,
  ticket_id  uuid    not null,
  -- The item that tells of it, or told last.
  item_id    uuid    not null,
  status     text    not null constraint run_ticket_notice_status check (status in ('waiting', 'sending', 'sent', 'failed')),
  -- JSON text: what is told.
  message    text    not null,
  -- Items that were made for it.
  attempts   integer not null constraint run_ticket_notice_attempts check (attempts >= 1),
  created_ms bigint  not null,
  sent_ms    bigint,
  last_error text,
  primary key (account_id, ticket_id),
  constraint run_ticket_notice_ticket foreign key (account_id, ticket_id) references run_ticket (account_id, id) on delete cascade,
  constraint run_ticket_notice_sent check ((status = 'sent') = (sent_ms is not null)),
  constraint run_ticket_notice_item unique (account_id, item_id)
);
comment on table run_ticket_notice is 'Whether whoever is on call was told of a ticket: once, under the id of the ticket.';
