package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.action.Action;
import io.orchestrion.kernel.action.ActionCall;
import io.orchestrion.kernel.action.ActionInput;
import io.orchestrion.kernel.action.BadActionInput;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.RunStatus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/// What steps of executions do to runs.
class RunActionTest {
    private final RunFixture fixture = new RunFixture();
    private final UUID execution = UUID.randomUUID();

    @AfterEach
    void close() {
        fixture.close();
    }

    private Outcome act(String name, UUID run) {
        return act(name, "{\"run_id\":\"" + PublicId.RUN.of(run) + "\",\"reason\":\"budget\"}");
    }

    private Outcome act(String name, String input) {
        Action action = Objects.requireNonNull(fixture.test.kernel().actions().named(name));
        return action.run(
                new ActionCall(
                        fixture.account,
                        execution,
                        "act",
                        new ActionInput(JsonMapper.shared().readTree(input)),
                        "key",
                        "correlation",
                        null));
    }

    private UUID created() {
        return fixture.create(
                fixture.asked(one(step("a")), FailureMode.FAIL_FAST, bounds -> bounds));
    }

    private String newestTransition(UUID run) {
        return fixture.value(
                "select from_status || ' ' || to_status || ' ' || actor || ' ' || reason"
                        + " from run_transition where run_id = '"
                        + run
                        + "' order by number desc limit 1");
    }

    private long transitions(UUID run) {
        return Long.parseLong(
                fixture.value("select count(*) from run_transition where run_id = '" + run + "'"));
    }

    /// E-148: the step is repeated because nobody knows what became of it, also at the same moment
    /// on several nodes.
    @Test
    void an_entry_that_a_step_posts_is_in_the_ledger_once_however_often_it_is_repeated() {
        UUID run = created();

        List<Outcome> outcomes =
                IntStream.range(0, 12)
                        .mapToObj(_ -> CompletableFuture.supplyAsync(() -> act("run.start", run)))
                        .toList()
                        .stream()
                        .map(CompletableFuture::join)
                        .toList();

        assertThat(outcomes).allMatch(each -> each instanceof Outcome.Completed);
        assertThat(fixture.ledger(run)).containsExactly("reserve 100");
        assertThat(fixture.value("select trim_scale(reserved) from credit_balance"))
                .isEqualTo("100");
        assertThat(
                        fixture.value(
                                "select idempotency_key from credit_entry where run_id is not"
                                        + " null"))
                .isEqualTo("run:" + run + ":1:reserve");
        // Whoever writes it: the database has the rule.
        assertThatThrownBy(
                        () ->
                                fixture.test
                                        .database()
                                        .execute(
                                                "insert into credit_entry select"
                                                    + " (jsonb_populate_record(e,"
                                                    + " jsonb_build_object('id', gen_random_uuid(),"
                                                    + " 'seq', e.seq + 1))).* from credit_entry e"
                                                    + " where e.run_id = ?",
                                                run))
                .hasStackTraceContaining("credit_entry_once");
    }

    /// E-185, E-187.
    @Test
    void a_step_changes_a_run_by_the_verbs_of_people_and_each_change_names_it() {
        UUID run = created();
        String by = " execution:" + execution + "/act budget";

        assertThat(act("run.start", run)).isInstanceOf(Outcome.Completed.class);
        assertThat(newestTransition(run)).isEqualTo("created pending" + by);
        fixture.drive(run, RunStatus.RUNNING);
        assertThat(act("run.pause", run)).isInstanceOf(Outcome.Completed.class);
        assertThat(newestTransition(run)).isEqualTo("running paused" + by);
        assertThat(act("run.resume", run)).isInstanceOf(Outcome.Completed.class);
        assertThat(newestTransition(run)).isEqualTo("paused resuming" + by);
        fixture.drive(run, RunStatus.RUNNING);
        assertThat(act("run.cancel", run)).isInstanceOf(Outcome.Completed.class);
        assertThat(newestTransition(run)).isEqualTo("running cancelled" + by);

        // Made, pending, running, paused, resuming, running, cancelled: one row for each.
        assertThat(transitions(run)).isEqualTo(7);
    }

    /// A step whose answer got lost is tried again.
    @Test
    void the_same_call_again_changes_nothing_more() {
        UUID run = created();
        act("run.start", run);
        Run started = fixture.run(run);

        assertThat(act("run.start", run))
                .isInstanceOfSatisfying(
                        Outcome.Completed.class,
                        done -> assertThat(done.result()).contains("\"changed\":false"));
        assertThat(fixture.run(run)).isEqualTo(started);
        assertThat(fixture.ledger(run)).hasSize(1);
    }

    /// E-186.
    @Test
    void a_change_that_the_status_forbids_fails_the_step_and_changes_nothing() {
        UUID run = created();
        Run before = fixture.run(run);

        assertThat(act("run.pause", run))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.toString()).contains("invalid_transition"));
        assertThat(fixture.run(run)).isEqualTo(before);
        assertThat(transitions(run)).isEqualTo(1);
        assertThat(act("run.start", UUID.randomUUID()).toString()).contains("run_not_found");
        assertThatThrownBy(() -> act("run.start", "{\"run_id\":\"7\"}"))
                .isInstanceOf(BadActionInput.class)
                .hasMessage("run_id must be the id of a run");
    }
}
