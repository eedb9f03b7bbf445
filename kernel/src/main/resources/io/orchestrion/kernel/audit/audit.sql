-- The audit log. Each statement serves one account, except the purger's first.

-- name: next
insert into audit_head as h (account_id, seq, at_ms)
select a.account_id, 1, :now
  from account a
 where a.account_id = :account
on conflict (account_id) do update
   set seq = h.seq + 1, at_ms = greatest(h.at_ms, excluded.at_ms)
returning h.seq, h.at_ms

-- name: key_name
-- Stores the name that the key has now. When the entry is read, the key may have another one, or be gone.
select k.name from api_key k where k.account_id = :account and k.key_id = :key_id

-- name: write
insert into audit as e (account_id, seq, at_ms, actor_kind, actor_id, actor_name, action,
    subject_kind, subject_id, within_id, detail)
select a.account_id, :seq, :at, :actor_kind, :actor_id::uuid, :actor_name, :action, :subject_kind, :subject_id, :within,
       jsonb_object(:text_names::text[], :texts::text[])
         || (select coalesce(jsonb_object_agg(n.name, n.number), '{}'::jsonb)
               from unnest(:number_names::text[], :numbers::bigint[]) as n(name, number))
  from account a
 where a.account_id = :account

-- name: oldest_first
select e.seq, e.at_ms, e.actor_kind, e.actor_id, e.actor_name, e.action, e.subject_kind,
       e.subject_id, e.within_id, e.detail::text as detail
  from audit e
 where e.account_id = :account and e.seq > :after
 order by e.seq
 limit :most

-- name: newest_first
select e.seq, e.at_ms, e.actor_kind, e.actor_id, e.actor_name, e.action, e.subject_kind,
       e.subject_id, e.within_id, e.detail::text as detail
  from audit e
 where e.account_id = :account and e.seq < :after
 order by e.seq desc
 limit :most

-- name: accounts_with_old_entries
select e.account_id, min(e.at_ms) as oldest
  from audit e
 where e.at_ms <= :until
 group by e.account_id
 order by oldest
 limit :most

-- name: purge
with gone as materialized (
  select e.seq
    from audit e
   where e.account_id = :account and e.at_ms <= :until
   order by e.seq
   limit :most
     for update skip locked)
delete from audit e using gone
 where e.account_id = :account and e.seq = gone.seq
