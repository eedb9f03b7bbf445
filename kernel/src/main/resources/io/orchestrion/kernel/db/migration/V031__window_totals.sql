-- The sum of a window's slots, kept with it: adding up sixty numbers took longer than finding and locking the row.
alter table allowance add column total integer not null default 0;
update allowance a set total = (select sum(c) from unnest(a.counts) as c);
