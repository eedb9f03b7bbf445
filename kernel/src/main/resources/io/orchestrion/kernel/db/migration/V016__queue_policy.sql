-- What an item asks of its worker, where claims go by that. Adds columns without rewriting rows and
-- builds three indexes that hold only items that ask something: on a large table, writers wait
-- meanwhile for as long as it takes to read it.

alter table work
  -- In lower case; what lies before its last slash is its owner.
  add column repository       text,
  add column repository_owner text,
  -- Sorted byte by byte. Null where claims do not go by it, empty where nothing is asked for.
  add column capabilities     text[] collate "C";
alter table work
  alter column repository set statistics 10,
  alter column repository_owner set statistics 10,
  alter column capabilities set statistics 10;

update work set capabilities = '{}' where queue = 'queue';

-- The ready items in groups of those that ask for the same, best first within each: a claim goes from
-- group to group and skips at once all that its worker may not take. Once for all repositories, once
-- for those of an owner, once for each. Rows of other queues are in none of them.
create index work_fit on work
  (account_id, queue, capabilities, kind collate "C", rank desc, order_ms, id)
  where capabilities is not null and state || '' = 'ready';
create index work_fit_owner on work
  (account_id, queue, repository_owner, capabilities, kind collate "C", rank desc, order_ms, id)
  where capabilities is not null and repository_owner is not null and state || '' = 'ready';
create index work_fit_repository on work
  (account_id, queue, repository, capabilities, kind collate "C", rank desc, order_ms, id)
  where capabilities is not null and repository is not null and state || '' = 'ready';
