-- What this server works on itself is looked for over all accounts. The index holds those items while they are
-- ready and nothing else, so that other work costs what it did. Building it reads the table and keeps writers waiting
-- meanwhile.
create index work_pool on work (queue, kind, account_id, order_ms)
  where profile in ('drivers', 'builtin') and state || '' = 'ready';
