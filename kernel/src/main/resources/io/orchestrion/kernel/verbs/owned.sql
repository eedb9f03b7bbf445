-- What an engine does to all items of one owner, so many at a time. The caller holds the owner's lock. So
-- only claims, heartbeats and promotions change the items meanwhile, and these are waited for. The items that
-- were looked at are counted, so that the caller knows whether there may be more: an item that a claim took
-- meanwhile is not changed.

-- part: told
-- Each change is a line of the history.
updated_ms = greatest(w.updated_ms + 1, :now), event_seq = w.event_seq + 1,
         event_ms = greatest(w.event_ms + 1, :now)

-- part: line_begins
w.history || ('[' || (:tx::bigint)::text || ',' || greatest(w.event_ms + 1, :now)::text || ',"'

-- part: changed
select changed.*, (select count(*) from seen) as seen
  from (select 1 as row) as always
  left join changed on true

-- name: hold
-- A held item keeps its time, and the line of the history says what it waited for, so that the release can
-- restore that.
with seen as materialized (
  select w.id
    from work w
   where w.account_id = :account and w.owner_kind = :owner_kind and w.owner_id = :owner_id
     and (w.state = 'ready' or (w.state = 'waiting' and w.wait_reason <> 'hold'))
     and w.profile = any(:profiles::text[])
   order by w.id
   limit :most),
mine as materialized (
  select w.id, w.state, coalesce('"' || w.wait_reason || '"', 'null') as why
    from work w
   where w.account_id = :account and w.id = any(array(select seen.id from seen))
     and (w.state || '' = 'ready' or (w.state || '' = 'waiting' and w.wait_reason <> 'hold'))
   order by w.id
     for update),
changed as (
  update work w
     set state = 'waiting', wait_reason = 'hold',
-- use: told
       , history =
-- use: line_begins
           || 'hold","' || mine.state || '","waiting",' || w.attempt::text || ',' || w.lease_number::text
           || ',null,' || mine.why || E']\n')
    from mine
   where w.account_id = :account and w.id = any(array(select mine.id from mine))
     and w.id = mine.id and w.state || '' in ('waiting', 'ready')
  returning
-- use: item
, mine.state as from_state)
-- use: changed

-- name: release
-- The item waits again for what it waited for before the hold, unless that was a time that has passed.
-- Nothing happens to an item while it is held, so the hold is the last line of its history.
with seen as materialized (
  select w.id
    from work w
   where w.account_id = :account and w.owner_kind = :owner_kind and w.owner_id = :owner_id
     and w.state = 'waiting' and w.wait_reason = 'hold' and w.profile = any(:profiles::text[])
   order by w.id
   limit :most),
mine as materialized (
  select w.id, w.state, w.queue, w.kind, w.run_at_ms > :now as ahead,
         substring(w.history from '"(schedule|backoff|dependency)"\]\n$') as why
    from work w
   where w.account_id = :account and w.id = any(array(select seen.id from seen))
     and w.state || '' = 'waiting' and w.wait_reason = 'hold'
   order by w.id
     for update),
decided as materialized (
  select mine.id, mine.state, t.flow,
         case when mine.why = 'dependency' then 'dependency'
              when mine.ahead then coalesce(mine.why, 'schedule') end as reason
    from mine
    left join work_type t
      on t.account_id = :account and t.queue = mine.queue and t.kind = mine.kind),
changed as (
  update work w
     set state = case when decided.reason is null then 'ready' else 'waiting' end, wait_reason = decided.reason,
         flow_key = case when decided.reason is not null then w.flow_key when decided.flow then
-- use: flow_key
           end,
-- use: told
       , history =
-- use: line_begins
           || 'release","waiting","' || case when decided.reason is null then 'ready' else 'waiting' end
           || '",' || w.attempt::text || ',' || w.lease_number::text || E',null,null]\n')
    from decided
   where w.account_id = :account and w.id = any(array(select decided.id from decided))
     and w.id = decided.id and w.state || '' = 'waiting'
  returning
-- use: item
, decided.state as from_state)
-- use: changed

-- name: revoke
-- Ends every open item, or every named one, whether or not somebody holds it. After this no holder's token
-- matches any row. The token of a lease that ends without a report of its holder is kept, so that the holder
-- can be told.
with seen as materialized (
  select w.id
    from work w
   where w.account_id = :account and w.owner_kind = :owner_kind and w.owner_id = :owner_id
     and w.state in ('waiting', 'ready', 'leased', 'running')
     and (:ids::uuid[] is null or w.id = any(:ids::uuid[]))
   order by w.id
   limit :most),
mine as materialized (
  select w.id, w.state
    from work w
   where w.account_id = :account and w.id = any(array(select seen.id from seen))
     and w.state || '' in ('waiting', 'ready', 'leased', 'running')
   order by w.id
     for update),
changed as (
  update work w
     set state = 'cancelled', wait_reason = null, lease_token = null, lease_until_ms = null,
         lease_check_ms = null, deadline_ms = null, finished_ms = :now,
         settled_token = coalesce(w.lease_token, w.settled_token),
         settled_digest = case when w.lease_token is null then w.settled_digest end,
         purge_after_ms = (:purge_afters::bigint[])[array_position(:profiles::text[], w.profile)],
-- use: told
       , history =
-- use: line_begins
           || 'cancel","' || mine.state || '","cancelled",' || w.attempt::text || ',' || w.lease_number::text
           || ',' || (json_object(array['', w.holder]) -> '')::text || E',null]\n')
    from mine
   where w.account_id = :account and w.id = any(array(select mine.id from mine))
     and w.id = mine.id and w.state || '' in ('waiting', 'ready', 'leased', 'running')
  returning
-- use: item
, mine.state as from_state)
-- use: changed

-- name: ask_to_pause
-- Marks the items that somebody holds. There is no line of the history, because nothing about the item
-- changes. A holder that is asked to stop for good is not asked to pause. The column is null, not false,
-- where nobody is asked.
with seen as materialized (
  select w.id
    from work w
   where w.account_id = :account and w.owner_kind = :owner_kind and w.owner_id = :owner_id
     and w.state in ('leased', 'running') and not w.cancel_requested
     and coalesce(w.pause_requested, false) <> :pause::bool
   order by w.id
   limit :most),
mine as materialized (
  select w.id
    from work w
   where w.account_id = :account and w.id = any(array(select seen.id from seen))
     and w.state || '' in ('leased', 'running') and not w.cancel_requested
   order by w.id
     for update),
changed as (
  update work w
     set pause_requested = nullif(:pause::bool, false), updated_ms = greatest(w.updated_ms + 1, :now)
   where w.account_id = :account and w.id = any(array(select mine.id from mine))
     and w.state || '' in ('leased', 'running')
  returning w.id)
select (select count(*) from changed) as changed, (select count(*) from seen) as seen

-- name: lock_ended
select w.id
  from work w
 where w.account_id = :account and w.owner_kind = :owner_kind and w.owner_id = :owner_id
   and w.state in ('succeeded', 'failed', 'dead', 'cancelled')
 order by w.id
 limit :most
   for update skip locked
