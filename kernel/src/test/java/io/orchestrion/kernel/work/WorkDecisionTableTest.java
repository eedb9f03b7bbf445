package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;

/// What each command does to an item in its plainest condition, as a page to read: first attempt,
/// live lease, the right token, a retryable failure without a wish for a delay.
class WorkDecisionTableTest {
    private static final long NOW = 1_790_000_000_000L;

    private static String table(Profile profile) {
        var decider = new WorkDecider(profile, RetentionRule.BY_PLAN, new Random(7));
        var lines = new ArrayList<String>();
        lines.add(
                "state     lease    start    complete  fail     expire   cancel    reopen  retry"
                        + "    hold    release");
        for (WorkState state : WorkState.values()) {
            if (is(profile, state)) {
                var line = new StringBuilder(String.format("%-9s", state.word()));
                for (Column column : columns()) {
                    Decision decision = decider.decide(item(profile, state), column.command, NOW);
                    line.append(String.format(" %-" + column.width + "s", word(decision)));
                }
                lines.add(line.toString().stripTrailing());
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static boolean is(Profile profile, WorkState state) {
        return switch (state) {
            case LEASED -> !profile.claims().startWork();
            case READY, RUNNING -> !profile.endsWhenDue();
            case WAITING, SUCCEEDED, FAILED, DEAD, CANCELLED -> true;
        };
    }

    private record Column(int width, Command command) {}

    private static List<Column> columns() {
        Fence fence = Fence.of(Items.TOKEN);
        return List.of(
                new Column(8, new Command.Lease(UUID.randomUUID(), "w2", null)),
                new Column(8, new Command.Start(fence)),
                new Column(9, new Command.Complete(fence, null, null)),
                new Column(8, new Command.Fail(fence, "no", null, true)),
                new Column(8, new Command.Expire()),
                new Column(9, new Command.Cancel()),
                new Column(7, new Command.Reopen()),
                new Column(8, new Command.Retry()),
                new Column(7, new Command.Hold()),
                new Column(8, new Command.Release()));
    }

    private static WorkItem item(Profile profile, WorkState state) {
        return switch (state) {
            case WAITING -> Items.waiting(profile, NOW, WaitReason.SCHEDULE, NOW + 60_000);
            case READY -> Items.ready(profile, NOW);
            case LEASED, RUNNING -> Items.held(profile, state, NOW, 20_000);
            case SUCCEEDED, FAILED, DEAD, CANCELLED -> Items.ended(profile, state, NOW, 0);
        };
    }

    /// The new state, `-` for nothing to do, or the refusal in brackets.
    private static String word(Decision decision) {
        return switch (decision) {
            case Decision.Change(var transitions, _) ->
                    transitions.getLast().after().state().word();
            case Decision.Touch _ -> "touched";
            case Decision.Nothing _ -> "-";
            case Decision.Refuse(var refusal) ->
                    "("
                            + switch (refusal) {
                                case Refusal.WrongState _ -> "state";
                                case Refusal.Revoked _ -> "revoked";
                                case Refusal.LeaseExpired _ -> "expired";
                                case Refusal.LeaseLost _ -> "lost";
                                case Refusal.NotReady _ -> "waits";
                                case Refusal.Held _ -> "held";
                                default ->
                                        refusal.getClass().getSimpleName().toLowerCase(Locale.ROOT);
                            }
                            + ")";
        };
    }

    @Test
    void tasks() {
        assertThat(table(Profiles.TASKS))
                .isEqualTo(
                        """
                        state     lease    start    complete  fail     expire   cancel    reopen  retry    hold    release
                        waiting   (waits)  (lost)   (lost)    (lost)   -        cancelled (state) (state)  waiting (state)
                        ready     running  (lost)   (lost)    (lost)   -        cancelled (state) (state)  waiting (state)
                        running   (held)   -        succeeded ready    -        (held)    (state) (state)  (held)  (state)
                        succeeded (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        failed    (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        dead      (state)  (state)  (state)   (state)  -        (state)   ready   (state)  (state) (state)
                        cancelled (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        """);
    }

    @Test
    void queue() {
        assertThat(table(Profiles.QUEUE))
                .isEqualTo(
                        """
                        state     lease    start    complete  fail     expire   cancel    reopen  retry    hold    release
                        waiting   (waits)  (lost)   (lost)    (lost)   -        cancelled (state) (state)  waiting (state)
                        ready     running  (lost)   (lost)    (lost)   -        cancelled (state) (state)  waiting (state)
                        running   (held)   -        succeeded waiting  -        running   (state) (state)  (held)  (state)
                        succeeded (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        failed    (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        dead      (state)  (state)  (state)   (state)  -        (state)   ready   (state)  (state) (state)
                        cancelled (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        """);
    }

    @Test
    void jobs() {
        assertThat(table(Profiles.JOBS))
                .isEqualTo(
                        """
                        state     lease    start    complete  fail     expire   cancel    reopen  retry    hold    release
                        waiting   (waits)  (lost)   (lost)    (lost)   -        cancelled (state) (state)  (state) (state)
                        ready     leased   (lost)   (lost)    (lost)   -        cancelled (state) (state)  (state) (state)
                        leased    (held)   running  (state)   (state)  -        cancelled (state) (state)  (held)  (state)
                        running   (held)   -        succeeded failed   -        cancelled (state) (state)  (held)  (state)
                        succeeded (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        failed    (state)  (state)  (state)   (state)  -        (state)   (state) waiting  (state) (state)
                        dead      (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        cancelled (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        """);
    }

    @Test
    void steps_and_builtin_work() {
        assertThat(table(Profiles.STEPS))
                .isEqualTo(
                        """
                        state     lease    start    complete  fail     expire   cancel    reopen  retry    hold    release
                        waiting   (waits)  (lost)   (lost)    (lost)   -        cancelled (state) (state)  waiting (state)
                        ready     running  (lost)   (lost)    (lost)   -        cancelled (state) (state)  waiting (state)
                        running   (held)   -        succeeded failed   -        cancelled (state) (state)  (held)  (state)
                        succeeded (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        failed    (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        dead      (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        cancelled (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        """);
        assertThat(table(Profiles.BUILTIN)).isEqualTo(table(Profiles.STEPS));
    }

    @Test
    void timers_that_are_not_due() {
        assertThat(table(Profiles.TIMERS))
                .isEqualTo(
                        """
                        state     lease    start    complete  fail     expire   cancel    reopen  retry    hold    release
                        waiting   (waits)  (lost)   (lost)    (lost)   -        cancelled (state) (state)  waiting (state)
                        succeeded (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        failed    (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        dead      (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        cancelled (state)  (state)  (state)   (state)  -        (state)   (state) (state)  (state) (state)
                        """);
    }

    @Test
    void a_timer_that_is_due_ends_and_nobody_can_take_it() {
        var decider = new WorkDecider(Profiles.TIMERS, RetentionRule.BY_PLAN, new Random(7));
        WorkItem due = Items.waiting(Profiles.TIMERS, NOW, WaitReason.SCHEDULE, NOW - 1);
        WorkItem held = Items.waiting(Profiles.TIMERS, NOW, WaitReason.HOLD, NOW - 1);
        assertThat(word(decider.decide(due, new Command.Expire(), NOW))).isEqualTo("succeeded");
        assertThat(word(decider.decide(due, new Command.Lease(Items.TOKEN, "w", null), NOW)))
                .isEqualTo("(waits)");
        assertThat(word(decider.decide(held, new Command.Expire(), NOW))).isEqualTo("-");
        assertThat(word(decider.decide(held, new Command.Release(), NOW))).isEqualTo("waiting");
    }

    @Test
    void what_its_holder_lets_go_of_is_as_if_the_lease_had_ended() {
        String actual =
                Profiles.ALL.stream()
                        .filter(profile -> !profile.endsWhenDue())
                        .map(profile -> profile.name() + " " + letGo(profile))
                        .collect(Collectors.joining(", "));
        assertThat(actual)
                .isEqualTo(
                        "tasks ready, queue waiting, jobs failed, steps failed, drivers ready,"
                                + " builtin failed, deliveries ready");
    }

    private static String letGo(Profile profile) {
        var decider = new WorkDecider(profile, RetentionRule.BY_PLAN, new Random(7));
        WorkItem held = Items.held(profile, WorkState.RUNNING, NOW, 20_000);
        assertThat(word(decider.decide(held, new Command.LetGo(Fence.of(UUID.randomUUID())), NOW)))
                .isEqualTo("(lost)");
        Decision decision = decider.decide(held, new Command.LetGo(Fence.of(Items.TOKEN)), NOW);
        assertThat(
                        ((Decision.Change) decision)
                                .transitions()
                                .getLast()
                                .after()
                                .attempts()
                                .failure())
                .isEqualTo(WorkFailures.GIVEN_BACK);
        return word(decision);
    }

    @Test
    void drivers_are_like_steps_while_their_lease_is_live() {
        assertThat(table(Profiles.DRIVERS)).isEqualTo(table(Profiles.STEPS));
    }

    /// Every open state, those who wait for whatever reason and those who are held; never twice.
    @Test
    void what_was_not_done_in_time_is_given_up_from_every_open_state_and_from_no_other() {
        for (Profile profile : Profiles.ALL) {
            var decider = new WorkDecider(profile, RetentionRule.BY_PLAN, new Random(7));
            for (WorkItem item : Items.of(profile, NOW)) {
                String expected =
                        item.overdue(NOW) && profile.ends().onGiveUp() != null
                                ? profile.ends().onGiveUp().word()
                                : "-";
                Decision decision = decider.decide(item, new Command.GiveUp(), NOW);
                assertThat(word(decision)).as(profile.name() + " " + item).isEqualTo(expected);
                if (decision instanceof Decision.Change(var steps, _)) {
                    WorkItem after = steps.getLast().after();
                    assertThat(after.attempts().failure()).isEqualTo(WorkFailures.GAVE_UP);
                    assertThat(after.lease().token()).isNull();
                    assertThat(steps.getLast().report().error()).isEqualTo(WorkError.GAVE_UP);
                    assertThat(word(decider.decide(after, new Command.GiveUp(), NOW)))
                            .isEqualTo("-");
                }
            }
        }
        assertThat(Profiles.TASKS.ends().onGiveUp()).isEqualTo(WorkState.CANCELLED);
        assertThat(Profiles.STEPS.ends().onGiveUp()).isEqualTo(WorkState.FAILED);
    }

    @Test
    void no_lease_runs_past_the_time_that_an_item_was_given() {
        var decider = new WorkDecider(Profiles.STEPS, RetentionRule.BY_PLAN, new Random(7));
        WorkItem ready = Items.givenUntil(Items.ready(Profiles.STEPS, NOW), NOW + 5000);
        var lease = new Command.Lease(Items.TOKEN, "w", null);
        WorkItem held = after(decider.decide(ready, lease, NOW));
        assertThat(held.lease().untilMs()).isEqualTo(NOW + 5000);
        assertThat(held.lease().deadlineMs()).isEqualTo(NOW + 5000);
        Decision beaten = decider.decide(held, new Command.Heartbeat(Fence.NONE), NOW + 4000);
        assertThat(((Decision.Touch) beaten).after().lease().untilMs()).isEqualTo(NOW + 5000);
        assertThat(word(decider.decide(held, new Command.Expire(), NOW + 5000)))
                .isEqualTo("failed");
        assertThat(decider.decide(ready, lease, NOW + 5000))
                .isInstanceOfSatisfying(
                        Decision.Change.class,
                        change -> {
                            assertThat(change.then()).isInstanceOf(Refusal.WrongState.class);
                            assertThat(change.transitions().getLast().event())
                                    .isEqualTo(WorkEvent.GIVE_UP);
                        });
    }

    @Test
    void what_is_reopened_after_its_time_has_no_such_time_any_more() {
        var decider = new WorkDecider(Profiles.TASKS, RetentionRule.BY_PLAN, new Random(7));
        WorkItem dead = Items.ended(Profiles.TASKS, WorkState.DEAD, NOW, 0);
        assertThat(
                        after(
                                        decider.decide(
                                                Items.givenUntil(dead, NOW),
                                                new Command.Reopen(),
                                                NOW))
                                .turn()
                                .giveUpMs())
                .isNull();
        assertThat(
                        after(
                                        decider.decide(
                                                Items.givenUntil(dead, NOW + 1),
                                                new Command.Reopen(),
                                                NOW))
                                .turn()
                                .giveUpMs())
                .isEqualTo(NOW + 1);
    }

    private static WorkItem after(Decision decision) {
        return ((Decision.Change) decision).transitions().getLast().after();
    }

    @Test
    void a_holder_is_asked_to_pause_and_to_go_on_but_never_out_of_a_cancellation() {
        var decider = new WorkDecider(Profiles.STEPS, RetentionRule.BY_PLAN, new Random(7));
        WorkItem held = Items.held(Profiles.STEPS, WorkState.RUNNING, NOW, 20_000);
        WorkItem asked = touched(decider.decide(held, new Command.AskPause(true), NOW));
        assertThat(asked.holding().stop()).isEqualTo(StopRequest.PAUSE);
        assertThat(asked.lease().untilMs()).isEqualTo(held.lease().untilMs());
        assertThat(word(decider.decide(asked, new Command.AskPause(true), NOW))).isEqualTo("-");
        assertThat(
                        touched(decider.decide(asked, new Command.AskPause(false), NOW))
                                .holding()
                                .stop())
                .isEqualTo(StopRequest.NONE);
        WorkDraft draft = held.draft();
        draft.holding = draft.holding.asked(StopRequest.CANCEL);
        for (boolean pause : new boolean[] {true, false}) {
            assertThat(word(decider.decide(draft.build(), new Command.AskPause(pause), NOW)))
                    .isEqualTo("-");
        }
        for (WorkState state : List.of(WorkState.READY, WorkState.SUCCEEDED)) {
            assertThat(
                            word(
                                    decider.decide(
                                            item(Profiles.STEPS, state),
                                            new Command.AskPause(true),
                                            NOW)))
                    .isEqualTo("(state)");
        }
    }

    private static WorkItem touched(Decision decision) {
        return ((Decision.Touch) decision).after();
    }

    /// Only with something to show for it, only so many, and never what is a repeat.
    @Test
    void a_report_after_the_end_is_kept_and_refused() {
        var decider = new WorkDecider(Profiles.STEPS, RetentionRule.BY_PLAN, new Random(7));
        WorkItem lost = Items.lost(Profiles.STEPS, WorkState.CANCELLED, NOW);
        var complete = new Command.Complete(Fence.of(Items.TOKEN), "{\"a\":1}", "out");
        for (int i = 0; i < Profiles.STEPS.keeping().lateReports(); i++) {
            var change = (Decision.Change) decider.decide(lost, complete, NOW);
            assertThat(change.then()).isInstanceOf(Refusal.Revoked.class);
            Transition transition = change.transitions().getLast();
            assertThat(transition.event()).isEqualTo(WorkEvent.LATE_REPORT);
            assertThat(transition.detail())
                    .isEqualTo(
                            "{\"report\":\"complete\",\"result\":{\"a\":1},\"output_ref\":\"out\"}");
            lost = transition.after();
        }
        assertThat(word(decider.decide(lost, complete, NOW))).isEqualTo("(revoked)");
        WorkItem fresh = Items.lost(Profiles.STEPS, WorkState.FAILED, NOW);
        for (Fence stranger :
                List.of(
                        Fence.NONE,
                        Fence.of(UUID.randomUUID()),
                        new Fence(null, Items.NUMBER + 1),
                        Fence.ofHolder("w2", null))) {
            assertThat(word(decider.decide(fresh, new Command.Complete(stranger, "{}", null), NOW)))
                    .as(stranger.toString())
                    .isEqualTo("(state)");
        }
        for (Fence known :
                List.of(
                        Fence.of(Items.TOKEN),
                        new Fence(null, Items.NUMBER),
                        Fence.ofHolder("w1", null))) {
            Decision decision =
                    decider.decide(fresh, new Command.Fail(known, "too late", null, true), NOW);
            assertThat(((Decision.Change) decision).transitions().getLast().detail())
                    .isEqualTo("{\"report\":\"fail\",\"reason\":\"too late\"}");
        }
        UUID digest = UUID.randomUUID();
        WorkDraft settled = fresh.draft();
        settled.holding = settled.holding.settledBy(new WorkItem.Settled(Items.TOKEN, digest));
        var again = new Command.Fail(Fence.of(Items.TOKEN), "no", null, true, digest);
        assertThat(word(decider.decide(settled.build(), again, NOW))).isEqualTo("(state)");
    }

    @Test
    void tasks_of_nobody_keep_no_late_reports_and_are_not_said_to_be_revoked() {
        var decider = new WorkDecider(Profiles.TASKS, RetentionRule.BY_PLAN, new Random(7));
        WorkItem lost = Items.lost(Profiles.TASKS, WorkState.CANCELLED, NOW);
        var complete = new Command.Complete(Fence.of(Items.TOKEN), "{}", null);
        assertThat(word(decider.decide(lost, complete, NOW))).isEqualTo("(state)");
    }
}
