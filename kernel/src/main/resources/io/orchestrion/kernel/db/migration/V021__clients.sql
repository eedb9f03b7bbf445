-- Clients of the jobs door: accounts that were made without a key and may have their first one
-- for a while without showing any. A new table; nothing else is locked.

create table client (
  account_id uuid   primary key references account,
  created_ms bigint not null
);

-- What is known of a client does not change: its keys have a table of their own.
create function client_stays() returns trigger language plpgsql as $$
begin
  raise exception 'a client does not change' using errcode = '23514';
end
$$;
create trigger client_stays before update on client
  for each row execute function client_stays();
