package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Folders;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The whole way of a job: the server's program, the worker's program, and a shell script that
/// does the work.
class WorkerProgramTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static Path data;
    private static ServerProcess server;

    @TempDir Path folder;
    private String type;
    private WorkerProcess worker;

    @BeforeAll
    static void serve() {
        data = Folders.temporary("orchestrion-worker-");
        server = ServerProcess.start(data);
    }

    @AfterAll
    static void stopServer() {
        server.close();
        Folders.delete(data);
    }

    @BeforeEach
    void name(TestInfo test) {
        type = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void stopWorker() {
        if (worker != null) {
            worker.close();
        }
    }

    private static Api api() {
        return server.api();
    }

    private String script(String... lines) throws IOException {
        Path script = folder.resolve("run-job.sh");
        Files.writeString(script, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return script.toString();
    }

    /// With the operator's key.
    private void work(String script, String... options) {
        var words = new ArrayList<>(List.of("--types", type));
        words.addAll(List.of("--api-key-file", data.resolve("local.key").toString()));
        words.addAll(Arrays.asList(options));
        words.addAll(List.of("--", script, "argument"));
        worker =
                WorkerProcess.start(
                        Map.of("ORCHESTRION_URL", server.address()), words.toArray(String[]::new));
    }

    private String submit(String payload, String more) {
        Reply made =
                api().post(
                                "/api/queue/jobs",
                                "{\"type\":\"" + type + "\",\"payload\":" + payload + more + "}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made.text("/id");
    }

    private static Reply job(String id) {
        return api().get("/api/queue/jobs/" + id);
    }

    private Reply awaitStatus(String id, String status) {
        Until.isTrue(
                "job is " + status,
                PATIENCE,
                () -> {
                    String now = job(id).text("/status");
                    return now.equals(status);
                });
        return job(id);
    }

    private static List<JsonNode> events(String id) {
        Reply page = api().get("/api/queue/jobs/" + id + "/events?limit=1000");
        assertThat(page.status()).as(page.text()).isEqualTo(200);
        return page.at("/items").valueStream().toList();
    }

    /// What the child printed, as the job's log has it.
    private static List<String> output(String id, String stream) {
        return events(id).stream()
                .filter(event -> event.at("/payload/stream").asString("").equals(stream))
                .flatMap(event -> event.path("message").asString().lines())
                .toList();
    }

    private void awaitOutput(String id, String line) {
        Until.isTrue("output " + line, PATIENCE, () -> output(id, "stdout").contains(line));
    }

    private static List<String> messages(String id) {
        return events(id).stream().map(event -> event.path("message").asString()).toList();
    }

    /// what the job names is for that job only.
    @Test
    void a_job_runs_to_success_and_its_output_is_in_its_log_in_order() throws Exception {
        String named =
                submit(
                        "{\"repository\":\"Me/It\",\"requiredCapabilities\":[\"git\"],"
                                + "\"codex\":{\"model\":\"m-of-job\",\"effort\":\"high\"}}",
                        "");
        String script =
                script(
                        "read payload",
                        "echo \"$1 $payload\"",
                        "echo \"$ORCHESTRION_JOB_ID $ORCHESTRION_JOB_REPOSITORY"
                                + " $ORCHESTRION_CODEX_MODEL $ORCHESTRION_CODEX_EFFORT\"",
                        "for i in $(seq 1000); do echo line $i; done",
                        "echo 'a warning' >&2",
                        "echo 'all is well' > \"$ORCHESTRION_RESULT_FILE\"");
        work(
                script,
                "--capabilities",
                "git,gh",
                "--worker",
                "executor-01",
                "--codex-model",
                "m-of-worker");
        Reply done = awaitStatus(named, "succeeded");
        assertThat(done.text("/resultSummary")).isEqualTo("all is well");
        assertThat(done.number("/attempt")).isEqualTo(1);
        List<String> said = output(named, "stdout");
        assertThat(said.getFirst()).startsWith("argument {").contains("\"repository\"");
        assertThat(said.get(1)).isEqualTo(named + " Me/It m-of-job high");
        assertThat(said.subList(2, said.size()))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 1000).mapToObj(i -> "line " + i).toList());
        assertThat(output(named, "stderr")).containsExactly("a warning");
        assertThat(events(named).stream())
                .filteredOn(event -> event.at("/payload/stream").asString("").equals("stderr"))
                .allMatch(event -> event.path("level").asString().equals("error"));
        assertThat(events(named)).as("lines go together").hasSizeLessThan(60);
        assertThat(messages(named))
                .anyMatch(text -> text.contains("with model m-of-job (job), effort high (job)."));

        String plain = submit("{}", "");
        awaitStatus(plain, "succeeded");
        assertThat(output(plain, "stdout").get(1)).isEqualTo(plain + "  m-of-worker ");
        assertThat(messages(plain))
                .anyMatch(text -> text.contains("with model m-of-worker (worker)."));
        assertThat(worker.said())
                .contains(
                        "worker executor-01 runs ", "started " + type, "| line 1000", "succeeded");
    }

    @Test
    void a_job_that_fails_is_tried_again_and_may_then_succeed() throws Exception {
        String id = submit("{}", "");
        work(
                script(
                        "if [ $ORCHESTRION_JOB_ATTEMPT = 1 ]; then echo no luck >&2; exit 3; fi",
                        "echo second time"));
        Reply done = awaitStatus(id, "succeeded");
        assertThat(done.number("/attempt")).isEqualTo(2);
        assertThat(messages(id))
                .anyMatch(
                        text -> text.contains("Exit code 3 after ") && text.contains("\nno luck"));
        assertThat(output(id, "stdout")).containsExactly("second time");
        // The backoff is random: less than a second of it is shown as now.
        assertThat(worker.said())
                .containsPattern(
                        "failed: Exit code 3 after \\d+s\\.; the next attempt (in \\d|now)");
    }

    @Test
    void a_job_that_always_fails_is_a_dead_letter_until_it_is_requeued() throws Exception {
        String id = submit("{}", ",\"maxAttempts\":1");
        Path mended = folder.resolve("mended");
        work(script("echo trying; test -e " + mended));
        assertThat(awaitStatus(id, "dead_letter").text("/errorMessage"))
                .matches("Exit code 1 after \\d+s\\.\ntrying");
        Files.createFile(mended);
        assertThat(api().post("/api/queue/jobs/" + id + "/requeue", "{}").status()).isEqualTo(200);
        awaitStatus(id, "succeeded");
    }

    @Test
    void a_fatal_exit_code_leaves_no_other_attempt() throws Exception {
        String id = submit("{}", "");
        work(script("exit 65"), "--fatal-codes", "2,64-78", "--once");
        assertThat(worker.awaitEnd()).as(worker.said()).isEqualTo(1);
        assertThat(job(id).text("/status")).isEqualTo("failed");
        assertThat(worker.said()).contains("no other attempt");
    }

    @Test
    void a_cancelled_job_ends_its_child_and_all_that_it_started() throws Exception {
        String id = submit("{}", "");
        work(
                script(
                        "test $ORCHESTRION_JOB_ID = " + id + " || exit 0",
                        "sh -c 'sleep 600 & echo pid $!; wait' &",
                        "echo pid $$",
                        "sleep 1",
                        "echo ready",
                        "wait"),
                "--lease-seconds",
                "6");
        awaitOutput(id, "ready");
        Reply asked = api().post("/api/queue/jobs/" + id + "/cancel", "{}");
        assertThat(asked.text("/status")).isEqualTo("running");
        awaitStatus(id, "cancelled");
        List<Long> pids =
                output(id, "stdout").stream()
                        .filter(line -> line.startsWith("pid "))
                        .map(line -> Long.valueOf(line.substring(4)))
                        .toList();
        assertThat(pids).hasSize(2);
        Until.isTrue(
                "the processes are gone",
                PATIENCE,
                () -> pids.stream().noneMatch(pid -> alive(pid)));
        String next = submit("{}", "");
        awaitStatus(next, "succeeded");
    }

    private static boolean alive(long pid) {
        try {
            return !Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (IOException e) {
            return false;
        }
    }

    /// The child runs through it, what it says meanwhile is kept, and its end is reported after.
    @Test
    void a_job_survives_a_server_that_is_killed_and_started_again() throws Exception {
        String id = submit("{}", "");
        Path go = folder.resolve("go");
        Path last = folder.resolve("last");
        work(
                script(
                        "echo before",
                        "until test -e " + go + "; do sleep 0.1; done",
                        "for i in $(seq 100); do echo down $i; done",
                        "until test -e " + last + "; do sleep 0.1; done",
                        "echo after"),
                "--lease-seconds",
                "60");
        awaitOutput(id, "before");
        server.kill();
        Files.createFile(go);
        worker.awaitSaid("| down 100");
        server = ServerProcess.startAgain(server);
        Files.createFile(last);
        Reply done = awaitStatus(id, "succeeded");
        assertThat(done.number("/attempt")).isEqualTo(1);
        assertThat(output(id, "stdout"))
                .containsExactlyElementsOf(
                        Stream.of(
                                        Stream.of("before"),
                                        IntStream.rangeClosed(1, 100).mapToObj(i -> "down " + i),
                                        Stream.of("after"))
                                .flatMap(lines -> lines)
                                .toList());
        String next = submit("{}", "");
        awaitStatus(next, "succeeded");
    }

    /// The end comes while there is no server at all.
    @Test
    void a_child_that_ends_while_the_server_is_away_is_reported_when_it_is_back() throws Exception {
        String id = submit("{}", "");
        Path go = folder.resolve("go");
        work(
                script("echo before; until test -e " + go + "; do sleep 0.1; done; echo ended"),
                "--lease-seconds",
                "60");
        awaitOutput(id, "before");
        server.kill();
        Files.createFile(go);
        worker.awaitSaid("| ended");
        server = ServerProcess.startAgain(server);
        Reply done = awaitStatus(id, "succeeded");
        assertThat(done.number("/attempt")).isEqualTo(1);
        assertThat(output(id, "stdout")).containsExactly("before", "ended");
    }

    @Test
    void a_worker_that_is_told_to_stop_finishes_what_it_has() throws Exception {
        String id = submit("{}", "");
        Path go = folder.resolve("go");
        work(script("echo ready; until test -e " + go + "; do sleep 0.1; done"));
        awaitOutput(id, "ready");
        worker.signal();
        worker.awaitSaid("stopping");
        Files.createFile(go);
        assertThat(worker.awaitEnd()).isZero();
        assertThat(job(id).text("/status")).isEqualTo("succeeded");
    }

    @Test
    void a_worker_without_time_to_finish_gives_its_job_back() throws Exception {
        String id = submit("{}", "");
        work(script("echo ready; sleep 600"), "--stop-seconds", "0");
        awaitOutput(id, "ready");
        worker.signal();
        assertThat(worker.awaitEnd()).isZero();
        Reply back = job(id);
        assertThat(back.text("/status")).isEqualTo("queued");
        assertThat(back.text("/errorMessage")).isEqualTo("The worker was stopped.");
    }

    @Test
    void the_same_program_works_on_tasks() throws Exception {
        String body = "{\"type\":\"" + type + "\",\"payload\":{\"n\":1}}";
        String id = api().post("/v1/tasks", body).text("/task/id");
        work(script("cat > \"$ORCHESTRION_RESULT_FILE\"; echo hello"), "--door", "tasks", "--once");
        assertThat(worker.awaitEnd()).as(worker.said()).isZero();
        Reply task = api().get("/v1/tasks/" + id);
        assertThat(task.text("/task/status")).isEqualTo("completed");
        assertThat(task.number("/task/result/n")).isEqualTo(1);
        assertThat(worker.said()).contains("| hello", "completed");
    }

    /// A token opens what its policy says, and under its own worker's name only.
    @Test
    void a_worker_with_a_token_has_its_jobs_and_a_wrong_name_is_told() throws Exception {
        Reply made =
                api().post(
                                "/api/queue/workers/tokens",
                                "{\"workerId\":\"bound\",\"allowedRepositories\":[\"me/*\"]}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        Path token = Files.writeString(folder.resolve("token"), made.text("/token") + "\n");
        String foreign = submit("{\"repository\":\"other/it\"}", ",\"priority\":9");
        String mine = submit("{\"repository\":\"Me/it\"}", "");
        String script = script("env | grep -c mmwt_; echo $ORCHESTRION_WORKER_ID");
        String[] words = {
            "--types", type, "--once", "--token-file", token.toString(), "--", script
        };
        var environment = Map.of("ORCHESTRION_URL", server.address());
        worker = WorkerProcess.start(environment, words);
        assertThat(worker.awaitEnd()).isEqualTo(1);
        assertThat(worker.said())
                .contains("(queue_wrong_worker)", "name the worker that the token is for");
        words =
                Stream.concat(Stream.of("--worker", "bound"), Stream.of(words))
                        .toArray(String[]::new);
        worker = WorkerProcess.start(environment, words);
        assertThat(worker.awaitEnd()).as(worker.said()).isZero();
        assertThat(job(mine).text("/status")).isEqualTo("succeeded");
        assertThat(output(mine, "stdout")).containsExactly("0", "bound");
        assertThat(job(foreign).text("/status")).isEqualTo("queued");
        assertThat(worker.said()).doesNotContain("mmwt_");
    }
}
