package io.orchestrion.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/// Real shells as children.
@Timeout(180)
class ChildProgramTest {
    @TempDir Path folder;
    private final Map<String, String> environment = new HashMap<>(System.getenv());
    private final List<String> out = new CopyOnWriteArrayList<>();
    private final List<String> err = new CopyOnWriteArrayList<>();
    private Duration grace = Duration.ofSeconds(20);
    private Duration lease = Duration.ofMinutes(5);
    private String correlationId;
    private boolean task;
    private String payload = "{\"repository\":\"Me/It\",\"codex\":{\"model\":\"m-1\"}}";

    private ChildWork work() {
        return new ChildWork(
                new UUID(1, 2),
                "t",
                2,
                3,
                payload,
                JsonMapper.shared().readTree(payload),
                4000,
                lease,
                correlationId,
                task);
    }

    private String run(String script) throws Exception {
        return run(script, line -> {});
    }

    private String run(String script, Consumer<String> each) throws Exception {
        var options =
                new ChildProgram.Options(
                        List.of("/bin/sh", "-c", script),
                        environment,
                        folder,
                        "w-1",
                        grace,
                        Set.of(64, 65));
        try (ChildFiles files = ChildFiles.of(work())) {
            return new ChildProgram(options)
                    .run(
                            work(),
                            CodexChoice.of(work(), "own-model", "own-effort"),
                            files,
                            (error, line) -> {
                                (error ? err : out).add(line);
                                each.accept(line);
                            });
        }
    }

    @Test
    void the_child_has_the_payload_on_its_input_and_the_rest_in_its_environment() throws Exception {
        String result =
                run(
                        "cat; echo; echo $ORCHESTRION_JOB_ID $ORCHESTRION_JOB_TYPE"
                                + " $ORCHESTRION_JOB_ATTEMPT/$ORCHESTRION_JOB_MAX_ATTEMPTS;"
                                + " echo $ORCHESTRION_JOB_REPOSITORY $ORCHESTRION_WORKER_ID; pwd");
        assertThat(out)
                .containsExactly(
                        payload,
                        new UUID(1, 2) + " t 2/3",
                        "Me/It w-1",
                        folder.toRealPath().toString());
        assertThat(result).matches("(?s)Exit code 0 after \\d+s\\.\n.*").endsWith(out.getLast());
        assertThat(err).isEmpty();
    }

    /// what the job names comes before what the worker has, each by itself.
    @Test
    void model_and_effort_are_the_jobs_own_or_else_the_workers() throws Exception {
        run("echo $ORCHESTRION_CODEX_MODEL $ORCHESTRION_CODEX_EFFORT");
        assertThat(out).containsExactly("m-1 own-effort");
        CodexChoice choice = CodexChoice.of(work(), "own-model", "own-effort");
        assertThat(choice.words()).isEqualTo("model m-1 (job), effort own-effort (worker)");
        assertThat(choice.json(2))
                .isEqualTo(
                        "{\"phase\":\"start\",\"attempt\":2,\"codex\":{\"model\":\"m-1\","
                                + "\"modelFrom\":\"job\",\"effort\":\"own-effort\","
                                + "\"effortFrom\":\"worker\"}}");
        assertThat(CodexChoice.of(work(), null, null).words()).isEqualTo("model m-1 (job)");
        payload = "{\"codex\":{\"model\":7}}";
        assertThat(CodexChoice.of(work(), null, null).words()).isEmpty();
    }

    @Test
    void the_workers_credentials_and_another_jobs_settings_do_not_reach_the_child()
            throws Exception {
        payload = "{}";
        environment.put("ORCHESTRION_KEY", "secret-1");
        environment.put("ORCHESTRION_WORKER_TOKEN", "secret-2");
        environment.put("ORCHESTRION_JOB_REPOSITORY", "of/another");
        environment.put("KEPT", "kept");
        run("env");
        assertThat(String.join("\n", out))
                .contains("KEPT=kept")
                .doesNotContain("secret", "of/another");
    }

    /// A job has no door for these, and what the worker itself was given is not for its child.
    @Test
    void only_the_child_of_a_task_has_a_correlation_id_and_files_for_its_report() throws Exception {
        List<String> ofTasks =
                List.of(
                        "ORCHESTRION_JOB_CORRELATION_ID",
                        "ORCHESTRION_ERROR_FILE",
                        "ORCHESTRION_USAGE_FILE",
                        "ORCHESTRION_LOGS_REF_FILE",
                        "ORCHESTRION_PAUSE_FILE");
        ofTasks.forEach(name -> environment.put(name, "of-the-worker"));
        run("env");
        assertThat(String.join("\n", out)).doesNotContain("of-the-worker").doesNotContain(ofTasks);
        out.clear();
        task = true;
        correlationId = "order 7";
        run("env; ls -l $(dirname $ORCHESTRION_PAUSE_FILE)");
        assertThat(String.join("\n", out))
                .contains(ofTasks)
                .contains("ORCHESTRION_JOB_CORRELATION_ID=order 7")
                .doesNotContain("of-the-worker");
        assertThat(out).noneMatch(line -> line.endsWith(" pause"));
        out.clear();
        correlationId = null;
        run("env");
        assertThat(String.join("\n", out)).doesNotContain("ORCHESTRION_JOB_CORRELATION_ID");
    }

    @Test
    void what_it_writes_to_the_result_file_is_the_result() throws Exception {
        assertThat(run("echo noise; echo '{\"answer\":42}' > $ORCHESTRION_RESULT_FILE"))
                .isEqualTo("{\"answer\":42}");
        String kept =
                run(
                        "echo $ORCHESTRION_RESULT_FILE; head -c 9000 /dev/zero | tr '\\0' x"
                                + " > $ORCHESTRION_RESULT_FILE");
        assertThat(kept).hasSize(4000).endsWith("x…");
        assertThat(Path.of(out.getLast())).doesNotExist();
        assertThat(Path.of(out.getLast()).getParent()).doesNotExist();
    }

    @Test
    void the_result_of_a_task_may_be_longer_than_a_summary() throws Exception {
        task = true;
        assertThat(run("head -c 9000 /dev/zero | tr '\\0' x > $ORCHESTRION_RESULT_FILE"))
                .hasSize(9000);
    }

    /// Reading it would wait for ever.
    @Test
    void a_pipe_in_place_of_the_result_file_is_no_result() throws Exception {
        assertThat(run("rm $ORCHESTRION_RESULT_FILE; mkfifo $ORCHESTRION_RESULT_FILE; echo said"))
                .endsWith("\nsaid");
        assertThat(err).containsExactly("result file: not a file");
    }

    @Test
    void another_exit_code_fails_the_job_with_the_end_of_what_it_said() {
        ChildFailure failure = failure("for i in $(seq 100); do echo line $i >&2; done; exit 7");
        assertThat(failure.getMessage())
                .matches("(?s)Exit code 7 after \\d+s\\.\nline 81\n.*")
                .endsWith("\nline 100");
        assertThat(failure.retryable()).isTrue();
        assertThat(failure.code()).isEqualTo("exit_7");
        assertThat(failure("echo only this; exit 1").getMessage()).endsWith("\nonly this");
        assertThat(failure("exit 1").getMessage()).matches("Exit code 1 after \\d+s\\.");
        assertThat(failure("kill -9 $$").getMessage()).startsWith("Exit code 137 ");
    }

    @Test
    void after_a_fatal_code_there_is_no_other_attempt() {
        assertThat(failure("exit 64").retryable()).isFalse();
        assertThat(failure("exit 66").retryable()).isTrue();
    }

    private ChildFailure failure(String script) {
        return catchThrowableOfType(ChildFailure.class, () -> run(script));
    }

    @Test
    void a_child_that_does_not_read_its_input_is_none_the_worse() throws Exception {
        payload = "{\"big\":\"" + "x".repeat(200_000) + "\"}";
        assertThat(run("exec 0<&-; echo fine")).endsWith("fine");
    }

    @Test
    void a_payload_that_no_environment_can_hold_fails_for_good() {
        payload = "{\"repository\":\"a\\u0000b\"}";
        assertThat(failure("true").retryable()).isFalse();
    }

    /// What is started in the background, and by what is started there, ends with it.
    @Test
    void an_interrupt_ends_the_child_and_all_that_it_started() throws Exception {
        List<Long> pids =
                interrupted(
                        "sh -c 'sleep 300 & echo pid $!; wait' & echo pid $!; echo pid $$;"
                                + " echo ready; wait",
                        3);
        assertThat(pids).hasSize(3).allMatch(ChildProgramTest::gone);
    }

    @Test
    void a_child_that_will_not_end_is_ended_after_the_grace() throws Exception {
        // Long enough for a shell on a slow machine to say that it got the signal.
        grace = Duration.ofSeconds(3);
        List<Long> pids =
                interrupted(
                        "trap 'echo not me' TERM; (trap '' TERM; while :; do sleep 300; done) &"
                                + " echo pid $!; echo pid $$; echo ready;"
                                + " while :; do sleep 300 & wait $!; done",
                        2);
        assertThat(pids).allMatch(ChildProgramTest::gone);
        assertThat(out).contains("not me");
    }

    /// With the lease gone, another worker may begin.
    @Test
    void the_grace_is_no_longer_than_the_last_third_of_the_lease() throws Exception {
        grace = Duration.ofHours(1);
        lease = Duration.ofMillis(900);
        List<Long> pids =
                interrupted("trap '' TERM; echo pid $$; echo ready; while :; do sleep 9; done", 1);
        assertThat(pids).allMatch(ChildProgramTest::gone);
    }

    private List<Long> interrupted(String script, int pids) throws InterruptedException {
        var ready = new CountDownLatch(pids + 1);
        var thrown = new AtomicReference<Throwable>();
        Thread thread =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        run(script, _ -> ready.countDown());
                                    } catch (Throwable e) {
                                        thrown.set(e);
                                    }
                                });
        ready.await();
        thread.interrupt();
        thread.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        return pids();
    }

    private List<Long> pids() {
        return out.stream()
                .filter(line -> line.startsWith("pid "))
                .map(line -> Long.valueOf(line.substring(4)))
                .toList();
    }

    /// A killed process closes its files before the system counts it as ended, so the end of its
    /// output may be seen first: this waits until the process is gone, and the class's limit ends
    /// the wait. A process that nobody has waited for yet is gone, too.
    private static boolean gone(long pid) {
        while (!Thread.interrupted()) {
            try {
                if (Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ")) {
                    return true;
                }
            } catch (IOException e) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    @Test
    void what_is_left_behind_in_the_background_ends_with_the_child() throws Exception {
        run("(trap '' TERM HUP; sleep 300) & echo pid $!");
        assertThat(pids()).hasSize(1).allMatch(ChildProgramTest::gone);
    }
}
