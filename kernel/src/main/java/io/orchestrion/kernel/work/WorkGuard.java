package io.orchestrion.kernel.work;

import io.orchestrion.kernel.lifecycle.TransitionTable.Row;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The database's own check of rows and of changes of state, made from the profiles' tables. No
/// statement can write a change that no table has, whoever sends it. The rules of a row are checked
/// for all statements but the lanes' own (decision 139). The migration `R__work_guard.sql` holds
/// this text, and a test keeps it fresh.
///
/// The rules of a row are no check constraints, because PostgreSQL reads and compiles those anew
/// with every statement (decision 42).
public final class WorkGuard {
    private WorkGuard() {}

    /// What must hold for every row, whatever it was before. Where the condition is null for a row,
    /// the rule does not apply to it.
    ///
    /// @param name under which a violation is reported
    private record Rule(String name, String condition) {}

    private static final List<Rule> RULES =
            List.of(
                    new Rule("work_state_check", "new.state = any (array[" + states() + "])"),
                    new Rule(
                            "work_wait_reason_check",
                            "new.wait_reason in ('schedule', 'backoff', 'dependency', 'hold')"),
                    new Rule("work_attempt_check", "new.attempt >= 0"),
                    new Rule("work_max_attempts_check", "new.max_attempts >= 1"),
                    new Rule("work_retries_check", "new.retries >= 0"),
                    new Rule("work_lease_seconds_check", "new.lease_seconds >= 1"),
                    new Rule("work_lease_number_check", "new.lease_number >= 0"),
                    new Rule(
                            "work_if_parent_fails_check",
                            "new.if_parent_fails in ('cancel', 'ignore', 'hold')"),
                    new Rule(
                            "work_waits_for_something",
                            "(new.state = 'waiting') = (new.wait_reason is not null)"),
                    new Rule(
                            "work_waits_for_a_time",
                            "new.wait_reason is null or new.wait_reason not in ('schedule',"
                                    + " 'backoff') or new.run_at_ms is not null"),
                    new Rule(
                            "work_is_held_by_one_lease",
                            "(new.state in ('leased', 'running')) = (new.lease_token is not null)"
                                + " and (new.lease_token is null) = (new.lease_until_ms is null)"
                                + " and (new.lease_token is null) = (new.lease_check_ms is null)"),
                    new Rule(
                            "work_ended_has_an_end",
                            "(new.state in ('succeeded', 'failed', 'dead', 'cancelled')) ="
                                    + " (new.finished_ms is not null)"),
                    new Rule(
                            "work_open_is_kept",
                            "new.finished_ms is not null or new.purge_after_ms is null"),
                    new Rule(
                            "work_owner_is_whole",
                            "(new.owner_kind is null) = (new.owner_id is null)"),
                    new Rule(
                            "work_outcome_is_of_success",
                            "new.state = 'succeeded' or (new.result is null and new.output_ref is"
                                    + " null)"));

    private record Change(WorkState from, WorkState to) {
        boolean matches(Row<WorkState, WorkEvent> row) {
            return row.from() == from && row.to() == to;
        }
    }

    private static final List<Change> USUAL =
            List.of(
                    new Change(WorkState.READY, WorkState.RUNNING),
                    new Change(WorkState.RUNNING, WorkState.SUCCEEDED),
                    new Change(WorkState.WAITING, WorkState.READY),
                    new Change(WorkState.READY, WorkState.LEASED));

    private static String states() {
        return Arrays.stream(WorkState.values())
                .map(state -> "'" + state.word() + "'")
                .collect(Collectors.joining(", "));
    }

    public static String sql() {
        String allowed = changes(row -> row.from() != row.to());
        String staying = changes(row -> row.from() == row.to());
        String showing = names(Profile::showsWaiting);
        String sound =
                RULES.stream()
                        .map(rule -> "(" + rule.condition() + ")")
                        .collect(Collectors.joining("\n      and "));
        String broken =
                RULES.stream()
                        .map(
                                rule ->
                                        "      when ("
                                                + rule.condition()
                                                + ") is false then '"
                                                + rule.name()
                                                + "'")
                        .collect(Collectors.joining("\n"));
        return TEMPLATE.replace("{allowed}", allowed)
                .replace("{staying}", staying)
                .replace("{showing}", showing)
                .replace("{waiting}", names(Profile::endsWhenDue))
                .replace("{sound}", sound)
                .replace("{broken}", broken)
                .replace("{usual}", usual());
    }

    private static String names(Predicate<Profile> which) {
        return Profiles.ALL.stream()
                .filter(which)
                .map(profile -> "'" + profile.name() + "'")
                .collect(Collectors.joining(", "));
    }

    /// The profiles of which the lanes' own statements make at least one change.
    private static final List<Profile> CLAIMED =
            Profiles.ALL.stream().filter(profile -> USUAL.stream().anyMatch(has(profile))).toList();

    private static Predicate<Change> has(Profile profile) {
        return change -> profile.lifecycle().rowsInOrder().stream().anyMatch(change::matches);
    }

    /// The changes that the lanes' own statements make, each for the profiles that have it.
    /// Profiles that have none of them are excluded first.
    private static String usual() {
        String others =
                Profiles.ALL.stream()
                        .filter(profile -> !CLAIMED.contains(profile))
                        .map(profile -> "new.profile <> '" + profile.name() + "' and ")
                        .collect(Collectors.joining());
        return "      " + others + "(\n" + usualOfClaimed() + ")";
    }

    private static String usualOfClaimed() {
        return USUAL.stream()
                .map(
                        change ->
                                "(old.state = '"
                                        + change.from().word()
                                        + "' and new.state = '"
                                        + change.to().word()
                                        + "'"
                                        + ofProfiles(change)
                                        + ")")
                .collect(Collectors.joining("\n      or ", "      ", ""));
    }

    private static String ofProfiles(Change change) {
        List<Profile> having =
                CLAIMED.stream().filter(profile -> has(profile).test(change)).toList();
        return having.size() == CLAIMED.size()
                ? ""
                : " and new.profile in ("
                        + having.stream()
                                .map(profile -> "'" + profile.name() + "'")
                                .collect(Collectors.joining(", "))
                        + ")";
    }

    /// Those changes of all profiles, as `profile from to`.
    private static String changes(Predicate<Row<WorkState, WorkEvent>> which) {
        return Profiles.ALL.stream()
                .flatMap(
                        profile ->
                                profile.lifecycle().rowsInOrder().stream()
                                        .filter(which)
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
    }

    private static final String TEMPLATE =
            """
            -- Generated from the rules of rows and the profiles' transition tables; WorkGuardTest rewrites
            -- it. Replaces a function and a trigger: a short exclusive lock on work.
            create or replace function work_guard() returns trigger language plpgsql as $guard$
            declare
              broken text;
            begin
              if ({sound}) is false then
                broken := case
            {broken}
                end;
                raise exception 'work breaks the rule %', broken
                  using errcode = 'check_violation', constraint = broken, table = 'work';
              end if;
              if tg_op = 'INSERT' then
                if new.state not in ('waiting', 'ready')
                   or (new.state = 'ready' and new.profile = any (array[{waiting}])) then
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
              -- So no two events of an item have one number, or one time.
              if new.history <> old.history
                 and (new.event_seq = old.event_seq or new.event_ms = old.event_ms) then
                raise exception 'each event of work is later than the one before' using errcode = 'check_violation';
              end if;
              if old.state <> new.state
                 and not (new.profile || ' ' || old.state || ' ' || new.state = any (array[
            {allowed}]))
              then
                raise exception 'work of profile % cannot go from % to %', new.profile, old.state, new.state
                  using errcode = 'check_violation';
              end if;
              -- Staying where one is is a change as well when the history tells of it, or another reason is given.
              if old.state = new.state
                 and (new.event_seq <> old.event_seq or new.wait_reason is distinct from old.wait_reason)
                 and not (new.profile || ' ' || old.state || ' ' || new.state = any (array[
            {staying}]))
              then
                raise exception 'work of profile % cannot go from % to %', new.profile, old.state, new.state
                  using errcode = 'check_violation';
              end if;
              -- Where waiting for a first time is seen from outside, nothing comes back to it, and what was
              -- given to a holder comes back when its lease is over and not before.
              if old.state <> new.state and new.profile = any (array[{showing}])
                 and ((new.state = 'waiting' and new.wait_reason <> 'backoff')
                      or (old.state = 'leased' and new.state = 'ready' and old.lease_until_ms > new.updated_ms))
              then
                raise exception 'work of profile % cannot go from % to %', new.profile, old.state, new.state
                  using errcode = 'check_violation';
              end if;
              return new;
            end
            $guard$;

            drop trigger if exists work_guard_begin on work;
            drop trigger if exists work_guard_change on work;
            drop trigger if exists work_guard on work;
            -- The lanes' own statements name the state that they find and the one that they leave, and are let be as
            -- long as they do what they always do: to prepare all rules anew with every statement took them a
            -- quarter of their time. Any other change of a state is looked at in their sessions, too. The
            -- conditions are as short as they are for the same reason.
            create trigger work_guard_begin before insert on work for each row
              when (current_setting('orchestrion.guard', true) is distinct from 'statement'
                    or new.state not in ('waiting', 'ready'))
              execute function work_guard();
            create trigger work_guard_change before update on work for each row
              when (current_setting('orchestrion.guard', true) is distinct from 'statement'
                    or (old.state <> new.state and not (
            {usual})))
              execute function work_guard();
            """;
}
