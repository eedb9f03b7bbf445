-- What engines do by themselves is shown in the audit beside what people do, by time and by what it belongs to. Adds two
-- columns that change no row, and makes indexes: audit and subject_event are locked against writes while they are built.
alter table audit add column within_id text;
alter table subject_event add column audited_under uuid;
create index audit_by_time on audit (account_id, at_ms, seq);
create index audit_by_subject on audit (account_id, subject_id, at_ms);
create index audit_within on audit (account_id, within_id, at_ms) where within_id is not null;
create index subject_event_audited on subject_event (account_id, at_ms, subject_id, seq)
 where audited_under is not null;
create index subject_event_audited_under on subject_event (account_id, audited_under, at_ms)
 where audited_under is not null;
comment on column audit.within_id is 'What the subject is a part of, such as the execution of an approval; null for none.';
comment on column subject_event.audited_under is 'What the audit shows it under; null where the audit does not.';
