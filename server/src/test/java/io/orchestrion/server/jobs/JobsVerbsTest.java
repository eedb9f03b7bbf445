package io.orchestrion.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.Assigned;
import io.orchestrion.jobs.JobFailure;
import io.orchestrion.jobs.JobOutput;
import io.orchestrion.jobs.RunnerAck;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// What a client does with its jobs while the test plays the runner, one step at a time.
@Timeout(180)
class JobsVerbsTest extends JobsFixture {
    private static final String NOBODY = "01970000-0000-7000-8000-000000000000";
    private static final String SHA = "0".repeat(64);

    /// The queue is everybody's, so what a test left in it is taken out.
    @AfterEach
    void empty() {
        for (JsonNode job : jobs.keyed().get(JobsApi.JOBS + "?limit=100").at("/jobs")) {
            jobs.verb(job.get("job_id").asString(), "cancel");
        }
    }

    private static Assigned claimed() {
        List<Assigned> claimed = server.jobs().claim("test", 1);
        assertThat(claimed).hasSize(1);
        return claimed.getFirst();
    }

    private static Assigned running() {
        Assigned assigned = claimed();
        assertThat(server.jobs().start(assigned)).isInstanceOf(RunnerAck.Applied.class);
        return assigned;
    }

    private String failed() {
        String id = jobs.execute("FAIL_AFTER_RETRYABLE");
        fail();
        return id;
    }

    private static void fail() {
        server.jobs().fail(running(), new JobFailure(JobFailure.SIMULATED, "it broke", true));
    }

    private String succeeded() {
        String id = jobs.execute("SUCCESS_FAST");
        server.jobs().complete(running(), new JobOutput(4096, SHA, null));
        assertThat(jobs.state(id)).isEqualTo("SUCCEEDED");
        return id;
    }

    private static void refused(Reply reply, int status, JobsError error) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.text("/code")).isEqualTo(error.code());
    }

    /// J-101, J-102: from every open state.
    @Test
    void an_open_job_is_canceled() {
        String created =
                jobs.submitted("\"type\":\"DEFERRED\",\"execution_at\":\"2033-01-01T00:00:00Z\"");
        Reply reply = jobs.verb(created, "cancel");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body().propertyNames()).containsExactly("job_id", "state", "updated_at");
        assertThat(reply.text("/state")).isEqualTo("CANCELED");
        String queued = jobs.execute("SUCCESS_FAST");
        assertThat(jobs.verb(queued, "cancel").text("/state")).isEqualTo("CANCELED");
        String assigned = jobs.execute("SUCCESS_FAST");
        claimed();
        assertThat(jobs.state(assigned)).isEqualTo("ASSIGNED");
        assertThat(jobs.verb(assigned, "cancel").text("/state")).isEqualTo("CANCELED");
        String running = jobs.execute("SUCCESS_FAST");
        running();
        assertThat(jobs.state(running)).isEqualTo("RUNNING");
        assertThat(jobs.verb(running, "cancel").text("/state")).isEqualTo("CANCELED");
        assertThat(jobs.get(running).text("/outcome")).isEqualTo("CANCELED");
    }

    /// J-104: the runner that comes later changes nothing.
    @Test
    void what_a_runner_says_after_the_cancel_is_refused() {
        String id = jobs.execute("SUCCESS_FAST");
        Assigned held = running();
        jobs.verb(id, "cancel");
        assertThat(server.jobs().complete(held, new JobOutput(4096, SHA, null)))
                .isInstanceOf(RunnerAck.Stop.class);
        assertThat(jobs.state(id)).isEqualTo("CANCELED");
        assertThat(jobs.events(id))
                .containsExactly(
                        "job.created", "job.queued", "job.assigned", "job.running", "job.canceled");
    }

    /// J-103, J-260, J-261: on a final job nothing changes, however often it is asked for.
    @Test
    void a_final_job_cannot_be_canceled_and_says_so_by_its_state() {
        String done = succeeded();
        String broken = failed();
        String gone = jobs.execute("SUCCESS_FAST");
        jobs.verb(gone, "cancel");
        for (String id : List.of(done, broken, gone)) {
            Reply before = jobs.get(id);
            List<String> events = jobs.events(id);
            Reply reply = jobs.verb(id, "cancel");
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.text("/state")).isEqualTo(before.text("/state"));
            assertThat(reply.text("/updated_at")).isEqualTo(before.text("/updated_at"));
            assertThat(jobs.events(id)).isEqualTo(events);
        }
    }

    /// J-106, J-107, J-118, J-195, J-198, J-201, J-266, J-308: until no retry is left.
    @Test
    void a_failed_job_is_tried_again_until_no_retry_is_left() {
        String id = failed();
        for (int attempt = 2; attempt <= 4; attempt++) {
            Reply reply = jobs.verb(id, "retry");
            assertThat(reply.status()).as(reply.text()).isEqualTo(200);
            assertThat(reply.body().propertyNames())
                    .containsExactly("job_id", "state", "updated_at", "attempt");
            assertThat(reply.text("/state")).isEqualTo("QUEUED");
            assertThat(reply.number("/attempt")).isEqualTo(attempt);
            assertThat(server.jobs().claim("test", 1)).as("it waits").isEmpty();
            advance(Duration.ofMinutes(2));
            fail();
            Reply report = jobs.report(id);
            boolean last = attempt == 4;
            JsonNode events = report.at("/events");
            assertThat(events.get(events.size() - 1).at("/payload/final").asBoolean())
                    .isEqualTo(last);
        }
        Reply before = jobs.get(id);
        refused(jobs.verb(id, "retry"), 409, JobsError.JOB_CONFLICT);
        assertThat(jobs.get(id).text()).isEqualTo(before.text());
        assertThat(before.text("/state")).isEqualTo("FAILED");
    }

    /// J-108, J-262, J-263.
    @Test
    void a_job_that_has_not_failed_is_not_tried_again() {
        String queued = jobs.execute("SUCCESS_FAST");
        Reply reply = jobs.verb(queued, "retry");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text("/state")).isEqualTo("QUEUED");
        assertThat(reply.number("/attempt")).isEqualTo(1);
        jobs.verb(queued, "cancel");
        Reply canceled = jobs.verb(queued, "retry");
        assertThat(canceled.status()).isEqualTo(200);
        assertThat(canceled.text("/state")).isEqualTo("CANCELED");
        assertThat(jobs.events(queued))
                .containsExactly("job.created", "job.queued", "job.canceled");
    }

    /// J-110.
    @Test
    void parallel_retries_are_one() {
        String id = failed();
        List<Reply> replies = Parallel.run(8, _ -> () -> jobs.verb(id, "retry"));
        assertThat(replies).allMatch(reply -> reply.status() == 200);
        assertThat(jobs.get(id).number("/attempt")).isEqualTo(2);
        assertThat(server.jobs().events(UUID.fromString(jobs.client()), UUID.fromString(id)))
                .filteredOn(event -> event.name().equals("job.retried"))
                .hasSize(1);
    }

    /// J-008, J-021, J-120, J-121, J-122: the report, with every change in it.
    @Test
    void a_final_job_has_a_report() {
        String id = jobs.execute("SUCCESS_FAST");
        Assigned held = running();
        advance(Duration.ofSeconds(3));
        server.jobs().complete(held, new JobOutput(4096, SHA, null));
        Reply report = jobs.report(id);
        assertThat(report.status()).isEqualTo(200);
        assertThat(report.text("/job_id")).isEqualTo(id);
        assertThat(report.text("/outcome")).isEqualTo("SUCCESS");
        Instant started = Instant.parse(report.text("/started_at"));
        Instant finished = Instant.parse(report.text("/finished_at"));
        assertThat(report.number("/duration_ms"))
                .isEqualTo(Duration.between(started, finished).toMillis())
                .isBetween(3000, 30_000);
        assertThat(report.number("/output/size_bytes")).isEqualTo(4096);
        var names = new ArrayList<String>();
        String prev = "";
        String at = "";
        for (JsonNode event : report.at("/events")) {
            names.add(event.get("event_name").asString());
            assertThat(event.get("job_id").asString()).isEqualTo(id);
            assertThat(event.get("event_id").asString()).isNotEmpty();
            assertThat(event.at("/payload/scenario").asString()).isEqualTo("SUCCESS_FAST");
            assertThat(event.get("prev_state").isNull() ? "" : event.get("prev_state").asString())
                    .isEqualTo(prev);
            prev = event.get("next_state").asString();
            assertThat(event.get("timestamp").asString()).isGreaterThan(at);
            at = event.get("timestamp").asString();
        }
        assertThat(names)
                .containsExactly(
                        "job.created",
                        "job.queued",
                        "job.assigned",
                        "job.running",
                        "job.succeeded");
    }

    /// J-123.
    @Test
    void a_job_that_never_ran_has_a_report_of_no_time() {
        String id = jobs.execute("SUCCESS_FAST");
        jobs.verb(id, "cancel");
        Reply report = jobs.report(id);
        assertThat(report.text("/outcome")).isEqualTo("CANCELED");
        assertThat(report.text("/started_at")).isEqualTo(report.text("/finished_at"));
        assertThat(report.number("/duration_ms")).isZero();
    }

    /// J-124, J-125, J-331: none before the end, that of the last attempt after it.
    @Test
    void the_report_is_that_of_the_last_attempt() {
        String id = failed();
        assertThat(jobs.report(id).number("/attempt")).isEqualTo(1);
        jobs.verb(id, "retry");
        refused(jobs.report(id), 404, JobsError.REPORT_NOT_FOUND);
        advance(Duration.ofMinutes(2));
        server.jobs().complete(running(), new JobOutput(8192, SHA, null));
        assertThat(jobs.report(id).number("/attempt")).isEqualTo(2);
        assertThat(jobs.report(id).text("/outcome")).isEqualTo("SUCCESS");
        assertThat(count("job_report", "job_id = '" + id + "'")).isEqualTo(2);
        refused(jobs.report(jobs.execute("SUCCESS_FAST")), 404, JobsError.REPORT_NOT_FOUND);
    }

    /// J-105, J-111, J-119, J-126, J-215, J-226, J-305, J-307, C-46: what is another's is not told,
    /// what is nobody's is not found.
    @Test
    void other_clients_see_and_change_nothing() {
        String id = failed();
        JobsApi other = JobsApi.of(server);
        String before = jobs.get(id).text();
        for (String path : List.of("", "/report")) {
            Reply reply = other.keyed().get(JobsApi.JOBS + "/" + id + path);
            refused(reply, 403, JobsError.AUTH_FORBIDDEN);
            assertThat(reply.text()).doesNotContain(id, "FAIL_AFTER_RETRYABLE");
            refused(
                    other.keyed().get(JobsApi.JOBS + "/" + NOBODY + path),
                    404,
                    JobsError.JOB_NOT_FOUND);
        }
        for (String verb : List.of("cancel", "retry")) {
            refused(other.verb(id, verb), 403, JobsError.AUTH_FORBIDDEN);
            refused(other.verb(NOBODY, verb), 404, JobsError.JOB_NOT_FOUND);
            refused(other.verb("x", verb), 404, JobsError.JOB_NOT_FOUND);
            assertThat(jobs.plain().post(JobsApi.JOBS + "/" + id + "/" + verb).status())
                    .isEqualTo(401);
        }
        refused(
                other.keyed().send("DELETE", JobsApi.JOBS + "/" + id, null),
                403,
                JobsError.AUTH_FORBIDDEN);
        assertThat(jobs.get(id).text()).isEqualTo(before);
        assertThat(other.keyed().get(JobsApi.JOBS).at("/jobs")).isEmpty();
    }

    /// J-251, J-253: the runner is gone; the client sees it and can try again.
    @Test
    void a_job_whose_runner_is_gone_has_failed_and_can_be_tried_again() {
        String id = jobs.execute("SUCCESS_SLOW");
        running();
        advance(Duration.ofSeconds(31));
        server.sweepLeases();
        Reply job = jobs.get(id);
        assertThat(job.text("/state")).isEqualTo("FAILED");
        assertThat(job.text("/failure/code")).isEqualTo("RUNNER_LOST");
        assertThat(jobs.report(id).text("/outcome")).isEqualTo("FAILED");
        assertThat(jobs.verb(id, "retry").number("/attempt")).isEqualTo(2);
    }

    /// J-329, J-331: what is left of a job still works when its history or its report is gone.
    @Test
    void a_job_without_its_history_or_report_still_works() {
        String id = failed();
        server.database().execute("alter table work disable trigger work_guard_change");
        server.database().execute("update work set history = '' where id = ?::uuid", id);
        server.database().execute("alter table work enable trigger work_guard_change");
        assertThat(jobs.get(id).text("/state")).isEqualTo("FAILED");
        server.database().execute("delete from job_report where job_id = ?::uuid", id);
        refused(jobs.report(id), 404, JobsError.REPORT_NOT_FOUND);
        assertThat(jobs.get(id).status()).isEqualTo(200);
        assertThat(jobs.verb(id, "retry").text("/state")).isEqualTo("QUEUED");
    }

    /// J-105, J-111: nothing, an empty object, and nothing else.
    @ParameterizedTest
    @ValueSource(strings = {"cancel", "retry"})
    void the_body_of_a_verb_is_empty(String verb) {
        String id = jobs.execute("SUCCESS_FAST");
        String path = JobsApi.JOBS + "/" + id + "/" + verb;
        for (String body : List.of("{", "[]", "{\"a\":1}", "x")) {
            refused(jobs.keyed().post(path, body), 400, JobsError.REQUEST_MALFORMED);
        }
        assertThat(jobs.keyed().post(path, "{}").status()).isEqualTo(200);
        assertThat(jobs.keyed().post(path).status()).isEqualTo(200);
    }

    /// J-327, L-030: a final job goes with all that it had; an open one does not.
    @Test
    void a_final_job_can_be_deleted() {
        String id = succeeded();
        String open = jobs.execute("SUCCESS_FAST");
        refused(
                jobs.keyed().send("DELETE", JobsApi.JOBS + "/" + open, null),
                409,
                JobsError.JOB_CONFLICT);
        Reply deleted = jobs.keyed().send("DELETE", JobsApi.JOBS + "/" + id, null);
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(deleted.text()).isEqualTo("{\"deleted\":true}");
        for (String table : List.of("job", "job_definition", "job_report")) {
            assertThat(count(table, "job_id = '" + id + "'")).as(table).isZero();
        }
        assertThat(count("work", "id = '" + id + "'")).isZero();
        assertThat(count("work_event", "work_id = '" + id + "'")).isZero();
        refused(jobs.get(id), 404, JobsError.JOB_NOT_FOUND);
        refused(jobs.report(id), 404, JobsError.JOB_NOT_FOUND);
        refused(jobs.verb(id, "cancel"), 404, JobsError.JOB_NOT_FOUND);
        refused(jobs.verb(id, "retry"), 404, JobsError.JOB_NOT_FOUND);
        refused(
                jobs.keyed().send("DELETE", JobsApi.JOBS + "/" + id, null),
                404,
                JobsError.JOB_NOT_FOUND);
    }

    /// J-002, L-033: all of a client's jobs, with filters, page by page, each once.
    @Test
    void a_client_lists_its_jobs() {
        String done = succeeded();
        String broken = failed();
        var all = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            all.addFirst(jobs.execute("SUCCESS_FAST"));
        }
        assertThat(ids("?outcome=SUCCESS")).containsExactly(done);
        assertThat(ids("?outcome=FAILED")).containsExactly(broken);
        assertThat(ids("?state=FAILED")).containsExactly(broken);
        assertThat(ids("?state=QUEUED")).isEqualTo(all);
        all.add(broken);
        all.add(done);
        var paged = new ArrayList<String>();
        String cursor = "";
        do {
            Reply page = jobs.keyed().get(JobsApi.JOBS + "?limit=3" + cursor);
            page.at("/jobs").forEach(job -> paged.add(job.get("job_id").asString()));
            cursor =
                    page.text("/next_cursor").isEmpty()
                            ? ""
                            : "&cursor=" + page.text("/next_cursor");
            // What is new comes before what was shown, never among it.
            jobs.execute("SUCCESS_FAST");
        } while (!cursor.isEmpty());
        assertThat(paged).isEqualTo(all);
        for (String query :
                List.of("?state=DONE", "?outcome=x", "?limit=0", "?limit=101", "?cursor=x")) {
            refused(jobs.keyed().get(JobsApi.JOBS + query), 400, JobsError.REQUEST_MALFORMED);
        }
    }

    private List<String> ids(String query) {
        var ids = new ArrayList<String>();
        jobs.keyed()
                .get(JobsApi.JOBS + query)
                .at("/jobs")
                .forEach(job -> ids.add(job.get("job_id").asString()));
        return ids;
    }
}
