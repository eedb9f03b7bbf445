-- name: insert
insert into outbox as m (account_id, id, topic, work_id, event_seq, created_ms, tries, next_ms)
select a.account_id, n.id, :topic, n.work_id, n.event_seq, :now, 0, :now
  from account a, unnest(:ids::uuid[], :work_ids::uuid[], :event_seqs::int[]) as n(id, work_id, event_seq)
 where a.account_id = :account

-- name: accounts_with_messages
select distinct m.account_id
  from outbox m
 where m.next_ms <= :now and m.topic = any(:topics::text[])
 limit :most

-- name: take
-- By state and not by a cursor: a message that commits late is found all the same.
select m.account_id, m.id, m.topic, m.work_id, m.event_seq, m.created_ms, m.tries
  from outbox m
 where m.account_id = :account and m.next_ms <= :now and m.topic = any(:topics::text[])
 order by m.id
 limit :most
   for update skip locked

-- name: delete
delete from outbox m where m.account_id = :account and m.id = any(:ids::uuid[])

-- name: postpone
update outbox m
   set tries = m.tries + 1, next_ms = :until
 where m.account_id = :account and m.id = :id
