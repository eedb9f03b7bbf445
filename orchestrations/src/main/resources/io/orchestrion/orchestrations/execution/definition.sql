-- name: insert
insert into orchestration_definition
  (account_id, id, version, status, name, document, checksum, created_ms, updated_ms)
select a.account_id, :id, :version, 'draft', :name, :document, :checksum, :now, :now
  from account a
 where a.account_id = :account
    on conflict do nothing

-- name: find
select d.* from orchestration_definition d
 where d.account_id = :account and d.id = :id and d.version = :version

-- name: lock
select d.* from orchestration_definition d
 where d.account_id = :account and d.id = :id and d.version = :version for update

-- name: newest
-- Waits for whoever adds another version at the same time.
select d.* from orchestration_definition d
 where d.account_id = :account and d.id = :id
 order by d.version desc limit 1 for update

-- name: versions
select d.* from orchestration_definition d
 where d.account_id = :account and d.id = :id and (:before::int4 is null or d.version < :before)
 order by d.version desc limit :most

-- name: rewrite
update orchestration_definition d
   set name = :name, document = :document, checksum = :checksum, updated_ms = :now
 where d.account_id = :account and d.id = :id and d.version = :version and d.status = 'draft'

-- name: publish
update orchestration_definition d
   set status = 'published', published_ms = :now, updated_ms = :now
 where d.account_id = :account and d.id = :id and d.version = :version and d.status = 'draft'

-- name: deprecate
update orchestration_definition d
   set status = 'deprecated', deprecated_ms = :now, updated_ms = :now
 where d.account_id = :account and d.id = :id and d.version = :version and d.status = 'published'

-- name: standing
-- For each of the named versions how it stands now, and which version of its definition is the newest published one.
select d.id, d.version, d.status,
       (select max(p.version) from orchestration_definition p
         where p.account_id = :account and p.id = d.id and p.status = 'published') as newest
  from orchestration_definition d
 where d.account_id = :account and d.id = any(:ids::uuid[])

-- name: serialize
-- Creates that are counted against a limit of their definition go one after the other.
select d.id from orchestration_definition d
 where d.account_id = :account and d.id = any(:ids::uuid[])
 order by d.id, d.version for no key update

-- name: page
-- The newest version of each definition, newest definitions first.
select d.* from orchestration_definition d
 where d.account_id = :account and (:before::uuid is null or d.id < :before)
   and (:status::text is null or d.status = :status) and (:name::text is null or d.name = :name)
   and d.version = (select max(n.version) from orchestration_definition n
                     where n.account_id = :account and n.id = d.id
                       and (:status::text is null or n.status = :status))
 order by d.id desc limit :most
