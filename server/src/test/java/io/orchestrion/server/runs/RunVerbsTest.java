package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunApi.one;
import static io.orchestrion.server.runs.RunApi.path;
import static io.orchestrion.server.runs.RunApi.planned;
import static io.orchestrion.server.runs.RunReadsTest.refused;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The life of a run as its account asks for it over HTTP.
class RunVerbsTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final RunApi runs = RunApi.on(server);

    ///
    @Test
    void a_run_goes_from_created_to_completed_and_cannot_be_paused_then() {
        Reply made = runs.asked(planned(one("work")));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.text("/status")).isEqualTo("created");
        String run = made.text("/id");
        assertThat(runs.done(run, "start").text("/status")).isEqualTo("pending");
        runs.drive(run, "running");
        runs.complete("work");
        Reply completed = runs.get(run);
        assertThat(completed.text("/status")).isEqualTo("completed");
        refused(runs.verb(run, "pause"), 409, "invalid_transition");
        assertThat(runs.get(run).at("/completed_at")).isEqualTo(completed.at("/completed_at"));
        assertThat(runs.transitions(run))
                .containsExactly(
                        "created",
                        "created -> pending",
                        "pending -> running",
                        "running -> completed");
    }

    ///
    @Test
    void a_run_is_paused_and_goes_on() {
        String run = runs.running(planned(one("paused-work")));
        assertThat(runs.done(run, "pause").text("/status")).isEqualTo("paused");
        assertThat(runs.tasks().claim("paused-work").at("/task").isObject()).isFalse();
        assertThat(runs.done(run, "resume").text("/status")).isIn("resuming", "running");
        runs.drive(run, "running");
        runs.complete("paused-work");
        assertThat(runs.status(run)).isEqualTo("completed");
    }

    ///
    @Test
    void a_deleted_run_is_not_there_any_more_and_its_row_is() {
        String run = runs.create(planned(one("never")));
        Reply gone = runs.delete(run);
        assertThat(gone.status()).as(gone.text()).isEqualTo(204);
        refused(runs.get(run), 404, "run_not_found");
        refused(runs.delete(run), 404, "run_not_found");
        for (String verb : RunApi.VERBS) {
            refused(runs.verb(run, verb), 404, "run_not_found");
        }
        assertThat(runs.api().get(RunApi.RUNS).at("/items")).isEmpty();
        long kept =
                server.database()
                        .value(
                                "select count(*) from run where id = ? and deleted_ms is not null",
                                RunApi.uuid(run));
        assertThat(kept).isOne();
    }

    ///
    @Test
    void a_failed_run_is_tried_once_more() {
        String run = runs.running(planned(one("flaky")));
        runs.fail("flaky", "ValueError");
        assertThat(runs.status(run)).isEqualTo("failed");
        Reply again = runs.done(run, "retry");
        assertThat(again.text("/status")).isEqualTo("retrying");
        assertThat(again.number("/attempt_number")).isEqualTo(2);
        runs.drive(run, "running");
        runs.complete("flaky");
        assertThat(runs.status(run)).isEqualTo("completed");
        assertThat(runs.api().get(path(run) + "/attempts").at("/items")).hasSize(2);
    }
}
