package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Ack.Applied;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.Timeouts;
import io.orchestrion.runs.state.RunStatus;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.UUID;

/// Times are bounds of the run and are stored with it, so that they are kept whichever node looks,
/// also when the one that began is gone.
class TimeoutTest {
    private static long minutes(int minutes) {
        return Duration.ofMinutes(minutes).toMillis();
    }

    /// None is what runs usually have.
    private static final Timeouts TIMES =
            new Timeouts(
                    minutes(7),
                    minutes(15),
                    minutes(13),
                    minutes(3),
                    minutes(5),
                    minutes(9),
                    minutes(6),
                    55_000,
                    minutes(2));

    private final RunFixture fixture = new RunFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID created(@Nullable String plan) {
        return fixture.create(
                fixture.asked(
                        plan,
                        FailureMode.FAIL_FAST,
                        of ->
                                new Bounds(
                                        of.attempts(),
                                        of.agents(),
                                        of.replans(),
                                        of.tokens(),
                                        of.tasksAtOnce(),
                                        of.stepsAtOnce(),
                                        TIMES)));
    }

    /// Brings a run there on a node that is closed afterwards.
    private UUID in(String what) {
        boolean plans = what.equals("planning");
        UUID id = created(plans ? null : one(step("a", ",\"timeout_ms\":3600000"), step("b")));
        try (var gone = fixture.secondNode()) {
            var runs = gone.runs();
            var request = fixture.request(id);
            runs.inOne(tx -> runs.start(tx, request));
            if (what.equals("pending")) {
                return id;
            }
            fixture.drive(gone.kernel(), id, RunStatus.RUNNING);
            switch (what) {
                case "running" -> {}
                case "paused" -> runs.inOne(tx -> runs.pause(tx, request));
                case "resuming" -> {
                    runs.inOne(tx -> runs.pause(tx, request));
                    runs.inOne(tx -> runs.resume(tx, request));
                }
                case "retrying" -> {
                    fixture.failed("a", "ValueError");
                    runs.inOne(tx -> runs.retry(tx, request));
                }
                case "task", "agent" -> {
                    fixture.claim(gone.kernel(), "a", 1);
                    if (what.equals("agent")) {
                        // Its task would be ended before it.
                        fixture.test.database().execute("update run_task set deadline_ms = null");
                    }
                }
                case "planning" -> fixture.claim(gone.kernel(), "run_plan", 1);
                default -> throw new IllegalArgumentException(what);
            }
        }
        return id;
    }

    private void look(String duty, long afterMs) {
        fixture.test.clock().advance(Duration.ofMillis(afterMs));
        fixture.test.kernel().sweepOnce(duty);
    }

    ///
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    # what   | minutes | ends      | error
                    pending  | 7       | failed    | the run was pending for too long
                    running  | 15      | failed    | the run was running for too long
                    paused   | 13      | cancelled | -
                    resuming | 3       | failed    | the run was resuming for too long
                    retrying | 5       | failed    | the run was retrying for too long
                    agent    | 9       | failed    | the agent took too long
                    task     | 6       | failed    | the task took too long
                    """)
    void a_time_that_is_over_is_seen_by_any_node(
            String what, int minutes, String ends, @Nullable String error) {
        UUID id = in(what);
        RunStatus before = fixture.status(id);
        look("run-clocks", minutes(minutes) / 2);
        assertThat(fixture.status(id)).isEqualTo(before);
        look("run-clocks", minutes(minutes) / 2);
        Run run = fixture.run(id);
        assertThat(run.status().word()).isEqualTo(ends);
        if (error != null) {
            assertThat(run.note().error()).isEqualTo(error);
            assertThat(run.note().errorCode()).isEqualTo("TimeoutError");
        }
        assertThat(run.credits().held()).isZero();
    }

    private Applied beaten(WorkItem held) {
        var ack = fixture.say(held, new Command.Heartbeat(Fence.of(held.lease().token())));
        assertThat(ack).isInstanceOf(Applied.class);
        return (Applied) ack;
    }

    /// R-134, CB-103: an attempt is ended by its own time, however eagerly its worker renews the
    /// lease, and another one follows.
    @Test
    void a_worker_that_renews_its_lease_does_not_run_for_ever() {
        UUID id = created(one(step("a")));
        fixture.start(id);
        fixture.drive(id, RunStatus.RUNNING);
        WorkItem held = fixture.claim("a");
        long bound = beaten(held).item().lease().deadlineMs();
        assertThat(bound - held.times().claimedMs()).isEqualTo(55_000);
        look("lease-reaper", 25_000);
        assertThat(beaten(held).item().lease().deadlineMs()).isEqualTo(bound);
        look("lease-reaper", 30_000);
        assertThat(fixture.say(held, new Command.Heartbeat(Fence.of(held.lease().token()))))
                .isNotInstanceOf(Applied.class);
        assertThat(fixture.attempts(fixture.step(id, "a")))
                .hasSize(2)
                .first()
                .satisfies(each -> assertThat(each.ended().errorCode()).isEqualTo("TimeoutError"));
        assertThat(fixture.complete(held, "{}")).isNotInstanceOf(Applied.class);
        fixture.later(Duration.ofSeconds(1));
        fixture.done("a");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }

    /// a planning step has a longer time of its own.
    @Test
    void planning_has_a_time_of_its_own() {
        UUID id = in("planning");
        assertThat(fixture.value("select timeout_ms from item where kind = 'run_plan'"))
                .isEqualTo("120000");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
    }

    /// A delay before another attempt is stored, so that it neither ends nor is forgotten with the
    /// node that set it.
    @Test
    void a_delay_outlives_the_node_that_set_it() {
        UUID id = created(one(step("a")));
        try (var gone = fixture.secondNode()) {
            gone.runs().inOne(tx -> gone.runs().start(tx, fixture.request(id)));
            fixture.drive(gone.kernel(), id, RunStatus.RUNNING);
            WorkItem held = fixture.claim(gone.kernel(), "a", 1).getFirst().item();
            fixture.fail(
                    held,
                    new io.orchestrion.kernel.work.WorkError("HTTPError", 503, "away", 29, null));
        }
        fixture.later(Duration.ofSeconds(1));
        assertThat(fixture.claim("a", 1)).isEmpty();
        fixture.later(Duration.ofSeconds(29));
        fixture.done("a");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
    }
}
