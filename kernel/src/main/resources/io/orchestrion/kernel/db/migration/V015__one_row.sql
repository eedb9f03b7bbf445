-- Payload and result move into the item's own row. Apart, each of them was a row and an index entry
-- more to write and a look-up more for each claim, which cost more than the copies that state changes
-- make of them (measured; beyond two kilobytes PostgreSQL keeps them apart by itself and copies
-- nothing). As text: what a door hands in is checked JSON, and nothing here looks inside. Rewrites work once under an exclusive lock, in proportion to its rows.
alter table work
  add column payload    text,
  add column result     text,
  add column output_ref text;
alter table work disable trigger user;
update work w
   set payload = p.payload::text, result = o.result::text, output_ref = o.output_ref
  from work_payload p
  left join work_outcome o on o.account_id = p.account_id and o.id = p.id
 where p.account_id = w.account_id and p.id = w.id;
alter table work enable trigger user;
alter table work
  alter column payload set not null,
  alter column payload set statistics 0,
  alter column result set statistics 0,
  alter column output_ref set statistics 0;
drop table work_payload;
drop table work_outcome;

-- Only for statements that say so (state <> ''): on an empty table it looks as good as the primary key for
-- finding rows by their ids, and such a plan stays.
drop index work_by_state;
create index work_by_state on work (account_id, queue, state, id) where state <> '';
