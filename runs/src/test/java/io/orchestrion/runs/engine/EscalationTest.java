package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.parallel;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Priority;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.ticket.Approval;
import io.orchestrion.runs.ticket.ApprovalSql;
import io.orchestrion.runs.ticket.Ticket;
import io.orchestrion.runs.ticket.TicketSql;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/// When people are called, and what their answers do.
class EscalationTest {
    private final RunFixture fixture = new RunFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<Ticket> tickets() {
        return fixture.runs.inOne(
                tx ->
                        TicketSql.page(
                                tx, new TicketSql.Query(fixture.account, null, null, null, 100)));
    }

    private Ack resolve(Ticket.Resolution how) {
        UUID ticket = tickets().getFirst().id();
        return fixture.runs.inOne(
                tx ->
                        fixture.runs.resolveTicket(
                                tx, ticket, fixture.request(ticket), how, "looked at it"));
    }

    private UUID flaky() {
        String[] steps =
                IntStream.range(0, 20)
                        .mapToObj(
                                i ->
                                        step("x" + i, ",\"max_attempts\":20")
                                                .replace(
                                                        "\"tool\":\"x" + i + "\"",
                                                        "\"tool\":\"x\""))
                        .toArray(String[]::new);
        return fixture.running(plan(agent("one", "", task("t", parallel(), steps))));
    }

    ///
    @Test
    void the_sixth_error_within_five_minutes_holds_the_run() {
        UUID id = flaky();
        for (int i = 0; i < 10; i++) {
            fixture.done("x");
        }
        for (int i = 0; i < 5; i++) {
            fixture.failed("x", "ConnectionError");
            fixture.later(Duration.ofSeconds(1));
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
        fixture.failed("x", "ConnectionError");
        Run run = fixture.run(id);
        assertThat(run.status()).isEqualTo(RunStatus.PAUSED);
        assertThat(run.note().pauseReason()).isEqualTo("escalated");
        assertThat(run.note().escalated()).isTrue();
        assertThat(tickets())
                .singleElement()
                .satisfies(
                        each -> {
                            assertThat(each.trigger().first()).isEqualTo("error_count");
                            assertThat(each.id()).isEqualTo(run.note().ticket());
                            assertThat(each.holds()).isTrue();
                        });
        assertThat(fixture.claim("x", 10)).isEmpty();
    }

    /// the run goes on, and what counted does not count any more.
    @Test
    void a_ticket_that_is_resolved_has_the_run_go_on() {
        UUID id = flaky();
        for (int i = 0; i < 5; i++) {
            fixture.failed("x", "ConnectionError");
            fixture.later(Duration.ofSeconds(1));
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.PAUSED);
        assertThat(tickets().getFirst().trigger().first()).isEqualTo("error_rate");
        assertThat(resolve(Ticket.Resolution.RESUME)).isInstanceOf(Ack.Done.class);
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RESUMING);
        fixture.drive(id, RunStatus.RUNNING);
        assertThat(fixture.run(id).note().escalated()).isFalse();
        fixture.later(Duration.ofSeconds(1));
        fixture.failed("x", "ConnectionError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
        assertThat(resolve(Ticket.Resolution.RESUME)).isInstanceOf(Ack.WrongStatus.class);
    }

    ///
    @Test
    void a_ticket_that_is_resolved_can_end_the_run() {
        UUID id = flaky();
        for (int i = 0; i < 5; i++) {
            fixture.failed("x", "ConnectionError");
            fixture.later(Duration.ofSeconds(1));
        }
        assertThat(resolve(Ticket.Resolution.CANCEL)).isInstanceOf(Ack.Done.class);
        assertThat(fixture.status(id)).isEqualTo(RunStatus.CANCELLED);
        assertThat(fixture.ledger(id)).containsExactly("reserve 100", "refund 100");
    }

    ///
    @Test
    void old_errors_do_not_count() {
        UUID id = flaky();
        for (int i = 0; i < 10; i++) {
            fixture.done("x");
        }
        for (int i = 0; i < 5; i++) {
            fixture.failed("x", "ConnectionError");
            fixture.later(Duration.ofSeconds(1));
        }
        fixture.later(Duration.ofSeconds(301));
        for (int i = 0; i < 4; i++) {
            fixture.failed("x", "ConnectionError");
            fixture.later(Duration.ofSeconds(1));
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
        assertThat(tickets()).isEmpty();
    }

    /// CB-056.
    @Test
    void a_long_retry_after_calls_people_and_a_short_one_is_kept() {
        UUID id = fixture.running(one(step("a"), step("b")));
        fixture.fail(fixture.claim("a"), new WorkError("HTTPError", 429, "slow down", 20, null));
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RUNNING);
        fixture.later(Duration.ofSeconds(5));
        assertThat(fixture.claim("a", 1)).isEmpty();
        fixture.later(Duration.ofSeconds(16));
        fixture.fail(fixture.claim("a"), new WorkError("HTTPError", 429, "slow down", 31, null));
        assertThat(fixture.status(id)).isEqualTo(RunStatus.PAUSED);
        assertThat(tickets().getFirst().trigger().first()).isEqualTo("backoff_exceeded");
    }

    /// A run that is tried again while its ticket is open adds to it, and a second one
    /// cannot be stored.
    @Test
    void further_troubles_add_to_the_open_ticket() {
        UUID id = fixture.running(one(step("a", ",\"max_attempts\":1"), step("b")));
        fixture.failed("a", "ConnectionError");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        Ticket first = tickets().getFirst();
        assertThat(first.holds()).isFalse();
        fixture.retry(id);
        fixture.drive(id, RunStatus.RUNNING);
        fixture.done("a");
        fixture.fail(fixture.claim("b"), new WorkError("HTTPError", 429, "slow down", 31, null));
        assertThat(fixture.status(id)).isEqualTo(RunStatus.PAUSED);
        assertThat(tickets())
                .singleElement()
                .satisfies(
                        each -> {
                            assertThat(each.id()).isEqualTo(first.id());
                            assertThat(each.trigger())
                                    .isEqualTo(
                                            new Ticket.Trigger(
                                                    "max_attempts", 1, "backoff_exceeded"));
                            assertThat(each.holds()).isTrue();
                        });
        assertThatThrownBy(
                        () ->
                                fixture.test
                                        .database()
                                        .execute(
                                                "insert into run_ticket select"
                                                        + " (jsonb_populate_record(t, '{\"id\":\""
                                                        + UUID.randomUUID()
                                                        + "\"}')).* from run_ticket t"))
                .hasStackTraceContaining("run_ticket_open");
        assertThat(resolve(Ticket.Resolution.RESUME)).isInstanceOf(Ack.Done.class);
        assertThat(fixture.status(id)).isEqualTo(RunStatus.RESUMING);
    }

    private Approval asked() {
        return fixture.runs
                .inOne(
                        tx ->
                                ApprovalSql.page(
                                        tx,
                                        new ApprovalSql.Query(
                                                fixture.account, null, null, null, 10)))
                .getFirst();
    }

    private Ack decide(UUID approval, boolean approve) {
        return fixture.runs.inOne(
                tx ->
                        fixture.runs.decideApproval(
                                tx, approval, fixture.request(approval), approve, "hm"));
    }

    private UUID confirmed() {
        return fixture.running(
                fixture.asked(
                        one(step("a"), step("b")),
                        FailureMode.FAIL_FAST,
                        Priority.NORMAL,
                        "{\"a\":\"confirm\"}",
                        each -> each));
    }

    @Test
    void a_call_that_needs_a_yes_waits_for_it() {
        UUID id = confirmed();
        assertThat(fixture.claim("a", 1)).isEmpty();
        assertThat(asked().input()).isEqualTo("{\"n\":1}");
        assertThat(decide(asked().id(), true)).isInstanceOf(Ack.Done.class);
        assertThat(decide(asked().id(), true)).isInstanceOf(Ack.WrongStatus.class);
        fixture.failed("a", "ConnectionError");
        fixture.later(Duration.ofSeconds(1));
        fixture.done("a");
        fixture.done("b");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(fixture.value("select count(*) from run_approval")).isEqualTo("1");
    }

    @Test
    void a_call_that_is_not_wanted_fails_its_step() {
        UUID id = confirmed();
        decide(asked().id(), false);
        assertThat(fixture.status(id)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.step(id, "a").status()).isEqualTo(StepStatus.FAILED);
        assertThat(fixture.step(id, "a").fault().code()).isEqualTo("ToolRejectedError");
        assertThat(fixture.step(id, "a").progress().made()).isZero();
    }

    @Test
    void a_cancelled_run_asks_nobody_any_more() {
        UUID id = confirmed();
        fixture.cancel(id);
        assertThat(asked().status()).isEqualTo(Approval.Status.CANCELLED);
    }

    @Test
    void a_blocked_tool_refuses_the_plan() {
        NewRun asked =
                fixture.asked(
                        one(step("a")),
                        FailureMode.FAIL_FAST,
                        Priority.NORMAL,
                        "{\"a\":\"block\"}",
                        each -> each);
        assertThat(fixture.runs.refused(asked)).isEqualTo(new Created.BlockedTool("a"));
    }
}
