package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.Registration;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.RunStatus;
import io.orchestrion.sdk.RunStepHandler;
import io.orchestrion.sdk.TaskFailure;
import io.orchestrion.sdk.Worker;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs and credits at the terminal, against a whole server.
@Timeout(180)
class RunCliTest {
    private static ClientServer server;

    @TempDir Path home;
    private CommandRunner cli;
    private Registration account;
    private OrchestrionClient client;

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
        account = server.newAccount();
        String key = account.key().reveal();
        cli = new CommandRunner(home, server.url(), key);
        client = OrchestrionClient.of(server.url(), key);
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private static String plan(String tool) {
        return """
        {"agents":[{"subtask":"all","tasks":[{"name":"t","steps":[{"name":"s","tool":"%s",\
        "max_attempts":1}]}]}]}\
        """
                .formatted(tool);
    }

    private String created(String tool, String... more) {
        var words = new ArrayList<String>();
        words.addAll(
                List.of("runs", "create", "--name", "n", "--task", "t", "--max-tokens", "1000"));
        words.addAll(List.of("--plan", plan(tool), "--start"));
        words.addAll(List.of(more));
        return cli.json(words.toArray(String[]::new)).path("run_id").asString();
    }

    private String running(String tool, String... more) {
        String run = created(tool, more);
        server.drive("picked up", () -> client.runs().get(run).status() == RunStatus.RUNNING);
        return run;
    }

    private void ended(String run) {
        server.drive("ended", () -> client.runs().get(run).status().ended());
    }

    private void work(String tool, RunStepHandler handler) throws InterruptedException {
        try (Worker worker =
                Worker.builder(client)
                        .type(tool)
                        .once()
                        .listener(_ -> {})
                        .runSteps(handler)
                        .start()) {
            worker.await();
        }
    }

    @Test
    void a_run_is_made_started_done_and_watched_with_what_it_cost() throws Exception {
        String run = running("look");
        assertThat(cli.ran("runs", "tree", run)).contains("waits for a worker that claims look");
        assertThat(cli.run("runs", "watch", run, "--seconds", "0")).isEqualTo(5);
        work(
                "look",
                (_, context) -> {
                    context.write("found it\n");
                    context.tokens(120);
                    return "{\"n\":1}";
                });
        assertThat(cli.ran("runs", "watch", run))
                .containsPattern("step s \\(look\\) +completed +120 tokens +0.12 cr")
                .contains("run  completed  120 tokens  0.12 of 1 credits");
        cli.colour = true;
        assertThat(cli.ran("runs", "watch", run))
                .contains("✓ s (look)", "\u001b[32m", "120 tokens  0.12 of 1 credits");
        cli.colour = false;
        assertThat(cli.json("runs", "watch", run).path("status").asString()).isEqualTo("completed");
        assertThat(cli.ran("runs", "show", run)).contains("0.12 of 1 credits, given back 0.88");
        assertThat(cli.ran("runs", "stream", run)).isEqualTo("found it\n");
        assertThat(cli.ran("runs", "stream", run, "--follow", "--after", "1")).isEmpty();
        assertThat(cli.ran("runs", "list", "--status", "completed")).contains(run);
        assertThat(cli.ran("runs", "attempts", run)).contains("completed", "0.12");
        assertThat(cli.ran("runs", "transitions", run)).contains("pending", "running");
        assertThat(cli.ran("runs", "events", run)).contains("run.");
        assertThat(cli.ran("runs", "plans", run)).contains("static");
        assertThat(cli.ran("runs", "decisions", run)).isNotEmpty();
        String agent = cli.json("runs", "agents", run).at("/items/0/id").asString();
        String task = cli.json("runs", "tasks", run, "--agent", agent).at("/items/0/id").asString();
        String step =
                cli.json("runs", "steps", run, "--of-task", task).at("/items/0/id").asString();
        assertThat(cli.ran("runs", "show", run, "--agent", agent)).contains("all");
        assertThat(cli.ran("runs", "show", run, "--of-task", task)).contains("completed");
        assertThat(cli.ran("runs", "show", run, "--step", step)).contains("look", "\"n\"");
        assertThat(cli.ran("credits", "ledger", "--run", run))
                .contains("reserve", "charge", "refund");
        assertThat(cli.ran("credits", "show")).contains("credits available");
        assertThat(cli.run("runs", "pause", run)).isEqualTo(1);
        assertThat(cli.err())
                .contains("(invalid_transition)")
                .contains("next: orchestrion runs create");
    }

    @Test
    void a_failed_a_cancelled_and_a_skipped_run_end_the_watch_with_codes_of_their_own()
            throws Exception {
        RunStepHandler broken =
                (_, _) -> {
                    throw TaskFailure.of("ValueError", "no such thing");
                };
        String failed = running("break");
        work("break", broken);
        ended(failed);
        assertThat(cli.run("runs", "watch", failed)).isEqualTo(3);
        assertThat(cli.out()).contains("run  failed", "no such thing");
        assertThat(cli.ran("runs", "retry", failed, "--reason", "again")).contains("Run ");
        assertThat(client.runs().get(failed).attemptNumber()).isEqualTo(2);

        String cancelled = running("idle");
        assertThat(cli.ran("runs", "pause", cancelled, "--reason", "lunch"))
                .contains("paused", "orchestrion runs resume " + cancelled);
        assertThat(cli.ran("runs", "cancel", cancelled)).contains("cancelled");
        assertThat(cli.run("runs", "watch", cancelled)).isEqualTo(4);

        String skipped = running("break-too", "--failure-mode", "continue");
        work("break-too", broken);
        ended(skipped);
        assertThat(cli.run("runs", "watch", skipped)).isEqualTo(6);
    }

    @Test
    void a_run_is_planned_by_hand_or_deleted() {
        String run =
                cli.json("runs", "create", "--from", "{\"name\":\"n\",\"task\":\"t\"}", "--start")
                        .path("run_id")
                        .asString();
        server.drive("picked up", () -> client.runs().get(run).status() == RunStatus.RUNNING);
        assertThat(cli.ran("runs", "plan", run, "--plan", plan("x"))).contains("running");
        assertThat(cli.run("runs", "plan", run, "--plan", "{")).isEqualTo(64);
        String other =
                cli.json("runs", "create", "--name", "n", "--task", "t").path("id").asString();
        assertThat(cli.ran("runs", "show", other)).contains("orchestrion runs start " + other);
        assertThat(cli.ran("runs", "delete", other)).contains("is deleted");
        assertThat(cli.run("runs", "show", other)).isEqualTo(1);
        assertThat(cli.err()).contains("(run_not_found)").contains("next: orchestrion runs ");
        assertThat(cli.run("runs", "list", "--status", "odd")).isEqualTo(64);
    }

    @Test
    void a_person_confirms_the_call_of_a_tool() throws Exception {
        String run = running("mail", "--tool-policies", "{\"mail\":\"confirm\"}");
        String approval =
                cli.json("runs", "approvals", "list", "--run", run).at("/items/0/id").asString();
        assertThat(cli.ran("runs", "tree", run)).contains("orchestrion runs approve " + approval);
        assertThat(cli.ran("runs", "approvals", "show", approval)).contains("mail", "pending");
        assertThat(cli.ran("runs", "approve", approval, "--note", "fine"))
                .isEqualTo("The call of mail is approved; the run is running.\n");
        assertThat(cli.ran("runs", "approvals", "list"))
                .isEqualTo("Nothing waits for a decision.\n");
        assertThat(cli.run("runs", "reject", approval)).isEqualTo(1);
        assertThat(cli.err()).contains("(already_decided)");
        assertThat(cli.ran("runs", "escalations", "list")).isEqualTo("No tickets.\n");
    }

    @Test
    void an_artifact_goes_up_and_comes_down() throws IOException {
        String run = cli.json("runs", "create", "--name", "n", "--task", "t").path("id").asString();
        Path file = Files.writeString(home.resolve("a.txt"), "some text");
        String id =
                cli.json("runs", "artifacts", "upload", run, "--file", file.toString())
                        .path("id")
                        .asString();
        assertThat(cli.ran("runs", "artifacts", "list", run)).contains("a.txt", "ready");
        Path copy = home.resolve("copy.txt");
        cli.ran("runs", "artifacts", "download", id, "--to", copy.toString());
        assertThat(copy).hasContent("some text");
        assertThat(cli.ran("runs", "artifacts", "download", id, "--to", "-"))
                .isEqualTo("some text");
        assertThat(cli.ran("runs", "artifacts", "show", id)).contains("a.txt");
        assertThat(cli.ran("runs", "artifacts", "url", id)).contains("signature=", "good until");
        cli.input = "from a pipe";
        assertThat(cli.ran("runs", "artifacts", "upload", run, "--file", "-", "--name", "b.txt"))
                .contains("has 11 bytes");
        assertThat(cli.run("runs", "artifacts", "upload", run, "--file", "-")).isEqualTo(64);
        assertThat(cli.run("runs", "artifacts", "upload", run, "--file", file.toString()))
                .isEqualTo(1);
        assertThat(cli.err()).contains("(artifact_exists)");
    }

    @Test
    void the_operator_gives_credits_and_ends_runs(@TempDir Path other) throws IOException {
        var operator = new CommandRunner(other, server.url(), server.operatorsKey());
        String run = running("idle");
        assertThat(
                        operator.ran(
                                "credits",
                                "grant",
                                "--org",
                                account.accountId().toString(),
                                "--amount",
                                "12.5",
                                "--key",
                                "k"))
                .contains("grant of 12.5 credits");
        assertThat(operator.ran("credits", "invariants"))
                .isEqualTo("Everything is as it must be.\n");
        assertThat(operator.ran("credits", "anomalies")).isEqualTo("Nothing odd.\n");
        assertThat(operator.ran("credits", "stuck")).doesNotContain(run);
        assertThat(operator.ran("credits", "force-fail", run, "--reason", "Timeout"))
                .contains(run + " is failed; 1 credits were given back");
        assertThat(cli.ran("credits", "notices")).isEqualTo("No notices.\n");
        assertThat(cli.run("credits", "stuck")).isEqualTo(1);
        assertThat(cli.err()).contains("(forbidden)");
    }
}
