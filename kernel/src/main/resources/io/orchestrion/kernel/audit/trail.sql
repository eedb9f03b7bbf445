-- The audit of an account by time: what people did, and what engines began and ended by themselves.

-- name: oldest_first
-- Of what stands after a place it looks at so many, and shows those that are asked for, and the last one it looked at.
with looked as (
  select l.*, row_number() over (order by l.at_ms, l.source, l.id, l.seq) as nth
    from ((select e.at_ms, 0 as source, '00000000-0000-0000-0000-000000000000'::uuid as id, e.seq, e.actor_kind,
                  e.actor_id, e.actor_name, e.action as event, e.subject_kind, e.subject_id, e.within_id, e.detail
             from audit e
            where e.account_id = :account and e.at_ms >= :at and e.at_ms < :to_ms
              and (e.at_ms, 0, '00000000-0000-0000-0000-000000000000'::uuid, e.seq) > (:at, :source, :id, :seq)
              and (:subject::text is null or e.subject_id = :subject or e.within_id = :subject)
            order by e.at_ms, e.seq limit :look)
          union all
          (select s.at_ms, 1 as source, s.subject_id as id, s.seq, null as actor_kind, null as actor_id,
                  s.data->>'actor' as actor_name, s.kind || '.' || s.event as event, s.kind as subject_kind,
                  s.subject_id::text as subject_id, s.audited_under::text as within_id, s.data::jsonb as detail
             from subject_event s
            where s.account_id = :account and s.audited_under is not null and s.at_ms >= :at and s.at_ms < :to_ms
              and (s.at_ms, 1, s.subject_id, s.seq) > (:at, :source, :id, :seq)
              and (:subject_uuid::uuid is null or s.audited_under = :subject_uuid)
            order by s.at_ms, s.subject_id, s.seq limit :look)) as l
   order by l.at_ms, l.source, l.id, l.seq limit :look)
select k.at_ms, k.source, k.id, k.seq, k.actor_kind, k.actor_id, k.actor_name, k.event, k.subject_kind, k.subject_id,
       k.within_id, k.detail::text as detail, k.nth,
       (:event::text is null or k.event = :event or starts_with(k.event, :event || '.')) as asked
  from looked k
 where :event::text is null or k.event = :event or starts_with(k.event, :event || '.') or k.nth = :look
 order by k.nth limit :most

-- name: newest_first
with looked as (
  select l.*, row_number() over (order by l.at_ms desc, l.source desc, l.id desc, l.seq desc) as nth
    from ((select e.at_ms, 0 as source, '00000000-0000-0000-0000-000000000000'::uuid as id, e.seq, e.actor_kind,
                  e.actor_id, e.actor_name, e.action as event, e.subject_kind, e.subject_id, e.within_id, e.detail
             from audit e
            where e.account_id = :account and e.at_ms <= :at and e.at_ms >= :from_ms
              and (e.at_ms, 0, '00000000-0000-0000-0000-000000000000'::uuid, e.seq) < (:at, :source, :id, :seq)
              and (:subject::text is null or e.subject_id = :subject or e.within_id = :subject)
            order by e.at_ms desc, e.seq desc limit :look)
          union all
          (select s.at_ms, 1 as source, s.subject_id as id, s.seq, null as actor_kind, null as actor_id,
                  s.data->>'actor' as actor_name, s.kind || '.' || s.event as event, s.kind as subject_kind,
                  s.subject_id::text as subject_id, s.audited_under::text as within_id, s.data::jsonb as detail
             from subject_event s
            where s.account_id = :account and s.audited_under is not null and s.at_ms <= :at and s.at_ms >= :from_ms
              and (s.at_ms, 1, s.subject_id, s.seq) < (:at, :source, :id, :seq)
              and (:subject_uuid::uuid is null or s.audited_under = :subject_uuid)
            order by s.at_ms desc, s.subject_id desc, s.seq desc limit :look)) as l
   order by l.at_ms desc, l.source desc, l.id desc, l.seq desc limit :look)
select k.at_ms, k.source, k.id, k.seq, k.actor_kind, k.actor_id, k.actor_name, k.event, k.subject_kind, k.subject_id,
       k.within_id, k.detail::text as detail, k.nth,
       (:event::text is null or k.event = :event or starts_with(k.event, :event || '.')) as asked
  from looked k
 where :event::text is null or k.event = :event or starts_with(k.event, :event || '.') or k.nth = :look
 order by k.nth limit :most
