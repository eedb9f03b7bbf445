package io.orchestrion.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.catalogue.WorkKind;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/// What may be submitted, and what comes of it.
@Timeout(180)
class JobsSubmitTest extends JobsFixture {
    private static final String ISO = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z";

    private static Instant now() {
        return Instant.ofEpochMilli(
                server.kernel().kernel().database().transaction(tx -> tx.nowMillis()));
    }

    private Reply refused(String fields, JobsError error, String field) {
        long before = rows();
        Reply reply = jobs.submit(fields);
        assertThat(reply.status()).as(reply.text()).isEqualTo(400);
        assertThat(reply.text("/code")).as(reply.text()).isEqualTo(error.code());
        assertThat(reply.text("/detail")).contains(field);
        assertThat(reply.text("/errors/0/field")).isEqualTo(field);
        assertThat(rows()).as("nothing is left of it").isEqualTo(before);
        return reply;
    }

    /// Everything that a submit writes.
    private static long rows() {
        return count("job", "true")
                + count("job_definition", "true")
                + count("job_report", "true")
                + count("work", "true")
                + count("work_event", "true")
                + count("idempotency", "true");
    }

    /// J-054, J-055, J-059, J-083, J-085, J-098, J-187: accepted, and due at once.
    @Test
    void a_job_is_accepted_and_queued() {
        Reply reply = jobs.submit("\"type\":\"EXECUTE\"");
        assertThat(reply.status()).isEqualTo(202);
        assertThat(reply.header("Content-Type")).isEqualTo("application/json");
        assertThat(reply.body().propertyNames()).containsExactly("job_id", "state", "created_at");
        assertThat(reply.text("/state")).isEqualTo("QUEUED");
        assertThat(reply.text("/created_at")).matches(ISO);
        assertThat(reply.header("Location")).isEqualTo("/v1/jobs/" + reply.text("/job_id"));
        Reply job = jobs.get(reply.text("/job_id"));
        assertThat(job.status()).isEqualTo(200);
        assertThat(job.text("/type")).isEqualTo("EXECUTE");
    }

    /// J-086, J-098, J-117, J-188: a scheduled job is created and waits for its time.
    @Test
    void a_deferred_job_waits_for_its_time() {
        String at = now().plusSeconds(3600).toString();
        Reply reply = jobs.submit("\"type\":\"DEFERRED\",\"execution_at\":\"" + at + "\"");
        assertThat(reply.status()).isEqualTo(202);
        assertThat(reply.text("/state")).isEqualTo("CREATED");
        Reply job = jobs.get(reply.text("/job_id"));
        assertThat(Instant.parse(job.text("/execution_at"))).isEqualTo(Instant.parse(at));
        assertThat(job.at("/callback").isNull()).isTrue();
        assertThat(jobs.get(jobs.execute("SUCCESS_FAST")).at("/execution_at").isNull()).isTrue();
    }

    /// J-009, J-011, J-014, J-112..J-118: everything that the contract lists, and the definition.
    @Test
    void a_job_shows_its_fields_and_its_definition() {
        String id =
                jobs.submitted(
                        "\"type\":\"EMIT_EVENT\",\"work_kind\":\"PAYLOAD_MEDIUM\","
                                + "\"callback\":\"https://example.com/x\"");
        Reply job = jobs.get(id);
        assertThat(job.text("/job_id")).isEqualTo(id);
        assertThat(job.text("/type")).isEqualTo("EMIT_EVENT");
        assertThat(job.text("/state")).isEqualTo("QUEUED");
        assertThat(job.at("/outcome").isNull()).isTrue();
        assertThat(job.text("/created_at")).matches(ISO);
        assertThat(job.text("/updated_at")).matches(ISO);
        assertThat(job.number("/attempt")).isEqualTo(1);
        assertThat(job.text("/callback")).isEqualTo("https://example.com/x");
        assertThat(job.text("/definition/work_kind")).isEqualTo("PAYLOAD_MEDIUM");
        assertThat(job.number("/definition/duration_ms")).isEqualTo(2000);
        assertThat(job.at("/definition/should_fail").asBoolean()).isFalse();
        assertThat(job.number("/definition/payload_size")).isEqualTo(16 * 1024);
    }

    /// J-012, J-013, J-015: without a kind one is chosen, and none that needs something special.
    @Test
    void without_a_kind_one_is_chosen() {
        for (int i = 0; i < 20; i++) {
            String kind =
                    jobs.get(jobs.submitted("\"type\":\"EXECUTE\"")).text("/definition/work_kind");
            assertThat(WorkKind.named(kind)).as(kind).isNotNull();
            assertThat(kind)
                    .isNotEqualTo("PAYLOAD_INVALID")
                    .doesNotMatch("(CANCEL|DUPLICATE|WEBHOOK|SCHEDULED)_.*");
        }
        assertThat(count("job_definition", "work_kind is null")).isZero();
    }

    /// J-084, J-086, J-089, J-227, J-228, J-233, J-297: what cannot be read as a job.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    type         | "work_kind":"SUCCESS_FAST"
                    type         | "type":7
                    execution_at | "type":"DEFERRED"
                    execution_at | "type":"DEFERRED","execution_at":"tomorrow"
                    execution_at | "type":"DEFERRED","execution_at":"2999-01-31"
                    execution_at | "type":"DEFERRED","execution_at":"2999-01-31T10:00:00"
                    execution_at | "type":"DEFERRED","execution_at":"2999-01-31T10:00:00+01:00"
                    execution_at | "type":"DEFERRED","execution_at":12345
                    auto_retry   | "type":"EXECUTE","auto_retry":"yes"
                    callback     | "type":"EXECUTE","callback":7
                    idempotency_key | "type":"EXECUTE","idempotency_key":""
                    surprise     | "type":"EXECUTE","surprise":1
                    """)
    void what_cannot_be_read_is_malformed(String field, String fields) {
        refused(fields, JobsError.REQUEST_MALFORMED, field);
    }

    /// J-011, J-053, J-084, J-087, J-090, J-091, J-190, J-229..J-232, J-234, J-302: what can be
    /// read and is against a rule.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    type         | "type":"RUN"
                    type         | "type":"execute"
                    execution_at | "type":"EXECUTE","execution_at":"2999-01-31T10:00:00Z"
                    execution_at | "type":"EMIT_EVENT","execution_at":"2999-01-31T10:00:00Z"
                    execution_at | "type":"DEFERRED","execution_at":"2020-01-31T10:00:00Z"
                    work_kind    | "type":"EXECUTE","work_kind":"NO_SUCH_KIND"
                    work_kind    | "type":"EXECUTE","work_kind":"success_fast"
                    work_kind    | "type":"EXECUTE","work_kind":"PAYLOAD_INVALID"
                    callback     | "type":"EXECUTE","callback":"ftp://example.com/"
                    callback     | "type":"EXECUTE","callback":"file:///etc/passwd"
                    callback     | "type":"EXECUTE","callback":"http:///path"
                    callback     | "type":"EXECUTE","callback":"example.com/path"
                    callback     | "type":"EXECUTE","callback":"https://"
                    handler      | "type":"EXECUTE","handler":"a b"
                    """)
    void what_is_against_a_rule_is_not_valid(String field, String fields) {
        refused(fields, JobsError.JOB_VALIDATION_FAILED, field);
    }

    /// J-090: a second ago is now; two are the past, by the database's clock.
    @Test
    void a_time_that_has_just_passed_is_now() {
        String justNow = now().minusMillis(500).toString();
        Reply reply = jobs.submit("\"type\":\"DEFERRED\",\"execution_at\":\"" + justNow + "\"");
        assertThat(reply.status()).as(reply.text()).isEqualTo(202);
        assertThat(reply.text("/state")).isEqualTo("QUEUED");
        refused(
                "\"type\":\"DEFERRED\",\"execution_at\":\"" + now().minusMillis(2500) + "\"",
                JobsError.JOB_VALIDATION_FAILED,
                "execution_at");
    }

    /// J-091.
    @ParameterizedTest
    @ValueSource(strings = {"http://example.com", "https://example.com:8443/a?b=c", "HTTP://h/"})
    void web_addresses_are_taken_as_callbacks(String url) {
        String id = jobs.submitted("\"type\":\"EXECUTE\",\"callback\":\"" + url + "\"");
        assertThat(jobs.get(id).text("/callback")).isEqualTo(url);
    }

    /// J-235, J-301, J-380, C-42: the job's own bound is a 400, that of a body a 413.
    @Test
    void a_payload_is_bounded_twice() {
        String most = "\"" + "x".repeat(256 * 1024 - 2) + "\"";
        jobs.submitted("\"type\":\"EXECUTE\",\"payload\":" + most);
        Reply over =
                refused(
                        "\"type\":\"EXECUTE\",\"payload\":" + most.replaceFirst("x", "xx"),
                        JobsError.JOB_VALIDATION_FAILED,
                        "payload");
        assertThat(over.text("/errors/0/bound")).isEqualTo(String.valueOf(256 * 1024));
        Reply tooLong =
                jobs.submit("\"type\":\"EXECUTE\",\"payload\":\"" + "x".repeat(1 << 20) + "\"");
        assertThat(tooLong.status()).isEqualTo(413);
        assertThat(tooLong.text("/code")).isEqualTo(JobsError.REQUEST_PAYLOAD_TOO_LARGE.code());
    }

    /// J-092, J-093, J-264, J-265: the same key and body, the same job.
    @Test
    void the_same_key_gives_the_same_job() {
        String fields = "\"type\":\"EXECUTE\",\"idempotency_key\":\"k1\"";
        Reply first = jobs.submit(fields);
        Reply again = jobs.submit(fields);
        assertThat(again.status()).isEqualTo(202);
        assertThat(again.text("/job_id")).isEqualTo(first.text("/job_id"));
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        Api header = jobs.keyed().with("Idempotency-Key", "k2");
        Reply byHeader = header.post(JobsApi.JOBS, "{\"type\":\"EXECUTE\"}");
        assertThat(header.post(JobsApi.JOBS, "{\"type\":\"EXECUTE\"}").text("/job_id"))
                .isEqualTo(byHeader.text("/job_id"))
                .isNotEqualTo(first.text("/job_id"));
        // The body wins over the header.
        assertThat(header.post(JobsApi.JOBS, "{" + fields + "}").text("/job_id"))
                .isEqualTo(first.text("/job_id"));
        assertThat(jobs.keyed().get(JobsApi.JOBS).at("/jobs")).hasSize(2);
    }

    /// J-094, J-309.
    @Test
    void the_same_key_for_another_job_is_a_conflict() {
        jobs.submitted("\"type\":\"EXECUTE\",\"idempotency_key\":\"k\"");
        Reply other = jobs.submit("\"type\":\"EMIT_EVENT\",\"idempotency_key\":\"k\"");
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.text("/code")).isEqualTo(JobsError.EXEC_IDEMPOTENCY_CONFLICT.code());
    }

    /// J-095, J-096.
    @Test
    void keys_are_each_clients_own_and_no_key_is_no_key() {
        String fields = "\"type\":\"EXECUTE\",\"idempotency_key\":\"shared\"";
        assertThat(jobs.submitted(fields)).isNotEqualTo(JobsApi.of(server).submitted(fields));
        assertThat(jobs.submitted("\"type\":\"EXECUTE\""))
                .isNotEqualTo(jobs.submitted("\"type\":\"EXECUTE\""));
    }

    /// J-097.
    @Test
    void twenty_at_once_with_one_key_are_one_job() {
        List<Reply> replies =
                Parallel.run(
                        20,
                        _ -> () -> jobs.submit("\"type\":\"EXECUTE\",\"idempotency_key\":\"p\""));
        assertThat(replies).allMatch(reply -> reply.status() == 202);
        assertThat(replies.stream().map(reply -> reply.text("/job_id")).collect(Collectors.toSet()))
                .hasSize(1);
        assertThat(count("job", "account_id = '" + jobs.client() + "'")).isEqualTo(1);
    }

    /// J-188, J-193: at its time it is queued, and not before.
    @Test
    void at_its_time_a_deferred_job_is_queued() {
        String id =
                jobs.submitted(
                        "\"type\":\"DEFERRED\",\"execution_at\":\"" + now().plusSeconds(60) + "\"");
        advance(Duration.ofSeconds(55));
        server.kernel().kernel().sweepOnce("due-promoter");
        assertThat(jobs.state(id)).isEqualTo("CREATED");
        advance(Duration.ofSeconds(6));
        server.kernel().kernel().sweepOnce("due-promoter");
        assertThat(jobs.state(id)).isEqualTo("QUEUED");
    }

    /// A key in what would be stored is as good as lost.
    @Test
    void a_key_in_the_body_is_refused() {
        Reply reply = jobs.submit("\"type\":\"EXECUTE\",\"payload\":\"" + jobs.key() + "\"");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text()).doesNotContain(jobs.key());
    }

    /// The catalogue is what the simulator and people read: every row, as it was published.
    @Test
    void the_catalogue_of_work_is_served() {
        Reply reply = jobs.keyed().get(JobsApi.JOBS + "/catalogue");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.at("/work_kinds")).hasSize(31);
        assertThat(reply.text("/work_kinds/0/name")).isEqualTo("SUCCESS_FAST");
        assertThat(reply.number("/work_kinds/0/duration_ms")).isEqualTo(1000);
        assertThat(reply.number("/work_kinds/0/payload_size")).isEqualTo(4096);
        assertThat(reply.text("/work_kinds/0/expected")).isEqualTo("SUCCEEDED");
    }
}
