-- The statements on work items. Each hot one serves one account and says account_id = :account of every table
-- that it touches; times, ids and tokens are bound. HotStatementsTest checks that.
-- Why many statements say "state || ''" and not "state": the rows are to be found by their ids, or in the
-- index of ready rows, and by no other index. An index by state holds entries of rows that have long left the
-- state. It looks cheap to the planner and is not (measured: thirty thousand entries read for each row).
-- Why rows that were just locked are updated by their ctid: finding them by a key would be a second search
-- for each. And a plan that was made while the table was empty read the whole account for it (measured: a
-- hundred times as long). A row that another session changed between the snapshot and the lock is not found
-- by its ctid. A claim then leaves it to the next claim, and a heartbeat or completion of it goes to
-- CommandRound.
-- Arrays are limited to their own length, which makes the planner expect few rows. With few rows, and without
-- hashes and merges in these sessions, the ctid is the cheapest way whatever the planner knows of the table.
-- A line of a history is put together with "||" and casts alone, and a name is quoted by json_object: in an
-- update, a distributed PostgreSQL refuses functions over columns unless they are immutable. concat, to_json
-- and "||" with anything but a text are not. The line is in parentheses, so that the history is copied once.

-- part: leased
-- What a claim sets in a row. By its profile, the item is then running, or leased and still to be started.
-- The time until which it is wanted is a deadline like the attempt's own.
   set state = case when w.profile = any(:leased_first::text[]) then 'leased' else 'running' end,
       attempt = w.attempt + 1, lease_number = w.lease_number + 1, lease_token = granted.token,
       holder = granted.holder, lease_seconds = coalesce(granted.lease_seconds, w.lease_seconds),
       lease_until_ms = least(:now + coalesce(granted.lease_seconds, w.lease_seconds) * 1000::bigint,
           case when w.profile = any(:leased_first::text[]) then null else :now + w.timeout_ms end, w.give_up_ms),
       lease_check_ms = least(:now + coalesce(granted.lease_seconds, w.lease_seconds) * 1000::bigint,
           case when w.profile = any(:leased_first::text[]) then null else :now + w.timeout_ms end, w.give_up_ms),
       deadline_ms = least(
           case when w.profile = any(:leased_first::text[]) then null else :now + w.timeout_ms end, w.give_up_ms),
       claimed_ms = :now, heartbeat_ms = null, updated_ms = greatest(w.updated_ms + 1, :now),
       event_seq = w.event_seq + 1, event_ms = greatest(w.event_ms + 1, :now),
       history = w.history || ('[' || (:tx::bigint)::text || ',' || greatest(w.event_ms + 1, :now)::text
           || ',"lease","ready","' || case when w.profile = any(:leased_first::text[]) then 'leased' else 'running' end
           || '",' || (w.attempt + 1)::text || ',' || (w.lease_number + 1)::text || ','
           || (json_object(array['', granted.holder]) -> '')::text || E',null]\n')

-- part: granted
-- Gives each row its grant. It is taken out of the arrays by number, because a join would be planned by the
-- planner's guess about the arrays.
granted as (
  select placed.row, (:grant_tokens::uuid[])[placed.place] as token,
         (:grant_holders::text[])[placed.place] as holder,
         (:grant_lease_seconds::int[])[placed.place] as lease_seconds
    from placed)
update work w
-- use: leased
  from granted
 where w.account_id = :account and w.ctid = granted.row and w.state || '' = 'ready'
returning
-- use: item
,
-- use: documents
, w.rank, w.order_ms

-- part: not_overdue
-- An item whose time is over is skipped until a sweeper has ended it.
and (w.give_up_ms is null or w.give_up_ms > :now)

-- part: placed
-- Gives each row its place among the grants. The grants of a kind follow each other, from the first of the
-- kind on.
placed as (
  select each.row, each.place
    from (select head.row, head.first + head.count as last,
                 head.first + (row_number() over (partition by head.first
                     order by head.rank desc, head.order_ms, head.id))::int as place
            from head) as each
   where each.place <= each.last),
-- use: granted

-- name: insert_work
-- The account id comes from the account's own row: on a distributed PostgreSQL this form stays on one node,
-- and for an account that is gone it inserts nothing.
insert into work as w (account_id, id, profile, queue, kind, state, wait_reason, priority, order_ms,
    run_at_ms, attempt, max_attempts, retries, lease_seconds, lease_number, timeout_ms,
    cancel_requested, owner_kind, owner_id, created_ms, updated_ms, event_seq, event_ms,
    rank, concurrency_key, rate_key, unique_key, flow_key, if_parent_fails, trace, correlation_id, give_up_ms, payload, history)
select a.account_id, n.id, n.profile, n.queue, n.kind, n.state, n.wait_reason, n.priority, n.order_ms,
    n.run_at_ms, 0, n.max_attempts, 0, n.lease_seconds, 0, n.timeout_ms,
    false, n.owner_kind, n.owner_id, :now, :now, n.event_seq, :now + n.event_seq - 1,
    n.priority - coalesce(greatest(:now, n.run_at_ms) / t.aging_ms, 0),
    n.concurrency_key, n.rate_key, n.unique_key,
    case when t.flow then coalesce(n.concurrency_key, '') || chr(31) || coalesce(n.rate_key, '') end,
    n.if_parent_fails, n.trace, n.correlation_id, n.give_up_ms, n.payload, n.history
  from account a,
       unnest(:ids::uuid[], :profiles::text[], :queues::text[], :kinds::text[], :states::text[],
              :wait_reasons::text[], :priorities::int[], :orders::bigint[], :run_ats::bigint[],
              :max_attempts::int[], :lease_seconds::int[], :timeouts::bigint[],
              :owner_kinds::text[], :owner_ids::uuid[], :concurrency_keys::text[], :rate_keys::text[],
              :unique_keys::text[], :if_parent_fails::text[], :traces::text[],
              :correlation_ids::text[], :give_ups::bigint[], :event_seqs::int[], :payloads::text[], :histories::text[])
         as n(id, profile, queue, kind, state, wait_reason, priority, order_ms, run_at_ms,
              max_attempts, lease_seconds, timeout_ms, owner_kind, owner_id, concurrency_key, rate_key,
              unique_key, if_parent_fails, trace, correlation_id, give_up_ms, event_seq, payload, history)
  left join work_type t
    on t.account_id = :account and t.queue = n.queue and t.kind = n.kind
 where a.account_id = :account

-- name: promote_due
-- Makes due items ready, best first. The promoter calls it for each account with due rows. A claim first
-- calls it for its own kinds, so that a due item never waits for the promoter. In rows without an id, the
-- claim also learns which of the kinds have limits or had them until just now. A row gets its flow_key when
-- it becomes ready, by what its type says then. The ids are also given as an array: with a join alone, a plan
-- made on an empty table reads all waiting items of the account to find them.
with due as materialized (
  select w.id, w.wait_reason, w.kind
    from work w
   where w.account_id = :account and w.queue = :queue and w.kind = any(:kinds::text[])
     and w.state = 'waiting' and w.wait_reason in ('schedule', 'backoff') and w.run_at_ms <= :now
   order by w.rank desc, w.order_ms, w.id
   limit :most
     for update skip locked),
promoted as (
  update work w
     set state = 'ready', wait_reason = null, updated_ms = greatest(w.updated_ms + 1, :now),
         flow_key = case when t.flow then
-- use: flow_key
           end,
         event_seq = w.event_seq + case when w.profile || '/' || due.wait_reason = any(:shown::text[]) then 1 else 0 end,
         event_ms = case when w.profile || '/' || due.wait_reason = any(:shown::text[])
                         then greatest(w.event_ms + 1, :now) else w.event_ms end,
         history = case when w.profile || '/' || due.wait_reason = any(:shown::text[])
                        then w.history || ('[' || (:tx::bigint)::text || ',' || greatest(w.event_ms + 1, :now)::text
                            || ',"promote","waiting","ready",' || w.attempt::text || ',' || w.lease_number::text
                            || E',null,null]\n')
                        else w.history end
    from due
    left join work_type t
      on t.account_id = :account and t.queue = :queue and t.kind = due.kind
   where w.account_id = :account and w.id = any(array(select due.id from due))
     and w.id = due.id and w.state || '' = 'waiting'
  returning w.id, w.kind, w.attempt, w.lease_number, w.event_seq, w.event_ms,
            (w.profile || '/' || due.wait_reason = any(:shown::text[])) as shown, w.trace, w.correlation_id, w.history)
select promoted.id, promoted.kind, promoted.attempt, promoted.lease_number, promoted.event_seq,
       promoted.event_ms, promoted.shown, promoted.trace, promoted.correlation_id, promoted.history,
       false as flow, false as reflow
  from promoted
union all
select null, t.kind, 0, 0, 0, 0, false, null, null, null, t.flow, t.reflow
  from work_type t
 where t.account_id = :account and t.queue = :queue and t.kind = any(:kinds::text[])
   and (t.flow or t.reflow)

-- name: claim_one
-- Claims the first items of one kind, which is what most claims do. Without a loop over kinds, a sort and an
-- array of kinds it takes about a twentieth less. It is materialized, so that the limit is applied before the
-- update and never again. It skips locked rows, so that claims never wait for each other.
with head as materialized (
  select w.ctid as row
    from work w
   where w.account_id = :account and w.queue = :queue and w.kind = :kind
     and w.state || '' = 'ready' and w.flow_key is null
-- use: not_overdue
   order by w.rank desc, w.order_ms, w.id
   limit case when exists (select from work_type t
                            where t.account_id = :account and t.queue = :queue and t.kind = :kind
                              and (t.paused or t.flow or t.reflow)) then 0 else :count end
     for update skip locked),
placed as (
  select head.row, (row_number() over ())::int as place
    from head),
-- use: granted

-- name: claim
-- The same for several kinds of one account at once. Each wanted item is a grant: its place in the order of
-- its kind, its token and its holder.
with head as materialized (
  select wanted.first, wanted.count, h.row, h.id, h.rank, h.order_ms
    from (select *
            from unnest(:kinds::text[], :counts::int[], :firsts::int[]) as n(kind, count, first)
           limit :many) as wanted
    left join work_type t
      on t.account_id = :account and t.queue = :queue and t.kind = wanted.kind
   cross join lateral (
     select w.ctid as row, w.id, w.rank, w.order_ms
       from work w
      where w.account_id = :account and w.queue = :queue and w.kind = wanted.kind
        and w.state || '' = 'ready' and w.flow_key is null
-- use: not_overdue
      order by w.rank desc, w.order_ms, w.id
      limit case when t.paused or t.flow or t.reflow then 0 else wanted.count end
        for update skip locked) as h),
-- use: placed

-- name: claim_from
-- The same from the place where ready items are known to begin, for when many dead entries lie before it.
-- Items of a better rank are looked for from the beginning.
with head as materialized (
  select wanted.first, wanted.count, h.row, h.id, h.rank, h.order_ms
    from (select *
            from unnest(:kinds::text[], :counts::int[], :firsts::int[], :mark_ranks::bigint[],
                        :mark_orders::bigint[], :mark_ids::uuid[])
                   as n(kind, count, first, rank, order_ms, id)
           limit :many) as wanted
    left join work_type t
      on t.account_id = :account and t.queue = :queue and t.kind = wanted.kind
   cross join lateral (
     select better.*
       from (select w.ctid as row, w.id, w.rank, w.order_ms
               from work w
              where w.account_id = :account and w.queue = :queue and w.kind = wanted.kind
                and w.state || '' = 'ready' and w.flow_key is null
-- use: not_overdue
                and w.rank > wanted.rank
              order by w.rank desc, w.order_ms, w.id
              limit case when t.paused or t.flow or t.reflow then 0 else wanted.count end
                for update skip locked) as better
      union all
     select same.*
       from (select w.ctid as row, w.id, w.rank, w.order_ms
               from work w
              where w.account_id = :account and w.queue = :queue and w.kind = wanted.kind
                and w.state || '' = 'ready' and w.flow_key is null
-- use: not_overdue
                and w.rank = wanted.rank
                and (w.order_ms, w.id) >= (wanted.order_ms, wanted.id)
              order by w.rank desc, w.order_ms, w.id
              limit case when t.paused or t.flow or t.reflow then 0 else wanted.count end
                for update skip locked) as same) as h),
-- use: placed

-- name: take
-- The same for items that were picked one by one under the lock of their type, which has limits. An item that
-- another session is writing is left out. The ring of the type moves on. The ids are named twice: with a join
-- alone, a plan made on an empty table reads the whole account to find them (measured: a third of the
-- throughput).
with granted as materialized (
  select w.id, n.token, n.holder, n.lease_seconds
    from work w
    join unnest(:ids::uuid[], :tokens::uuid[], :holders::text[], :lease_seconds::int[])
           as n(id, token, holder, lease_seconds) on n.id = w.id
   where w.account_id = :account and w.id = any(:ids::uuid[])
-- use: not_overdue
     for update of w skip locked),
moved as (
  update flow_ring r
     set last_key = :last_key
   where r.account_id = :account and r.queue = :queue and r.kind = :kind)
update work w
-- use: leased
  from granted
 where w.account_id = :account and w.id = any(:ids::uuid[]) and w.id = granted.id
   and w.state || '' = 'ready'
returning
-- use: item
,
-- use: documents

-- name: heartbeat
-- The lease moves to now + its length, but never beyond the deadline. No indexed column is touched. A row
-- that another session has locked is skipped, and CommandRound takes care of it: this statement waits for no
-- row, because the session that holds it may be waiting for a row that this transaction holds. Rows are
-- looked up one by one: in a join with the ids, each row would be compared with all of them.
with beat as materialized (
  select locked.row
    from (select *
            from unnest(:ids::uuid[], :tokens::uuid[], :numbers::bigint[]) as n(id, token, number)
           order by id
           limit :many) as n
   cross join lateral (
     select w.ctid as row
       from work w
      where w.account_id = :account and w.id = n.id and w.queue = :queue
        and w.state || '' in ('leased', 'running') and w.lease_until_ms > :now
        and (n.token is null or n.token = w.lease_token)
        and (n.number is null or n.number = w.lease_number)
        for update skip locked) as locked)
update work w
   set lease_until_ms = least(:now + w.lease_seconds * 1000::bigint, w.deadline_ms),
       heartbeat_ms = :now, updated_ms = greatest(w.updated_ms + 1, :now)
  from beat
 where w.account_id = :account and w.ctid = beat.row and w.state || '' in ('leased', 'running')
returning
-- use: item

-- name: complete
-- The fence: after an expired lease was claimed again, a late worker's token matches no row. Items with an
-- owner are not even locked here: CommandRound locks their owner first. Like heartbeat, this waits for no
-- row.
with held as materialized (
  select n.*, locked.row
    from (select *
            from unnest(:ids::uuid[], :tokens::uuid[], :numbers::bigint[], :purge_afters::bigint[],
                        :settled_tokens::uuid[], :settled_digests::uuid[], :results::text[], :output_refs::text[],
                        :usages::text[], :logs_refs::text[])
                   as n(id, token, number, purge_after_ms, settled_token, settled_digest, result, output_ref, usage,
                        logs_ref)
           order by id
           limit :many) as n
   cross join lateral (
     select w.ctid as row
       from work w
      where w.account_id = :account and w.id = n.id and w.owner_kind is null
        for update skip locked) as locked)
update work w
   set state = 'succeeded', lease_token = null, lease_until_ms = null, lease_check_ms = null,
       deadline_ms = null, finished_ms = :now, updated_ms = greatest(w.updated_ms + 1, :now),
       purge_after_ms = held.purge_after_ms, settled_token = held.settled_token,
       settled_digest = held.settled_digest, result = held.result, output_ref = held.output_ref,
       usage = held.usage, logs_ref = held.logs_ref,
       event_seq = w.event_seq + 1, event_ms = greatest(w.event_ms + 1, :now),
       history = w.history || ('[' || (:tx::bigint)::text || ',' || greatest(w.event_ms + 1, :now)::text
           || ',"complete","running","succeeded",' || w.attempt::text || ',' || w.lease_number::text || ','
           || (json_object(array['', w.holder]) -> '')::text || E',null]\n')
  from held
 where w.account_id = :account and w.ctid = held.row and w.state || '' = 'running'
   and w.profile = :profile and w.owner_kind is null
   and w.lease_until_ms > :now
   and (held.token is null or held.token = w.lease_token)
   and (held.number is null or held.number = w.lease_number)
returning
-- use: item

-- name: lock
select
-- use: item
  from work w
 where w.account_id = :account and w.id = any(:ids::uuid[])
 order by w.id
   for update

-- name: lock_unless_busy
select
-- use: item
  from work w
 where w.account_id = :account and w.id = any(:ids::uuid[])
 order by w.id
   for update skip locked

-- name: guard_rows
-- Until the end of the transaction the guard of the table checks all rows that it writes. On the nodes of a
-- distributed PostgreSQL it always checks all rows, so nothing there depends on this.
set local orchestrion.guard = 'row'

-- name: apply
-- Any change that was decided on a locked row. The where clause repeats what the decision was based on. A row
-- that no longer fits is not written, and the caller takes that for the bug that it would be. The guard of
-- the table checks each row, even if a lane runs this: guard_rows runs before it.
update work w
   set state = n.state, wait_reason = n.wait_reason, run_at_ms = n.run_at_ms, order_ms = n.order_ms,
       attempt = n.attempt, retries = n.retries, lease_seconds = n.lease_seconds,
       lease_number = n.lease_number, lease_token = n.lease_token, lease_until_ms = n.lease_until_ms,
       lease_check_ms = n.lease_until_ms, holder = n.holder, deadline_ms = n.deadline_ms,
       cancel_requested = n.cancel_requested, pause_requested = n.pause_requested,
       give_up_ms = n.give_up_ms, updated_ms = n.updated_ms, claimed_ms = n.claimed_ms,
       heartbeat_ms = n.heartbeat_ms, finished_ms = n.finished_ms, failed_ms = n.failed_ms,
       failure = n.failure, event_seq = n.event_seq, event_ms = n.event_ms,
       purge_after_ms = n.purge_after_ms, settled_token = n.settled_token,
       settled_digest = n.settled_digest,
       error = case when n.reports and n.state <> 'succeeded' then n.error else w.error end,
       usage = case when n.reports then n.usage else w.usage end,
       logs_ref = case when n.reports then n.logs_ref else w.logs_ref end,
       result = case when n.concluded then n.result else w.result end,
       output_ref = case when n.concluded then n.output_ref else w.output_ref end,
       history = case when n.line is null then w.history
                      else w.history || ('[' || (:tx::bigint)::text || n.line) end,
       flow_key = case when n.state <> 'ready' then w.flow_key else
         (select
-- use: flow_key
            from work_type t
           where t.account_id = :account and t.queue = w.queue and t.kind = w.kind and t.flow) end
  from unnest(:ids::uuid[], :from_states::text[], :from_leases::bigint[], :states::text[],
              :wait_reasons::text[], :run_ats::bigint[], :orders::bigint[], :attempts::int[],
              :retries::int[], :lease_seconds::int[], :lease_numbers::bigint[], :lease_tokens::uuid[],
              :lease_untils::bigint[], :holders::text[], :deadlines::bigint[], :cancel_requests::bool[],
              :pause_requests::bool[], :give_ups::bigint[], :updateds::bigint[], :claimeds::bigint[], :heartbeats::bigint[], :finisheds::bigint[],
              :faileds::bigint[], :failures::text[], :event_seqs::int[], :event_mss::bigint[],
              :purge_afters::bigint[], :settled_tokens::uuid[], :settled_digests::uuid[], :lines::text[],
              :reports::bool[], :errors::text[], :usages::text[], :logs_refs::text[],
              :concluded::bool[], :results::text[], :output_refs::text[])
         as n(id, from_state, from_lease, state, wait_reason, run_at_ms, order_ms, attempt, retries,
              lease_seconds, lease_number, lease_token, lease_until_ms, holder, deadline_ms,
              cancel_requested, pause_requested, give_up_ms, updated_ms, claimed_ms, heartbeat_ms, finished_ms,
              failed_ms, failure,
              event_seq, event_ms, purge_after_ms, settled_token, settled_digest, line, reports, error,
              usage, logs_ref, concluded, result, output_ref)
 where w.account_id = :account and w.id = any(:ids::uuid[]) and w.id = n.id
   and w.state = n.from_state and w.lease_number = n.from_lease

-- name: owners_of
-- Read without a lock, so that the owners can be locked before their items.
select w.id, w.owner_kind, w.owner_id,
       (w.state in ('leased', 'running') and w.lease_until_ms <= :now)
         or (w.give_up_ms <= :now and w.finished_ms is null) as lapsed
  from work w
 where w.account_id = :account and w.id = any(:ids::uuid[]) and w.owner_kind is not null

-- name: accounts_with_lapsed_leases
select w.account_id, min(w.lease_check_ms) as oldest
  from work w
 where w.state in ('leased', 'running') and w.lease_check_ms <= :now
 group by w.account_id
 order by oldest
 limit :most

-- name: lapsed_leases
-- Candidates only, read without a lock.
select w.id
  from work w
 where w.account_id = :account and w.state in ('leased', 'running') and w.lease_check_ms <= :now
 order by w.lease_check_ms
 limit :most

-- name: look_again_later
-- Heartbeats moved the ends of these leases, so the reaper need not look before those.
with renewed as materialized (
  select w.id
    from work w
   where w.account_id = :account and w.id = any(:ids::uuid[])
     and w.state in ('leased', 'running') and w.lease_until_ms > :now
   order by w.id
     for update skip locked)
update work w
   set lease_check_ms = w.lease_until_ms
  from renewed
 where w.account_id = :account and w.id = renewed.id and w.state || '' in ('leased', 'running')

-- name: look_again_at
-- A row that another session has locked is found again by the next sweep.
with late as materialized (
  select w.id
    from work w
   where w.account_id = :account and w.id = any(:ids::uuid[]) and w.state in ('leased', 'running')
   order by w.id
     for update skip locked)
update work w
   set lease_check_ms = :at
  from late
 where w.account_id = :account and w.id = late.id and w.state || '' in ('leased', 'running')

-- name: queues_with_due_work
select w.account_id, w.queue, w.kind, min(w.run_at_ms) as oldest
  from work w
 where w.state = 'waiting' and w.wait_reason in ('schedule', 'backoff') and w.run_at_ms <= :now
 group by w.account_id, w.queue, w.kind
 order by oldest
 limit :most

-- name: claimable
-- by account: n
-- Which of these lines have something to claim, and how much, up to a bound. Read without a lock, for all
-- accounts that claims of this node wait for. Each part is in the order of the index that it should use;
-- otherwise the planner may take one that holds other kinds, too. Items that are claimed key by key count as
-- one, because only a claim can tell whether their keys have room.
select n.account_id, n.queue, n.kind, found.ready
  from unnest(:accounts::uuid[], :queues::text[], :kinds::text[]) as n(account_id, queue, kind)
 cross join lateral (
   select count(*) as ready
     from ((select w.id from work w
             where w.account_id = n.account_id and w.queue = n.queue and w.kind = n.kind
               and w.state || '' = 'ready' and w.flow_key is null
             order by w.rank desc, w.order_ms, w.id
             limit :most)
           union all
           (select w.id from work w
             where w.account_id = n.account_id and w.queue = n.queue and w.kind = n.kind
               and w.state = 'ready' and w.flow_key is not null
             order by w.flow_key, w.rank desc, w.order_ms, w.id
             limit 1)
           union all
           (select w.id from work w
             where w.account_id = n.account_id and w.queue = n.queue and w.kind = n.kind
               and w.state = 'waiting' and w.wait_reason in ('schedule', 'backoff')
               and w.run_at_ms <= :now
             order by w.run_at_ms
             limit :most)) as each) as found
  left join work_type t
    on t.account_id = n.account_id and t.queue = n.queue and t.kind = n.kind
 where found.ready > 0 and t.paused is not true

-- name: get
select
-- use: item
,
-- use: documents
  from work w
 where w.account_id = :account and w.id = :id

-- name: documents
select w.id,
-- use: documents
  from work w
 where w.account_id = :account and w.id = any(:ids::uuid[])

-- name: history
select e.seq, e.at_ms, e.event, e.from_state, e.to_state, e.attempt, e.lease_number, e.holder, e.detail, e.error
  from work_event e
 where e.account_id = :account and e.work_id = :id
 order by e.seq

-- name: list
-- Newest first by id, which is creation order. One index range for each wanted state, merged. Each is written
-- as a range of the whole key, because the planner does not know how rare a state is. It would otherwise read
-- all items of the account, newest first, to find a few.
select
-- use: item
,
-- use: documents
  from (select s.*
          from unnest(:states::text[]) as wanted(state)
         cross join lateral (
           select w.*
             from work w
            where w.account_id = :account
              and (w.queue, w.state, w.id)
                  >= (:queue, wanted.state, '00000000-0000-0000-0000-000000000000'::uuid)
              and (w.queue, w.state, w.id) < (:queue, wanted.state,
                   coalesce(:before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))
              and w.state <> '' and w.profile = any(:profiles::text[])
              and (:kind::text is null or w.kind = :kind)
            order by w.queue desc, w.state desc, w.id desc
            limit :most) as s
         order by s.id desc
         limit :most) as w
 order by w.id desc

-- name: claim_fitting
-- The best items that a worker's policy allows.
-- In the index, the ready items form groups of those with the same requirements. The walk goes along the
-- index from group to group. From a group that the worker may take, it goes to the next group. From a group
-- that it may not take, it jumps to the next one that it might, so that groups in between cost nothing,
-- however many there are.
-- The jump uses the order of the capabilities. Say the worker lacks the m-th capability of a group. The next
-- group that it could take has the same capabilities up to some j below or at m, and there one that the
-- worker has.
-- Then come the first items of all groups, and of these the best that no other session has locked: only rows
-- that are taken are ever locked. The rows that were seen are counted, so that the caller knows whether there
-- may be more.
with recursive walk as (
  select s.scope, s.place, '{}'::text[] collate "C" as seek, ''::text collate "C" as seek_kind,
         '{}'::text[] collate "C" as capabilities, ''::text collate "C" as kind, false as fits
    from unnest(:scopes::text[], :places::text[]) as s(scope, place)
  union all
  select walk.scope, walk.place, further.seek, further.seek_kind, found.capabilities,
         found.kind collate "C", further.fits
    from walk
   cross join lateral (
     (select w.capabilities, w.kind
        from work w
       where walk.scope = 'any' and w.account_id = :account and w.queue = :queue
         and w.capabilities is not null and w.state || '' = 'ready'
         and (w.capabilities, w.kind collate "C") >= (walk.seek, walk.seek_kind)
       order by w.capabilities, w.kind collate "C"
       limit 1)
      union all
     (select w.capabilities, w.kind
        from work w
       where walk.scope = 'owner' and w.account_id = :account and w.queue = :queue
         and w.repository_owner = walk.place
         and w.capabilities is not null and w.state || '' = 'ready'
         and (w.capabilities, w.kind collate "C") >= (walk.seek, walk.seek_kind)
       order by w.capabilities, w.kind collate "C"
       limit 1)
      union all
     (select w.capabilities, w.kind
        from work w
       where walk.scope = 'repository' and w.account_id = :account and w.queue = :queue
         and w.repository = walk.place
         and w.capabilities is not null and w.state || '' = 'ready'
         and (w.capabilities, w.kind collate "C") >= (walk.seek, walk.seek_kind)
       order by w.capabilities, w.kind collate "C"
       limit 1)) as found
   cross join lateral (
     select (select min(i)
               from generate_subscripts(found.capabilities, 1) as i
              where not :any_capability::bool
                and found.capabilities[i] <> all(:capabilities::text[])) as lacking,
            case when :any_kind::bool then found.kind || chr(1)
                 else (select min(k collate "C")
                         from unnest(:kinds::text[]) as k
                        where k collate "C" > found.kind) end as next_kind) as judged
   cross join lateral (
     select case when judged.lacking is not null then
                   (select found.capabilities[1 : j - 1] || min(c collate "C")
                      from generate_series(1, judged.lacking) as j,
                           unnest(:capabilities::text[]) as c
                     where c collate "C" > found.capabilities[j]
                     group by j
                     order by j desc
                     limit 1)
                 when judged.next_kind is not null then found.capabilities
                 else found.capabilities || ''::text end as seek,
            case when judged.lacking is null then coalesce(judged.next_kind, '')
                 else '' end as seek_kind,
            judged.lacking is null and (:any_kind::bool or found.kind = any(:kinds::text[]))
              as fits) as further),
fitting as materialized (
  select walk.scope, walk.place, walk.capabilities, walk.kind
    from walk
   where walk.fits
   limit :groups),
heads as materialized (
  select h.id, h.rank, h.order_ms
    from fitting f
   cross join lateral (
     (select w.id, w.rank, w.order_ms
        from work w
       where f.scope = 'any' and w.account_id = :account and w.queue = :queue
         and w.capabilities is not null and w.state || '' = 'ready'
         and w.capabilities = f.capabilities and w.kind collate "C" = f.kind
       order by w.rank desc, w.order_ms, w.id
       limit :most)
      union all
     (select w.id, w.rank, w.order_ms
        from work w
       where f.scope = 'owner' and w.account_id = :account and w.queue = :queue
         and w.repository_owner = f.place
         and w.capabilities is not null and w.state || '' = 'ready'
         and w.capabilities = f.capabilities and w.kind collate "C" = f.kind
       order by w.rank desc, w.order_ms, w.id
       limit :most)
      union all
     (select w.id, w.rank, w.order_ms
        from work w
       where f.scope = 'repository' and w.account_id = :account and w.queue = :queue
         and w.repository = f.place
         and w.capabilities is not null and w.state || '' = 'ready'
         and w.capabilities = f.capabilities and w.kind collate "C" = f.kind
       order by w.rank desc, w.order_ms, w.id
       limit :most)) as h
   order by h.rank desc, h.order_ms, h.id
   limit :most),
locked as materialized (
  select l.id
    from heads
   cross join lateral (
     select w.id
       from work w
      where w.account_id = :account and w.id = heads.id and w.state || '' = 'ready'
        for update skip locked) as l
   limit :count),
granted as materialized (
  select placed.id, g.token, g.holder, g.lease_seconds
    from (select locked.id, row_number() over () as place from locked) as placed
    join unnest(:grant_tokens::uuid[], :grant_holders::text[], :grant_lease_seconds::int[])
           with ordinality as g(token, holder, lease_seconds, place)
      on g.place = placed.place),
taken as (
  update work w
-- use: leased
    from granted
   where w.account_id = :account and w.id = any(array(select granted.id from granted))
     and w.id = granted.id and w.state || '' = 'ready'
  returning
-- use: item
,
-- use: documents
)
select taken.*, (select count(*) from heads) as seen
  from (select 1 as row) as always
  left join taken on true
