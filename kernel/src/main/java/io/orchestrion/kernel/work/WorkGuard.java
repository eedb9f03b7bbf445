package io.orchestrion.kernel.work;

import java.util.stream.Collectors;

/// The database's own check of state changes, made from the profiles' tables: what no table has,
/// no statement can write, whoever sends it. The migration `R__work_guard.sql` holds this text and
/// a test keeps it fresh.
public final class WorkGuard {
    private WorkGuard() {}

    public static String sql() {
        String allowed =
                Profiles.ALL.stream()
                        .flatMap(
                                profile ->
                                        profile.lifecycle().rowsInOrder().stream()
                                                .filter(row -> row.from() != row.to())
                                                .map(
                                                        row ->
                                                                profile.name()
                                                                        + " "
                                                                        + row.from().word()
                                                                        + " "
                                                                        + row.to().word())
                                                .distinct())
                        .map(change -> "    '" + change + "'")
                        .collect(Collectors.joining(",\n"));
        return TEMPLATE.replace("{allowed}", allowed);
    }

    private static final String TEMPLATE =
            """
            -- Generated from the profiles' transition tables; WorkGuardTest rewrites it. Replaces a function
            -- and two triggers: a short exclusive lock on work.
            create or replace function work_guard() returns trigger language plpgsql as $guard$
            begin
              if tg_op = 'INSERT' then
                raise exception 'work cannot begin as %', new.state using errcode = 'check_violation';
              end if;
              if new.account_id <> old.account_id or new.id <> old.id or new.profile <> old.profile
                 or new.created_ms <> old.created_ms then
                raise exception 'work cannot change what it is' using errcode = 'check_violation';
              end if;
              if new.lease_number < old.lease_number or new.event_seq < old.event_seq
                 or new.event_ms < old.event_ms then
                raise exception 'leases and events of work only go forward' using errcode = 'check_violation';
              end if;
              if old.state <> new.state
                 and not (new.profile || ' ' || old.state || ' ' || new.state = any (array[
            {allowed}]))
              then
                raise exception 'work of profile % cannot go from % to %', new.profile, old.state, new.state
                  using errcode = 'check_violation';
              end if;
              return new;
            end
            $guard$;

            drop trigger if exists work_guard_change on work;
            create trigger work_guard_change before update on work for each row
              when (old.state <> new.state or old.account_id <> new.account_id or old.id <> new.id
                    or old.profile <> new.profile or old.created_ms <> new.created_ms
                    or new.lease_number < old.lease_number or new.event_seq < old.event_seq
                    or new.event_ms < old.event_ms)
              execute function work_guard();

            drop trigger if exists work_guard_begin on work;
            create trigger work_guard_begin before insert on work for each row
              when (new.state not in ('waiting', 'ready'))
              execute function work_guard();
            """;
}
