package io.orchestrion.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.sdk.AgentContract;
import io.orchestrion.sdk.Directives;
import io.orchestrion.sdk.Task;
import io.orchestrion.sdk.TaskReport;
import io.orchestrion.sdk.TaskReport.ReportedError;
import io.orchestrion.sdk.TaskStatus;
import io.orchestrion.sdk.WorkerEvent;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// What somebody at a worker's terminal reads of the tasks it works on.
class WorkerScreenTest {
    private static final Instant NOW = Instant.parse("2030-01-31T08:30:00Z");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final WorkerScreen screen =
            new WorkerScreen(
                    new Surroundings(
                            new PrintStream(out, true, StandardCharsets.UTF_8),
                            new PrintStream(err, true, StandardCharsets.UTF_8),
                            InputStream.nullInputStream(),
                            Map.of(),
                            Path.of("."),
                            false,
                            ZoneOffset.UTC,
                            InstantSource.fixed(NOW)),
                    true);

    private static Task task(TaskStatus status, Instant scheduledAt) {
        return new Task(
                new UUID(1, 2),
                "t",
                status,
                0,
                1,
                3,
                Duration.ofSeconds(60),
                scheduledAt,
                null,
                null,
                null,
                null,
                NOW,
                NOW,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                TaskReport.NOTHING,
                new AgentContract(false, List.of(), null, null));
    }

    private String failed(Task task, String reason, ReportedError error) {
        return shown(new WorkerEvent.Failed<>(task, reason, error));
    }

    private String shown(WorkerEvent<Task> event) {
        out.reset();
        screen.toldOfTask(event);
        return out.toString(StandardCharsets.UTF_8).strip();
    }

    @Test
    void a_structured_error_is_read_in_a_line() {
        assertThat(
                        failed(
                                task(TaskStatus.PENDING, NOW.plusSeconds(30)),
                                "too busy",
                                new ReportedError(
                                        "rate_limited",
                                        429,
                                        "too busy",
                                        Duration.ofSeconds(30),
                                        null)))
                .isEqualTo(
                        "08:30:00  00000002  failed: too busy (rate_limited, HTTP 429);"
                                + " it is tried again in 30s");
        assertThat(
                        failed(
                                task(TaskStatus.FAILED, null),
                                "charged\nbut not written",
                                new ReportedError("half_done", null, "m", null, true)))
                .endsWith(
                        "failed: charged (half_done); something of it was done;"
                                + " its engine decides what follows");
        assertThat(failed(task(TaskStatus.DEAD_LETTER, null), "no luck", null))
                .endsWith("failed: no luck; it is a dead letter");
        assertThat(failed(task(TaskStatus.PENDING, NOW), "no luck", null))
                .endsWith("failed: no luck; it is tried again");
    }

    @Test
    void what_is_asked_of_a_task_is_said() {
        Task task = task(TaskStatus.CLAIMED, null);
        assertThat(shown(new WorkerEvent.Directed<>(task, new Directives(true, false, null))))
                .endsWith("00000002  asked to pause; what it reports still counts");
        assertThat(shown(new WorkerEvent.Directed<>(task, Directives.NONE)))
                .endsWith("asked to go on");
        assertThat(shown(new WorkerEvent.Directed<>(task, new Directives(false, true, null))))
                .endsWith("asked to stop: it was cancelled");
    }

    @Test
    void what_of_a_report_is_not_used_is_said_on_standard_error_also_to_who_wants_it_quiet() {
        screen.complain(new UUID(1, 2), "error file: not JSON: \u001b[2J");
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("08:30:00  00000002  error file: not JSON: \uFFFD[2J\n");
    }
}
