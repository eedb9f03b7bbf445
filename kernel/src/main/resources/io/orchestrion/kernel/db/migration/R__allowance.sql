-- Takes from sliding windows, all or nothing for each request, in one round trip.
--
-- Rows name the windows, sorted and each once, with all that is asked of each, the room that is
-- needed for that, and the least that it holds for one of those who ask. An ask takes an amount from
-- one of the rows; asks of one request stand together, and count only if all of its windows have
-- room: who is refused by one limit does not use up another. An amount of 0 only looks, for room for
-- one. Requests have the numbers 1, 2, 3 and so on, and are decided in that order. Without a time it
-- reads the clock itself.
--
-- With p_waits it waits for rows that others hold, and holds them until the end of the transaction.
-- Without, it passes by: requests of such a row are not decided and take nothing, and hold up
-- nobody else.
--
-- One row comes back: what was used of each window before, null where somebody holds it; and, unless
-- everybody got all, for each request the ask that was refused (0 for none, -1 for not decided) and
-- how long its window stays full. The caller knows the rest.
--
-- Nearly always every window exists, is held by nobody and has room for all. Then one statement takes from
-- all of them, which costs a third of looking at them one by one. What it finds otherwise it leaves as it
-- is, and the windows are gone through. On a distributed database this table stays on the coordinator.
create or replace function take_from_windows(
    p_now bigint, p_ahead bigint, p_waits boolean,
    p_accounts uuid[], p_subjects text[], p_buckets text[], p_slot_ms bigint[],
    p_wanted integer[], p_needed integer[], p_least integer[],
    p_requests integer[], p_rows integer[], p_amounts integer[], p_maxima integer[])
  returns table (before integer[], refused integer[], wait_ms bigint[])
  language plpgsql
as $$
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
  with asked as materialized (
    select n.place, a.account_id, a.subject, a.bucket, n.wanted, n.needed, n.least, n.slot,
           now_ms / n.slot as step, a.gone,
           case when a.gone = 0 then a.total
                else a.total - (select sum(c) from unnest(a.counts[slots - a.gone + 1 : slots]) as c)
           end::integer as used
      from (select *
              from unnest(p_accounts, p_subjects, p_buckets, p_slot_ms, p_wanted, p_needed, p_least)
                     with ordinality as u(account_id, subject, bucket, slot, wanted, needed, least, place)
             limit cardinality(p_accounts)) as n
     cross join lateral (
       select w.account_id, w.subject, w.bucket, w.counts, w.total,
              least(greatest(now_ms / n.slot - w.step, 0), slots)::integer as gone
         from allowance w
        where w.account_id = n.account_id and w.subject = n.subject and w.bucket = n.bucket
          for update skip locked) as a),
  taken as (
    update allowance w
       set counts = case when asked.gone = 0 then (w.counts[1] + asked.wanted) || w.counts[2 : slots]
                         else asked.wanted || array_fill(0, array[asked.gone - 1])
                              || w.counts[1 : slots - asked.gone] end,
           total = asked.used + asked.wanted,
           step = greatest(w.step, asked.step),
           idle_ms = case when asked.gone = 0 then w.idle_ms else (asked.step + slots) * asked.slot end
      from asked
     where w.account_id = asked.account_id and w.subject = asked.subject and w.bucket = asked.bucket
       and (select count(*) = cardinality(p_accounts) and bool_and(each.used + each.needed <= each.least)
              from asked each)
    returning asked.place, asked.used)
  select array_agg(taken.used order by taken.place) into before
    from taken;
  if before is not null then
    return next;
    return;
  end if;

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
               a.total - coalesce((select sum(c) from unnest(
                   a.counts[slots - least(greatest(the_step - a.step, 0), slots)::integer + 1 : slots]) as c), 0)
          into last_step, the_sum
          from allowance a
         where a.account_id = the_account and a.subject = the_subject and a.bucket = the_bucket
           for update;
      else
        select a.step,
               a.total - coalesce((select sum(c) from unnest(
                   a.counts[slots - least(greatest(the_step - a.step, 0), slots)::integer + 1 : slots]) as c), 0)
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
      the_sum := before[i] + add;
      if the_gone = 0 then
        update allowance a
           set counts = (a.counts[1] + add) || a.counts[2 : slots], total = the_sum
         where a.account_id = the_account and a.subject = the_subject and a.bucket = the_bucket;
      else
        update allowance a
           set step = the_step, total = the_sum,
               counts = add || array_fill(0, array[the_gone - 1]) || a.counts[1 : slots - the_gone],
               idle_ms = (the_step + slots) * the_slot
         where a.account_id = the_account and a.subject = the_subject and a.bucket = the_bucket;
      end if;
    end if;
  end loop;
  return next;
end
$$;
