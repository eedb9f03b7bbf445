package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.lifecycle.TransitionTable.Row;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/// Every profile, every state an item can be in, every command that can be sent.
class WorkDeciderTest {
    private static final long NOW = 1_790_000_000_000L;

    private record Case(Profile profile, WorkItem item, Command command, Decision decision) {
        @Override
        public String toString() {
            return profile.name() + " " + item.state() + " " + item.waitReason() + " " + command;
        }
    }

    private static List<Case> cases() {
        var cases = new ArrayList<Case>();
        for (Profile profile : Profiles.ALL) {
            var decider = new WorkDecider(profile, RetentionRule.BY_PLAN, new Random(7));
            for (WorkItem item : Items.of(profile, NOW)) {
                for (Command command : commands()) {
                    cases.add(new Case(profile, item, command, decider.decide(item, command, NOW)));
                }
            }
        }
        return cases;
    }

    private static List<Command> commands() {
        var commands = new ArrayList<Command>();
        commands.add(new Command.Lease(UUID.randomUUID(), "w2", null));
        commands.add(new Command.Lease(UUID.randomUUID(), null, 7));
        for (Fence fence :
                List.of(
                        Fence.NONE,
                        Fence.of(Items.TOKEN),
                        new Fence(Items.TOKEN, Items.NUMBER),
                        Fence.of(UUID.randomUUID()),
                        new Fence(Items.TOKEN, Items.NUMBER - 1),
                        Fence.ofHolder("w1", null),
                        Fence.ofHolder("w1", Items.TOKEN),
                        Fence.ofHolder("w2", null),
                        Fence.ofHolder("w2", Items.TOKEN))) {
            commands.add(new Command.Start(fence));
            commands.add(new Command.Heartbeat(fence));
            commands.add(new Command.Heartbeat(fence, 900));
            commands.add(new Command.Complete(fence, "{}", null));
            commands.add(new Command.TimeOut(fence));
            commands.add(new Command.LetGo(fence));
            for (Long delay : new Long[] {null, 0L, 5_000L}) {
                commands.add(new Command.Fail(fence, "no", delay, true));
                commands.add(new Command.Fail(fence, null, delay, false));
            }
        }
        commands.add(new Command.Expire());
        commands.add(new Command.GiveUp());
        commands.add(new Command.AskPause(true));
        commands.add(new Command.AskPause(false));
        commands.add(new Command.Cancel());
        commands.add(new Command.Cancel(true));
        commands.add(new Command.Reopen());
        commands.add(new Command.Retry());
        commands.add(new Command.Hold());
        commands.add(new Command.Release());
        return commands;
    }

    private static List<Transition> transitions(Case each) {
        return each.decision() instanceof Decision.Change change ? change.transitions() : List.of();
    }

    @Test
    void every_change_is_a_row_of_the_profiles_lifecycle() {
        for (Case each : cases()) {
            for (Transition transition : transitions(each)) {
                assertThat(
                                each.profile()
                                        .lifecycle()
                                        .allows(
                                                transition.before().state(),
                                                transition.event(),
                                                transition.after().state()))
                        .as(each + ": " + transition.event() + " " + transition.after().state())
                        .isTrue();
            }
        }
    }

    @Test
    void every_row_of_every_lifecycle_is_taken() {
        for (Profile profile : Profiles.ALL) {
            Set<Row<WorkState, WorkEvent>> untaken = new HashSet<>(profile.lifecycle().rows());
            cases().stream()
                    .filter(each -> each.profile() == profile)
                    .flatMap(each -> transitions(each).stream())
                    .forEach(
                            transition ->
                                    untaken.remove(
                                            new Row<>(
                                                    transition.before().state(),
                                                    transition.event(),
                                                    transition.after().state())));
            assertThat(untaken).as("rows of " + profile.name() + " that nothing takes").isEmpty();
        }
    }

    @Test
    void the_steps_of_one_decision_follow_from_each_other() {
        for (Case each : cases()) {
            WorkItem current = each.item();
            for (Transition transition : transitions(each)) {
                assertThat(transition.before()).as(each.toString()).isEqualTo(current);
                current = transition.after();
            }
        }
    }

    /// The same promises as the CHECKs of the table.
    @Test
    void what_comes_out_is_whole() {
        for (Case each : cases()) {
            for (WorkItem after : results(each)) {
                String what = each + " gives " + after;
                assertThat(after.waitReason() != null)
                        .as(what)
                        .isEqualTo(after.state() == WorkState.WAITING);
                assertThat(after.lease().token() != null).as(what).isEqualTo(after.state().held());
                assertThat(after.lease().untilMs() != null)
                        .as(what)
                        .isEqualTo(after.state().held());
                assertThat(after.times().finishedMs() != null)
                        .as(what)
                        .isEqualTo(after.state().ended());
                if (after.waitReason() != null && after.waitReason().endsByTime()) {
                    assertThat(after.turn().runAtMs()).as(what).isNotNull();
                }
                if (!after.state().ended()) {
                    assertThat(after.times().purgeAfterMs()).as(what).isNull();
                }
                if (after.state().held()) {
                    assertThat(after.leaseLive(NOW)).as(what).isTrue();
                }
                assertThat(after.attempt()).as(what).isGreaterThanOrEqualTo(0);
            }
        }
    }

    private static List<WorkItem> results(Case each) {
        return switch (each.decision()) {
            case Decision.Change change ->
                    change.transitions().stream().map(Transition::after).toList();
            case Decision.Touch(var after) -> List.of(after);
            case Decision.Nothing _, Decision.Refuse _ -> List.of();
        };
    }

    /// K-04: the number grows with every lease and never falls.
    @Test
    void the_lease_number_grows_by_one_with_each_lease_and_changes_with_nothing_else() {
        for (Case each : cases()) {
            for (Transition transition : transitions(each)) {
                long grown =
                        transition.after().lease().number() - transition.before().lease().number();
                assertThat(grown)
                        .as(each.toString())
                        .isEqualTo(transition.event() == WorkEvent.LEASE ? 1 : 0);
            }
        }
    }

    /// K-05: also when the clock stands behind the newest event.
    @Test
    void event_times_strictly_increase_whatever_the_clock_says() {
        for (Profile profile : Profiles.ALL) {
            var decider = new WorkDecider(profile, RetentionRule.BY_PLAN, new Random(7));
            for (WorkItem item : Items.of(profile, NOW)) {
                WorkDraft ahead = item.draft();
                ahead.place = ahead.place.at(NOW + 60_000);
                ahead.times = ahead.times.updated(NOW + 60_000);
                for (Command command : commands()) {
                    if (decider.decide(ahead.build(), command, NOW) instanceof Decision.Change c) {
                        for (Transition transition : c.transitions()) {
                            boolean shown =
                                    History.shows(
                                            profile,
                                            transition.event(),
                                            transition.before().waitReason());
                            assertThat(
                                            transition.after().place().eventSeq()
                                                    - transition.before().place().eventSeq())
                                    .isEqualTo(shown ? 1 : 0);
                            assertThat(
                                            transition.after().place().eventMs()
                                                    - transition.before().place().eventMs())
                                    .isEqualTo(shown ? 1 : 0);
                            assertThat(transition.after().times().updatedMs())
                                    .isGreaterThan(transition.before().times().updatedMs());
                        }
                    }
                }
            }
        }
    }

    /// K-04: a holder whose token or number is not the current one changes nothing.
    @Test
    void a_wrong_fence_changes_nothing() {
        for (Case each : cases()) {
            Fence fence =
                    switch (each.command()) {
                        case Command.Start(var shown) -> shown;
                        case Command.Heartbeat beat -> beat.fence();
                        case Command.Complete complete -> complete.fence();
                        case Command.Fail fail -> fail.fence();
                        case Command.LetGo(var shown) -> shown;
                        default -> Fence.NONE;
                    };
            if (!fence.fits(each.item()) && !fence.held(each.item())) {
                assertThat(each.decision())
                        .as(each.toString())
                        .isInstanceOfSatisfying(
                                Decision.Refuse.class,
                                refused ->
                                        assertThat(refused.refusal())
                                                .isInstanceOf(
                                                        each.item().state().ended()
                                                                ? Refusal.WrongState.class
                                                                : Refusal.LeaseLost.class));
            }
        }
    }

    @Test
    void the_same_in_gives_the_same_out() {
        for (Profile profile : Profiles.ALL) {
            for (WorkItem item : Items.of(profile, NOW)) {
                for (Command command : commands()) {
                    Decision first =
                            new WorkDecider(profile, RetentionRule.BY_PLAN, new Random(3))
                                    .decide(item, command, NOW);
                    Decision second =
                            new WorkDecider(profile, RetentionRule.BY_PLAN, new Random(3))
                                    .decide(item, command, NOW);
                    assertThat(second).isEqualTo(first);
                }
            }
        }
    }
}
