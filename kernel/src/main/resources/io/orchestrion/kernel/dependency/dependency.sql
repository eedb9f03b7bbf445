-- The statements on what items wait for. Rows of work_dependency are changed under the lock of the child.
-- Rows of work are all locked by one statement, in the order of their ids.

-- name: insert_dependencies
insert into work_dependency as d (account_id, work_id, parent_id, place, ended)
select a.account_id, n.work_id, n.parent_id, n.place, n.ended
  from account a,
       unnest(:work_ids::uuid[], :parent_ids::uuid[], :places::int[], :ends::text[])
         as n(work_id, parent_id, place, ended)
 where a.account_id = :account

-- name: mark_parents
update work w
   set has_dependents = true
 where w.account_id = :account and w.id = any(:ids::uuid[]) and not w.has_dependents

-- name: dependencies_of
select d.work_id, d.parent_id, d.ended, d.waived
  from work_dependency d
 where d.account_id = :account and d.work_id = any(:ids::uuid[])
 order by d.work_id, d.place

-- name: insert_ends
insert into parent_end as e (account_id, work_id, event_seq, ended, created_ms, next_ms)
select a.account_id, n.work_id, n.event_seq, n.ended, :now, :now
  from account a,
       unnest(:work_ids::uuid[], :event_seqs::int[], :ends::text[]) as n(work_id, event_seq, ended)
 where a.account_id = :account

-- name: accounts_with_ends
select distinct e.account_id
  from parent_end e
 where e.next_ms <= :now
 limit :most

-- name: take_ends
select e.work_id, e.event_seq, e.ended, e.after_id
  from parent_end e
 where e.account_id = :account and e.next_ms <= :now
 order by e.next_ms, e.work_id, e.event_seq
 limit :most
   for update skip locked

-- name: children_of
-- Read without a lock, so that parents and children can be locked together in one order.
select n.place, c.work_id
  from unnest(:parents::uuid[], :afters::uuid[]) with ordinality as n(parent_id, after_id, place)
 cross join lateral (
   select d.work_id
     from work_dependency d
    where d.account_id = :account and d.parent_id = n.parent_id
      and d.work_id > coalesce(n.after_id, '00000000-0000-0000-0000-000000000000')
    order by d.work_id
    limit :most) as c
 order by n.place, c.work_id
 limit :most

-- name: mark_ended
update work_dependency d
   set ended = n.ended
  from unnest(:work_ids::uuid[], :parent_ids::uuid[], :ends::text[]) as n(work_id, parent_id, ended)
 where d.account_id = :account and d.work_id = n.work_id and d.parent_id = n.parent_id
   and d.ended is distinct from n.ended

-- name: waive
update work_dependency d
   set waived = true
 where d.account_id = :account and d.work_id = any(:ids::uuid[])
   and d.ended in ('failed', 'dead', 'cancelled')

-- name: move_on
update parent_end e
   set after_id = :after
 where e.account_id = :account and e.work_id = :id and e.event_seq = :seq

-- name: delete_ends
delete from parent_end e
 using unnest(:ids::uuid[], :seqs::int[]) as n(work_id, event_seq)
 where e.account_id = :account and e.work_id = n.work_id and e.event_seq = n.event_seq

-- name: postpone
update parent_end e
   set next_ms = :until
 where e.account_id = :account and e.work_id = :id and e.event_seq = :seq
