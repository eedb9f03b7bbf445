-- The events of engines' own subjects.

-- name: insert_subject_events
insert into subject_event as s (account_id, subject_id, seq, kind, event, from_state, to_state, at_ms, correlation_id,
    data, audited_under)
select a.account_id, n.subject_id, n.seq, n.kind, n.event, n.from_state, n.to_state, :now, n.correlation_id,
       n.data::json, n.audited
  from account a,
       unnest(:subject_ids::uuid[], :seqs::int[], :kinds::text[], :events::text[], :froms::text[], :tos::text[],
              :correlations::text[], :datas::text[], :audited::uuid[])
         as n(subject_id, seq, kind, event, from_state, to_state, correlation_id, data, audited)
 where a.account_id = :account

-- name: scan_subjects
-- As the scan of a log of items. Events of a subject that was removed are gone with it.
select c.position, s.subject_id, s.seq, s.kind, s.event, s.from_state, s.to_state, s.at_ms, s.correlation_id, s.data
  from event_chunk c
 cross join lateral unnest(c.work_ids, c.seqs) as n(id, seq)
  join subject_event s on s.account_id = :account and s.subject_id = n.id and s.seq = n.seq
 where c.account_id = :account and c.queue = :log and c.position > 0 and c.position >= :position
   and (c.position, n.id, n.seq) > (:position, :id, :seq)
 order by c.position, n.id, n.seq
 limit :most

-- name: of_subject
select 0::bigint as position, s.subject_id, s.seq, s.kind, s.event, s.from_state, s.to_state, s.at_ms,
       s.correlation_id, s.data
  from subject_event s
 where s.account_id = :account and s.subject_id = :id and s.seq > :after
 order by s.seq
 limit :most

-- name: subjects_go
-- Allows the removal of events together with their subjects, in this transaction only. It is a set and not a
-- function, because a distributed PostgreSQL passes a set on to the nodes of the rows.
set local orchestrion.subjects_removed = 'yes'

-- name: remove_subjects
delete from subject_event s where s.account_id = :account and s.subject_id = any(:ids::uuid[])
