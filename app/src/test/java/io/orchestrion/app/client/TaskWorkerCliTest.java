package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.Registration;
import io.orchestrion.sdk.NewTask;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.Task;
import io.orchestrion.sdk.TaskReport;
import io.orchestrion.sdk.TaskReport.ReportedError;
import io.orchestrion.sdk.TaskStatus;
import io.orchestrion.testkit.Until;

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
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/// `orchestrion worker --door tasks`: what a program says of a task beside its exit code, and what
/// it is told while it runs.
@Timeout(180)
class TaskWorkerCliTest {
    /// A third of the lease of a step.
    private static final Duration HEARTBEAT = Duration.ofSeconds(20);

    private static ClientServer server;
    @TempDir Path folder;
    private final HandMovedClock clock = new HandMovedClock();
    private EngineSteps steps;
    private OrchestrionClient client;
    private CommandRunner cli;

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
        steps = server.steps(account);
        client = OrchestrionClient.of(server.url(), account.key().reveal());
        cli = new CommandRunner(folder, server.url(), account.key().reveal());
        cli.environment.put("HERE", folder.toString());
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private UUID created() {
        return client.create(NewTask.ofType("t").correlationId("order-7").build()).id();
    }

    /// @return the exit code
    private int works(String... script) {
        Path file = folder.resolve("run.sh");
        try {
            Files.writeString(file, "#!/bin/sh\n" + String.join("\n", script) + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return cli.run(
                "worker", "--door", "tasks", "--types", "t,step", "--once", "--", file.toString());
    }

    private CompletableFuture<Integer> worksMeanwhile(String... script) {
        cli.ticks = clock;
        return CompletableFuture.supplyAsync(
                () -> works(script), task -> Thread.ofVirtual().start(task));
    }

    private void awaitFile(String name) {
        Until.isTrue(name, Duration.ofSeconds(60), () -> Files.exists(folder.resolve(name)));
    }

    @Test
    void a_program_says_for_other_programs_why_it_failed_and_what_it_used_up() {
        UUID id = created();
        int code =
                works(
                        "echo '{\"code\":\"rate_limited\",\"http_status\":429,"
                                + "\"message\":\"too busy\",\"retry_after_seconds\":3600,"
                                + "\"partial_side_effect\":false}' > \"$ORCHESTRION_ERROR_FILE\"",
                        "echo '{\"tokens\": 1200}' > \"$ORCHESTRION_USAGE_FILE\"",
                        "echo s3://logs/1 > \"$ORCHESTRION_LOGS_REF_FILE\"",
                        "exit 75");
        assertThat(code).isEqualTo(1);
        Task task = client.get(id);
        assertThat(task.reported())
                .isEqualTo(
                        new TaskReport(
                                new ReportedError(
                                        "rate_limited",
                                        429,
                                        "too busy",
                                        Duration.ofHours(1),
                                        false),
                                "{\"tokens\":1200}",
                                "s3://logs/1"));
        assertThat(task.lastFailureReason()).isEqualTo("too busy");
        assertThat(task.scheduledAt()).isAfter(Instant.now().plus(Duration.ofMinutes(59)));
        assertThat(cli.out())
                .contains("failed: too busy (rate_limited, HTTP 429); it is tried again in ");
        assertThat(cli.err()).isEmpty();
    }

    @Test
    void without_a_word_of_its_own_the_exit_code_and_the_last_lines_are_the_error() {
        UUID id = created();
        works("echo no luck >&2", "exit 7");
        ReportedError error = client.get(id).reported().error();
        assertThat(error.code()).isEqualTo("exit_7");
        assertThat(error.message())
                .matches("Exit code 7 after \\d+s\\.\nno luck")
                .isEqualTo(client.get(id).lastFailureReason());
        assertThat(cli.out())
                .containsPattern("failed: Exit code 7 after \\d+s\\. \\(exit_7\\); it");
    }

    @Test
    void a_program_that_succeeds_reports_usage_and_knows_what_it_is_a_part_of() {
        UUID id = created();
        client.fail(client.claim(id, "w"), "once");
        int code =
                works(
                        "echo \"{\\\"of\\\":\\\"$ORCHESTRION_JOB_CORRELATION_ID\\\","
                                + "\\\"attempt\\\":$ORCHESTRION_JOB_ATTEMPT}\""
                                + " > \"$ORCHESTRION_RESULT_FILE\"",
                        "echo '{\"tokens\":3}' > \"$ORCHESTRION_USAGE_FILE\"",
                        "echo s3://logs/2 > \"$ORCHESTRION_LOGS_REF_FILE\"");
        assertThat(code).as(cli.out() + cli.err()).isZero();
        Task task = client.get(id);
        assertThat(task.resultJson().toString()).isEqualTo("{\"of\":\"order-7\",\"attempt\":2}");
        assertThat(task.reported().usage()).isEqualTo("{\"tokens\":3}");
        assertThat(task.reported().logsRef()).isEqualTo("s3://logs/2");
    }

    @Test
    void a_report_that_cannot_be_read_is_said_and_costs_no_outcome() {
        UUID done = created();
        int code = works("echo nonsense | tee $ORCHESTRION_USAGE_FILE > $ORCHESTRION_ERROR_FILE");
        assertThat(code).as(cli.out() + cli.err()).isZero();
        assertThat(client.get(done).status()).isEqualTo(TaskStatus.COMPLETED);
        assertThat(client.get(done).reported().usage()).isNull();
        assertThat(cli.err())
                .contains(
                        "usage file: usage is not JSON: ",
                        "; reported without it",
                        "error file: not used, because the program ended with exit code 0");
        UUID failed = created();
        works("echo nonsense | tee $ORCHESTRION_USAGE_FILE > $ORCHESTRION_ERROR_FILE; exit 3");
        assertThat(client.get(failed).reported().error().code()).isEqualTo("exit_3");
        assertThat(client.get(failed).reported().usage()).isNull();
        assertThat(cli.err()).contains("error file: not JSON: ", "usage file: usage is not JSON: ");
    }

    @Test
    void a_program_finds_a_file_while_it_is_asked_to_pause() throws Exception {
        UUID id = steps.created();
        CompletableFuture<Integer> code =
                worksMeanwhile(
                        "test -e \"$ORCHESTRION_PAUSE_FILE\" && exit 9",
                        "touch $HERE/ready",
                        "until test -e \"$ORCHESTRION_PAUSE_FILE\"; do sleep 0.05; done",
                        "touch $HERE/pausing",
                        "while test -e \"$ORCHESTRION_PAUSE_FILE\"; do sleep 0.05; done",
                        "echo '{\"went\":\"on\"}' > \"$ORCHESTRION_RESULT_FILE\"");
        awaitFile("ready");
        steps.pause(id, true);
        clock.advanceWhenAsleep(1, HEARTBEAT);
        awaitFile("pausing");
        steps.pause(id, false);
        clock.advanceWhenAsleep(1, HEARTBEAT);
        assertThat(code.get()).as(cli.out() + cli.err()).isZero();
        assertThat(client.get(id).resultJson().toString()).isEqualTo("{\"went\":\"on\"}");
        assertThat(cli.out())
                .containsSubsequence(
                        "started step", "asked to pause", "asked to go on", "completed");
    }

    @Test
    void a_cancelled_step_ends_its_program_with_all_that_it_started() throws Exception {
        UUID id = steps.created();
        CompletableFuture<Integer> code =
                worksMeanwhile(
                        "sleep 600 &",
                        "echo $! > $HERE/child; echo $$ > $HERE/parent; touch $HERE/ready",
                        "wait");
        awaitFile("ready");
        steps.cancel(id);
        clock.advanceWhenAsleep(1, HEARTBEAT);
        assertThat(code.get()).isEqualTo(1);
        assertThat(cli.out()).contains("lease lost: This task was cancelled");
        assertThat(client.get(id).status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(steps.lateReports(id)).isEmpty();
        for (String each : new String[] {"child", "parent"}) {
            String pid = Files.readString(folder.resolve(each)).strip();
            Until.isTrue(each + " is gone", Duration.ofSeconds(60), () -> gone(pid));
        }
    }

    private static boolean gone(String pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (IOException e) {
            return true;
        }
    }

    /// That something is half done matters most to who has ended it.
    @Test
    void what_a_program_says_when_it_is_ended_is_kept() throws Exception {
        UUID id = steps.created();
        CompletableFuture<Integer> code =
                worksMeanwhile(
                        "trap 'echo \"{\\\"message\\\":\\\"charged\\\","
                                + "\\\"partial_side_effect\\\":true}\" > $ORCHESTRION_ERROR_FILE;"
                                + " exit 1' TERM",
                        "touch $HERE/ready",
                        "while :; do sleep 0.05; done");
        awaitFile("ready");
        steps.cancel(id);
        clock.advanceWhenAsleep(1, HEARTBEAT);
        assertThat(code.get()).isEqualTo(1);
        assertThat(steps.lateReports(id))
                .containsExactly(
                        "{\"report\":\"fail\",\"reason\":\"charged\",\"error\":{\"code\":"
                                + "\"given_back\",\"message\":\"charged\","
                                + "\"partial_side_effect\":true}}");
    }
}
