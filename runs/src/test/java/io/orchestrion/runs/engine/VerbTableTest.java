package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.RunStatus;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Every verb in every status of a run, as the contract has it. A verb that is refused, or that has
/// nothing to do, leaves every row as it was.
class VerbTableTest {
    private static final List<String> VERBS =
            List.of("start", "pause", "resume", "cancel", "retry", "delete");

    private static RunFixture fixture;

    @BeforeAll
    static void open() {
        fixture = new RunFixture();
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    ///
    /// R-102..R-109, CB-036, CB-037. `done` changes the run to the status behind it, `same` is an
    /// answer without a change, `no` is a refusal, and `later` one that may be repeated.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # status   | start        | pause       | resume        | cancel         | retry         | delete
                    created    | done pending | no          | no            | done cancelled | no            | done created
                    pending    | same         | no          | no            | done cancelled | no            | no
                    running    | same         | done paused | same          | done cancelled | no            | no
                    paused     | no           | same        | done resuming | done cancelled | no            | no
                    resuming   | no           | no          | same          | later          | no            | no
                    completed  | no           | no          | no            | no             | no            | no
                    failed     | no           | no          | no            | no             | done retrying | no
                    cancelled  | no           | no          | no            | same           | no            | no
                    retrying   | no           | no          | no            | later          | same          | no
                    skipped    | no           | no          | no            | no             | no            | no
                    """)
    void a_verb_does_what_the_status_allows(
            String status,
            String start,
            String pause,
            String resume,
            String cancel,
            String retry,
            String delete) {
        List<String> wanted = List.of(start, pause, resume, cancel, retry, delete);
        UUID run = in(status);
        for (int i = 0; i < wanted.size(); i++) {
            if (!wanted.get(i).startsWith("done")) {
                String what = VERBS.get(i) + " of a run that is " + status;
                Map<String, String> before = state(run);
                assertThat(answer(run, ask(VERBS.get(i), run))).as(what).isEqualTo(wanted.get(i));
                assertThat(state(run)).as(what).isEqualTo(before);
            }
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (wanted.get(i).startsWith("done")) {
                UUID changed = in(status);
                assertThat(answer(changed, ask(VERBS.get(i), changed)))
                        .as(VERBS.get(i) + " of a run that is " + status)
                        .isEqualTo(wanted.get(i));
                // Nobody is to drive it any further.
                fixture.runs.inOne(tx -> fixture.runs.forceFail(tx, fixture.request(changed)));
            }
        }
    }

    private static Ack ask(String verb, UUID run) {
        return fixture.runs.inOne(tx -> say(tx, verb, fixture.request(run)));
    }

    private static Ack say(Tx tx, String verb, Request request) throws SQLException {
        return switch (verb) {
            case "start" -> fixture.runs.start(tx, request);
            case "pause" -> fixture.runs.pause(tx, request);
            case "resume" -> fixture.runs.resume(tx, request);
            case "cancel" -> fixture.runs.cancel(tx, request);
            case "retry" -> fixture.runs.retry(tx, request);
            case "delete" -> fixture.runs.delete(tx, request);
            default -> throw new IllegalArgumentException(verb);
        };
    }

    private static String answer(UUID run, Ack ack) {
        return switch (ack) {
            case Ack.Done(Run now, boolean changed) -> {
                assertThat(now.id()).isEqualTo(run);
                yield changed ? "done " + now.status().word() : "same";
            }
            case Ack.WrongStatus(Run now, _, boolean retryable) -> {
                assertThat(now.attempt()).isGreaterThanOrEqualTo(1);
                yield retryable ? "later" : "no";
            }
            default -> ack.toString();
        };
    }

    /// Everything that a verb could have changed.
    private static Map<String, String> state(UUID run) {
        return Map.of(
                "run", text("select r::text as line from run r where r.id = ?", run),
                "entries",
                        text(
                                "select e::text as line from credit_entry e where e.run_id = ?"
                                        + " order by e.seq",
                                run),
                "attempts",
                        text("select a::text as line from run_attempt a where a.run_id = ?", run),
                "transitions",
                        text(
                                "select t.number::text as line from run_transition t where t.run_id"
                                        + " = ?",
                                run),
                "agents",
                        text(
                                "select a.status as line from run_agent a where a.run_id = ? order"
                                        + " by a.id",
                                run),
                "items",
                        text(
                                "select i.state as line from item i where i.owner_id = ? order by"
                                        + " i.id",
                                run),
                "audit",
                        text(
                                "select count(*)::text as line from audit u where u.subject_id ="
                                        + " ?::text",
                                run),
                "events",
                        text(
                                "select count(*)::text as line from subject_event e where"
                                        + " e.subject_id = ?",
                                run));
    }

    private static String text(String sql, UUID run) {
        return fixture.test.database().rows(sql, run).toString();
    }

    private static UUID in(String status) {
        String tool = "tool-" + UUID.randomUUID().toString().substring(0, 8);
        boolean skips = status.equals("skipped");
        UUID run =
                fixture.create(
                        fixture.asked(
                                one(step(tool)),
                                skips ? FailureMode.CONTINUE : FailureMode.FAIL_FAST,
                                of ->
                                        new Bounds(
                                                of.attempts(),
                                                of.agents(),
                                                of.replans(),
                                                1_000,
                                                of.tasksAtOnce(),
                                                of.stepsAtOnce(),
                                                of.timeouts())));
        RunStatus wanted = RunStatus.of(status);
        if (wanted == RunStatus.CREATED) {
            return run;
        }
        fixture.start(run);
        if (wanted == RunStatus.PENDING) {
            return run;
        }
        fixture.drive(run, RunStatus.RUNNING);
        switch (wanted) {
            case RUNNING -> {}
            case PAUSED -> fixture.pause(run);
            case RESUMING -> {
                fixture.pause(run);
                fixture.resume(run);
            }
            case COMPLETED -> fixture.done(tool);
            case FAILED, SKIPPED -> fixture.failed(tool, "ValueError");
            case CANCELLED -> fixture.cancel(run);
            case RETRYING -> {
                fixture.failed(tool, "ValueError");
                fixture.retry(run);
            }
            default -> throw new IllegalArgumentException(status);
        }
        assertThat(fixture.status(run)).isEqualTo(wanted);
        return run;
    }
}
