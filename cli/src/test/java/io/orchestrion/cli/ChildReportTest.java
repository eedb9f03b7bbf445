package io.orchestrion.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.sdk.ClaimedTask;
import io.orchestrion.sdk.Directives;
import io.orchestrion.sdk.TaskContext;
import io.orchestrion.sdk.TaskReport;
import io.orchestrion.sdk.TaskReport.ReportedError;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/// What is made of what a child writes.
@Timeout(180)
class ChildReportTest {
    private static final ChildFailure KNOWN =
            new ChildFailure("exit_7", "Exit code 7 after 1s.", true);

    private final List<String> complaints = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private ChildFiles files;
    private ChildReport report;

    /// Takes what the SDK takes.
    private static final class Context implements TaskContext {
        String usage;
        String logsRef;

        @Override
        public ClaimedTask claimed() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public String correlationId() {
            return null;
        }

        @Override
        public Instant leaseExpiresAt() {
            return null;
        }

        @Override
        public Directives directives() {
            return Directives.NONE;
        }

        @Override
        public void onDirectives(Consumer<Directives> listener) {}

        @Override
        public void usage(String json) {
            usage = TaskReport.success().usage(json).build().usage();
        }

        @Override
        public void logsRef(String where) {
            logsRef = TaskReport.success().logsRef(where).build().logsRef();
        }
    }

    @BeforeEach
    void files() throws IOException {
        files =
                ChildFiles.of(
                        new ChildWork(
                                new UUID(1, 2),
                                "t",
                                1,
                                1,
                                "{}",
                                JsonMapper.shared().readTree("{}"),
                                500,
                                Duration.ofMinutes(1),
                                null,
                                true));
        files.putInto(environment);
        report = new ChildReport(files, complaints::add);
    }

    @AfterEach
    void remove() {
        files.close();
        assertThat(file("ERROR").getParent()).doesNotExist();
    }

    private Path file(String name) {
        return Path.of(environment.get("ORCHESTRION_" + name + "_FILE"));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(file(name), text);
    }

    private ReportedError error(String written) throws IOException {
        write("ERROR", written);
        return report.failure(KNOWN).report().error();
    }

    @Test
    void without_an_error_file_the_exit_code_and_the_last_lines_are_the_error() {
        assertThat(report.failure(KNOWN).report().error())
                .isEqualTo(new ReportedError("exit_7", null, "Exit code 7 after 1s.", null, null));
        assertThat(report.whenEnded()).isNull();
        assertThat(complaints).isEmpty();
    }

    @Test
    void an_error_file_has_the_names_of_the_published_contract() throws Exception {
        assertThat(
                        error(
                                """
                                {"code": "rate_limited", "http_status": 429, "message": "too busy",
                                 "retry_after_seconds": 30, "partial_side_effect": false}
                                """))
                .isEqualTo(
                        new ReportedError(
                                "rate_limited", 429, "too busy", Duration.ofSeconds(30), false));
        assertThat(complaints).isEmpty();
    }

    @Test
    void what_an_error_file_leaves_out_is_what_the_worker_knows() throws Exception {
        assertThat(error("{\"partial_side_effect\":true,\"http_status\":null}"))
                .isEqualTo(new ReportedError("exit_7", null, "Exit code 7 after 1s.", null, true));
        assertThat(report.whenEnded().report().error())
                .isEqualTo(
                        new ReportedError(
                                "given_back",
                                null,
                                "The program was ended before it was done.",
                                null,
                                true));
        assertThat(complaints).isEmpty();
    }

    /// The good rest is kept.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "nonsense                  | error file: not JSON: Unrecognized token",
                "{\"code\":\"c\"           | error file: not JSON: Unexpected end-of-input",
                "[1]                       | error file: not a JSON object",
                "{\"code\":\"two words\"}  | error file: code must be 1 to 100 letters",
                "{\"code\":7}              | error file: code must be a text",
                "{\"message\":\" \"}       | error file: message must be a text",
                "{\"http_status\":42}      | error file: http_status must be from 100 to 599, not"
                        + " 42",
                "{\"http_status\":\"429\"} | error file: http_status must be a whole number",
                "{\"http_status\":4.5}     | error file: http_status must be a whole number",
                "{\"retry_after_seconds\":-1}           | error file: retry_after_seconds must not",
                "{\"retry_after_seconds\":99999999999}  | error file: retry_after_seconds must be",
                "{\"partial_side_effect\":\"yes\"} | error file: partial_side_effect must be true",
                "{\"retryable\":true,\"x\":1}      | error file: unknown fields: retryable, x"
            })
    void what_cannot_be_used_of_an_error_file_is_said_and_left_out(String written, String said)
            throws Exception {
        assertThat(error(written))
                .isEqualTo(new ReportedError("exit_7", null, "Exit code 7 after 1s.", null, null));
        assertThat(complaints)
                .singleElement()
                .satisfies(
                        complaint ->
                                assertThat(complaint)
                                        .startsWith(said)
                                        .endsWith("; reported without it"));
    }

    @Test
    void a_slip_in_one_field_does_not_cost_the_others() throws Exception {
        assertThat(error("{\"code\":\"no good\",\"http_status\":503,\"message\":\"m\"}"))
                .isEqualTo(new ReportedError("exit_7", 503, "m", null, null));
        assertThat(complaints).hasSize(1);
    }

    @Test
    void a_file_that_is_too_large_or_no_file_is_not_read() throws Exception {
        error("{\"message\":\"" + "x".repeat(20_000) + "\"}");
        assertThat(complaints)
                .containsExactly("error file: larger than 16384 bytes; reported without it");
        complaints.clear();
        Files.delete(file("ERROR"));
        new ProcessBuilder("mkfifo", file("ERROR").toString()).start().waitFor();
        assertThat(report.failure(KNOWN).report().error().code()).isEqualTo("exit_7");
        assertThat(complaints).containsExactly("error file: not a file; reported without it");
        complaints.clear();
        Files.delete(file("ERROR"));
        assertThat(report.failure(KNOWN).report().error().code()).isEqualTo("exit_7");
        assertThat(complaints).isEmpty();
    }

    @Test
    void usage_and_logs_go_with_the_outcome_and_bad_ones_are_said_and_left_out() throws Exception {
        var context = new Context();
        report.tell(context);
        assertThat(context.usage).isNull();
        write("USAGE", "{ \"tokens\": 1200 }\n");
        write("LOGS_REF", "s3://logs/7\n");
        report.tell(context);
        assertThat(context.usage).isEqualTo("{\"tokens\":1200}");
        assertThat(context.logsRef).isEqualTo("s3://logs/7");
        assertThat(complaints).isEmpty();
        for (String bad :
                List.of(
                        "tokens=5",
                        "[1]",
                        "{\"a\":{\"b\":{\"c\":{\"d\":{}}}}}",
                        "{\"a\":\"" + "x".repeat(5000) + "\"}",
                        "x".repeat(20_000))) {
            write("USAGE", bad);
            report.tell(context);
        }
        write("LOGS_REF", "x".repeat(501));
        report.tell(context);
        assertThat(context.usage).isEqualTo("{\"tokens\":1200}");
        assertThat(complaints)
                .hasSize(7)
                .allMatch(text -> text.endsWith("; reported without it"))
                .anyMatch(text -> text.startsWith("usage file: usage is not JSON: "))
                .anyMatch(text -> text.startsWith("usage file: usage must be a JSON object"))
                .anyMatch(text -> text.startsWith("usage file: usage must be nested at most 4"))
                .anyMatch(text -> text.startsWith("usage file: usage must have at most 4096 bytes"))
                .anyMatch(text -> text.startsWith("usage file: larger than 16384 bytes"))
                .anyMatch(text -> text.startsWith("logs-ref file: logs_ref must have 1 to 500"));
    }

    @Test
    void an_error_file_beside_exit_code_0_is_said_and_not_used() throws Exception {
        report.succeeded();
        assertThat(complaints).isEmpty();
        write("ERROR", "{\"code\":\"c\"}");
        report.succeeded();
        assertThat(complaints)
                .containsExactly(
                        "error file: not used, because the program ended with exit code 0");
    }

    @Test
    void the_pause_file_is_there_for_as_tooLongas_a_pause_is_asked_for() throws Exception {
        assertThat(file("PAUSE")).doesNotExist();
        files.directed(new Directives(true, false, Instant.parse("2030-01-31T08:30:00Z")));
        assertThat(file("PAUSE"))
                .hasContent(
                        "{\"pause_requested\":true,\"cancel_requested\":false,"
                                + "\"deadline_at\":\"2030-01-31T08:30:00Z\"}\n");
        files.directed(new Directives(true, false, null));
        assertThat(file("PAUSE")).content().contains("\"deadline_at\":null");
        files.directed(Directives.NONE);
        assertThat(file("PAUSE")).doesNotExist();
        files.directed(Directives.NONE);
        files.close();
        // A heartbeat may be answered in the moment in which the child ends.
        files.directed(new Directives(true, false, null));
    }

    @Test
    void a_result_that_is_too_large_for_a_task_is_said_and_its_beginning_kept() {
        String fits = "{\"a\":\"" + "x".repeat(60_000) + "\"}";
        assertThat(TaskResult.of(fits, complaints::add)).isEqualTo(fits);
        assertThat(TaskResult.of("words", complaints::add)).isEqualTo("{\"summary\":\"words\"}");
        assertThat(complaints).isEmpty();
        String tooLong = "{\"a\":\"" + "x".repeat(70_000) + "\"}";
        String kept = TaskResult.of(tooLong, complaints::add);
        assertThat(JsonMapper.shared().readTree(kept).path("summary").asString())
                .hasSize(4000)
                .startsWith("{\"a\":\"xxx");
        assertThat(complaints)
                .containsExactly(
                        "result file: a task's result has at most 65536 bytes, not 70008;"
                                + " only its beginning is kept");
    }
}
