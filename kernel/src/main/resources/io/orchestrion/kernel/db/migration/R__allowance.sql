-- Takes from sliding windows, all or nothing for each request, in one round trip.
--
-- Rows name the windows, sorted and each once; an ask takes an amount from one of them. The asks of
-- one request stand together, and count only if all of its windows have room: who is refused by one
-- limit does not use up another. An amount of 0 only looks, and keeps the row locked until the end
-- of the transaction. Without a time it reads the clock itself.
create or replace function take_allowances(
    p_now bigint, p_ahead bigint,
    p_accounts uuid[], p_subjects text[], p_buckets text[], p_slot_ms bigint[],
    p_requests integer[], p_rows integer[], p_amounts integer[], p_maxima integer[])
  returns table (ask integer, granted boolean, used integer, wait_ms bigint)
  language plpgsql
as $$
declare
  slots constant integer := 60;
  now_ms bigint := coalesce(
      p_now, floor(extract(epoch from clock_timestamp()) * 1000)::bigint + p_ahead);
  steps bigint[];
  used_of integer[];
  added integer[];
  window_text text[];
  counted integer[];
  last_step bigint;
  gone integer;
  first integer;
  last integer;
  full_at integer;
  rest integer;
begin
  -- In the order of the rows, which is the same for everybody. A row can go between the attempt
  -- to make it and the lock, for the purger removes idle ones: then it is made again.
  for i in 1 .. cardinality(p_accounts) loop
    loop
      select a.step, a.counts into last_step, counted
        from allowance a
       where a.account_id = p_accounts[i] and a.subject = p_subjects[i] and a.bucket = p_buckets[i]
         for update;
      exit when found;
      insert into allowance (account_id, subject, bucket, step, counts, idle_ms)
      values (p_accounts[i], p_subjects[i], p_buckets[i], now_ms / p_slot_ms[i],
              array_fill(0, array[slots]), (now_ms / p_slot_ms[i] + slots) * p_slot_ms[i])
      on conflict do nothing;
    end loop;
    steps[i] := greatest(last_step, now_ms / p_slot_ms[i]);
    gone := least(steps[i] - last_step, slots);
    if gone > 0 then
      counted := array_fill(0, array[gone]) || counted[1 : slots - gone];
    end if;
    window_text[i] := array_to_string(counted, ',');
    used_of[i] := (select sum(c) from unnest(counted) as c);
    added[i] := 0;
  end loop;

  first := 1;
  while first <= cardinality(p_requests) loop
    last := first;
    while last < cardinality(p_requests) and p_requests[last + 1] = p_requests[first] loop
      last := last + 1;
    end loop;
    full_at := null;
    for k in first .. last loop
      if used_of[p_rows[k]] + greatest(p_amounts[k], 1) > p_maxima[k] then
        full_at := k;
        exit;
      end if;
    end loop;
    for k in first .. last loop
      ask := k;
      granted := full_at is null;
      wait_ms := 0;
      if granted then
        used_of[p_rows[k]] := used_of[p_rows[k]] + p_amounts[k];
        added[p_rows[k]] := added[p_rows[k]] + p_amounts[k];
      elsif k = full_at then
        -- How long until enough of the oldest slots have left the window.
        counted := string_to_array(window_text[p_rows[k]], ',')::integer[];
        rest := used_of[p_rows[k]] + greatest(p_amounts[k], 1) - p_maxima[k];
        for j in reverse slots .. 1 loop
          rest := rest - counted[j] - case when j = 1 then added[p_rows[k]] else 0 end;
          if rest <= 0 then
            wait_ms := (steps[p_rows[k]] - j + 1 + slots) * p_slot_ms[p_rows[k]] - now_ms;
            exit;
          end if;
        end loop;
        if rest > 0 then
          wait_ms := slots * p_slot_ms[p_rows[k]];
        end if;
      end if;
      used := used_of[p_rows[k]];
      return next;
    end loop;
    first := last + 1;
  end loop;

  for i in 1 .. cardinality(p_accounts) loop
    if added[i] > 0 then
      counted := string_to_array(window_text[i], ',')::integer[];
      counted[1] := counted[1] + added[i];
      update allowance a
         set step = steps[i], counts = counted, idle_ms = (steps[i] + slots) * p_slot_ms[i]
       where a.account_id = p_accounts[i] and a.subject = p_subjects[i] and a.bucket = p_buckets[i];
    end if;
  end loop;
end
$$;
