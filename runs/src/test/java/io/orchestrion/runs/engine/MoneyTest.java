package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.parallel;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Ack.Applied;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

/// What runs may spend, and that it is spent once.
class MoneyTest {
    private final RunFixture fixture = new RunFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static UnaryOperator<Bounds> tokens(long most) {
        return of ->
                new Bounds(
                        of.attempts(),
                        of.agents(),
                        of.replans(),
                        most,
                        of.tasksAtOnce(),
                        of.stepsAtOnce(),
                        of.timeouts());
    }

    private UUID running(String plan, long tokens) {
        return fixture.running(fixture.asked(plan, FailureMode.FAIL_FAST, tokens(tokens)));
    }

    ///
    @Test
    void a_run_that_the_account_cannot_pay_is_not_made() {
        NewRun asked = fixture.asked(one(step("a")), FailureMode.FAIL_FAST, tokens(1_000_001));
        Created made = fixture.runs.inOne(tx -> fixture.runs.create(tx, asked));
        assertThat(made)
                .isInstanceOfSatisfying(
                        Created.InsufficientCredits.class,
                        it -> {
                            assertThat(it.needed()).isEqualByComparingTo("1000.001");
                            assertThat(it.available()).isEqualByComparingTo("1000");
                        });
        assertThat(fixture.value("select count(*) from run")).isEqualTo("0");
    }

    ///
    @Test
    void of_two_starts_that_cost_more_than_there_is_one_goes_on() throws Exception {
        UUID one =
                fixture.create(
                        fixture.asked(one(step("a")), FailureMode.FAIL_FAST, tokens(600_000)));
        UUID two =
                fixture.create(
                        fixture.asked(one(step("a")), FailureMode.FAIL_FAST, tokens(600_000)));
        var answers = new ArrayList<Ack>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Ack>> asked =
                    List.of(
                            threads.submit(() -> fixture.start(one)),
                            threads.submit(() -> fixture.start(two)));
            for (Future<Ack> each : asked) {
                answers.add(each.get());
            }
        }
        assertThat(answers)
                .hasAtLeastOneElementOfType(Ack.Done.class)
                .hasAtLeastOneElementOfType(Ack.InsufficientCredits.class);
        assertThat(List.of(fixture.status(one), fixture.status(two)))
                .containsExactlyInAnyOrder(RunStatus.PENDING, RunStatus.CREATED);
    }

    /// CB-076.
    @Test
    void what_is_used_beyond_the_reservation_is_noted_and_ends_the_run() {
        UUID id = running(one(step("a"), step("b")), 1_000);
        assertThat(fixture.complete(fixture.claim("a"), "{}", "{\"tokens\":1500}"))
                .isInstanceOf(Applied.class);
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
        assertThat(run.note().errorCode()).isEqualTo("InsufficientCreditsError");
        assertThat(run.credits().charged()).isEqualByComparingTo("1");
        assertThat(fixture.value("select trim_scale(overage) from run_usage")).isEqualTo("0.5");
        assertThat(fixture.ledger(id)).containsExactly("reserve 1", "charge 1");
        assertThat(fixture.agents(id).getFirst().status()).isEqualTo(AgentStatus.FAILED);
    }

    /// Money is held before work: what cannot be paid is not begun.
    @Test
    void steps_wait_for_credits_that_others_hold() {
        UUID id =
                running(
                        plan(
                                agent(
                                        "one",
                                        "",
                                        task(
                                                "t",
                                                parallel(),
                                                step("a", ",\"max_tokens\":700"),
                                                step("b", ",\"max_tokens\":700")))),
                        1_000);
        assertThat(fixture.claim("b", 1)).isEmpty();
        assertThat(fixture.run(id).credits().held()).isEqualByComparingTo("0.7");
        fixture.complete(fixture.claim("a"), "{}", "{\"tokens\":100}");
        assertThat(fixture.run(id).credits().held()).isEqualByComparingTo("0.7");
        fixture.complete(fixture.claim("b"), "{}", "{\"tokens\":700}");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.ledger(id)).containsExactly("reserve 1", "charge 0.8", "refund 0.2");
    }

    ///
    @Test
    void a_run_whose_next_step_cannot_be_paid_ends() {
        UUID id = running(one(step("a"), step("b", ",\"max_tokens\":700")), 1_000);
        fixture.complete(fixture.claim("a"), "{}", "{\"tokens\":400}");
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
        assertThat(run.note().errorCode()).isEqualTo("InsufficientCreditsError");
        assertThat(fixture.ledger(id)).containsExactly("reserve 1", "charge 0.4", "refund 0.6");
    }

    ///
    @Test
    void a_retry_that_cannot_be_paid_leaves_the_run_failed() {
        UUID id =
                fixture.running(
                        fixture.asked(
                                one(step("a", ",\"max_attempts\":1")),
                                FailureMode.RETRY,
                                tokens(600_000)));
        UUID other =
                fixture.create(
                        fixture.asked(one(step("b")), FailureMode.FAIL_FAST, tokens(400_000)));
        fixture.start(other);
        WorkItem held = fixture.claim("a");
        fixture.say(
                held,
                new io.orchestrion.kernel.work.Command.Fail(
                        io.orchestrion.kernel.work.Fence.of(held.lease().token()),
                        null,
                        null,
                        true,
                        new io.orchestrion.kernel.work.Report(
                                io.orchestrion.kernel.work.WorkError.of("ConnectionError", "gone"),
                                "{\"tokens\":1000}",
                                null),
                        null));
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
        assertThat(run.note().error()).contains("not enough credits");
        assertThat(fixture.retry(id)).isInstanceOf(Ack.InsufficientCredits.class);
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
    }

    /// R-293, CB-060: an attempt needs ten credits to be there, however few of them it reserves.
    @Test
    void another_attempt_needs_ten_credits_even_if_it_reserves_fewer() {
        for (FailureMode mode : List.of(FailureMode.FAIL_FAST, FailureMode.RETRY)) {
            UUID id =
                    fixture.running(
                            fixture.asked(
                                    one(step("a", ",\"max_attempts\":1")), mode, tokens(5_000)));
            // Leaves 3 credits, and 8 when the run has given its own back.
            UUID other =
                    fixture.create(
                            fixture.asked(one(step("b")), FailureMode.FAIL_FAST, tokens(992_000)));
            fixture.start(other);
            fixture.failed("a", "ConnectionError");
            Run run = fixture.run(id);
            assertThat(run.status()).as(mode.word()).isEqualTo(RunStatus.FAILED);
            assertThat(fixture.retry(id))
                    .as(mode.word())
                    .isInstanceOfSatisfying(
                            Ack.InsufficientCredits.class,
                            it -> assertThat(it.needed()).isEqualByComparingTo("10"));
            fixture.cancel(other);
        }
    }

    /// many at once settle once.
    @Test
    void a_run_that_ends_in_many_ways_at_once_is_settled_once() throws Exception {
        UUID id = fixture.running(one(step("a")));
        WorkItem held = fixture.claim("a");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<?>>();
            for (int i = 0; i < 10; i++) {
                all.add(threads.submit(() -> fixture.cancel(id)));
                all.add(threads.submit(() -> fixture.pause(id)));
                all.add(threads.submit(() -> fixture.complete(held, "{}", "{\"tokens\":2000}")));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
        Run run = fixture.run(id);
        assertThat(run.status()).isIn(RunStatus.CANCELLED, RunStatus.COMPLETED);
        assertThat(
                        fixture.value(
                                "select count(*) from credit_entry where transaction_type in"
                                    + " ('charge','refund') and idempotency_key like '%refund'"))
                .isEqualTo("1");
        assertThat(
                        fixture.value(
                                "select trim_scale(sum(case transaction_type when 'reserve' then"
                                        + " amount when 'grant' then 0 else -amount end)) from"
                                        + " credit_entry"))
                .isEqualTo("0");
    }
}
