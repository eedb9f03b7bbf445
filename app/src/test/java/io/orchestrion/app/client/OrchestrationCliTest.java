package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.Registration;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.TaskFailure;
import io.orchestrion.sdk.Worker;
import io.orchestrion.sdk.definition.Definition;
import io.orchestrion.sdk.definition.Handler;
import io.orchestrion.sdk.definition.Step;
import io.orchestrion.sdk.definition.StepRetry;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Orchestrations at the terminal, against a whole server.
@Timeout(180)
class OrchestrationCliTest {
    private static ClientServer server;

    @TempDir Path home;
    private CommandRunner cli;
    private String key;

    @BeforeAll
    static void start() {
        server = new ClientServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() throws IOException {
        Registration account = server.newAccount();
        key = account.key().reveal();
        cli = new CommandRunner(home, server.url(), key);
    }

    private String file(Definition definition) throws IOException {
        return Files.writeString(home.resolve("definition.json"), definition.json()).toString();
    }

    /// Approve, then a task that a compensation undoes.
    private static Definition usual() {
        return Definition.named("usual")
                .retry(StepRetry.never())
                .step(Step.approval("ask", Duration.ofDays(1)).title("Really?").onSuccess("do"))
                .step(
                        Step.task("do", "do")
                                .timeout(Duration.ofMinutes(5))
                                .notSafeToRetry()
                                .compensatedAtOnceBy(Handler.task("undo")))
                .build();
    }

    private String started(Definition definition) throws IOException {
        String id =
                cli.json("orchestrations", "create", file(definition))
                        .path("orchestration_definition_id")
                        .asString();
        assertThat(cli.ran("orchestrations", "publish", id)).contains("published");
        return cli.json("orchestrations", "start", id, "--target", "order/7", "--input", "{}")
                .path("execution_id")
                .asString();
    }

    /// Does the next piece of work of a type, or fails it as half done.
    private void work(String type, boolean good) throws InterruptedException {
        try (var client = OrchestrionClient.of(server.url(), key);
                Worker worker =
                        Worker.builder(client)
                                .type(type)
                                .once()
                                .listener(_ -> {})
                                .steps(
                                        (_, _) -> {
                                            if (!good) {
                                                throw TaskFailure.partialSideEffect("half done");
                                            }
                                            return "{\"done\":true}";
                                        })
                                .start()) {
            worker.await();
        }
    }

    /// E-006.
    @Test
    void validate_prints_every_finding_with_its_place_and_what_to_do() throws IOException {
        String bad =
                file(
                        Definition.named("bad")
                                .step(Step.task("a", "t").onSuccess("nowhere"))
                                .build());
        assertThat(cli.run("orchestrations", "validate", bad)).isEqualTo(1);
        assertThat(cli.out())
                .contains("error at /steps/0/timeout_ms (missing_field)")
                .contains("error at /steps/0/retry_policy (missing_retry_policy)")
                .containsPattern("\n  next: \\S+")
                .containsPattern("It cannot be published: \\d errors");
        cli.input = "{\"name\":";
        assertThat(cli.run("orchestrations", "validate", "-")).isEqualTo(1);
        assertThat(cli.out()).contains("the whole document (invalid_json)");
        assertThat(cli.ran("orchestrations", "validate", file(usual())))
                .isEqualTo("It can be published: 0 errors, 0 warnings.\n");
        assertThat(cli.run("orchestrations", "validate", "no-such-file")).isEqualTo(64);
    }

    /// E-218, E-080.
    @Test
    void an_execution_is_approved_done_and_watched_to_its_success() throws Exception {
        String id = started(usual());
        assertThat(cli.ran("orchestrations", "approvals")).contains("pending", "Really?");
        assertThat(cli.ran("orchestrations", "get", id))
                .contains("waiting_approval", "orchestrion orchestrations approve");
        assertThat(cli.run("orchestrations", "watch", id, "--seconds", "0")).isEqualTo(5);
        assertThat(cli.ran("orchestrations", "approve", id, "--step", "ask", "--note", "yes"))
                .contains("approved");
        work("do", true);
        assertThat(cli.ran("orchestrations", "watch", id))
                .containsPattern("ask +succeeded")
                .containsPattern("do +succeeded")
                .containsPattern("execution +succeeded");
        assertThat(cli.ran("orchestrations", "graph", id)).contains("success -> do");
        assertThat(cli.ran("orchestrations", "graph", id, "--mermaid")).contains("flowchart");
        assertThat(cli.ran("orchestrations", "transitions", id)).contains("waiting_approval");
        assertThat(cli.ran("orchestrations", "list", "--target-id", "7")).contains("succeeded");
        cli.colour = true;
        assertThat(cli.ran("orchestrations", "watch", id)).contains("✓ do", "\u001b[32m");
    }

    /// E-164, E-131.
    @Test
    void a_step_that_was_undone_ends_the_watch_with_a_code_of_its_own() throws Exception {
        String id = started(usual());
        cli.ran("orchestrations", "approve", id, "--step", "ask");
        work("do", false);
        work("undo", true);
        assertThat(cli.run("orchestrations", "watch", id)).isEqualTo(3);
        assertThat(cli.out()).contains("do (compensation)", "half done");
        assertThat(cli.json("orchestrations", "get", id).path("compensated").asBoolean()).isTrue();
        assertThat(cli.ran("orchestrations", "dlq", "list")).contains("compensation_required");
        assertThat(cli.ran("orchestrations", "review", "list")).contains(id);
        assertThat(cli.ran("orchestrations", "steps", id)).contains("COMPENSATION_REQUIRED");
        assertThat(cli.ran("audit", "--trail", "--subject", id)).contains("orchestration");
    }

    /// E-082, E-084.
    @Test
    void a_cancelled_execution_ends_the_watch_with_another_code() throws Exception {
        String id = started(usual());
        assertThat(cli.ran("orchestrations", "cancel", id, "--reason", "enough"))
                .contains("canceled");
        assertThat(cli.run("orchestrations", "watch", id)).isEqualTo(4);
        assertThat(cli.run("orchestrations", "retry", id, "--reason", "r")).isEqualTo(1);
        assertThat(cli.err()).contains("invalid_transition");
    }

    /// E-107.
    @Test
    void the_retry_matrix_is_a_table() {
        assertThat(cli.ran("orchestrations", "retry-matrix"))
                .contains("ERROR CLASS", "RATE_LIMITED", "429");
    }
}
