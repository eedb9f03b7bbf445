-- Positions for the events of an account, given after their commit.

-- name: floor
-- The position from which new logs begin.
select coalesce(max(r.start), 0) as start
  from event_era r
 where r.start >= :lowest

-- name: begin_log
insert into event_log as l (account_id, position)
select a.account_id, :floor
  from account a
 where a.account_id = :account
    on conflict (account_id) do nothing

-- name: look
-- The last position that is given, null where the log has not begun, and whether there are events without
-- one.
select (select l.position from event_log l where l.account_id = :account) as last,
       exists (select from event_chunk c where c.account_id = :account and c.position = 0) as behind

-- name: accounts_behind
-- by account: a
-- Which of these accounts have events without a position: one look at the index for each.
select a.account_id
  from unnest(:accounts::uuid[]) as a(account_id)
 where exists (select from event_chunk c where c.account_id = a.account_id and c.position = 0)
 order by a.account_id

-- name: lock_log
select l.position
  from event_log l
 where l.account_id = :account
   for update

-- name: lock_log_unless_busy
select l.position
  from event_log l
 where l.account_id = :account
   for update skip locked

-- name: place
-- The number of a row is drawn when the row is inserted. A transaction that changes an item locks it after
-- the commit of the transaction that changed it before, and inserts its own row later still. So the numbers
-- of an item's rows are in the order of its events. A statement that sees a row also sees all rows that came
-- before it in this sense, so no earlier one is missing. Nobody else writes rows without a position, so they
-- stay where they were found.
with waiting as materialized (
  select c.ctid as row, row_number() over (order by c.number) as place
    from (select c.ctid, c.number
            from event_chunk c
           where c.account_id = :account and c.position = 0
           order by c.number
           limit :most) as c),
placed as (
  update event_chunk c
     set position = :last + waiting.place
    from waiting
   where c.account_id = :account and c.ctid = waiting.row and c.position = 0
  returning c.position)
select coalesce(max(placed.position), :last) as last, count(*) as many
  from placed

-- name: move_log
update event_log l
   set position = :position
 where l.account_id = :account
