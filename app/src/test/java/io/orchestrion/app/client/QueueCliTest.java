package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.sdk.ClaimedJob;
import io.orchestrion.sdk.JobClaim;
import io.orchestrion.sdk.JobEventLevel;
import io.orchestrion.sdk.JobStatus;
import io.orchestrion.sdk.NewJob;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.QueueJob;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/// The commands of the queue and of its workers' tokens.
@Timeout(180)
class QueueCliTest {
    private static ClientServer server;

    @TempDir Path home;
    private CommandRunner cli;
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
    void account() throws IOException {
        String key = server.newKey();
        client = OrchestrionClient.of(server.url(), key);
        cli = new CommandRunner(home, server.url(), key);
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private ClaimedJob claimed(String worker) {
        return client.queue().claim(JobClaim.by(worker)).orElseThrow();
    }

    private UUID dead(String type) {
        client.queue().submit(NewJob.ofType(type).withMaxAttempts(1));
        ClaimedJob claimed = claimed("w");
        client.queue().fail(claimed, "it\u001b[31m broke", true);
        return claimed.id();
    }

    @Test
    void a_job_is_submitted_with_what_a_worker_must_have() {
        String card =
                cli.ran(
                        "queue",
                        "submit",
                        "--type",
                        "t",
                        "--repository",
                        "Me/It",
                        "--requires",
                        "git,gh",
                        "--payload",
                        "{\"a\":1}",
                        "--priority",
                        "7",
                        "--max-attempts",
                        "2",
                        "--key",
                        "order-42");
        assertThat(card)
                .containsPattern("status +queued")
                .containsPattern("attempts +0 of 2")
                .containsPattern("next +orchestrion worker --types t");
        QueueJob job = claimed("w").job();
        assertThat(job.payload())
                .isEqualTo(
                        "{\"a\":1,\"repository\":\"Me/It\",\"requiredCapabilities\":[\"git\",\"gh\"]}");
        assertThat(job.priority()).isEqualTo(7);
        String again =
                cli.json(
                                "queue",
                                "submit",
                                "--type",
                                "t",
                                "--repository",
                                "Me/It",
                                "--requires",
                                "git,gh",
                                "--payload",
                                "{\"a\":1}",
                                "--priority",
                                "7",
                                "--max-attempts",
                                "2",
                                "--key",
                                "order-42")
                        .at("/id")
                        .asString();
        assertThat(again).isEqualTo(job.id().toString());
    }

    @Test
    void jobs_are_listed_with_what_matters_about_them() {
        UUID dead = dead("d");
        client.queue().submit(NewJob.ofType("a-rather-long-type"));
        UUID running = claimed("worker-7").id();
        UUID queued = client.queue().submit(NewJob.ofType("q")).id();
        List<String> lines = cli.ran("queue", "list").lines().toList();
        assertThat(lines.getFirst()).matches("STATUS +TYPE +ID +PRIORITY +ATTEMPTS +CREATED +NOTE");
        int column = lines.getFirst().indexOf("ID ");
        assertThat(lines.get(1)).startsWith("queued ").contains(queued.toString());
        assertThat(lines.get(2)).startsWith("running ").endsWith("worker-7");
        assertThat(lines.get(3)).startsWith("dead_letter ").endsWith("it\uFFFD[31m broke");
        assertThat(lines).allMatch(line -> line.charAt(column - 1) == ' ');
        assertThat(cli.ran("queue", "list", "--status", "running")).contains(running.toString());
        assertThat(cli.ran("queue", "list", "--type", "none")).isEqualTo("No jobs.\n");
        assertThat(cli.ran("queue", "list", "--limit", "1")).contains("--all shows them");
        assertThat(cli.ran("queue", "list", "--limit", "1", "--all").lines()).hasSize(4);
        assertThat(cli.ran("queue", "dead-letters"))
                .contains(dead.toString())
                .doesNotContain(queued.toString());
        cli.colour = true;
        assertThat(cli.ran("queue", "list")).contains("\u001b[33mqueued", "\u001b[31mdead_letter");
    }

    @Test
    void a_job_is_cancelled_or_its_worker_asked_to() {
        UUID queued = client.queue().submit(NewJob.ofType("t")).id();
        assertThat(cli.ran("queue", "cancel", queued.toString()))
                .containsPattern("status +cancelled");
        client.queue().submit(NewJob.ofType("t"));
        ClaimedJob held = claimed("w");
        assertThat(cli.ran("queue", "cancel", held.id().toString()))
                .containsPattern("status +running, to be cancelled")
                .contains("queue events " + held.id() + " --follow");
        assertThat(cli.ran("queue", "list")).contains("w, to be cancelled");
        client.queue().fail(held, "gave up", false);
        assertThat(cli.ran("queue", "get", held.id().toString()))
                .containsPattern("status +cancelled");
        assertThat(cli.run("queue", "cancel", queued.toString())).isEqualTo(1);
        assertThat(cli.err()).contains("(queue_wrong_status)", "next: orchestrion queue get ID");
    }

    @Test
    void dead_letters_are_requeued_one_by_one_or_by_type() {
        UUID one = dead("a");
        UUID other = dead("a");
        UUID kept = dead("b");
        assertThat(cli.ran("queue", "requeue", one.toString())).containsPattern("status +queued");
        assertThat(cli.ran("queue", "requeue", "--dead-letters", "--type", "a"))
                .isEqualTo("1 job is back in line.\n");
        assertThat(client.queue().get(other).status()).isEqualTo(JobStatus.QUEUED);
        assertThat(client.queue().get(kept).status()).isEqualTo(JobStatus.DEAD_LETTER);
    }

    @Test
    void a_log_is_shown_and_followed_to_the_end() {
        client.queue().submit(NewJob.ofType("t"));
        ClaimedJob claimed = claimed("w");
        client.queue().append(claimed, JobEventLevel.ERROR, "two\nlines\u001b[2J", null);
        String id = claimed.id().toString();
        assertThat(cli.ran("queue", "events", id))
                .containsPattern("\\d\\d:\\d\\d:\\d\\d\\.\\d{3}  error  two\n")
                .contains("error  lines\uFFFD[2J");
        String last =
                client.queue()
                        .events(claimed.id(), null, null)
                        .events()
                        .getLast()
                        .createdAt()
                        .toString();
        assertThat(cli.ran("queue", "events", id, "--after", last)).isEmpty();
        client.queue().complete(claimed, "fine");
        assertThat(cli.ran("queue", "events", id, "--follow"))
                .contains("lines", "completed by w")
                .endsWith("succeeded after 1 attempt\n");
        assertThat(cli.ran("queue", "events", id, "--json")).startsWith("{\"items\":[{");
        assertThat(cli.run("queue", "events", dead("d").toString(), "--follow")).isEqualTo(1);
        assertThat(cli.out()).endsWith("dead_letter after 1 attempt\n");
    }

    @Test
    void what_is_not_there_is_said_with_what_to_do() {
        assertThat(cli.run("queue", "get", UUID.randomUUID().toString())).isEqualTo(1);
        assertThat(cli.err())
                .contains("(queue_job_not_found)", "next: orchestrion queue list", "request id: ");
        assertThat(cli.run("queue", "submit", "--type", "t", "--priority", "999")).isEqualTo(1);
        assertThat(cli.err()).contains("priority", "next: correct what the message names");
    }

    /// L-021, L-022.
    @Test
    void a_token_is_made_listed_deactivated_reactivated_and_rotated() throws IOException {
        assertThat(
                        cli.run(
                                "worker-tokens",
                                "create",
                                "--worker",
                                "executor-01",
                                "--description",
                                "the first",
                                "--types",
                                "a,b",
                                "--repositories",
                                "me/*",
                                "--capabilities",
                                "",
                                "--expires-days",
                                "3"))
                .as(cli.err())
                .isZero();
        assertThat(cli.out()).matches("mmwt_\\S{43,}\n");
        String secret = cli.out().strip();
        assertThat(cli.err())
                .containsPattern("Token \\S{36} of worker executor-01")
                .contains("shown this once")
                .doesNotContain(secret);
        String id = cli.err().replaceAll("(?s)Token (\\S+) .*", "$1");
        List<String> lines = cli.ran("worker-tokens", "list").lines().toList();
        assertThat(lines.getFirst())
                .matches("STATUS +WORKER +ID +TYPES +REPOSITORIES +CAPABILITIES +LAST USED +NOTE");
        assertThat(lines.get(1))
                .startsWith("active ")
                .contains("executor-01", id, " a,b ", " me/* ", " none ", " never ")
                .contains("the first, expires in ");
        assertThat(cli.ran("worker-tokens", "deactivate", id)).contains("is inactive");
        assertThat(cli.ran("worker-tokens", "list"))
                .isEqualTo("No tokens.\n1 open nothing any more; --all shows them.\n");
        assertThat(cli.ran("worker-tokens", "list", "--all")).containsPattern("inactive +exec");
        assertThat(cli.ran("worker-tokens", "reactivate", id)).contains("is active");
        Path file = home.resolve("worker.token");
        assertThat(cli.ran("worker-tokens", "rotate", id, "--save", file.toString()))
                .contains("its token is in " + file)
                .doesNotContain("mmwt_");
        assertThat(file).content().startsWith("mmwt_").doesNotContain(secret);
        // Both secrets work for a while.
        for (String each : List.of(secret, Files.readString(file).strip())) {
            try (var worker = OrchestrionClient.of(server.url(), each)) {
                assertThat(worker.queue().claim(JobClaim.by("executor-01"))).isEmpty();
            }
        }
        assertThat(cli.run("worker-tokens", "rotate", UUID.randomUUID().toString())).isEqualTo(1);
        assertThat(cli.err()).contains("next: orchestrion worker-tokens list --all");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "queue | Missing required subcommand",
                "queue submit | --type",
                "queue submit --type t --payload [1] --requires a | payload must be a JSON object",
                "queue submit --type t --payload nonsense --requires a | payload is not JSON",
                "queue submit --type t --requires a,,b | --requires has words with commas",
                "queue list --status lost | --status must be one of queued, running",
                "queue requeue | either an ID or --dead-letters",
                "queue events 12 | UUID",
                "worker-tokens create | --worker",
                "worker | COMMAND",
                "worker -- /no/such/program | there is no program /no/such/program",
                "worker -- no-such-program-at-all | there is no program no-such-program-at-all",
                "worker --door window -- true | --door must be queue or tasks",
                "worker --door tasks -- true | --door tasks needs --types",
                "worker --door tasks --types t --lease-seconds 9 -- true | is for the queue",
                "worker --lease-seconds 1 -- true | --lease-seconds must be 3 to 3600",
                "worker --concurrency 0 -- true | concurrency must be at least 1",
                "worker --fatal-codes x -- true | --fatal-codes are like 2,64-78",
                "worker --directory /no/such -- true | there is no folder /no/such",
                "worker --token-file /no/such -- true | cannot read a key from /no/such",
                "worker --token-file a --api-key-file b -- true | not both",
            })
    void a_line_that_is_not_right_ends_with_64(String line, String said) {
        assertThat(cli.run(line.split(" "))).as(cli.err()).isEqualTo(64);
        assertThat(cli.err()).contains(said).contains("next: ").doesNotContain("\tat ");
    }

    @Test
    void a_worker_that_is_to_work_once_ends_when_there_is_nothing_to_do() {
        String queue = cli.ran("worker", "--types", "none", "--once", "--", "false");
        assertThat(queue).contains("there is nothing to do");
        String tasks = cli.ran("worker --door tasks --types none --once -- false".split(" "));
        assertThat(tasks).contains("there is nothing to do");
    }

    @Test
    void a_token_in_the_environment_goes_before_the_local_servers_key() {
        cli.environment.put("ORCHESTRION_WORKER_TOKEN", "mmwt_unknown");
        assertThat(cli.run("worker", "--types", "t", "--once", "--", "true")).isEqualTo(1);
        assertThat(cli.err()).contains("(queue_invalid_credential)", "--token-file");
    }
}
