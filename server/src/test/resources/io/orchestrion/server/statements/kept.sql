CREATE SCHEMA orchestrion;
CREATE FUNCTION orchestrion.audit_is_final() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'DELETE' and old.at_ms <= coalesce(
       nullif(current_setting('orchestrion.audit_purged_until_ms', true), ''), '-1')::bigint then
    return old;
  end if;
  raise exception 'an entry of the audit log is never changed or removed' using errcode = '23514';
end
$$;
CREATE FUNCTION orchestrion.client_stays() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'a client does not change' using errcode = '23514';
end
$$;
CREATE FUNCTION orchestrion.is_never_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'a row of % is never changed', tg_table_name using errcode = '23514';
end
$$;
CREATE FUNCTION orchestrion.job_event_is_final() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'DELETE'
     and coalesce(current_setting('orchestrion.items_purged', true), '') = 'yes' then
    return old;
  end if;
  raise exception 'a line of an item''s log is never changed or removed' using errcode = '23514';
end
$$;
CREATE FUNCTION orchestrion.job_state(state text, wait_reason text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE state WHEN 'waiting'::text THEN CASE WHEN (wait_reason = 'backoff'::text) THEN 'QUEUED'::text ELSE 'CREATED'::text END WHEN 'ready'::text THEN 'QUEUED'::text WHEN 'leased'::text THEN 'ASSIGNED'::text WHEN 'running'::text THEN 'RUNNING'::text WHEN 'succeeded'::text THEN 'SUCCEEDED'::text WHEN 'cancelled'::text THEN 'CANCELED'::text ELSE 'FAILED'::text END;
CREATE FUNCTION orchestrion.payment_entry_is_final() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'an entry of the ledger is never changed or removed' using errcode = '23514';
end
$$;
CREATE FUNCTION orchestrion.take_from_windows(p_now bigint, p_ahead bigint, p_waits boolean, p_accounts uuid[], p_subjects text[], p_buckets text[], p_slot_ms bigint[], p_wanted integer[], p_needed integer[], p_least integer[], p_requests integer[], p_rows integer[], p_amounts integer[], p_maxima integer[]) RETURNS TABLE(before integer[], refused integer[], wait_ms bigint[])
    LANGUAGE plpgsql
    AS $$
declare
  slots constant integer := 60;
  now_ms bigint := coalesce(
      p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint + p_ahead);
  the_account uuid;
  the_subject text;
  the_bucket text;
  the_slot bigint;
  the_step bigint;
  last_step bigint;
  the_gone integer;
  the_sum integer;
  add integer;
  steps bigint[];
  gones integer[];
  added integer[];
  counted integer[];
  all_fit boolean := true;
  first integer;
  last integer;
  full_at integer;
  rest integer;
begin
  -- In the order of the rows, which is the same for everybody who waits.
  for i in 1 .. cardinality(p_accounts) loop
    the_account := p_accounts[i];
    the_subject := p_subjects[i];
    the_bucket := p_buckets[i];
    the_slot := p_slot_ms[i];
    the_step := now_ms / the_slot;
    loop
      -- The oldest slots may have left the window since it was written.
      if p_waits then
        select a.step,
               (select sum(c) from unnest(
                   a.counts[1 : slots - least(greatest(the_step - a.step, 0), slots)::integer]) as c)
          into last_step, the_sum
          from allowance a
         where a.account_id = the_account and a.subject = the_subject and a.bucket = the_bucket
           for update;
      else
        select a.step,
               (select sum(c) from unnest(
                   a.counts[1 : slots - least(greatest(the_step - a.step, 0), slots)::integer]) as c)
          into last_step, the_sum
          from allowance a
         where a.account_id = the_account and a.subject = the_subject and a.bucket = the_bucket
           for update skip locked;
      end if;
      exit when found;
      -- It can go between the look and the lock, for the purger removes idle ones.
      insert into allowance (account_id, subject, bucket, step, counts, idle_ms)
      values (the_account, the_subject, the_bucket, the_step, array_fill(0, array[slots]),
              (the_step + slots) * the_slot)
      on conflict do nothing;
      if found then
        last_step := the_step;
        exit;
      end if;
      exit when not p_waits;
    end loop;
    if last_step is null then
      all_fit := false;
      before[i] := null;
    else
      the_sum := coalesce(the_sum, 0);
      all_fit := all_fit and the_sum + p_needed[i] <= p_least[i];
      before[i] := the_sum;
      gones[i] := least(greatest(the_step - last_step, 0), slots);
      steps[i] := greatest(last_step, the_step);
    end if;
    added[i] := 0;
  end loop;
  if all_fit then
    added := p_wanted;
  else
    first := 1;
    while first <= cardinality(p_requests) loop
      last := first;
      while last < cardinality(p_requests) and p_requests[last + 1] = p_requests[first] loop
        last := last + 1;
      end loop;
      full_at := 0;
      for k in first .. last loop
        if before[p_rows[k]] is null then
          full_at := -1;
          exit;
        elsif full_at = 0
            and before[p_rows[k]] + added[p_rows[k]] + greatest(p_amounts[k], 1) > p_maxima[k] then
          full_at := k;
        end if;
      end loop;
      refused[p_requests[first]] := full_at;
      wait_ms[p_requests[first]] := 0;
      if full_at = 0 then
        for k in first .. last loop
          added[p_rows[k]] := added[p_rows[k]] + p_amounts[k];
        end loop;
      elsif full_at > 0 then
        -- How long until enough of the oldest slots have left the window.
        the_account := p_accounts[p_rows[full_at]];
        the_subject := p_subjects[p_rows[full_at]];
        the_bucket := p_buckets[p_rows[full_at]];
        the_slot := p_slot_ms[p_rows[full_at]];
        the_step := steps[p_rows[full_at]];
        the_gone := gones[p_rows[full_at]];
        select a.counts into counted
          from allowance a
         where a.account_id = the_account and a.subject = the_subject and a.bucket = the_bucket;
        counted := array_fill(0, array[the_gone]) || counted[1 : slots - the_gone];
        counted[1] := counted[1] + added[p_rows[full_at]];
        rest := before[p_rows[full_at]] + added[p_rows[full_at]]
            + greatest(p_amounts[full_at], 1) - p_maxima[full_at];
        for j in reverse slots .. 1 loop
          rest := rest - counted[j];
          if rest <= 0 then
            wait_ms[p_requests[first]] := (the_step - j + 1 + slots) * the_slot - now_ms;
            exit;
          end if;
        end loop;
        if rest > 0 then
          wait_ms[p_requests[first]] := slots * the_slot;
        end if;
      end if;
      first := last + 1;
    end loop;
  end if;
  for i in 1 .. cardinality(p_accounts) loop
    add := added[i];
    if add > 0 then
      the_account := p_accounts[i];
      the_subject := p_subjects[i];
      the_bucket := p_buckets[i];
      the_slot := p_slot_ms[i];
      the_step := steps[i];
      the_gone := gones[i];
      if the_gone = 0 then
        update allowance a
           set counts = (a.counts[1] + add) || a.counts[2 : slots]
         where a.account_id = the_account and a.subject = the_subject and a.bucket = the_bucket;
      else
        update allowance a
           set step = the_step,
               counts = add || array_fill(0, array[the_gone - 1]) || a.counts[1 : slots - the_gone],
               idle_ms = (the_step + slots) * the_slot
         where a.account_id = the_account and a.subject = the_subject and a.bucket = the_bucket;
      end if;
    end if;
  end loop;
  return next;
end
$$;
CREATE FUNCTION orchestrion.work_guard() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  broken text;
begin
  if ((new.state = any (array['waiting', 'ready', 'leased', 'running', 'succeeded', 'failed', 'dead', 'cancelled']))
      and (new.wait_reason in ('schedule', 'backoff', 'dependency', 'hold'))
      and (new.attempt >= 0)
      and (new.max_attempts >= 1)
      and (new.retries >= 0)
      and (new.lease_seconds >= 1)
      and (new.lease_number >= 0)
      and (new.if_parent_fails in ('cancel', 'ignore', 'hold'))
      and ((new.state = 'waiting') = (new.wait_reason is not null))
      and (new.wait_reason is null or new.wait_reason not in ('schedule', 'backoff') or new.run_at_ms is not null)
      and ((new.state in ('leased', 'running')) = (new.lease_token is not null) and (new.lease_token is null) = (new.lease_until_ms is null) and (new.lease_token is null) = (new.lease_check_ms is null))
      and ((new.state in ('succeeded', 'failed', 'dead', 'cancelled')) = (new.finished_ms is not null))
      and (new.finished_ms is not null or new.purge_after_ms is null)
      and ((new.owner_kind is null) = (new.owner_id is null))
      and (new.state = 'succeeded' or (new.result is null and new.output_ref is null))) is false then
    broken := case
      when (new.state = any (array['waiting', 'ready', 'leased', 'running', 'succeeded', 'failed', 'dead', 'cancelled'])) is false then 'work_state_check'
      when (new.wait_reason in ('schedule', 'backoff', 'dependency', 'hold')) is false then 'work_wait_reason_check'
      when (new.attempt >= 0) is false then 'work_attempt_check'
      when (new.max_attempts >= 1) is false then 'work_max_attempts_check'
      when (new.retries >= 0) is false then 'work_retries_check'
      when (new.lease_seconds >= 1) is false then 'work_lease_seconds_check'
      when (new.lease_number >= 0) is false then 'work_lease_number_check'
      when (new.if_parent_fails in ('cancel', 'ignore', 'hold')) is false then 'work_if_parent_fails_check'
      when ((new.state = 'waiting') = (new.wait_reason is not null)) is false then 'work_waits_for_something'
      when (new.wait_reason is null or new.wait_reason not in ('schedule', 'backoff') or new.run_at_ms is not null) is false then 'work_waits_for_a_time'
      when ((new.state in ('leased', 'running')) = (new.lease_token is not null) and (new.lease_token is null) = (new.lease_until_ms is null) and (new.lease_token is null) = (new.lease_check_ms is null)) is false then 'work_is_held_by_one_lease'
      when ((new.state in ('succeeded', 'failed', 'dead', 'cancelled')) = (new.finished_ms is not null)) is false then 'work_ended_has_an_end'
      when (new.finished_ms is not null or new.purge_after_ms is null) is false then 'work_open_is_kept'
      when ((new.owner_kind is null) = (new.owner_id is null)) is false then 'work_owner_is_whole'
      when (new.state = 'succeeded' or (new.result is null and new.output_ref is null)) is false then 'work_outcome_is_of_success'
    end;
    raise exception 'work breaks the rule %', broken
      using errcode = 'check_violation', constraint = broken, table = 'work';
  end if;
  if tg_op = 'INSERT' then
    if new.state not in ('waiting', 'ready') then
      raise exception 'work cannot begin as %', new.state using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if new.account_id <> old.account_id or new.id <> old.id or new.profile <> old.profile
     or new.created_ms <> old.created_ms then
    raise exception 'work cannot change what it is' using errcode = 'check_violation';
  end if;
  if old.state = 'succeeded' and (old.result is not null or old.output_ref is not null)
     and (new.result is distinct from old.result or new.output_ref is distinct from old.output_ref)
  then
    raise exception 'work has one outcome' using errcode = 'check_violation';
  end if;
  if new.lease_number < old.lease_number or new.event_seq < old.event_seq
     or new.event_ms < old.event_ms then
    raise exception 'leases and events of work only go forward' using errcode = 'check_violation';
  end if;
  if not starts_with(new.history, old.history) then
    raise exception 'what the history of work tells stays' using errcode = 'check_violation';
  end if;
  if old.state <> new.state
     and not (new.profile || ' ' || old.state || ' ' || new.state = any (array[
    'tasks waiting ready',
    'tasks ready running',
    'tasks running succeeded',
    'tasks running ready',
    'tasks running waiting',
    'tasks running dead',
    'tasks waiting cancelled',
    'tasks ready cancelled',
    'tasks running cancelled',
    'tasks dead ready',
    'tasks ready waiting',
    'queue waiting ready',
    'queue ready running',
    'queue running succeeded',
    'queue running ready',
    'queue running waiting',
    'queue running failed',
    'queue running dead',
    'queue waiting cancelled',
    'queue ready cancelled',
    'queue running cancelled',
    'queue dead ready',
    'queue ready waiting',
    'jobs waiting ready',
    'jobs ready leased',
    'jobs leased running',
    'jobs running succeeded',
    'jobs running failed',
    'jobs leased ready',
    'jobs waiting cancelled',
    'jobs ready cancelled',
    'jobs leased cancelled',
    'jobs running cancelled',
    'jobs failed waiting',
    'steps waiting ready',
    'steps ready running',
    'steps running succeeded',
    'steps running failed',
    'steps waiting cancelled',
    'steps ready cancelled',
    'steps running cancelled',
    'steps ready waiting',
    'drivers waiting ready',
    'drivers ready running',
    'drivers running succeeded',
    'drivers running failed',
    'drivers running ready',
    'drivers waiting cancelled',
    'drivers ready cancelled',
    'drivers running cancelled',
    'drivers ready waiting',
    'builtin waiting ready',
    'builtin ready running',
    'builtin running succeeded',
    'builtin running failed',
    'builtin waiting cancelled',
    'builtin ready cancelled',
    'builtin running cancelled',
    'builtin ready waiting',
    'deliveries waiting ready',
    'deliveries ready running',
    'deliveries running succeeded',
    'deliveries running ready',
    'deliveries running waiting',
    'deliveries running failed',
    'deliveries running dead',
    'deliveries waiting cancelled',
    'deliveries ready cancelled',
    'deliveries running cancelled',
    'deliveries ready waiting']))
  then
    raise exception 'work of profile % cannot go from % to %', new.profile, old.state, new.state
      using errcode = 'check_violation';
  end if;
  -- Staying where one is is a change as well when the history tells of it, or another reason is given.
  if old.state = new.state
     and (new.event_seq <> old.event_seq or new.wait_reason is distinct from old.wait_reason)
     and not (new.profile || ' ' || old.state || ' ' || new.state = any (array[
    'tasks waiting waiting',
    'queue running running',
    'queue waiting waiting',
    'steps waiting waiting',
    'drivers waiting waiting',
    'builtin waiting waiting',
    'deliveries waiting waiting']))
  then
    raise exception 'work of profile % cannot go from % to %', new.profile, old.state, new.state
      using errcode = 'check_violation';
  end if;
  -- Where waiting for a first time is seen from outside, nothing comes back to it, and what was
  -- given to a holder comes back when its lease is over and not before.
  if old.state <> new.state and new.profile = any (array['jobs'])
     and ((new.state = 'waiting' and new.wait_reason <> 'backoff')
          or (old.state = 'leased' and new.state = 'ready' and old.lease_until_ms > new.updated_ms))
  then
    raise exception 'work of profile % cannot go from % to %', new.profile, old.state, new.state
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
CREATE TABLE orchestrion.account (
    account_id uuid NOT NULL,
    name text NOT NULL,
    plan text NOT NULL,
    created_ms bigint NOT NULL,
    strict_types boolean DEFAULT false NOT NULL,
    CONSTRAINT account_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);
CREATE TABLE orchestrion.allowance (
    account_id uuid NOT NULL,
    subject text NOT NULL,
    bucket text NOT NULL,
    step bigint NOT NULL,
    counts integer[] NOT NULL,
    idle_ms bigint NOT NULL,
    CONSTRAINT allowance_counts_check CHECK ((cardinality(counts) = 60))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');
CREATE TABLE orchestrion.api_key (
    account_id uuid NOT NULL,
    key_id uuid NOT NULL,
    key_hash bytea NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    created_ms bigint NOT NULL,
    expires_ms bigint,
    revoked_ms bigint,
    last_used_ms bigint,
    CONSTRAINT api_key_key_hash_check CHECK ((octet_length(key_hash) = 32)),
    CONSTRAINT api_key_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT api_key_scopes_check CHECK ((scopes <@ ARRAY['producer'::text, 'worker'::text, 'operator'::text, 'admin'::text]))
);
CREATE TABLE orchestrion.audit (
    account_id uuid NOT NULL,
    seq bigint NOT NULL,
    at_ms bigint NOT NULL,
    actor_kind text NOT NULL,
    actor_id uuid,
    actor_name text,
    action text NOT NULL,
    subject_kind text NOT NULL,
    subject_id text NOT NULL,
    detail jsonb NOT NULL,
    CONSTRAINT audit_action_check CHECK (((length(action) >= 1) AND (length(action) <= 100))),
    CONSTRAINT audit_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['key'::text, 'server'::text]))),
    CONSTRAINT audit_check CHECK (((actor_kind = 'key'::text) = (actor_id IS NOT NULL))),
    CONSTRAINT audit_detail_check CHECK ((length((detail)::text) <= 8000))
);
CREATE TABLE orchestrion.audit_head (
    account_id uuid NOT NULL,
    seq bigint NOT NULL,
    at_ms bigint NOT NULL
);
CREATE TABLE orchestrion.bulk_operation (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    action text NOT NULL,
    profile text NOT NULL,
    states text[] NOT NULL,
    kind text,
    created_from_ms bigint,
    created_before_ms bigint,
    finished_before_ms bigint,
    failure_part text,
    ids uuid[],
    max_items integer NOT NULL,
    why text,
    key_id uuid NOT NULL,
    key_name text,
    state text NOT NULL,
    reached uuid NOT NULL,
    matched integer NOT NULL,
    matched_all boolean NOT NULL,
    done integer NOT NULL,
    skipped integer NOT NULL,
    failed integer NOT NULL,
    failed_ids uuid[] NOT NULL,
    failed_reasons text[] NOT NULL,
    tries integer NOT NULL,
    next_ms bigint,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    finished_ms bigint,
    CONSTRAINT bulk_operation_action_check CHECK ((action = ANY (ARRAY['cancel'::text, 'requeue'::text, 'purge'::text]))),
    CONSTRAINT bulk_operation_check CHECK (((done >= 0) AND (done <= max_items))),
    CONSTRAINT bulk_operation_check1 CHECK (((state = 'running'::text) = (next_ms IS NOT NULL))),
    CONSTRAINT bulk_operation_check2 CHECK (((state = 'running'::text) = (finished_ms IS NULL))),
    CONSTRAINT bulk_operation_check3 CHECK ((cardinality(failed_ids) = cardinality(failed_reasons))),
    CONSTRAINT bulk_operation_failed_check CHECK ((failed >= 0)),
    CONSTRAINT bulk_operation_matched_check CHECK ((matched >= 0)),
    CONSTRAINT bulk_operation_max_items_check CHECK ((max_items >= 1)),
    CONSTRAINT bulk_operation_skipped_check CHECK ((skipped >= 0)),
    CONSTRAINT bulk_operation_state_check CHECK ((state = ANY (ARRAY['running'::text, 'finished'::text, 'cancelled'::text, 'failed'::text]))),
    CONSTRAINT bulk_operation_states_check CHECK ((cardinality(states) > 0)),
    CONSTRAINT bulk_operation_tries_check CHECK ((tries >= 0))
);
CREATE TABLE orchestrion.claim_lease (
    account_id uuid NOT NULL,
    claim_id uuid NOT NULL,
    place integer NOT NULL,
    work_id uuid NOT NULL,
    token uuid NOT NULL
);
CREATE TABLE orchestrion.claim_receipt (
    account_id uuid NOT NULL,
    claim_id uuid NOT NULL,
    digest uuid NOT NULL,
    created_ms bigint NOT NULL
);
CREATE TABLE orchestrion.client (
    account_id uuid NOT NULL,
    created_ms bigint NOT NULL
);
CREATE TABLE orchestrion.event_chunk (
    account_id uuid NOT NULL,
    queue text NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    part integer NOT NULL,
    work_ids uuid[] NOT NULL,
    seqs integer[] NOT NULL,
    sums jsonb NOT NULL,
    look_ms bigint NOT NULL,
    tx_id bigint NOT NULL,
    number bigint NOT NULL
)
WITH (autovacuum_vacuum_cost_delay='0', autovacuum_analyze_scale_factor='0.2');
ALTER TABLE ONLY orchestrion.event_chunk ALTER COLUMN account_id SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.event_chunk ALTER COLUMN queue SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.event_chunk ALTER COLUMN "position" SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.event_chunk ALTER COLUMN part SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.event_chunk ALTER COLUMN work_ids SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.event_chunk ALTER COLUMN work_ids SET STORAGE EXTERNAL;
ALTER TABLE ONLY orchestrion.event_chunk ALTER COLUMN seqs SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.event_chunk ALTER COLUMN seqs SET STORAGE EXTERNAL;
ALTER TABLE ONLY orchestrion.event_chunk ALTER COLUMN sums SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.event_chunk ALTER COLUMN sums SET STORAGE EXTERNAL;
ALTER TABLE ONLY orchestrion.event_chunk ALTER COLUMN look_ms SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.event_chunk ALTER COLUMN tx_id SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.event_chunk ALTER COLUMN number SET STATISTICS 10;
ALTER TABLE orchestrion.event_chunk ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME orchestrion.event_chunk_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE orchestrion.event_era (
    start bigint NOT NULL,
    cluster text NOT NULL
);
CREATE TABLE orchestrion.event_fold (
    account_id uuid NOT NULL,
    queue text NOT NULL,
    "position" bigint NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_scale_factor='0');
CREATE TABLE orchestrion.event_log (
    account_id uuid NOT NULL,
    "position" bigint NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_scale_factor='0');
CREATE TABLE orchestrion.event_total (
    queue text NOT NULL,
    kind text NOT NULL,
    event text NOT NULL,
    from_word text NOT NULL,
    to_word text NOT NULL,
    again boolean NOT NULL,
    bucket integer NOT NULL,
    count bigint NOT NULL,
    millis bigint NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_scale_factor='0');
CREATE TABLE orchestrion.flow_ring (
    account_id uuid NOT NULL,
    queue text NOT NULL,
    kind text NOT NULL,
    last_key text NOT NULL
)
WITH (fillfactor='20', autovacuum_vacuum_cost_delay='0');
CREATE TABLE orchestrion.flow_start (
    account_id uuid NOT NULL,
    queue text NOT NULL,
    kind text NOT NULL,
    rate_key text NOT NULL,
    slice_ms bigint NOT NULL,
    last_ms bigint NOT NULL,
    starts integer NOT NULL,
    purge_ms bigint NOT NULL,
    CONSTRAINT flow_start_starts_check CHECK ((starts >= 1))
)
WITH (fillfactor='70', autovacuum_vacuum_cost_delay='0');
CREATE TABLE orchestrion.idempotency (
    account_id uuid NOT NULL,
    surface text NOT NULL,
    scope uuid NOT NULL,
    action text NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    work_id uuid,
    status integer,
    answer text,
    locked_until_ms bigint NOT NULL,
    created_ms bigint NOT NULL,
    expires_ms bigint NOT NULL,
    CONSTRAINT idempotency_check CHECK (((status IS NULL) = (answer IS NULL))),
    CONSTRAINT idempotency_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)))
);
CREATE TABLE orchestrion.job (
    account_id uuid NOT NULL,
    job_id uuid NOT NULL,
    type text NOT NULL,
    execution_ms bigint,
    callback text,
    handler text,
    auto_retry boolean NOT NULL,
    CONSTRAINT job_deferred_has_a_time CHECK (((type = 'DEFERRED'::text) = (execution_ms IS NOT NULL))),
    CONSTRAINT job_type_check CHECK ((type = ANY (ARRAY['EXECUTE'::text, 'DEFERRED'::text, 'EMIT_EVENT'::text])))
)
WITH (autovacuum_vacuum_cost_delay='0');
CREATE TABLE orchestrion.job_capacity (
    name text NOT NULL,
    max bigint NOT NULL,
    spare bigint NOT NULL,
    counted_ms bigint NOT NULL
);
CREATE TABLE orchestrion.job_definition (
    account_id uuid NOT NULL,
    job_id uuid NOT NULL,
    work_kind text NOT NULL,
    duration_ms bigint NOT NULL,
    should_fail boolean NOT NULL,
    payload_size integer NOT NULL,
    seed_ms bigint NOT NULL,
    CONSTRAINT job_definition_duration_ms_check CHECK ((duration_ms >= 0)),
    CONSTRAINT job_definition_payload_size_check CHECK ((payload_size >= 0)),
    CONSTRAINT job_definition_work_kind_check CHECK (((length(work_kind) >= 1) AND (length(work_kind) <= 64)))
)
WITH (autovacuum_vacuum_cost_delay='0');
CREATE TABLE orchestrion.job_event (
    account_id uuid NOT NULL,
    work_id uuid NOT NULL,
    at_ms bigint NOT NULL,
    id uuid NOT NULL,
    level text NOT NULL,
    message text NOT NULL,
    payload jsonb,
    holder text,
    event text,
    state text,
    attempt integer,
    CONSTRAINT job_event_happened CHECK ((((event IS NULL) = (state IS NULL)) AND ((event IS NULL) = (attempt IS NULL)))),
    CONSTRAINT job_event_level CHECK ((level = ANY (ARRAY['debug'::text, 'info'::text, 'warn'::text, 'error'::text]))),
    CONSTRAINT job_event_message CHECK (((length(message) >= 1) AND (length(message) <= 5000)))
)
WITH (autovacuum_vacuum_cost_delay='0');
CREATE TABLE orchestrion.work (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    profile text NOT NULL,
    queue text NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    wait_reason text,
    priority integer NOT NULL,
    order_ms bigint NOT NULL,
    run_at_ms bigint,
    attempt integer NOT NULL,
    max_attempts integer NOT NULL,
    retries integer NOT NULL,
    lease_seconds integer NOT NULL,
    lease_number bigint NOT NULL,
    lease_token uuid,
    lease_until_ms bigint,
    lease_check_ms bigint,
    holder text,
    timeout_ms bigint,
    deadline_ms bigint,
    cancel_requested boolean NOT NULL,
    owner_kind text,
    owner_id uuid,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    claimed_ms bigint,
    heartbeat_ms bigint,
    finished_ms bigint,
    failed_ms bigint,
    failure text,
    event_seq integer NOT NULL,
    event_ms bigint NOT NULL,
    purge_after_ms bigint,
    rank bigint DEFAULT 0 NOT NULL,
    concurrency_key text,
    rate_key text,
    unique_key text,
    flow_key text,
    if_parent_fails text,
    has_dependents boolean DEFAULT false NOT NULL,
    settled_token uuid,
    settled_digest uuid,
    payload text NOT NULL,
    result text,
    output_ref text,
    repository text,
    repository_owner text,
    capabilities text[] COLLATE pg_catalog."C",
    trace text,
    history text DEFAULT ''::text NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0', autovacuum_analyze_scale_factor='0.2');
ALTER TABLE ONLY orchestrion.work ALTER COLUMN account_id SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN id SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN profile SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN queue SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN kind SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN state SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN wait_reason SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN priority SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN order_ms SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN run_at_ms SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN attempt SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN max_attempts SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN retries SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN lease_seconds SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN lease_number SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN lease_token SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN lease_until_ms SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN lease_check_ms SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN holder SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN timeout_ms SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN deadline_ms SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN cancel_requested SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN owner_kind SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN owner_id SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN created_ms SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN updated_ms SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN claimed_ms SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN heartbeat_ms SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN finished_ms SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN failed_ms SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN failure SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN event_seq SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN event_ms SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN purge_after_ms SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN rank SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN concurrency_key SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN rate_key SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN unique_key SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN flow_key SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN if_parent_fails SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN has_dependents SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN settled_token SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN settled_digest SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN payload SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN result SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN output_ref SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN repository SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN repository_owner SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN capabilities SET STATISTICS 10;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN trace SET STATISTICS 0;
ALTER TABLE ONLY orchestrion.work ALTER COLUMN history SET STATISTICS 0;
CREATE VIEW orchestrion.work_event AS
 SELECT w.account_id,
    w.id AS work_id,
    w.queue,
    (l.seq)::integer AS seq,
    ((e.line ->> 0))::bigint AS tx_id,
    ((e.line ->> 1))::bigint AS at_ms,
    (e.line ->> 2) AS event,
    (e.line ->> 3) AS from_state,
    (e.line ->> 4) AS to_state,
    ((e.line ->> 5))::integer AS attempt,
    ((e.line ->> 6))::bigint AS lease_number,
    (e.line ->> 7) AS holder,
    (e.line ->> 8) AS detail
   FROM ((orchestrion.work w
     CROSS JOIN LATERAL string_to_table(w.history, '
'::text) WITH ORDINALITY l(text, seq))
     CROSS JOIN LATERAL ( SELECT (l.text)::jsonb AS line
         OFFSET 0) e)
  WHERE (l.text <> ''::text);
CREATE VIEW orchestrion.job_events AS
 SELECT e.account_id,
    (md5(((e.work_id || ':'::text) || e.seq)))::uuid AS event_id,
    e.work_id AS job_id,
    e.seq,
        CASE e.event
            WHEN 'submit'::text THEN 'job.created'::text
            WHEN 'promote'::text THEN 'job.queued'::text
            WHEN 'lease'::text THEN 'job.assigned'::text
            WHEN 'start'::text THEN 'job.running'::text
            WHEN 'complete'::text THEN
            CASE j.type
                WHEN 'EMIT_EVENT'::text THEN 'job.emitted'::text
                ELSE 'job.succeeded'::text
            END
            WHEN 'fail'::text THEN 'job.failed'::text
            WHEN 'expire'::text THEN
            CASE e.to_state
                WHEN 'ready'::text THEN 'job.lease_expired'::text
                ELSE 'job.failed'::text
            END
            WHEN 'time_out'::text THEN 'job.timed_out'::text
            WHEN 'cancel'::text THEN 'job.canceled'::text
            WHEN 'retry'::text THEN 'job.retried'::text
            ELSE NULL::text
        END AS event_name,
        CASE
            WHEN (e.from_state IS NOT NULL) THEN orchestrion.job_state(e.from_state,
            CASE
                WHEN (e.attempt > 0) THEN 'backoff'::text
                ELSE NULL::text
            END)
            ELSE NULL::text
        END AS prev_state,
    orchestrion.job_state(e.to_state,
        CASE
            WHEN (e.event = 'retry'::text) THEN 'backoff'::text
            ELSE NULL::text
        END) AS next_state,
    to_timestamp((((e.at_ms)::numeric / 1000.0))::double precision) AS "timestamp"
   FROM (orchestrion.work_event e
     JOIN orchestrion.job j ON (((j.account_id = e.account_id) AND (j.job_id = e.work_id))))
  WHERE (e.queue = 'jobs'::text);
CREATE TABLE orchestrion.job_log (
    account_id uuid NOT NULL,
    work_id uuid NOT NULL,
    events integer NOT NULL,
    bytes bigint NOT NULL,
    window_ms bigint NOT NULL,
    in_window integer NOT NULL,
    CONSTRAINT job_log_bytes_check CHECK ((bytes >= 0)),
    CONSTRAINT job_log_events_check CHECK ((events >= 0)),
    CONSTRAINT job_log_in_window_check CHECK ((in_window >= 0))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE orchestrion.job_problem (
    account_id uuid NOT NULL,
    job_id uuid NOT NULL,
    problem text NOT NULL,
    found_ms bigint NOT NULL
);
CREATE VIEW orchestrion.job_readable AS
 SELECT w.account_id,
    w.id AS job_id,
    j.type,
    orchestrion.job_state(w.state, w.wait_reason) AS state,
        CASE w.state
            WHEN 'succeeded'::text THEN 'SUCCESS'::text
            WHEN 'failed'::text THEN 'FAILED'::text
            WHEN 'dead'::text THEN 'FAILED'::text
            WHEN 'cancelled'::text THEN 'CANCELED'::text
            ELSE NULL::text
        END AS outcome,
    (w.retries + 1) AS attempt,
    to_timestamp((((w.created_ms)::numeric / 1000.0))::double precision) AS created_at,
    to_timestamp((((w.updated_ms)::numeric / 1000.0))::double precision) AS updated_at,
    to_timestamp((((j.execution_ms)::numeric / 1000.0))::double precision) AS execution_at,
    j.callback
   FROM (orchestrion.work w
     JOIN orchestrion.job j ON (((j.account_id = w.account_id) AND (j.job_id = w.id))));
CREATE TABLE orchestrion.job_report (
    account_id uuid NOT NULL,
    job_id uuid NOT NULL,
    attempt integer NOT NULL,
    outcome text NOT NULL,
    started_ms bigint NOT NULL,
    finished_ms bigint NOT NULL,
    duration_ms bigint NOT NULL,
    failure text,
    output_bytes bigint,
    output_sha256 text,
    result text,
    events jsonb NOT NULL,
    CONSTRAINT job_report_attempt_check CHECK ((attempt >= 1)),
    CONSTRAINT job_report_check CHECK ((finished_ms >= started_ms)),
    CONSTRAINT job_report_check1 CHECK ((duration_ms = (finished_ms - started_ms))),
    CONSTRAINT job_report_outcome_check CHECK ((outcome = ANY (ARRAY['SUCCESS'::text, 'FAILED'::text, 'CANCELED'::text])))
)
WITH (autovacuum_vacuum_cost_delay='0');
CREATE TABLE orchestrion.job_retry (
    account_id uuid NOT NULL,
    job_id uuid NOT NULL,
    next_ms bigint NOT NULL
);
CREATE TABLE orchestrion.local_order (
    account_id uuid NOT NULL,
    order_id text NOT NULL,
    purchase_id uuid NOT NULL,
    description text NOT NULL,
    amount_cents bigint NOT NULL,
    currency text NOT NULL,
    state text NOT NULL,
    created_ms bigint NOT NULL,
    approved_ms bigint,
    captured_ms bigint,
    CONSTRAINT local_order_check CHECK (((state = 'created'::text) = (approved_ms IS NULL))),
    CONSTRAINT local_order_check1 CHECK (((state = 'captured'::text) = (captured_ms IS NOT NULL))),
    CONSTRAINT local_order_state_check CHECK ((state = ANY (ARRAY['created'::text, 'approved'::text, 'captured'::text])))
);
CREATE TABLE orchestrion.log_reader (
    account_id uuid NOT NULL,
    queue text NOT NULL,
    "position" bigint NOT NULL,
    work_id uuid NOT NULL,
    seq integer NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE orchestrion.outbox (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    topic text NOT NULL,
    work_id uuid NOT NULL,
    event_seq integer NOT NULL,
    created_ms bigint NOT NULL,
    tries integer NOT NULL,
    next_ms bigint NOT NULL
);
CREATE TABLE orchestrion.parent_end (
    account_id uuid NOT NULL,
    work_id uuid NOT NULL,
    event_seq integer NOT NULL,
    ended text NOT NULL,
    after_id uuid,
    created_ms bigint NOT NULL,
    next_ms bigint NOT NULL
);
CREATE TABLE orchestrion.payment_entry (
    account_id uuid NOT NULL,
    purchase_id uuid NOT NULL,
    seq integer NOT NULL,
    at_ms bigint NOT NULL,
    event text NOT NULL,
    amount_cents bigint,
    currency text,
    reference text,
    detail text,
    CONSTRAINT payment_entry_check CHECK (((amount_cents IS NULL) = (currency IS NULL)))
);
CREATE TABLE orchestrion.plan_period (
    account_id uuid NOT NULL,
    from_ms bigint NOT NULL,
    until_ms bigint NOT NULL,
    plan text NOT NULL,
    CONSTRAINT plan_period_check CHECK ((until_ms > from_ms))
);
CREATE TABLE orchestrion.purchase (
    account_id uuid NOT NULL,
    purchase_id uuid NOT NULL,
    plan text NOT NULL,
    amount_cents bigint NOT NULL,
    currency text NOT NULL,
    provider text NOT NULL,
    order_id text NOT NULL,
    approval_url text NOT NULL,
    state text NOT NULL,
    claims integer NOT NULL,
    claimed_until_ms bigint,
    look_ms bigint,
    looks integer NOT NULL,
    failure text,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    activated_ms bigint,
    CONSTRAINT purchase_activated_has_a_time CHECK (((state = 'activated'::text) = (activated_ms IS NOT NULL))),
    CONSTRAINT purchase_amount_cents_check CHECK ((amount_cents > 0)),
    CONSTRAINT purchase_claims_check CHECK ((claims >= 0)),
    CONSTRAINT purchase_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT purchase_failed_has_a_reason CHECK (((state <> 'failed'::text) OR (failure IS NOT NULL))),
    CONSTRAINT purchase_is_claimed_for_capture CHECK (((claimed_until_ms IS NULL) OR (state = 'capturing'::text))),
    CONSTRAINT purchase_is_looked_at_while_open CHECK (((state = ANY (ARRAY['capturing'::text, 'pending'::text])) = (look_ms IS NOT NULL))),
    CONSTRAINT purchase_looks_check CHECK ((looks >= 0)),
    CONSTRAINT purchase_state_check CHECK ((state = ANY (ARRAY['created'::text, 'capturing'::text, 'pending'::text, 'activated'::text, 'failed'::text, 'mismatched'::text])))
);
CREATE TABLE orchestrion.runner (
    runner_id uuid NOT NULL,
    name text NOT NULL,
    started_ms bigint NOT NULL,
    seen_ms bigint NOT NULL,
    capacity integer NOT NULL,
    busy integer NOT NULL,
    CONSTRAINT runner_busy_check CHECK ((busy >= 0)),
    CONSTRAINT runner_capacity_check CHECK ((capacity >= 1)),
    CONSTRAINT runner_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);
CREATE TABLE orchestrion.schedule (
    account_id uuid NOT NULL,
    schedule_id uuid NOT NULL,
    name text NOT NULL,
    cron text,
    every_seconds bigint,
    timezone text NOT NULL,
    start_ms bigint,
    end_ms bigint,
    anchor_ms bigint NOT NULL,
    catch_up text NOT NULL,
    catch_up_max integer NOT NULL,
    catch_up_within_s integer NOT NULL,
    overlap text NOT NULL,
    jitter_s integer NOT NULL,
    task_type text NOT NULL,
    payload jsonb NOT NULL,
    priority integer NOT NULL,
    max_attempts integer NOT NULL,
    lease_seconds integer NOT NULL,
    paused boolean NOT NULL,
    next_fire_ms bigint,
    due_ms bigint,
    buffered_ms bigint,
    fire_seq bigint NOT NULL,
    last_fire_ms bigint,
    last_task_id uuid,
    fired bigint NOT NULL,
    missed bigint NOT NULL,
    skipped bigint NOT NULL,
    failed bigint NOT NULL,
    failure_ms bigint,
    failure text,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    CONSTRAINT schedule_buffer_is_looked_at CHECK (((buffered_ms IS NULL) OR (due_ms IS NOT NULL))),
    CONSTRAINT schedule_catch_up_check CHECK ((catch_up = ANY (ARRAY['skip'::text, 'latest'::text, 'all'::text]))),
    CONSTRAINT schedule_catch_up_max_check CHECK ((catch_up_max >= 1)),
    CONSTRAINT schedule_catch_up_within_s_check CHECK ((catch_up_within_s >= 1)),
    CONSTRAINT schedule_every_seconds_check CHECK ((every_seconds >= 1)),
    CONSTRAINT schedule_fire_seq_check CHECK ((fire_seq >= 0)),
    CONSTRAINT schedule_goes_by_one_rule CHECK (((cron IS NULL) <> (every_seconds IS NULL))),
    CONSTRAINT schedule_jitter_s_check CHECK ((jitter_s >= 0)),
    CONSTRAINT schedule_lease_seconds_check CHECK ((lease_seconds >= 1)),
    CONSTRAINT schedule_max_attempts_check CHECK ((max_attempts >= 1)),
    CONSTRAINT schedule_name_check CHECK ((name ~ '^[A-Za-z0-9._-]{1,200}$'::text)),
    CONSTRAINT schedule_overlap_check CHECK ((overlap = ANY (ARRAY['allow'::text, 'skip'::text, 'cancel_previous'::text, 'buffer_one'::text]))),
    CONSTRAINT schedule_paused_is_not_due CHECK (((NOT paused) OR ((due_ms IS NULL) AND (next_fire_ms IS NULL) AND (buffered_ms IS NULL)))),
    CONSTRAINT schedule_with_a_time_is_due CHECK (((next_fire_ms IS NULL) OR (due_ms IS NOT NULL)))
);
CREATE TABLE orchestrion.schedule_fire (
    account_id uuid NOT NULL,
    schedule_id uuid NOT NULL,
    seq bigint NOT NULL,
    fire_ms bigint NOT NULL,
    manual boolean NOT NULL,
    late boolean NOT NULL,
    result text NOT NULL,
    times bigint NOT NULL,
    task_id uuid,
    detail text,
    at_ms bigint NOT NULL,
    CONSTRAINT schedule_fire_has_its_task CHECK (((result = 'fired'::text) = (task_id IS NOT NULL))),
    CONSTRAINT schedule_fire_result_check CHECK ((result = ANY (ARRAY['fired'::text, 'skipped'::text, 'missed'::text, 'failed'::text]))),
    CONSTRAINT schedule_fire_stands_for_one CHECK (((times = 1) OR (result = 'missed'::text))),
    CONSTRAINT schedule_fire_times_check CHECK ((times >= 1))
);
CREATE TABLE orchestrion.schema_migration (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE orchestrion.usage_month (
    account_id uuid NOT NULL,
    month integer NOT NULL,
    tasks bigint NOT NULL,
    CONSTRAINT usage_month_tasks_check CHECK ((tasks >= 0))
);
CREATE TABLE orchestrion.webhook_attempt (
    account_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    number bigint NOT NULL,
    started_ms bigint NOT NULL,
    duration_ms bigint,
    status integer,
    error text,
    detail text,
    answer text,
    next_ms bigint,
    CONSTRAINT webhook_attempt_answer_check CHECK ((length(answer) <= 1024)),
    CONSTRAINT webhook_attempt_detail_check CHECK ((length(detail) <= 500)),
    CONSTRAINT webhook_attempt_error_check CHECK ((length(error) <= 100))
);
CREATE TABLE orchestrion.webhook_delivery (
    account_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    place bigint NOT NULL,
    queue text NOT NULL,
    subject uuid NOT NULL,
    seq integer NOT NULL,
    event_id uuid NOT NULL,
    event_name text NOT NULL,
    url text,
    redelivery_of uuid,
    created_ms bigint NOT NULL,
    orphan boolean DEFAULT false NOT NULL,
    CONSTRAINT webhook_delivery_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2048)))
);
CREATE TABLE orchestrion.webhook_endpoint (
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    kind text NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    once bytea NOT NULL,
    description text NOT NULL,
    state text NOT NULL,
    reason text,
    from_position bigint NOT NULL,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    last_place bigint NOT NULL,
    next_ms bigint,
    failures integer NOT NULL,
    failing_since_ms bigint,
    opened integer NOT NULL,
    open_until_ms bigint,
    last_success_ms bigint,
    last_failure text,
    CONSTRAINT webhook_endpoint_description_check CHECK ((length(description) <= 500)),
    CONSTRAINT webhook_endpoint_events_check CHECK ((cardinality(events) <= 100)),
    CONSTRAINT webhook_endpoint_failures_check CHECK ((failures >= 0)),
    CONSTRAINT webhook_endpoint_kind_check CHECK ((kind = ANY (ARRAY['webhook'::text, 'callback'::text]))),
    CONSTRAINT webhook_endpoint_last_failure_check CHECK ((length(last_failure) <= 1000)),
    CONSTRAINT webhook_endpoint_once_check CHECK ((octet_length(once) = 32)),
    CONSTRAINT webhook_endpoint_opened_check CHECK ((opened >= 0)),
    CONSTRAINT webhook_endpoint_reason_check CHECK ((length(reason) <= 1000)),
    CONSTRAINT webhook_endpoint_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'deleted'::text]))),
    CONSTRAINT webhook_endpoint_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2048)))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE orchestrion.webhook_secret (
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    secret_id uuid NOT NULL,
    sealed bytea NOT NULL,
    created_ms bigint NOT NULL,
    ends_ms bigint
);
CREATE TABLE orchestrion.work_dependency (
    account_id uuid NOT NULL,
    work_id uuid NOT NULL,
    parent_id uuid NOT NULL,
    place integer NOT NULL,
    ended text,
    waived boolean DEFAULT false NOT NULL,
    CONSTRAINT work_dependency_ended_check CHECK ((ended = ANY (ARRAY['succeeded'::text, 'failed'::text, 'dead'::text, 'cancelled'::text])))
);
CREATE VIEW orchestrion.work_readable AS
 SELECT work.account_id,
    work.id,
    work.profile,
    work.queue,
    work.kind,
    work.state,
    work.wait_reason,
    work.priority,
    work.attempt,
    work.max_attempts,
    to_timestamp((((work.run_at_ms)::numeric / 1000.0))::double precision) AS run_at,
    work.lease_number,
    work.holder,
    to_timestamp((((work.lease_until_ms)::numeric / 1000.0))::double precision) AS lease_until,
    to_timestamp((((work.created_ms)::numeric / 1000.0))::double precision) AS created_at,
    to_timestamp((((work.updated_ms)::numeric / 1000.0))::double precision) AS updated_at,
    to_timestamp((((work.finished_ms)::numeric / 1000.0))::double precision) AS finished_at,
    work.failure,
    work.owner_kind,
    work.owner_id
   FROM orchestrion.work;
CREATE TABLE orchestrion.work_receipt (
    account_id uuid NOT NULL,
    work_id uuid NOT NULL,
    token uuid NOT NULL,
    digest uuid NOT NULL,
    snapshot jsonb NOT NULL,
    created_ms bigint NOT NULL
);
CREATE TABLE orchestrion.work_type (
    account_id uuid NOT NULL,
    queue text NOT NULL,
    kind text NOT NULL,
    payload_schema jsonb,
    result_schema jsonb,
    priority integer,
    max_attempts integer,
    lease_seconds integer,
    aging_ms bigint,
    concurrency_max integer,
    rate_max integer,
    rate_period_ms bigint,
    flow boolean DEFAULT false NOT NULL,
    reflow boolean DEFAULT false NOT NULL,
    paused boolean DEFAULT false NOT NULL,
    draining boolean DEFAULT false NOT NULL,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    description text,
    paused_ms bigint,
    draining_ms bigint,
    removed boolean DEFAULT false NOT NULL,
    reranking boolean DEFAULT false NOT NULL,
    rerank_after uuid,
    rerank_check_ms bigint,
    CONSTRAINT work_type_aging_ms_check CHECK ((aging_ms >= 1000)),
    CONSTRAINT work_type_concurrency_max_check CHECK ((concurrency_max >= 1)),
    CONSTRAINT work_type_flow_has_a_limit CHECK (((NOT flow) OR (concurrency_max IS NOT NULL) OR (rate_max IS NOT NULL))),
    CONSTRAINT work_type_lease_seconds_check CHECK ((lease_seconds >= 1)),
    CONSTRAINT work_type_max_attempts_check CHECK ((max_attempts >= 1)),
    CONSTRAINT work_type_rate_is_whole CHECK (((rate_max IS NULL) = (rate_period_ms IS NULL))),
    CONSTRAINT work_type_rate_max_check CHECK ((rate_max >= 1)),
    CONSTRAINT work_type_rate_period_ms_check CHECK ((rate_period_ms >= 1000))
);
CREATE TABLE orchestrion.work_unique (
    account_id uuid NOT NULL,
    queue text NOT NULL,
    kind text NOT NULL,
    unique_key text NOT NULL,
    work_id uuid NOT NULL,
    created_ms bigint NOT NULL
);
CREATE TABLE orchestrion.worker_token (
    account_id uuid NOT NULL,
    token_id uuid NOT NULL,
    worker_id text NOT NULL,
    description text NOT NULL,
    repositories text[],
    kinds text[],
    capabilities text[],
    created_ms bigint NOT NULL,
    expires_ms bigint,
    deactivated_ms bigint,
    last_used_ms bigint,
    last_used_from text,
    CONSTRAINT worker_token_capabilities_check CHECK ((cardinality(capabilities) <= 100)),
    CONSTRAINT worker_token_description_check CHECK ((length(description) <= 500)),
    CONSTRAINT worker_token_kinds_check CHECK ((cardinality(kinds) <= 100)),
    CONSTRAINT worker_token_last_used_from_check CHECK ((length(last_used_from) <= 100)),
    CONSTRAINT worker_token_repositories_check CHECK ((cardinality(repositories) <= 100)),
    CONSTRAINT worker_token_worker_id_check CHECK (((length(worker_id) >= 1) AND (length(worker_id) <= 200)))
);
CREATE TABLE orchestrion.worker_token_secret (
    account_id uuid NOT NULL,
    token_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    created_ms bigint NOT NULL,
    ends_ms bigint,
    CONSTRAINT worker_token_secret_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
INSERT INTO orchestrion.account VALUES ('00000000-0000-7000-8000-000000000001', 'local', 'unlimited', 1795004004303, false);
INSERT INTO orchestrion.account VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'kept', 'free', 1795004016129, false);
INSERT INTO orchestrion.account VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 'client', 'free', 1795004019810, false);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'client', 'jobs', 1795004016, '{1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795004076000);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'client', 'jobs-quota', 1246530, '{1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795089600000);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'key:01a1ee93-a601-7142-9097-1c72697993a6', 'types', 29916733, '{1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795007580000);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'account', 'create-account', 29916733, '{11,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795007580000);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'key:01a1ee93-a601-7142-9097-1c72697993a6', 'create', 29916733, '{11,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795007580000);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'key:01a1ee93-a601-7142-9097-1c72697993a6', 'complete', 29916733, '{1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795007580000);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'key:01a1ee93-a601-7142-9097-1c72697993a6', 'fail', 29916733, '{2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795007580000);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'key:01a1ee93-a601-7142-9097-1c72697993a6', 'claim', 29916733, '{4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795007580000);
INSERT INTO orchestrion.allowance VALUES ('00000000-0000-0000-0000-000000000000', 'address:127.0.0.1', 'everything', 29916733, '{26,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795007580000);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'account', 'claims-granted', 29916733, '{4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795007580000);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'key:01a1ee93-a601-7142-9097-1c72697993a6', 'cancel', 29916733, '{1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795007580000);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'key:01a1ee93-a601-7142-9097-1c72697993a6', 'schedules', 29916733, '{1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795007580000);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'key:01a1ee93-a601-7142-9097-1c72697993a6', 'keys', 29916733, '{1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795007580000);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'key:01a1ee93-a601-7142-9097-1c72697993a6', 'queue-manage', 29916733, '{1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795007580000);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'key:01a1ee93-a601-7142-9097-1c72697993a6', 'queue-create', 29916733, '{2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795007580000);
INSERT INTO orchestrion.allowance VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'key:01a1ee93-a601-7142-9097-1c72697993a6', 'queue-claim', 29916733, '{1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795007580000);
INSERT INTO orchestrion.allowance VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 'client', 'jobs', 1795004020, '{3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795004080000);
INSERT INTO orchestrion.allowance VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 'client', 'jobs-quota', 1246530, '{3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}', 1795089600000);
INSERT INTO orchestrion.api_key VALUES ('00000000-0000-7000-8000-000000000001', '01a1ee93-77cf-7142-9095-d41b8a92de09', '\x7149c80668d636d41e3d6d5f0434dab786b64d101730fa20447e7b8a5fb120c4', 'local', '{admin,operator,producer,worker}', 1795004004303, NULL, NULL, 1795004016111);
INSERT INTO orchestrion.api_key VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a601-7142-9097-1c72697993a6', '\x5d7d432a90b736e5613d8a6f66c345f6a373dd1a53a454780c6fcc5c5fc3cbca', 'kept', '{admin,operator,producer,worker}', 1795004016129, NULL, NULL, 1795004016162);
INSERT INTO orchestrion.api_key VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-b169-7142-90a7-e5fca667c4a2', '\xd592580485411fd7cdc26fa41eefebb74301f3b2c4e93b2bc42d962b3990fdbd', 'second', '{admin,operator,producer,worker}', 1795004019049, NULL, NULL, NULL);
INSERT INTO orchestrion.api_key VALUES ('bb611b72-5aec-493b-8786-f44716f58253', '01a1ee93-b4dd-7142-90ae-6f94c0830dfe', '\xfecc2e46de58dc17df0e8b4288752795a35b63c48a20f9fc5102ca8b774dda82', 'client', '{admin,operator,producer,worker}', 1795004019933, 1802780019933, NULL, 1795004020286);
INSERT INTO orchestrion.audit VALUES ('00000000-0000-7000-8000-000000000001', 1, 1795004004303, 'server', NULL, NULL, 'key.created', 'key', '01a1ee93-77cf-7142-9095-d41b8a92de09', '{"name": "local", "scopes": "admin, operator, producer, worker"}');
INSERT INTO orchestrion.audit VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 1, 1795004016129, 'server', NULL, NULL, 'key.created', 'key', '01a1ee93-a601-7142-9097-1c72697993a6', '{"name": "kept", "scopes": "admin, operator, producer, worker"}');
INSERT INTO orchestrion.audit VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 2, 1795004016429, 'key', '01a1ee93-a601-7142-9097-1c72697993a6', 'kept', 'webhook.create', 'webhook', '01a1ee93-a72d-7142-9098-e83215cfef28', '{"url": "https://receiver.example/hook"}');
INSERT INTO orchestrion.audit VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 3, 1795004019049, 'key', '01a1ee93-a601-7142-9097-1c72697993a6', 'kept', 'key.created', 'key', '01a1ee93-b169-7142-90a7-e5fca667c4a2', '{"name": "second", "scopes": "admin, operator, producer, worker"}');
INSERT INTO orchestrion.audit VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 4, 1795004019133, 'key', '01a1ee93-a601-7142-9097-1c72697993a6', 'kept', 'worker_token.created', 'worker_token', '01a1ee93-b1bd-7142-90a8-b5b0db08a3ec', '{"workerId": "w1"}');
INSERT INTO orchestrion.audit VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 1, 1795004019933, 'key', '01a1ee93-77cf-7142-9095-d41b8a92de09', NULL, 'key.created', 'key', '01a1ee93-b4dd-7142-90ae-6f94c0830dfe', '{"name": "client", "scopes": "admin, operator, producer, worker", "expiresAt": "2027-02-16T12:13:39.933Z"}');
INSERT INTO orchestrion.audit_head VALUES ('00000000-0000-7000-8000-000000000001', 1, 1795004004303);
INSERT INTO orchestrion.audit_head VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 4, 1795004019133);
INSERT INTO orchestrion.audit_head VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 1, 1795004019933);
INSERT INTO orchestrion.client VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 1795004019810);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 1, 0, '{01a1ee93-a7e5-7142-909a-cdead5d6c1dc}', '{1}', '[["", "submit", "", "ready", false, -1, 1, 0]]', 1795090416613, 1866179170776620802, 1);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 2, 0, '{01a1ee93-a822-7142-909b-e949b84a6cbf}', '{1}', '[["", "submit", "", "ready", false, -1, 1, 0]]', 1795090416674, 7563110120236716908, 2);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 3, 0, '{01a1ee93-a830-7142-909c-9d3cab554bee}', '{1}', '[["", "submit", "", "ready", false, -1, 1, 0]]', 1795090416688, 2974702596786958139, 3);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 4, 0, '{01a1ee93-a84b-7142-909d-549bc2fd2ea2}', '{1}', '[["", "submit", "", "ready", false, -1, 1, 0]]', 1795090416715, 6559148508474213436, 4);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 5, 0, '{01a1ee93-a861-7142-909e-b5c9ae7ef70e}', '{1}', '[["", "submit", "", "ready", false, -1, 1, 0]]', 1795090416737, 8804913639962680612, 5);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 6, 0, '{01a1ee93-a873-7142-909f-9e6943d38331}', '{1}', '[["", "submit", "", "ready", false, -1, 1, 0]]', 1795090416755, 3786211629785474909, 6);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 7, 0, '{01a1ee93-a891-7142-90a0-957363596dd9}', '{1}', '[["", "submit", "", "waiting", false, -1, 1, 0]]', 1795090416785, 165436367406142694, 7);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 8, 0, '{01a1ee93-a8ad-7142-90a1-a7471b925604}', '{1}', '[["", "submit", "", "ready", false, -1, 1, 0]]', 1795090416813, 2481951687790827073, 8);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 9, 0, '{01a1ee93-a8ea-7142-90a2-eab95f407616}', '{1}', '[["", "submit", "", "ready", false, -1, 1, 0]]', 1795090416874, 5221854021004116905, 9);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 10, 0, '{01a1ee93-a93b-7142-90a3-8a75b61583eb}', '{1}', '[["", "submit", "", "waiting", false, -1, 1, 0]]', 1795090416955, 314324985543624259, 10);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 11, 0, '{01a1ee93-a9fd-7142-90a4-29cda198b43e}', '{1}', '[["", "submit", "", "ready", false, -1, 1, 0]]', 1795090417149, 9117217762393289740, 11);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 12, 0, '{01a1ee93-a7e5-7142-909a-cdead5d6c1dc}', '{2}', '[["", "lease", "ready", "running", false, 7, 1, 936]]', 1795090417549, 7400744945352789109, 12);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 13, 0, '{01a1ee93-a7e5-7142-909a-cdead5d6c1dc}', '{3}', '[["", "complete", "running", "succeeded", false, 5, 1, 204]]', 1795090417753, 1130427205630362018, 13);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 14, 0, '{01a1ee93-a822-7142-909b-e949b84a6cbf}', '{2}', '[["", "lease", "ready", "running", false, 8, 1, 1194]]', 1795090417868, 457452167224182632, 14);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'deliveries', 15, 0, '{01a1ee93-ad3b-7142-90a5-20db88a01060}', '{1}', '[["", "submit", "", "ready", false, -1, 1, 0]]', 1795090417979, 8277576297503917482, 15);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 16, 0, '{01a1ee93-a822-7142-909b-e949b84a6cbf}', '{3}', '[["", "fail", "running", "dead", false, 4, 1, 53]]', 1795090417921, 3622491006387196415, 16);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 17, 0, '{01a1ee93-a830-7142-909c-9d3cab554bee}', '{2}', '[["", "lease", "ready", "running", false, 8, 1, 1522]]', 1795090418210, 2482215810036159151, 18);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'deliveries', 18, 0, '{01a1ee93-ad3b-7142-90a5-20db88a01060}', '{2}', '[["", "lease", "ready", "running", false, 5, 1, 215]]', 1795090418194, 5551874828751771853, 17);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 19, 0, '{01a1ee93-a830-7142-909c-9d3cab554bee}', '{3}', '[["", "fail", "running", "backoff", false, 6, 1, 252]]', 1795090418462, 7209291794612464246, 19);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'deliveries', 20, 0, '{01a1ee93-ad3b-7142-90a5-20db88a01060}', '{3}', '[["", "fail", "running", "backoff", false, 6, 1, 267]]', 1795090418461, 4267725234095092929, 20);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 21, 0, '{01a1ee93-a84b-7142-909d-549bc2fd2ea2}', '{2}', '[["", "lease", "ready", "running", false, 8, 1, 1918]]', 1795090418633, 3797843542231041628, 21);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 22, 0, '{01a1ee93-a8ad-7142-90a1-a7471b925604}', '{2}', '[["", "cancel", "ready", "cancelled", false, 8, 1, 2012]]', 1795090418825, 9091274298358231417, 22);
INSERT INTO orchestrion.event_chunk VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 'jobs', 0, 0, '{01a1ee93-b757-7142-90b0-9708c673e037}', '{3}', '[["FAIL_IMMEDIATE", "lease", "ready", "leased", false, 8, 1, 1029]]', 1795090421597, 3849472322016475298, 34);
INSERT INTO orchestrion.event_chunk VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 'jobs', 0, 0, '{01a1ee93-b757-7142-90b0-9708c673e037}', '{4}', '[["FAIL_IMMEDIATE", "start", "leased", "running", false, 3, 1, 30]]', 1795090421627, 7097266340886288855, 35);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'deliveries', 0, 0, '{01a1ee93-ad3b-7142-90a5-20db88a01060}', '{6}', '[["", "lease", "backoff", "running", true, 5, 1, 195]]', 1795090422160, 3568169787367600517, 37);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'deliveries', 0, 0, '{01a1ee93-ad3b-7142-90a5-20db88a01060}', '{7}', '[["", "fail", "running", "backoff", true, 5, 1, 179]]', 1795090422339, 8871846348982061810, 38);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'queue', 23, 0, '{01a1ee93-b253-7142-90a9-8657b43f9904}', '{1}', '[["", "submit", "", "ready", false, -1, 1, 0]]', 1795090419283, 516483826260474687, 23);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'queue', 24, 0, '{01a1ee93-b2d0-7142-90ab-0c9a6a11d07b}', '{1}', '[["", "submit", "", "ready", false, -1, 1, 0]]', 1795090419408, 3252162059523713052, 24);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'queue', 25, 0, '{01a1ee93-b253-7142-90a9-8657b43f9904}', '{2}', '[["", "lease", "ready", "running", false, 6, 1, 274]]', 1795090419557, 5177656034959698233, 25);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'deliveries', 26, 0, '{01a1ee93-ad3b-7142-90a5-20db88a01060}', '{4}', '[["", "lease", "backoff", "running", true, 5, 1, 146]]', 1795090419707, 8297649627894326381, 26);
INSERT INTO orchestrion.event_chunk VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'deliveries', 27, 0, '{01a1ee93-ad3b-7142-90a5-20db88a01060}', '{5}', '[["", "fail", "running", "backoff", true, 5, 1, 236]]', 1795090419943, 4380585546356434693, 27);
INSERT INTO orchestrion.event_chunk VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 'jobs', 1, 0, '{01a1ee93-b69c-7142-90af-78cd705bc1cb,01a1ee93-b69c-7142-90af-78cd705bc1cb}', '{1,2}', '[["FAIL_IMMEDIATE", "submit", "", "waiting", false, -1, 1, 0], ["FAIL_IMMEDIATE", "promote", "waiting", "ready", false, 0, 1, 1]]', 1795090420380, 6941599143571287235, 28);
INSERT INTO orchestrion.event_chunk VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 'jobs', 2, 0, '{01a1ee93-b757-7142-90b0-9708c673e037,01a1ee93-b757-7142-90b0-9708c673e037}', '{1,2}', '[["FAIL_IMMEDIATE", "submit", "", "waiting", false, -1, 1, 0], ["FAIL_IMMEDIATE", "promote", "waiting", "ready", false, 0, 1, 1]]', 1795090420567, 2530806138463658135, 29);
INSERT INTO orchestrion.event_chunk VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 'jobs', 3, 0, '{01a1ee93-b69c-7142-90af-78cd705bc1cb}', '{3}', '[["FAIL_IMMEDIATE", "lease", "ready", "leased", false, 5, 1, 138]]', 1795090420519, 7528638861892933055, 30);
INSERT INTO orchestrion.event_chunk VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 'jobs', 4, 0, '{01a1ee93-b7b8-7142-90b1-ff9ef3cf79b8}', '{1}', '[["SUCCESS_FAST", "submit", "", "waiting", false, -1, 1, 0]]', 1795090420664, 6685874595249824401, 31);
INSERT INTO orchestrion.event_chunk VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 'jobs', 5, 0, '{01a1ee93-b69c-7142-90af-78cd705bc1cb}', '{4}', '[["FAIL_IMMEDIATE", "start", "leased", "running", false, 6, 1, 283]]', 1795090420802, 6500449970868341505, 32);
INSERT INTO orchestrion.event_chunk VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 'jobs', 0, 0, '{01a1ee93-b69c-7142-90af-78cd705bc1cb}', '{5}', '[["FAIL_IMMEDIATE", "fail", "running", "failed", false, 7, 1, 710]]', 1795090421512, 8569067069616507548, 33);
INSERT INTO orchestrion.event_chunk VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 'jobs', 0, 0, '{01a1ee93-b757-7142-90b0-9708c673e037}', '{5}', '[["FAIL_IMMEDIATE", "fail", "running", "failed", false, 7, 1, 526]]', 1795090422153, 4411021486363829707, 36);
INSERT INTO orchestrion.event_era VALUES (0, '7709483454083902907/1/16384/16990');
INSERT INTO orchestrion.event_fold VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'deliveries', 27);
INSERT INTO orchestrion.event_fold VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'queue', 25);
INSERT INTO orchestrion.event_fold VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 22);
INSERT INTO orchestrion.event_fold VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 'jobs', 5);
INSERT INTO orchestrion.event_log VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 27);
INSERT INTO orchestrion.event_log VALUES ('bb611b72-5aec-493b-8786-f44716f58253', 5);
INSERT INTO orchestrion.event_total VALUES ('deliveries', '', 'fail', 'running', 'backoff', false, 6, 1, 267);
INSERT INTO orchestrion.event_total VALUES ('deliveries', '', 'fail', 'running', 'backoff', true, 5, 1, 236);
INSERT INTO orchestrion.event_total VALUES ('deliveries', '', 'lease', 'backoff', 'running', true, 5, 1, 146);
INSERT INTO orchestrion.event_total VALUES ('deliveries', '', 'lease', 'ready', 'running', false, 5, 1, 215);
INSERT INTO orchestrion.event_total VALUES ('deliveries', '', 'submit', '', 'ready', false, -1, 1, 0);
INSERT INTO orchestrion.event_total VALUES ('jobs', 'FAIL_IMMEDIATE', 'lease', 'ready', 'leased', false, 5, 1, 138);
INSERT INTO orchestrion.event_total VALUES ('jobs', 'FAIL_IMMEDIATE', 'promote', 'waiting', 'ready', false, 0, 2, 2);
INSERT INTO orchestrion.event_total VALUES ('jobs', 'FAIL_IMMEDIATE', 'start', 'leased', 'running', false, 6, 1, 283);
INSERT INTO orchestrion.event_total VALUES ('jobs', 'FAIL_IMMEDIATE', 'submit', '', 'waiting', false, -1, 2, 0);
INSERT INTO orchestrion.event_total VALUES ('jobs', 'SUCCESS_FAST', 'submit', '', 'waiting', false, -1, 1, 0);
INSERT INTO orchestrion.event_total VALUES ('queue', '', 'lease', 'ready', 'running', false, 6, 1, 274);
INSERT INTO orchestrion.event_total VALUES ('queue', '', 'submit', '', 'ready', false, -1, 2, 0);
INSERT INTO orchestrion.event_total VALUES ('tasks', '', 'cancel', 'ready', 'cancelled', false, 8, 1, 2012);
INSERT INTO orchestrion.event_total VALUES ('tasks', '', 'complete', 'running', 'succeeded', false, 5, 1, 204);
INSERT INTO orchestrion.event_total VALUES ('tasks', '', 'fail', 'running', 'backoff', false, 6, 1, 252);
INSERT INTO orchestrion.event_total VALUES ('tasks', '', 'fail', 'running', 'dead', false, 4, 1, 53);
INSERT INTO orchestrion.event_total VALUES ('tasks', '', 'lease', 'ready', 'running', false, 7, 1, 936);
INSERT INTO orchestrion.event_total VALUES ('tasks', '', 'lease', 'ready', 'running', false, 8, 3, 4634);
INSERT INTO orchestrion.event_total VALUES ('tasks', '', 'submit', '', 'ready', false, -1, 9, 0);
INSERT INTO orchestrion.event_total VALUES ('tasks', '', 'submit', '', 'waiting', false, -1, 2, 0);
INSERT INTO orchestrion.idempotency VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', '01a1ee93-a601-7142-9097-1c72697993a6', 'create', 'kept-1', '\x7337c6f239e6e6c4e77705fd0c26ec5c4e5208d5141ddd09d5f9ef10c3709ea3', '01a1ee93-a9fd-7142-90a4-29cda198b43e', 201, '{"task":{"id":"01a1ee93-a9fd-7142-90a4-29cda198b43e","type":"other","status":"pending","priority":0,"attemptCount":0,"maxAttempts":3,"leaseDurationSeconds":300,"scheduledAt":null,"claimedBy":null,"claimedAt":null,"leaseExpiresAt":null,"lastHeartbeatAt":null,"createdAt":"2026-11-18T12:13:37.149Z","updatedAt":"2026-11-18T12:13:37.149Z","completedAt":null,"lastFailedAt":null,"lastFailureReason":null,"payload":{"once":true},"result":null,"outputId":null},"agent_contract":{"version":"1","retryable":false,"next_actions":[{"action":"claim_task","available":true,"recommended":true,"method":"POST","endpoint":"/v1/tasks/claim","required_fields":["type"]},{"action":"check_task_status","available":true,"recommended":false,"method":"GET","endpoint":"/v1/tasks/01a1ee93-a9fd-7142-90a4-29cda198b43e"}]}}', 1795004107149, 1795004017149, 1795608817149);
INSERT INTO orchestrion.job VALUES ('bb611b72-5aec-493b-8786-f44716f58253', '01a1ee93-b69c-7142-90af-78cd705bc1cb', 'EMIT_EVENT', NULL, NULL, NULL, false);
INSERT INTO orchestrion.job VALUES ('bb611b72-5aec-493b-8786-f44716f58253', '01a1ee93-b757-7142-90b0-9708c673e037', 'EXECUTE', NULL, NULL, NULL, false);
INSERT INTO orchestrion.job VALUES ('bb611b72-5aec-493b-8786-f44716f58253', '01a1ee93-b7b8-7142-90b1-ff9ef3cf79b8', 'DEFERRED', 1796083200000, NULL, NULL, false);
INSERT INTO orchestrion.job_capacity VALUES ('active', 0, 0, 0);
INSERT INTO orchestrion.job_capacity VALUES ('waiting', 100000, 99997, 1795004020380);
INSERT INTO orchestrion.job_definition VALUES ('bb611b72-5aec-493b-8786-f44716f58253', '01a1ee93-b69c-7142-90af-78cd705bc1cb', 'FAIL_IMMEDIATE', 500, true, 1024, 1795004020380);
INSERT INTO orchestrion.job_definition VALUES ('bb611b72-5aec-493b-8786-f44716f58253', '01a1ee93-b757-7142-90b0-9708c673e037', 'FAIL_IMMEDIATE', 500, true, 1024, 1795004020567);
INSERT INTO orchestrion.job_definition VALUES ('bb611b72-5aec-493b-8786-f44716f58253', '01a1ee93-b7b8-7142-90b1-ff9ef3cf79b8', 'SUCCESS_FAST', 1000, false, 4096, 1795004020664);
INSERT INTO orchestrion.job_event VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-b253-7142-90a9-8657b43f9904', 1795004019283, '01a1ee93-b253-7142-90aa-95e184adcdab', 'info', 'handed in', NULL, NULL, 'submit', 'ready', 0);
INSERT INTO orchestrion.job_event VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-b2d0-7142-90ab-0c9a6a11d07b', 1795004019408, '01a1ee93-b2d0-7142-90ac-2e356e7ace7a', 'info', 'handed in', NULL, NULL, 'submit', 'ready', 0);
INSERT INTO orchestrion.job_event VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-b253-7142-90a9-8657b43f9904', 1795004019557, '01a1ee93-b365-7142-90ad-cb233fa850c3', 'info', 'claimed by w1, attempt 1', NULL, 'w1', 'lease', 'running', 1);
INSERT INTO orchestrion.job_report VALUES ('bb611b72-5aec-493b-8786-f44716f58253', '01a1ee93-b69c-7142-90af-78cd705bc1cb', 1, 'FAILED', 1795004020802, 1795004021512, 710, 'SIMULATED_FAILURE: FAIL_IMMEDIATE fails on attempt 1', NULL, NULL, NULL, '[{"at": 1795004020380, "to": "waiting", "seq": 1, "from": null, "event": "submit", "lease": 0, "detail": null, "holder": null, "attempt": 0}, {"at": 1795004020381, "to": "ready", "seq": 2, "from": "waiting", "event": "promote", "lease": 0, "detail": null, "holder": null, "attempt": 0}, {"at": 1795004020519, "to": "leased", "seq": 3, "from": "ready", "event": "lease", "lease": 1, "detail": null, "holder": "server@vm/3674", "attempt": 1}, {"at": 1795004020802, "to": "running", "seq": 4, "from": "leased", "event": "start", "lease": 1, "detail": null, "holder": "server@vm/3674", "attempt": 1}, {"at": 1795004021512, "to": "failed", "seq": 5, "from": "running", "event": "fail", "lease": 1, "detail": "SIMULATED_FAILURE: FAIL_IMMEDIATE fails on attempt 1", "holder": "server@vm/3674", "attempt": 1}]');
INSERT INTO orchestrion.job_report VALUES ('bb611b72-5aec-493b-8786-f44716f58253', '01a1ee93-b757-7142-90b0-9708c673e037', 1, 'FAILED', 1795004021627, 1795004022153, 526, 'SIMULATED_FAILURE: FAIL_IMMEDIATE fails on attempt 1', NULL, NULL, NULL, '[{"at": 1795004020567, "to": "waiting", "seq": 1, "from": null, "event": "submit", "lease": 0, "detail": null, "holder": null, "attempt": 0}, {"at": 1795004020568, "to": "ready", "seq": 2, "from": "waiting", "event": "promote", "lease": 0, "detail": null, "holder": null, "attempt": 0}, {"at": 1795004021597, "to": "leased", "seq": 3, "from": "ready", "event": "lease", "lease": 1, "detail": null, "holder": "server@vm/3674", "attempt": 1}, {"at": 1795004021627, "to": "running", "seq": 4, "from": "leased", "event": "start", "lease": 1, "detail": null, "holder": "server@vm/3674", "attempt": 1}, {"at": 1795004022153, "to": "failed", "seq": 5, "from": "running", "event": "fail", "lease": 1, "detail": "SIMULATED_FAILURE: FAIL_IMMEDIATE fails on attempt 1", "holder": "server@vm/3674", "attempt": 1}]');
INSERT INTO orchestrion.log_reader VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 22, '01a1ee93-a8ad-7142-90a1-a7471b925604', 2);
INSERT INTO orchestrion.schedule VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-b115-7142-90a6-fdc62132139b', 'kept', NULL, 3600, 'UTC', NULL, NULL, 1795004018965, 'latest', 100, 60, 'allow', 0, 'kept', '{}', 0, 3, 300, false, 1795007618965, 1795007618965, NULL, 0, NULL, NULL, 0, 0, 0, 0, NULL, NULL, 1795004018965, 1795004018965);
INSERT INTO orchestrion.schema_migration VALUES ('V001__kernel.sql', '835d2affb67e0bda02ebcadd67fbcc84062a063f6e7fb7e37ed924fdc76dfa2c', '2026-11-18 12:13:21.978922+00');
INSERT INTO orchestrion.schema_migration VALUES ('V002__plans.sql', '2460fd90c179050091d2730dfdf818d16908262ac1aa657be57025dc90447f09', '2026-11-18 12:13:22.126057+00');
INSERT INTO orchestrion.schema_migration VALUES ('V003__billing.sql', '8098b9d75709ac95dacded2d637296f5b89b321187d324b33ff9b20205846f69', '2026-11-18 12:13:22.294866+00');
INSERT INTO orchestrion.schema_migration VALUES ('V004__keys.sql', 'fb799969557ac2cbcf0fd3ccb84bc772c5c48efe9468249367e660cf968e861f', '2026-11-18 12:13:22.345297+00');
INSERT INTO orchestrion.schema_migration VALUES ('V005__terms.sql', '4920c30475f51864aebbcb8805f628121a1e4e0c51091cdbef0e76df6b011609', '2026-11-18 12:13:22.53452+00');
INSERT INTO orchestrion.schema_migration VALUES ('V006__events.sql', 'd9fbc9873793073b878c26241dfd6a4e651ce4e1d2cc8f4c445c37e2b37a4b10', '2026-11-18 12:13:22.608948+00');
INSERT INTO orchestrion.schema_migration VALUES ('V007__schedules.sql', 'dd1954f1e0d870e9a5aeb4049b3291ad1e9971349689dc10283d100075f482f2', '2026-11-18 12:13:22.671462+00');
INSERT INTO orchestrion.schema_migration VALUES ('V008__bulk.sql', 'eed4accd34d59692334e6b32c0658c27f743ff6670d33bc6965b79b9a459b3bf', '2026-11-18 12:13:22.740228+00');
INSERT INTO orchestrion.schema_migration VALUES ('V009__types.sql', '485af2112940cab4e4f883d82b2f85bd2ee6d0df1f2d3bda1e3af230cd3182f7', '2026-11-18 12:13:22.768738+00');
INSERT INTO orchestrion.schema_migration VALUES ('V010__flow.sql', '552728c7af0edb342b2784c07af0b24c09b76e542d380e5f84eb3f9ce3863943', '2026-11-18 12:13:22.779264+00');
INSERT INTO orchestrion.schema_migration VALUES ('V011__dependencies.sql', 'aa9eaea7fc2d6acf56d39a1f85fd0977588244d56238a13c0b8e0087669e6ab3', '2026-11-18 12:13:22.811434+00');
INSERT INTO orchestrion.schema_migration VALUES ('V012__receipts.sql', '8a4d81786a1bb9a94600cf022ba5bf3bbd7c5975b19455391130a1bfc53b1086', '2026-11-18 12:13:22.837831+00');
INSERT INTO orchestrion.schema_migration VALUES ('V013__one_guard.sql', 'c413a7b481d7728bda39720f97ce5bfd24f5d63199be487c56865eb36b38dcb3', '2026-11-18 12:13:22.864297+00');
INSERT INTO orchestrion.schema_migration VALUES ('V014__steady_plans.sql', '5892c136a7a8722ea0376a32ba26648c7b96786ef8a345df323d69441e6f20e6', '2026-11-18 12:13:23.147446+00');
INSERT INTO orchestrion.schema_migration VALUES ('V015__one_row.sql', '04f1afa1ce8125033d5f94102ffafc72ada401334550686ba52474ee3edb8563', '2026-11-18 12:13:23.467446+00');
INSERT INTO orchestrion.schema_migration VALUES ('V016__queue_policy.sql', 'cb86fdd69a4c26ac25569b93e74aa5df2295bcd284ba4288a96ee700dc9fe3a0', '2026-11-18 12:13:23.551448+00');
INSERT INTO orchestrion.schema_migration VALUES ('V017__job_events.sql', '911dfa865f608fc2e329981115c2495b5f4f43767ab7f48cde84546c20569590', '2026-11-18 12:13:23.627448+00');
INSERT INTO orchestrion.schema_migration VALUES ('V018__worker_tokens.sql', 'ceb65ba76287a802ef491a243a20c71582087df98049877957b30ed9cc0434b4', '2026-11-18 12:13:23.656268+00');
INSERT INTO orchestrion.schema_migration VALUES ('V019__jobs.sql', '98c095f04e0e8986958b167441d969f5c248e8a1de2c61f20f4dedc7fa9e424f', '2026-11-18 12:13:23.694437+00');
INSERT INTO orchestrion.schema_migration VALUES ('V020__runners.sql', '1106c6c6646a8eda05dbc227ce5828fd268055e8f9dfc79a20b84d9993c0aa2c', '2026-11-18 12:13:23.815121+00');
INSERT INTO orchestrion.schema_migration VALUES ('V021__clients.sql', '068883b826f446b71b19315ff3c3ac124f4b6d18fa511834fa02d3b9b6fc2ef8', '2026-11-18 12:13:23.836383+00');
INSERT INTO orchestrion.schema_migration VALUES ('V022__webhooks.sql', 'd5e5c3ca6f60b02af71805195218aca8d256eb13b034c688e26dcbaae3f5232d', '2026-11-18 12:13:23.859448+00');
INSERT INTO orchestrion.schema_migration VALUES ('V023__signals.sql', '49f184003ac1cb26351dd37dfdd62e3ff782c58b340ae2af5610b7e632cfd193', '2026-11-18 12:13:24.02679+00');
INSERT INTO orchestrion.schema_migration VALUES ('V024__history_in_row.sql', '56379b92d28d16f5f4dae4b898abba27b442ee94aba799b1648c0db1eb881722', '2026-11-18 12:13:24.044351+00');
INSERT INTO orchestrion.schema_migration VALUES ('V025__fewer_statistics.sql', 'd32d0b7916e174c0829e949dbd72e91b80b046d80b45bc56a272335ae4751350', '2026-11-18 12:13:24.141153+00');
INSERT INTO orchestrion.schema_migration VALUES ('V026__positions_after_commit.sql', 'fa6238e86f38047e68328e09ec75a1dd99aa06844a19d72544265d1a2d05c4e0', '2026-11-18 12:13:24.169345+00');
INSERT INTO orchestrion.schema_migration VALUES ('R__work_guard.sql', '7651f523f8cb5838ccb84665086745fc60ffb188f277e5677048f785c95d4dc4', '2026-11-18 12:13:24.249573+00');
INSERT INTO orchestrion.schema_migration VALUES ('R__allowance.sql', 'db78739a534dfa2117884a430b20d28d773bcdec4cfe3c013e9d3c58bd4ebf60', '2026-11-18 12:13:24.25911+00');
INSERT INTO orchestrion.usage_month VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 202611, 11);
INSERT INTO orchestrion.webhook_attempt VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-ad3b-7142-90a5-20db88a01060', 1, 1795004018194, 64, NULL, 'unknown_host', 'The name of the host is not known.', NULL, 1795004019561);
INSERT INTO orchestrion.webhook_attempt VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-ad3b-7142-90a5-20db88a01060', 2, 1795004019707, 14, NULL, 'unknown_host', 'The name of the host is not known.', NULL, 1795004021965);
INSERT INTO orchestrion.webhook_attempt VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-ad3b-7142-90a5-20db88a01060', 3, 1795004022160, 2, NULL, 'unknown_host', 'The name of the host is not known.', NULL, 1795004026143);
INSERT INTO orchestrion.webhook_delivery VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-ad3b-7142-90a5-20db88a01060', '01a1ee93-a72d-7142-9098-e83215cfef28', 1, 'tasks', '01a1ee93-a7e5-7142-909a-cdead5d6c1dc', 3, '3457a6c7-080c-8b00-b239-0f249f23ff73', 'task.completed', NULL, NULL, 1795004017979, false);
INSERT INTO orchestrion.webhook_endpoint VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a72d-7142-9098-e83215cfef28', 'webhook', 'https://receiver.example/hook', '{task.completed}', '\x42c8f559199f1276ec01f1f5931b681aa86a59653b930531401531b95125d386', '', 'active', NULL, 0, 1795004016429, 1795004022339, 1, 1795004026143, 3, 1795004018461, 0, NULL, NULL, 'unknown_host: The name of the host is not known.');
INSERT INTO orchestrion.webhook_secret VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a72d-7142-9098-e83215cfef28', '01a1ee93-a72d-7142-9099-232cb8db6f0c', '\x00d12fe5cd6dcdb59b5c28d7c9bbc7fbc6b5bd976e02fd58c9dceb284ca3939fcd', 1795004016429, NULL);
INSERT INTO orchestrion.work VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a861-7142-909e-b5c9ae7ef70e', 'tasks', 'tasks', 'kept', 'ready', NULL, 0, 0, NULL, 0, 3, 0, 300, 0, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, 1795004016737, 1795004016737, NULL, NULL, NULL, NULL, NULL, 1, 1795004016737, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, '{"n":1}', NULL, NULL, NULL, NULL, NULL, NULL, '[8804913639962680612,1795004016737,"submit",null,"ready",0,0,null,null]
');
INSERT INTO orchestrion.work VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a873-7142-909f-9e6943d38331', 'tasks', 'tasks', 'kept', 'ready', NULL, 0, 0, NULL, 0, 3, 0, 300, 0, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, 1795004016755, 1795004016755, NULL, NULL, NULL, NULL, NULL, 1, 1795004016755, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, '{"n":1}', NULL, NULL, NULL, NULL, NULL, NULL, '[3786211629785474909,1795004016755,"submit",null,"ready",0,0,null,null]
');
INSERT INTO orchestrion.work VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a891-7142-90a0-957363596dd9', 'tasks', 'tasks', 'kept', 'waiting', 'schedule', 0, 1796860800000, 1796860800000, 0, 3, 0, 300, 0, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, 1795004016785, 1795004016785, NULL, NULL, NULL, NULL, NULL, 1, 1795004016785, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, '{"n":1}', NULL, NULL, NULL, NULL, NULL, NULL, '[165436367406142694,1795004016785,"submit",null,"waiting",0,0,null,null]
');
INSERT INTO orchestrion.work VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a93b-7142-90a3-8a75b61583eb', 'tasks', 'tasks', 'other', 'waiting', 'dependency', 0, 0, NULL, 0, 3, 0, 300, 0, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, 1795004016955, 1795004016955, NULL, NULL, NULL, NULL, NULL, 1, 1795004016955, NULL, 0, NULL, NULL, NULL, NULL, 'cancel', false, NULL, NULL, '{}', NULL, NULL, NULL, NULL, NULL, NULL, '[314324985543624259,1795004016955,"submit",null,"waiting",0,0,null,null]
');
INSERT INTO orchestrion.work VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a8ea-7142-90a2-eab95f407616', 'tasks', 'tasks', 'other', 'ready', NULL, 0, 0, NULL, 0, 3, 0, 300, 0, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, 1795004016874, 1795004016874, NULL, NULL, NULL, NULL, NULL, 1, 1795004016874, NULL, 0, NULL, NULL, NULL, NULL, NULL, true, NULL, NULL, '{"n":1}', NULL, NULL, NULL, NULL, NULL, NULL, '[5221854021004116905,1795004016874,"submit",null,"ready",0,0,null,null]
');
INSERT INTO orchestrion.work VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a9fd-7142-90a4-29cda198b43e', 'tasks', 'tasks', 'other', 'ready', NULL, 0, 0, NULL, 0, 3, 0, 300, 0, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, 1795004017149, 1795004017149, NULL, NULL, NULL, NULL, NULL, 1, 1795004017149, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, '{"once":true}', NULL, NULL, NULL, NULL, NULL, NULL, '[9117217762393289740,1795004017149,"submit",null,"ready",0,0,null,null]
');
INSERT INTO orchestrion.work VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a7e5-7142-909a-cdead5d6c1dc', 'tasks', 'tasks', 'kept', 'succeeded', NULL, 0, 0, NULL, 1, 3, 0, 300, 1, NULL, NULL, NULL, 'w "1"', NULL, NULL, false, NULL, NULL, 1795004016613, 1795004017753, 1795004017549, NULL, 1795004017753, NULL, NULL, 3, 1795004017753, 1795608817753, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, '{"n":1}', '{"ok":true}', NULL, NULL, NULL, NULL, NULL, '[1866179170776620802,1795004016613,"submit",null,"ready",0,0,null,null]
[7400744945352789109,1795004017549,"lease","ready","running",1,1,"w \"1\"",null]
[1130427205630362018,1795004017753,"complete","running","succeeded",1,1,"w \"1\"",null]
');
INSERT INTO orchestrion.work VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a822-7142-909b-e949b84a6cbf', 'tasks', 'tasks', 'kept', 'dead', NULL, 0, 0, NULL, 1, 1, 0, 300, 1, NULL, NULL, NULL, 'w "1"', NULL, NULL, false, NULL, NULL, 1795004016674, 1795004017921, 1795004017868, NULL, 1795004017921, 1795004017921, 'broke', 3, 1795004017921, 1795608817921, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, '{"n":1}', NULL, NULL, NULL, NULL, NULL, NULL, '[7563110120236716908,1795004016674,"submit",null,"ready",0,0,null,null]
[457452167224182632,1795004017868,"lease","ready","running",1,1,"w \"1\"",null]
[3622491006387196415,1795004017921,"fail","running","dead",1,1,"w \"1\"","broke"]
');
INSERT INTO orchestrion.work VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a830-7142-909c-9d3cab554bee', 'tasks', 'tasks', 'kept', 'waiting', 'backoff', 0, 1795007618462, 1795007618462, 1, 3, 0, 300, 1, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, 1795004016688, 1795004018462, NULL, NULL, NULL, 1795004018462, 'later', 3, 1795004018462, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, '{"n":1}', NULL, NULL, NULL, NULL, NULL, NULL, '[2974702596786958139,1795004016688,"submit",null,"ready",0,0,null,null]
[2482215810036159151,1795004018210,"lease","ready","running",1,1,"w \"1\"",null]
[7209291794612464246,1795004018462,"fail","running","waiting",1,1,"w \"1\"","later"]
');
INSERT INTO orchestrion.work VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a84b-7142-909d-549bc2fd2ea2', 'tasks', 'tasks', 'kept', 'running', NULL, 0, 0, NULL, 1, 3, 0, 60, 1, '7b4c23b4-900a-4c80-826a-d9793333634b', 1795004078633, 1795004078633, 'w "1"', NULL, NULL, false, NULL, NULL, 1795004016715, 1795004018633, 1795004018633, NULL, NULL, NULL, NULL, 2, 1795004018633, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, '{"n":1}', NULL, NULL, NULL, NULL, NULL, NULL, '[6559148508474213436,1795004016715,"submit",null,"ready",0,0,null,null]
[3797843542231041628,1795004018633,"lease","ready","running",1,1,"w \"1\"",null]
');
INSERT INTO orchestrion.work VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a8ad-7142-90a1-a7471b925604', 'tasks', 'tasks', 'other', 'cancelled', NULL, 0, 0, NULL, 0, 3, 0, 300, 0, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, 1795004016813, 1795004018825, NULL, NULL, 1795004018825, NULL, NULL, 2, 1795004018825, 1795608818825, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, '{"n":1}', NULL, NULL, NULL, NULL, NULL, NULL, '[2481951687790827073,1795004016813,"submit",null,"ready",0,0,null,null]
[9091274298358231417,1795004018825,"cancel","ready","cancelled",0,0,null,null]
');
INSERT INTO orchestrion.work VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-b2d0-7142-90ab-0c9a6a11d07b', 'queue', 'queue', 'build', 'ready', NULL, 0, 0, NULL, 0, 3, 0, 120, 0, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, 1795004019408, 1795004019408, NULL, NULL, NULL, NULL, NULL, 1, 1795004019408, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, '{"a":2}', NULL, NULL, NULL, NULL, '{}', NULL, '[3252162059523713052,1795004019408,"submit",null,"ready",0,0,null,null]
');
INSERT INTO orchestrion.work VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-b253-7142-90a9-8657b43f9904', 'queue', 'queue', 'build', 'running', NULL, 0, 0, NULL, 1, 3, 0, 120, 1, '58b83de6-ce1e-439b-88ef-3b5b850f2a12', 1795004139557, 1795004139557, 'w1', NULL, NULL, false, NULL, NULL, 1795004019283, 1795004019557, 1795004019557, NULL, NULL, NULL, NULL, 2, 1795004019557, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, '{"a":1}', NULL, NULL, NULL, NULL, '{}', NULL, '[516483826260474687,1795004019283,"submit",null,"ready",0,0,null,null]
[5177656034959698233,1795004019557,"lease","ready","running",1,1,"w1",null]
');
INSERT INTO orchestrion.work VALUES ('bb611b72-5aec-493b-8786-f44716f58253', '01a1ee93-b69c-7142-90af-78cd705bc1cb', 'jobs', 'jobs', 'FAIL_IMMEDIATE', 'failed', NULL, 0, 0, NULL, 1, 4, 0, 30, 1, NULL, NULL, NULL, 'server@vm/3674', 120000, NULL, false, 'job', '01a1ee93-b69c-7142-90af-78cd705bc1cb', 1795004020380, 1795004021512, 1795004020519, NULL, 1795004021512, 1795004021512, 'SIMULATED_FAILURE: FAIL_IMMEDIATE fails on attempt 1', 5, 1795004021512, 1797596021512, 0, NULL, NULL, NULL, NULL, NULL, false, '2f071741-2aa3-4710-857e-cbe62cb03066', 'e3415686-d35d-31c4-bb1f-a8914049d9c8', '{}', NULL, NULL, NULL, NULL, NULL, NULL, '[6941599143571287235,1795004020380,"submit",null,"waiting",0,0,null,null]
[6941599143571287235,1795004020381,"promote","waiting","ready",0,0,null,null]
[7528638861892933055,1795004020519,"lease","ready","leased",1,1,"server@vm/3674",null]
[6500449970868341505,1795004020802,"start","leased","running",1,1,"server@vm/3674",null]
[8569067069616507548,1795004021512,"fail","running","failed",1,1,"server@vm/3674","SIMULATED_FAILURE: FAIL_IMMEDIATE fails on attempt 1"]
');
INSERT INTO orchestrion.work VALUES ('bb611b72-5aec-493b-8786-f44716f58253', '01a1ee93-b757-7142-90b0-9708c673e037', 'jobs', 'jobs', 'FAIL_IMMEDIATE', 'failed', NULL, 0, 0, NULL, 1, 4, 0, 30, 1, NULL, NULL, NULL, 'server@vm/3674', 120000, NULL, false, 'job', '01a1ee93-b757-7142-90b0-9708c673e037', 1795004020567, 1795004022153, 1795004021597, NULL, 1795004022153, 1795004022153, 'SIMULATED_FAILURE: FAIL_IMMEDIATE fails on attempt 1', 5, 1795004022153, 1797596022153, 0, NULL, NULL, NULL, NULL, NULL, false, 'd8561117-15c2-409f-89f6-ea65c723c37a', 'e3415686-d35d-31c4-bb1f-a8914049d9c8', '{}', NULL, NULL, NULL, NULL, NULL, NULL, '[2530806138463658135,1795004020567,"submit",null,"waiting",0,0,null,null]
[2530806138463658135,1795004020568,"promote","waiting","ready",0,0,null,null]
[3849472322016475298,1795004021597,"lease","ready","leased",1,1,"server@vm/3674",null]
[7097266340886288855,1795004021627,"start","leased","running",1,1,"server@vm/3674",null]
[4411021486363829707,1795004022153,"fail","running","failed",1,1,"server@vm/3674","SIMULATED_FAILURE: FAIL_IMMEDIATE fails on attempt 1"]
');
INSERT INTO orchestrion.work VALUES ('bb611b72-5aec-493b-8786-f44716f58253', '01a1ee93-b7b8-7142-90b1-ff9ef3cf79b8', 'jobs', 'jobs', 'SUCCESS_FAST', 'waiting', 'schedule', 0, 0, 1796083200000, 0, 4, 0, 30, 0, NULL, NULL, NULL, NULL, 120000, NULL, false, 'job', '01a1ee93-b7b8-7142-90b1-ff9ef3cf79b8', 1795004020664, 1795004020664, NULL, NULL, NULL, NULL, NULL, 1, 1795004020664, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, '{}', NULL, NULL, NULL, NULL, NULL, NULL, '[6685874595249824401,1795004020664,"submit",null,"waiting",0,0,null,null]
');
INSERT INTO orchestrion.work VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-ad3b-7142-90a5-20db88a01060', 'deliveries', 'deliveries', '01a1ee93-a72d-7142-9098-e83215cfef28', 'waiting', 'backoff', 0, 0, 1795004026143, 3, 6, 0, 60, 3, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, 1795004017979, 1795004022339, NULL, NULL, NULL, 1795004022339, 'unknown_host: The name of the host is not known.', 7, 1795004022339, NULL, 0, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, '{"event_id":"3457a6c7-080c-8b00-b239-0f249f23ff73","event_name":"task.completed","timestamp":"2026-11-18T12:13:37.753Z","task_id":"01a1ee93-a7e5-7142-909a-cdead5d6c1dc","task_type":"kept","prev_state":"claimed","next_state":"completed","attempt":1,"worker_id":"w \"1\"","reason":null}', NULL, NULL, NULL, NULL, NULL, NULL, '[8277576297503917482,1795004017979,"submit",null,"ready",0,0,null,null]
[5551874828751771853,1795004018194,"lease","ready","running",1,1,"deliverer",null]
[4267725234095092929,1795004018461,"fail","running","waiting",1,1,"deliverer","unknown_host: The name of the host is not known."]
[8297649627894326381,1795004019707,"lease","ready","running",2,2,"deliverer",null]
[4380585546356434693,1795004019943,"fail","running","waiting",2,2,"deliverer","unknown_host: The name of the host is not known."]
[3568169787367600517,1795004022160,"lease","ready","running",3,3,"deliverer",null]
[8871846348982061810,1795004022339,"fail","running","waiting",3,3,"deliverer","unknown_host: The name of the host is not known."]
');
INSERT INTO orchestrion.work_dependency VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-a93b-7142-90a3-8a75b61583eb', '01a1ee93-a8ea-7142-90a2-eab95f407616', 0, NULL, false);
INSERT INTO orchestrion.work_receipt VALUES ('bb611b72-5aec-493b-8786-f44716f58253', '01a1ee93-b69c-7142-90af-78cd705bc1cb', '2f071741-2aa3-4710-857e-cbe62cb03066', 'e3415686-d35d-31c4-bb1f-a8914049d9c8', '{"id": "01a1ee93-b69c-7142-90af-78cd705bc1cb", "kind": "FAIL_IMMEDIATE", "rank": 0, "queue": "jobs", "state": "failed", "trace": null, "holder": "server@vm/3674", "attempt": 1, "failure": "SIMULATED_FAILURE: FAIL_IMMEDIATE fails on attempt 1", "history": "[6941599143571287235,1795004020380,\"submit\",null,\"waiting\",0,0,null,null]\n[6941599143571287235,1795004020381,\"promote\",\"waiting\",\"ready\",0,0,null,null]\n[7528638861892933055,1795004020519,\"lease\",\"ready\",\"leased\",1,1,\"server@vm/3674\",null]\n[6500449970868341505,1795004020802,\"start\",\"leased\",\"running\",1,1,\"server@vm/3674\",null]\n[8569067069616507548,1795004021512,\"fail\",\"running\",\"failed\",1,1,\"server@vm/3674\",\"SIMULATED_FAILURE: FAIL_IMMEDIATE fails on attempt 1\"]\n", "profile": "jobs", "retries": 0, "event_ms": 1795004021512, "flow_key": null, "order_ms": 0, "owner_id": "01a1ee93-b69c-7142-90af-78cd705bc1cb", "priority": 0, "rate_key": null, "event_seq": 5, "failed_ms": 1795004021512, "run_at_ms": null, "account_id": "bb611b72-5aec-493b-8786-f44716f58253", "claimed_ms": 1795004020519, "created_ms": 1795004020380, "owner_kind": "job", "repository": null, "timeout_ms": 120000, "unique_key": null, "updated_ms": 1795004021512, "deadline_ms": null, "finished_ms": 1795004021512, "lease_token": null, "wait_reason": null, "capabilities": null, "heartbeat_ms": null, "lease_number": 1, "max_attempts": 4, "lease_seconds": 30, "settled_token": "2f071741-2aa3-4710-857e-cbe62cb03066", "has_dependents": false, "lease_check_ms": null, "lease_until_ms": null, "purge_after_ms": 1797596021512, "settled_digest": "e3415686-d35d-31c4-bb1f-a8914049d9c8", "concurrency_key": null, "if_parent_fails": null, "cancel_requested": false, "repository_owner": null}', 1795004021512);
INSERT INTO orchestrion.work_receipt VALUES ('bb611b72-5aec-493b-8786-f44716f58253', '01a1ee93-b757-7142-90b0-9708c673e037', 'd8561117-15c2-409f-89f6-ea65c723c37a', 'e3415686-d35d-31c4-bb1f-a8914049d9c8', '{"id": "01a1ee93-b757-7142-90b0-9708c673e037", "kind": "FAIL_IMMEDIATE", "rank": 0, "queue": "jobs", "state": "failed", "trace": null, "holder": "server@vm/3674", "attempt": 1, "failure": "SIMULATED_FAILURE: FAIL_IMMEDIATE fails on attempt 1", "history": "[2530806138463658135,1795004020567,\"submit\",null,\"waiting\",0,0,null,null]\n[2530806138463658135,1795004020568,\"promote\",\"waiting\",\"ready\",0,0,null,null]\n[3849472322016475298,1795004021597,\"lease\",\"ready\",\"leased\",1,1,\"server@vm/3674\",null]\n[7097266340886288855,1795004021627,\"start\",\"leased\",\"running\",1,1,\"server@vm/3674\",null]\n[4411021486363829707,1795004022153,\"fail\",\"running\",\"failed\",1,1,\"server@vm/3674\",\"SIMULATED_FAILURE: FAIL_IMMEDIATE fails on attempt 1\"]\n", "profile": "jobs", "retries": 0, "event_ms": 1795004022153, "flow_key": null, "order_ms": 0, "owner_id": "01a1ee93-b757-7142-90b0-9708c673e037", "priority": 0, "rate_key": null, "event_seq": 5, "failed_ms": 1795004022153, "run_at_ms": null, "account_id": "bb611b72-5aec-493b-8786-f44716f58253", "claimed_ms": 1795004021597, "created_ms": 1795004020567, "owner_kind": "job", "repository": null, "timeout_ms": 120000, "unique_key": null, "updated_ms": 1795004022153, "deadline_ms": null, "finished_ms": 1795004022153, "lease_token": null, "wait_reason": null, "capabilities": null, "heartbeat_ms": null, "lease_number": 1, "max_attempts": 4, "lease_seconds": 30, "settled_token": "d8561117-15c2-409f-89f6-ea65c723c37a", "has_dependents": false, "lease_check_ms": null, "lease_until_ms": null, "purge_after_ms": 1797596022153, "settled_digest": "e3415686-d35d-31c4-bb1f-a8914049d9c8", "concurrency_key": null, "if_parent_fails": null, "cancel_requested": false, "repository_owner": null}', 1795004022153);
INSERT INTO orchestrion.work_type VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', 'tasks', 'kept', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, false, false, false, 1795004016536, 1795004016536, 'kept from an older release', NULL, NULL, false, false, NULL, NULL);
INSERT INTO orchestrion.worker_token VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-b1bd-7142-90a8-b5b0db08a3ec', 'w1', 'kept', NULL, NULL, NULL, 1795004019133, NULL, NULL, NULL, NULL);
INSERT INTO orchestrion.worker_token_secret VALUES ('01a1ee93-a601-7142-9096-e17df98442f1', '01a1ee93-b1bd-7142-90a8-b5b0db08a3ec', '\x3584d00a470ac0ab8fdf40cbdce54e831c98ce9b64865ea2f1e130e1dc5d3b98', 1795004019133, NULL);
SELECT pg_catalog.setval('orchestrion.event_chunk_number_seq', 38, true);
ALTER TABLE ONLY orchestrion.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY orchestrion.allowance
    ADD CONSTRAINT allowance_pkey PRIMARY KEY (account_id, subject, bucket);
ALTER TABLE ONLY orchestrion.api_key
    ADD CONSTRAINT api_key_key_hash_key UNIQUE (key_hash);
ALTER TABLE ONLY orchestrion.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (account_id, key_id);
ALTER TABLE ONLY orchestrion.audit_head
    ADD CONSTRAINT audit_head_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY orchestrion.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (account_id, seq);
ALTER TABLE ONLY orchestrion.bulk_operation
    ADD CONSTRAINT bulk_operation_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY orchestrion.claim_lease
    ADD CONSTRAINT claim_lease_pkey PRIMARY KEY (account_id, claim_id, place);
ALTER TABLE ONLY orchestrion.claim_receipt
    ADD CONSTRAINT claim_receipt_pkey PRIMARY KEY (account_id, claim_id);
ALTER TABLE ONLY orchestrion.client
    ADD CONSTRAINT client_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY orchestrion.event_chunk
    ADD CONSTRAINT event_chunk_pkey PRIMARY KEY (account_id, queue, tx_id, part);
ALTER TABLE ONLY orchestrion.event_era
    ADD CONSTRAINT event_era_pkey PRIMARY KEY (start);
ALTER TABLE ONLY orchestrion.event_fold
    ADD CONSTRAINT event_fold_pkey PRIMARY KEY (account_id, queue);
ALTER TABLE ONLY orchestrion.event_log
    ADD CONSTRAINT event_log_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY orchestrion.event_total
    ADD CONSTRAINT event_total_pkey PRIMARY KEY (queue, kind, event, from_word, to_word, again, bucket);
ALTER TABLE ONLY orchestrion.flow_ring
    ADD CONSTRAINT flow_ring_pkey PRIMARY KEY (account_id, queue, kind);
ALTER TABLE ONLY orchestrion.flow_start
    ADD CONSTRAINT flow_start_pkey PRIMARY KEY (account_id, queue, kind, rate_key, slice_ms);
ALTER TABLE ONLY orchestrion.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (account_id, surface, scope, action, key);
ALTER TABLE ONLY orchestrion.job_capacity
    ADD CONSTRAINT job_capacity_pkey PRIMARY KEY (name);
ALTER TABLE ONLY orchestrion.job_definition
    ADD CONSTRAINT job_definition_pkey PRIMARY KEY (account_id, job_id);
ALTER TABLE ONLY orchestrion.job_event
    ADD CONSTRAINT job_event_pkey PRIMARY KEY (account_id, work_id, at_ms);
ALTER TABLE ONLY orchestrion.job_log
    ADD CONSTRAINT job_log_pkey PRIMARY KEY (account_id, work_id);
ALTER TABLE ONLY orchestrion.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (account_id, job_id);
ALTER TABLE ONLY orchestrion.job_problem
    ADD CONSTRAINT job_problem_pkey PRIMARY KEY (account_id, job_id, problem);
ALTER TABLE ONLY orchestrion.job_report
    ADD CONSTRAINT job_report_pkey PRIMARY KEY (account_id, job_id, attempt);
ALTER TABLE ONLY orchestrion.job_retry
    ADD CONSTRAINT job_retry_pkey PRIMARY KEY (account_id, job_id);
ALTER TABLE ONLY orchestrion.local_order
    ADD CONSTRAINT local_order_pkey PRIMARY KEY (account_id, order_id);
ALTER TABLE ONLY orchestrion.log_reader
    ADD CONSTRAINT log_reader_pkey PRIMARY KEY (account_id, queue);
ALTER TABLE ONLY orchestrion.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY orchestrion.parent_end
    ADD CONSTRAINT parent_end_pkey PRIMARY KEY (account_id, work_id, event_seq);
ALTER TABLE ONLY orchestrion.payment_entry
    ADD CONSTRAINT payment_entry_pkey PRIMARY KEY (account_id, purchase_id, seq);
ALTER TABLE ONLY orchestrion.plan_period
    ADD CONSTRAINT plan_period_pkey PRIMARY KEY (account_id, from_ms);
ALTER TABLE ONLY orchestrion.purchase
    ADD CONSTRAINT purchase_pkey PRIMARY KEY (account_id, purchase_id);
ALTER TABLE ONLY orchestrion.runner
    ADD CONSTRAINT runner_pkey PRIMARY KEY (runner_id);
ALTER TABLE ONLY orchestrion.schedule
    ADD CONSTRAINT schedule_account_id_name_key UNIQUE (account_id, name);
ALTER TABLE ONLY orchestrion.schedule_fire
    ADD CONSTRAINT schedule_fire_pkey PRIMARY KEY (account_id, schedule_id, seq);
ALTER TABLE ONLY orchestrion.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (account_id, schedule_id);
ALTER TABLE ONLY orchestrion.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY orchestrion.usage_month
    ADD CONSTRAINT usage_month_pkey PRIMARY KEY (account_id, month);
ALTER TABLE ONLY orchestrion.webhook_attempt
    ADD CONSTRAINT webhook_attempt_pkey PRIMARY KEY (account_id, delivery_id, number);
ALTER TABLE ONLY orchestrion.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (account_id, delivery_id);
ALTER TABLE ONLY orchestrion.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (account_id, endpoint_id);
ALTER TABLE ONLY orchestrion.webhook_secret
    ADD CONSTRAINT webhook_secret_pkey PRIMARY KEY (account_id, endpoint_id, secret_id);
ALTER TABLE ONLY orchestrion.work_dependency
    ADD CONSTRAINT work_dependency_pkey PRIMARY KEY (account_id, work_id, parent_id);
ALTER TABLE ONLY orchestrion.work
    ADD CONSTRAINT work_pkey PRIMARY KEY (account_id, id);
ALTER TABLE ONLY orchestrion.work_receipt
    ADD CONSTRAINT work_receipt_pkey PRIMARY KEY (account_id, work_id, token);
ALTER TABLE ONLY orchestrion.work_type
    ADD CONSTRAINT work_type_pkey PRIMARY KEY (account_id, queue, kind);
ALTER TABLE ONLY orchestrion.work_unique
    ADD CONSTRAINT work_unique_pkey PRIMARY KEY (account_id, queue, kind, unique_key);
ALTER TABLE ONLY orchestrion.worker_token
    ADD CONSTRAINT worker_token_pkey PRIMARY KEY (account_id, token_id);
ALTER TABLE ONLY orchestrion.worker_token_secret
    ADD CONSTRAINT worker_token_secret_pkey PRIMARY KEY (account_id, token_id, token_hash);
ALTER TABLE ONLY orchestrion.worker_token_secret
    ADD CONSTRAINT worker_token_secret_token_hash_key UNIQUE (token_hash);
CREATE INDEX allowance_idle ON orchestrion.allowance USING btree (idle_ms);
CREATE INDEX api_key_ended ON orchestrion.api_key USING btree (LEAST(revoked_ms, expires_ms), account_id) WHERE ((revoked_ms IS NOT NULL) OR (expires_ms IS NOT NULL));
CREATE INDEX api_key_live ON orchestrion.api_key USING btree (account_id, COALESCE(expires_ms, '9223372036854775807'::bigint)) WHERE (revoked_ms IS NULL);
CREATE INDEX audit_age ON orchestrion.audit USING btree (at_ms, account_id);
CREATE INDEX bulk_operation_ended ON orchestrion.bulk_operation USING btree (finished_ms, account_id) WHERE (finished_ms IS NOT NULL);
CREATE INDEX bulk_operation_next ON orchestrion.bulk_operation USING btree (next_ms, account_id) WHERE (next_ms IS NOT NULL);
CREATE INDEX bulk_operation_running ON orchestrion.bulk_operation USING btree (account_id) WHERE (state = 'running'::text);
CREATE INDEX claim_receipt_age ON orchestrion.claim_receipt USING btree (created_ms, account_id);
CREATE INDEX event_chunk_log ON orchestrion.event_chunk USING btree (account_id, queue, "position") WHERE ("position" > 0);
CREATE INDEX event_chunk_look ON orchestrion.event_chunk USING btree (look_ms, account_id);
CREATE INDEX event_chunk_unplaced ON orchestrion.event_chunk USING btree (account_id, number) WHERE ("position" = 0);
CREATE INDEX flow_start_purge ON orchestrion.flow_start USING btree (purge_ms, account_id);
CREATE INDEX idempotency_expiry ON orchestrion.idempotency USING btree (expires_ms, account_id);
CREATE INDEX idempotency_work ON orchestrion.idempotency USING btree (account_id, work_id) WHERE (work_id IS NOT NULL);
CREATE INDEX job_anybodys ON orchestrion.job USING btree (job_id);
CREATE INDEX job_retry_next ON orchestrion.job_retry USING btree (next_ms, account_id);
CREATE INDEX local_order_by_id ON orchestrion.local_order USING btree (order_id);
CREATE INDEX outbox_next ON orchestrion.outbox USING btree (next_ms, account_id);
CREATE INDEX parent_end_next ON orchestrion.parent_end USING btree (next_ms, account_id);
CREATE INDEX purchase_look ON orchestrion.purchase USING btree (look_ms, account_id) WHERE (look_ms IS NOT NULL);
CREATE INDEX purchase_newest ON orchestrion.purchase USING btree (account_id, created_ms DESC, purchase_id DESC);
CREATE INDEX runner_seen ON orchestrion.runner USING btree (seen_ms);
CREATE INDEX schedule_due ON orchestrion.schedule USING btree (due_ms, account_id) WHERE (due_ms IS NOT NULL);
CREATE INDEX schedule_due_of_account ON orchestrion.schedule USING btree (account_id, due_ms) WHERE (due_ms IS NOT NULL);
CREATE INDEX schedule_fire_old ON orchestrion.schedule_fire USING btree (at_ms, account_id);
CREATE UNIQUE INDEX schedule_fire_once ON orchestrion.schedule_fire USING btree (account_id, schedule_id, fire_ms) WHERE (NOT manual);
CREATE INDEX schedule_fire_tasks ON orchestrion.schedule_fire USING btree (account_id, schedule_id, seq DESC) WHERE (task_id IS NOT NULL);
CREATE UNIQUE INDEX webhook_delivery_once ON orchestrion.webhook_delivery USING btree (account_id, endpoint_id, queue, subject, seq) WHERE (redelivery_of IS NULL);
CREATE INDEX webhook_delivery_order ON orchestrion.webhook_delivery USING btree (account_id, endpoint_id, subject, place);
CREATE INDEX webhook_delivery_orphan ON orchestrion.webhook_delivery USING btree (account_id) WHERE orphan;
CREATE INDEX webhook_delivery_place ON orchestrion.webhook_delivery USING btree (account_id, endpoint_id, place);
CREATE INDEX webhook_delivery_subject ON orchestrion.webhook_delivery USING btree (account_id, subject, delivery_id);
CREATE INDEX webhook_endpoint_due ON orchestrion.webhook_endpoint USING btree (next_ms) WHERE ((state = 'active'::text) AND (next_ms IS NOT NULL));
CREATE INDEX webhook_endpoint_id ON orchestrion.webhook_endpoint USING btree (endpoint_id);
CREATE UNIQUE INDEX webhook_endpoint_once ON orchestrion.webhook_endpoint USING btree (account_id, kind, once) WHERE (state <> 'deleted'::text);
CREATE INDEX work_by_state ON orchestrion.work USING btree (account_id, queue, state, id) WHERE (state <> ''::text);
CREATE INDEX work_dependency_parent ON orchestrion.work_dependency USING btree (account_id, parent_id, work_id);
CREATE INDEX work_due ON orchestrion.work USING btree (account_id, queue, kind, run_at_ms) WHERE ((state = 'waiting'::text) AND (wait_reason = ANY (ARRAY['schedule'::text, 'backoff'::text])));
CREATE INDEX work_due_time ON orchestrion.work USING btree (run_at_ms, account_id) WHERE ((state = 'waiting'::text) AND (wait_reason = ANY (ARRAY['schedule'::text, 'backoff'::text])));
CREATE INDEX work_fit ON orchestrion.work USING btree (account_id, queue, capabilities, kind COLLATE "C", rank DESC, order_ms, id) WHERE ((capabilities IS NOT NULL) AND ((state || ''::text) = 'ready'::text));
CREATE INDEX work_fit_owner ON orchestrion.work USING btree (account_id, queue, repository_owner, capabilities, kind COLLATE "C", rank DESC, order_ms, id) WHERE ((capabilities IS NOT NULL) AND (repository_owner IS NOT NULL) AND ((state || ''::text) = 'ready'::text));
CREATE INDEX work_fit_repository ON orchestrion.work USING btree (account_id, queue, repository, capabilities, kind COLLATE "C", rank DESC, order_ms, id) WHERE ((capabilities IS NOT NULL) AND (repository IS NOT NULL) AND ((state || ''::text) = 'ready'::text));
CREATE INDEX work_flow ON orchestrion.work USING btree (account_id, queue, kind, flow_key, rank DESC, order_ms, id) WHERE ((state = 'ready'::text) AND (flow_key IS NOT NULL));
CREATE INDEX work_flow_held ON orchestrion.work USING btree (account_id, queue, kind, concurrency_key) WHERE ((state = ANY (ARRAY['leased'::text, 'running'::text])) AND (concurrency_key IS NOT NULL));
CREATE INDEX work_job_open ON orchestrion.work USING btree (state, order_ms, id) WHERE ((profile = 'jobs'::text) AND (finished_ms IS NULL));
CREATE INDEX work_job_state ON orchestrion.work USING btree (account_id, orchestrion.job_state(state, wait_reason), id) WHERE (profile = 'jobs'::text);
ALTER INDEX orchestrion.work_job_state ALTER COLUMN 2 SET STATISTICS 10;
CREATE INDEX work_lease_check ON orchestrion.work USING btree (lease_check_ms, account_id) WHERE (state = ANY (ARRAY['leased'::text, 'running'::text]));
CREATE INDEX work_owner ON orchestrion.work USING btree (account_id, owner_kind, owner_id) WHERE (owner_kind IS NOT NULL);
CREATE INDEX work_purge ON orchestrion.work USING btree (purge_after_ms, account_id) WHERE (purge_after_ms IS NOT NULL);
CREATE INDEX work_ready ON orchestrion.work USING btree (account_id, queue, kind, rank DESC, order_ms, id) WHERE (((state || ''::text) = 'ready'::text) AND (flow_key IS NULL));
CREATE INDEX work_type_reflow ON orchestrion.work_type USING btree (account_id) WHERE reflow;
CREATE INDEX work_type_unsettled ON orchestrion.work_type USING btree (account_id) WHERE (removed OR (rerank_after IS NOT NULL) OR (rerank_check_ms IS NOT NULL));
CREATE INDEX worker_token_ended ON orchestrion.worker_token USING btree (LEAST(deactivated_ms, expires_ms), account_id) WHERE ((deactivated_ms IS NOT NULL) OR (expires_ms IS NOT NULL));
CREATE INDEX worker_token_live ON orchestrion.worker_token USING btree (account_id, COALESCE(expires_ms, '9223372036854775807'::bigint)) WHERE (deactivated_ms IS NULL);
CREATE UNIQUE INDEX worker_token_secret_current ON orchestrion.worker_token_secret USING btree (account_id, token_id) WHERE (ends_ms IS NULL);
CREATE TRIGGER audit_is_final BEFORE DELETE OR UPDATE ON orchestrion.audit FOR EACH ROW EXECUTE FUNCTION orchestrion.audit_is_final();
CREATE TRIGGER audit_is_not_truncated BEFORE TRUNCATE ON orchestrion.audit FOR EACH STATEMENT EXECUTE FUNCTION orchestrion.audit_is_final();
CREATE TRIGGER client_stays BEFORE UPDATE ON orchestrion.client FOR EACH ROW EXECUTE FUNCTION orchestrion.client_stays();
CREATE TRIGGER job_definition_is_final BEFORE UPDATE ON orchestrion.job_definition FOR EACH STATEMENT EXECUTE FUNCTION orchestrion.is_never_changed();
CREATE TRIGGER job_event_is_final BEFORE DELETE OR UPDATE ON orchestrion.job_event FOR EACH ROW EXECUTE FUNCTION orchestrion.job_event_is_final();
CREATE TRIGGER job_event_is_not_truncated BEFORE TRUNCATE ON orchestrion.job_event FOR EACH STATEMENT EXECUTE FUNCTION orchestrion.job_event_is_final();
CREATE TRIGGER job_report_is_final BEFORE UPDATE ON orchestrion.job_report FOR EACH STATEMENT EXECUTE FUNCTION orchestrion.is_never_changed();
CREATE TRIGGER payment_entry_is_final BEFORE DELETE OR UPDATE ON orchestrion.payment_entry FOR EACH ROW EXECUTE FUNCTION orchestrion.payment_entry_is_final();
CREATE TRIGGER work_guard_begin BEFORE INSERT ON orchestrion.work FOR EACH ROW WHEN (((current_setting('orchestrion.guard'::text, true) IS DISTINCT FROM 'statement'::text) OR (new.state <> ALL (ARRAY['waiting'::text, 'ready'::text])))) EXECUTE FUNCTION orchestrion.work_guard();
CREATE TRIGGER work_guard_change BEFORE UPDATE ON orchestrion.work FOR EACH ROW WHEN (((current_setting('orchestrion.guard'::text, true) IS DISTINCT FROM 'statement'::text) OR ((old.state <> new.state) AND (NOT (((old.state = 'ready'::text) AND (new.state = 'running'::text) AND (new.profile = ANY (ARRAY['tasks'::text, 'queue'::text, 'steps'::text, 'drivers'::text, 'builtin'::text, 'deliveries'::text]))) OR ((old.state = 'running'::text) AND (new.state = 'succeeded'::text)) OR ((old.state = 'waiting'::text) AND (new.state = 'ready'::text)) OR ((old.state = 'ready'::text) AND (new.state = 'leased'::text) AND (new.profile = 'jobs'::text))))))) EXECUTE FUNCTION orchestrion.work_guard();
ALTER TABLE ONLY orchestrion.api_key
    ADD CONSTRAINT api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES orchestrion.account(account_id);
ALTER TABLE ONLY orchestrion.client
    ADD CONSTRAINT client_account_id_fkey FOREIGN KEY (account_id) REFERENCES orchestrion.account(account_id);
ALTER TABLE ONLY orchestrion.job_definition
    ADD CONSTRAINT job_definition_account_id_job_id_fkey FOREIGN KEY (account_id, job_id) REFERENCES orchestrion.job(account_id, job_id) ON DELETE CASCADE;
ALTER TABLE ONLY orchestrion.job_report
    ADD CONSTRAINT job_report_account_id_job_id_fkey FOREIGN KEY (account_id, job_id) REFERENCES orchestrion.job(account_id, job_id) ON DELETE CASCADE;
ALTER TABLE ONLY orchestrion.job_retry
    ADD CONSTRAINT job_retry_account_id_job_id_fkey FOREIGN KEY (account_id, job_id) REFERENCES orchestrion.job(account_id, job_id) ON DELETE CASCADE;
ALTER TABLE ONLY orchestrion.webhook_attempt
    ADD CONSTRAINT webhook_attempt_account_id_delivery_id_fkey FOREIGN KEY (account_id, delivery_id) REFERENCES orchestrion.webhook_delivery(account_id, delivery_id) ON DELETE CASCADE;
ALTER TABLE ONLY orchestrion.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_account_id_fkey FOREIGN KEY (account_id) REFERENCES orchestrion.account(account_id);
ALTER TABLE ONLY orchestrion.webhook_secret
    ADD CONSTRAINT webhook_secret_account_id_endpoint_id_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES orchestrion.webhook_endpoint(account_id, endpoint_id) ON DELETE CASCADE;
ALTER TABLE ONLY orchestrion.worker_token
    ADD CONSTRAINT worker_token_account_id_fkey FOREIGN KEY (account_id) REFERENCES orchestrion.account(account_id);
ALTER TABLE ONLY orchestrion.worker_token_secret
    ADD CONSTRAINT worker_token_secret_account_id_token_id_fkey FOREIGN KEY (account_id, token_id) REFERENCES orchestrion.worker_token(account_id, token_id) ON DELETE CASCADE;
