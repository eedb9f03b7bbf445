package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;

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
            if (state != WorkState.LEASED || !profile.startWithLease()) {
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
            case Decision.Change(var steps, _) -> steps.getLast().after().state().word();
            case Decision.Touch _ -> "touched";
            case Decision.Nothing _ -> "-";
            case Decision.Refuse(var refusal) ->
                    "("
                            + switch (refusal) {
                                case Refusal.WrongState _ -> "state";
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
    void drivers_are_like_steps_while_their_lease_is_live() {
        assertThat(table(Profiles.DRIVERS)).isEqualTo(table(Profiles.STEPS));
    }
}
