package io.orchestrion.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.observe.ObserveOptions;
import io.orchestrion.server.observe.Observer;
import io.orchestrion.server.ops.LogLines;
import io.orchestrion.testkit.Api;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// What the log says of the jobs door where nobody set anything.
class JobsLogTest {
    private static final ListAppender<ILoggingEvent> LINES = new ListAppender<>();
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("orchestrion");
    private static TestServer server;

    private final JobsApi jobs = JobsApi.of(server);

    @BeforeAll
    static void start() {
        LINES.start();
        LOG.setLevel(Level.INFO);
        LOG.setAdditive(false);
        LOG.addAppender(LINES);
        var observer = new Observer(ObserveOptions.DEFAULT, "test", Doors.ALL);
        server = new TestServer(options -> options.withSignals(observer));
    }

    @AfterAll
    static void close() {
        LOG.detachAppender(LINES);
        LOG.setAdditive(true);
        LOG.setLevel(null);
        server.close();
    }

    /// The newest line of a logger; each is written before its answer is sent.
    private static JsonNode last(String logger) {
        ILoggingEvent event =
                List.copyOf(LINES.list).stream()
                        .filter(each -> each.getLoggerName().equals("orchestrion." + logger))
                        .toList()
                        .getLast();
        return JsonMapper.shared().readTree(LogLines.json(event));
    }

    private static void says(JsonNode line, String field, String value) {
        assertThat(line.path(field).asString("")).as(field + " of " + line).isEqualTo(value);
    }

    /// J-339, J-347: the owner of a key that was revoked or has expired is known, whichever door it
    /// is shown at; and no line has the key.
    @Test
    void a_key_that_is_no_good_any_more_is_refused_in_its_owners_name() {
        String revoked = jobs.keyed().post(jobs.keys(), "{\"rotate\":true}").text("/api_key");
        Api old = jobs.plain().withKey(jobs.key());
        assertThat(old.get("/v1/jobs").status()).isEqualTo(403);
        says(last("requests"), "client_id", jobs.client());
        says(last("requests"), "reason", JobsError.AUTH_API_KEY_DISABLED.code());
        assertThat(old.get("/v1/tasks").status()).isEqualTo(401);
        says(last("requests"), "client_id", jobs.client());
        assertThat(old.get("/api/queue/jobs").status()).isEqualTo(401);
        says(last("requests"), "client_id", jobs.client());
        server.clock().advance(JobsSettings.KEY_LIFE.plusDays(1));
        assertThat(jobs.plain().withKey(revoked).get("/v1/jobs").status()).isEqualTo(401);
        says(last("requests"), "client_id", jobs.client());
        says(last("requests"), "reason", JobsError.AUTH_TOKEN_EXPIRED.code());
        assertThat(LINES.list.toString()).doesNotContain(jobs.key()).doesNotContain(revoked);
    }

    /// J-340: which job somebody else asked for.
    @Test
    void a_refusal_on_anothers_job_says_which_job_and_who_asked() {
        String id = jobs.execute("SUCCESS_FAST");
        JobsApi other = JobsApi.of(server);
        assertThat(other.get(id).status()).isEqualTo(403);
        says(last("requests"), "job_id", id);
        says(last("requests"), "client_id", other.client());
        says(last("requests"), "error_code", JobsError.AUTH_FORBIDDEN.code());
        assertThat(other.verb(id, "cancel").status()).isEqualTo(403);
        says(last("requests"), "job_id", id);
        says(last("requests"), "action", "cancel");
    }

    /// J-343: also what no endpoint answers to.
    @Test
    void a_path_or_method_that_the_door_has_not_is_logged_with_its_error() {
        assertThat(jobs.keyed().get("/v1/jobs/a/b/c").status()).isEqualTo(404);
        says(last("requests"), "error_code", JobsError.REQUEST_NOT_FOUND.code());
        says(last("requests"), "door", JobsDoor.NAME);
        says(last("requests"), "status", "404");
        assertThat(jobs.keyed().send("PUT", "/v1/jobs", "{}").status()).isEqualTo(405);
        says(last("requests"), "error_code", JobsError.REQUEST_METHOD_NOT_ALLOWED.code());
        says(last("requests"), "door", JobsDoor.NAME);
        assertThat(last("requests").path("error_message").asString()).contains("POST");
    }

    /// J-343, J-345: the words of the job's report.
    @ParameterizedTest
    @CsvSource({"61, RUNNER_LOST", "3600, RFA_EXEC_TIMEOUT"})
    void a_failure_that_the_server_found_is_logged_as_the_report_has_it(int seconds, String code) {
        String late = started();
        server.clock().advance(Duration.ofSeconds(seconds));
        server.sweepLeases();
        assertThat(jobs.report(late).text("/failure/code")).isEqualTo(code);
        JsonNode line = last("transitions");
        says(line, "job_id", late);
        says(line, "error_code", code);
        says(line, "error_message", jobs.report(late).text("/failure/message"));
    }

    private String started() {
        String id = jobs.execute("SUCCESS_SLOW");
        UUID account = UUID.fromString(jobs.client());
        var work = server.kernel().kernel().work();
        WorkItem item =
                work.claim(
                                new ClaimRequest(
                                        account, "jobs", "SUCCESS_SLOW", 1, "runner-1", null),
                                Duration.ZERO)
                        .items()
                        .getFirst()
                        .item();
        Fence fence = Fence.of(item.lease().token());
        work.command(
                new CommandRequest(
                        account, Profiles.JOBS, item.id(), new Command.Start(fence), false));
        return id;
    }
}
