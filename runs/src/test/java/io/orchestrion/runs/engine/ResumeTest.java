package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.parallel;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/// How runs go on after a pause, also when whoever was to see to it is gone.
class ResumeTest {
    private final AtomicBoolean broken = new AtomicBoolean();
    private final RunFixture fixture =
            new RunFixture(options -> Options.random(options, new BreakableRandom()));

    /// Chance that fails on demand, as any part of the engine might.
    private final class BreakableRandom extends Random {
        private static final long serialVersionUID = 1;

        @Override
        public double nextDouble() {
            if (broken.get()) {
                throw new IllegalStateException("out of chance");
            }
            return super.nextDouble();
        }
    }

    @BeforeEach
    void watch() {
        CommitWatch.over(fixture.test.database());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID paused() {
        UUID id =
                fixture.running(
                        plan(
                                agent("one", "", task("t", parallel(), step("a"), step("b"))),
                                agent("two", "", task("t", "", step("c"), step("d")))));
        fixture.done("c", "{\"found\":1}");
        fixture.pause(id);
        return id;
    }

    private List<String> items(UUID run, String kind) {
        return fixture
                .test
                .database()
                .rows(
                        "select i.id || ' ' || i.state as line from item i where i.owner_id = ? and"
                                + " i.kind = ? and i.finished_ms is null order by i.id",
                        run,
                        kind)
                .stream()
                .map(row -> String.valueOf(row.get("line")))
                .toList();
    }

    /// the same items are given out again, and a second
    /// resume makes none.
    @Test
    void a_resumed_run_gives_out_what_it_held() {
        UUID id = paused();
        List<String> held = items(id, "a");
        assertThat(held).singleElement().asString().endsWith(" waiting");
        assertThat(fixture.agents(id))
                .extracting(each -> each.status())
                .containsOnly(AgentStatus.PAUSED);

        assertThat(fixture.resume(id)).isInstanceOf(Ack.Done.class);
        Run resuming = fixture.run(id);
        assertThat(resuming.status()).isEqualTo(RunStatus.RESUMING);
        assertThat(resuming.credits().reserved()).isEqualByComparingTo("100");
        assertThat(resuming.credits().charged()).isEqualByComparingTo("0.01");
        assertThat(fixture.resume(id))
                .isInstanceOfSatisfying(Ack.Done.class, it -> assertThat(it.changed()).isFalse());
        assertThat(items(id, ItemKinds.DRIVE)).hasSize(1);

        fixture.drive(id, RunStatus.RUNNING);
        assertThat(fixture.agents(id))
                .extracting(each -> each.status())
                .containsOnly(AgentStatus.PENDING);
        assertThat(items(id, "a")).containsExactly(held.getFirst().replace(" waiting", " ready"));
        assertThat(fixture.step(id, "c").output()).isNotNull();
        assertThat(fixture.resume(id))
                .isInstanceOfSatisfying(Ack.Done.class, it -> assertThat(it.changed()).isFalse());
        assertThat(fixture.transitions(id))
                .filteredOn(each -> each.contains("resuming"))
                .hasSize(2);
        fixture.done("a");
        fixture.done("b");
        fixture.done("d");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        for (String name : List.of("a", "b", "c", "d")) {
            assertThat(fixture.attempts(fixture.step(id, name))).as(name).hasSize(1);
        }
    }

    /// What failed during the pause is followed up, and that breaks.
    @Test
    void an_error_while_it_goes_on_fails_the_run() {
        UUID id = fixture.running(one(step("a"), step("b")));
        WorkItem held = fixture.claim("a");
        fixture.pause(id);
        fixture.fail(held, "ConnectionError");
        fixture.resume(id);
        broken.set(true);
        fixture.drive(id, RunStatus.FAILED);
        Run run = fixture.run(id);
        assertThat(run.note().errorCode()).isEqualTo("ResumeError");
        assertThat(run.note().error()).isEqualTo("the run could not go on: IllegalStateException");
        assertThat(run.times().ends().completedMs()).isNotNull();
        assertThat(fixture.ledger(id)).containsExactly("reserve 100", "refund 100");
        assertThat(fixture.transitions(id)).endsWith("paused -> resuming", "resuming -> failed");
        assertThat(fixture.agents(id).getFirst().status()).isEqualTo(AgentStatus.FAILED);
    }

    /// Takes the driver's item, and is never heard of again.
    private void takenByADeadNode(UUID id) {
        var claim =
                new ClaimRequest(
                        fixture.account,
                        Profiles.DRIVERS.queue(),
                        ItemKinds.DRIVE,
                        10,
                        "dead node",
                        null);
        assertThat(fixture.test.kernel().work().claim(claim, Duration.ZERO).items()).isNotEmpty();
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RESUMING);
    }

    /// the item outlives the node that had it.
    @Test
    void another_node_ends_the_resume_of_a_node_that_is_gone() {
        UUID id = paused();
        fixture.resume(id);
        takenByADeadNode(id);
        try (var other = fixture.secondNode()) {
            fixture.test.clock().advance(Duration.ofSeconds(125));
            other.kernel().sweepOnce("lease-reaper");
            fixture.drive(other.kernel(), id, RunStatus.RUNNING);
            assertThat(fixture.agents(id)).hasSize(2);
            fixture.done("a");
            fixture.done("b");
            fixture.done("d");
            assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        }
    }

    /// where no node is left, the clock ends it.
    @Test
    void a_resume_that_no_node_ends_is_ended_by_the_clock() {
        UUID id = paused();
        fixture.resume(id);
        takenByADeadNode(id);
        fixture.later(Duration.ofMinutes(3));
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RESUMING);
        fixture.later(Duration.ofMinutes(2));
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
        assertThat(run.note().error()).isEqualTo("the run was resuming for too long");
        assertThat(fixture.ledger(id))
                .containsExactly("reserve 100", "charge 0.01", "refund 99.99");
    }

    ///
    @Test
    void a_pause_that_people_were_called_for_ends_after_a_week_like_any_other() {
        UUID id = fixture.running(one(step("a"), step("b")));
        fixture.fail(
                fixture.claim("a"),
                new io.orchestrion.kernel.work.WorkError("HTTPError", 429, "slow", 31, null));
        assertThat(fixture.run(id).note().pauseReason()).isEqualTo("escalated");
        fixture.later(Duration.ofDays(6));
        assertThat(fixture.status(id)).isEqualTo(RunStatus.PAUSED);
        fixture.later(Duration.ofDays(1));
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(fixture.ledger(id)).containsExactly("reserve 100", "refund 100");
        assertThat(fixture.value("select status || ' ' || resolution from run_ticket"))
                .isEqualTo("closed over");
    }
}
