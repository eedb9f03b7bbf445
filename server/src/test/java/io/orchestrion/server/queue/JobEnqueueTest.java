package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.UUID;

/// Handing in jobs and looking at them.
class JobEnqueueTest extends QueueFixture {

    ///
    @Test
    void a_job_is_queued_with_its_defaults() {
        Reply made =
                queue.keyed()
                        .post(QueueApi.JOBS, "{\"type\":\"codex_exec\",\"payload\":{\"a\":1}}");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/status")).isEqualTo("queued");
        assertThat(made.number("/attempt")).isZero();
        assertThat(made.number("/maxAttempts")).isEqualTo(3);
        assertThat(made.number("/priority")).isZero();
        assertThat(made.at("/nextAttemptAt").isNull()).isTrue();
        assertThat(made.header("Location")).isEqualTo(QueueApi.JOBS + "/" + made.text("/id"));
    }

    ///
    @Test
    void a_job_is_shown_as_it_was_made() {
        Reply made =
                queue.keyed()
                        .post(
                                QueueApi.JOBS,
                                "{\"type\":\"t\",\"payload\":{\"a\":[1,2.50]},\"priority\":7,"
                                        + "\"maxAttempts\":10}");
        assertThat(queue.get(made.text("/id")).body()).isEqualTo(made.body());
        assertThat(made.number("/priority")).isEqualTo(7);
        assertThat(made.number("/maxAttempts")).isEqualTo(10);
    }

    /// also what could never be an id.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "01970000-0000-7000-8000-000000000000",
                "nothing",
                "0",
                "01970000-0000-7000-8000-00000000000",
                "%20"
            })
    void an_unknown_job_is_not_found(String id) {
        Reply reply = queue.get(id);
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.text("/code")).isEqualTo("queue_job_not_found");
    }

    /// what is wrong is said field by field, with its bound.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {}                                                       | type        | ''
                    {"type":"t"}                                             | payload     | ''
                    {"type":"","payload":{}}                                 | type        | 1..100
                    {"type":7,"payload":{}}                                  | type        | ''
                    {"type":"t","payload":[]}                                | payload     | ''
                    {"type":"t","payload":"x"}                               | payload     | ''
                    {"type":"t","payload":null}                              | payload     | ''
                    {"type":"t","payload":{},"maxAttempts":0}                | maxAttempts | 1..10
                    {"type":"t","payload":{},"maxAttempts":11}               | maxAttempts | 1..10
                    {"type":"t","payload":{},"maxAttempts":1.5}              | maxAttempts | 1..10
                    {"type":"t","payload":{},"priority":-1}                  | priority    | 0..100
                    {"type":"t","payload":{},"priority":101}                 | priority    | 0..100
                    {"type":"t","payload":{},"status":"running"}             | status      | ''
                    {"type":"t","payload":{},"more":1}                       | more        | ''
                    {"type":"t","payload":{"repository":7}}                  | payload.repository | ''
                    {"type":"t","payload":{"repository":""}}                 | payload.repository | 1..300
                    {"type":"t","payload":{"repository":"  "}}               | payload.repository | ''
                    {"type":"t","payload":{"requiredCapabilities":["a\\u0007"]}} | payload.requiredCapabilities | ''
                    {"type":"t","payload":{"repository":"a/\\u0007"}}          | payload.repository | ''
                    {"type":"t","payload":{"requiredCapabilities":"git"}}    | payload.requiredCapabilities | ''
                    {"type":"t","payload":{"requiredCapabilities":[1]}}      | payload.requiredCapabilities[0] | ''
                    {"type":"t","payload":{"requiredCapabilities":[""]}}     | payload.requiredCapabilities[0] | 1..100
                    """)
    void a_bad_field_is_named_with_its_bound(String body, String field, String bound) {
        Reply reply = queue.keyed().post(QueueApi.JOBS, body);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("/code")).isEqualTo("queue_invalid_request");
        assertThat(reply.text("/errors/0/field")).isEqualTo(field);
        assertThat(reply.text("/errors/0/bound")).isEqualTo(bound);
        assertThat(reply.text("/detail")).contains(field);
        assertThat(queue.keyed().get(QueueApi.JOBS).at("/items")).isEmpty();
    }

    /// What grows when it is written small is measured as it is kept.
    @Test
    void a_repository_is_bounded_as_it_is_compared() {
        Reply reply =
                queue.keyed()
                        .post(
                                QueueApi.JOBS,
                                "{\"type\":\"t\",\"payload\":{\"repository\":\"%s\"}}"
                                        .formatted("\u0130".repeat(150)));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("/errors/0/field")).isEqualTo("payload.repository");
        assertThat(reply.text("/detail")).startsWith("payload.repository must have 1 to 300 bytes");
    }

    /// Every fault at once, so that a caller need not ask again for each.
    @Test
    void all_that_is_wrong_is_said_at_once() {
        Reply reply =
                queue.keyed().post(QueueApi.JOBS, "{\"type\":\"\",\"priority\":-1,\"other\":1}");
        assertThat(reply.at("/errors")).hasSize(4);
        assertThat(reply.at("/errors").findValuesAsString("field"))
                .containsExactly("type", "payload", "priority", "other");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "1", "{", "{\"type\":\"t\",\"type\":\"u\",\"payload\":{}}"})
    void what_is_no_json_object_is_refused(String body) {
        Reply reply = queue.keyed().post(QueueApi.JOBS, body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(400);
        assertThat(reply.text("/code")).isEqualTo("queue_invalid_request");
    }

    @Test
    void another_media_type_is_refused() {
        Reply reply =
                queue.keyed()
                        .with("Content-Type", "text/plain")
                        .post(QueueApi.JOBS, "{\"type\":\"t\",\"payload\":{}}");
        assertThat(reply.status()).isEqualTo(415);
        assertThat(reply.text("/code")).isEqualTo("queue_unsupported_media_type");
    }

    /// the bound of a payload is 256 KiB, and it is kept to the byte.
    @Test
    void a_payload_of_the_bound_is_taken_and_one_more_byte_is_not() {
        int bound = 256 * 1024;
        String fits = "{\"a\":\"" + "x".repeat(bound - "{\"a\":\"\"}".length()) + "\"}";
        String id = queue.enqueue("t", fits);
        assertThat(queue.get(id).at("/payload/a").asString()).hasSize(bound - 8);
        String more = fits.replace("\"}", "x\"}");
        Reply refused =
                queue.keyed()
                        .post(QueueApi.JOBS, "{\"type\":\"t\",\"payload\":%s}".formatted(more));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/errors/0/bound")).isEqualTo(String.valueOf(bound));
        Reply far =
                queue.keyed()
                        .post(
                                QueueApi.JOBS,
                                "{\"type\":\"t\",\"payload\":{\"a\":\"%s\"}}"
                                        .formatted("x".repeat(3 * bound)));
        assertThat(far.status()).isEqualTo(413);
        assertThat(far.text("/code")).isEqualTo("queue_body_too_large");
    }

    ///
    @Test
    void jobs_are_listed_by_status_type_and_page() {
        String a1 = queue.enqueue("a");
        String b1 = queue.enqueue("b");
        String a2 = queue.enqueue("a");
        QueueApi.Worker worker = queue.worker("w");
        assertThat(worker.claimed("\"allowedTypes\":[\"b\"]")).isEqualTo(b1);
        assertThat(ids("?status=queued")).containsExactly(a2, a1);
        assertThat(ids("?status=running")).containsExactly(b1);
        assertThat(ids("?type=a&limit=1")).containsExactly(a2);
        assertThat(ids("?status=succeeded")).isEmpty();
        Reply first = queue.keyed().get(QueueApi.JOBS + "?limit=2");
        assertThat(first.at("/items")).hasSize(2);
        Reply second =
                queue.keyed().get(QueueApi.JOBS + "?limit=2&cursor=" + first.text("/nextCursor"));
        assertThat(second.at("/items").findValuesAsString("id")).containsExactly(a1);
        assertThat(second.at("/nextCursor").isNull()).isTrue();
        assertThat(QueueApi.of(server).keyed().get(QueueApi.JOBS).at("/items")).isEmpty();
    }

    private List<String> ids(String query) {
        return queue.keyed().get(QueueApi.JOBS + query).at("/items").findValuesAsString("id");
    }

    /// 50 by default, 200 at the most.
    @Test
    void a_page_has_fifty_jobs_unless_told_otherwise() {
        Parallel.run(201, _ -> () -> queue.enqueue("t"));
        assertThat(queue.keyed().get(QueueApi.JOBS).at("/items")).hasSize(50);
        assertThat(queue.keyed().get(QueueApi.JOBS + "?limit=200").at("/items")).hasSize(200);
    }

    ///
    @ParameterizedTest
    @ValueSource(
            strings = {
                "?limit=0",
                "?limit=201",
                "?limit=ten",
                "?limit=1&limit=2",
                "?status=open",
                "?type=",
                "?cursor=x",
                "?cursor="
            })
    void a_bad_question_is_refused(String query) {
        Reply reply = queue.keyed().get(QueueApi.JOBS + query);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("/errors/0/field")).isEqualTo(query.substring(1, query.indexOf('=')));
    }

    /// The same request with the same key is one job, at this door as at the tasks door.
    @Test
    void a_repeated_request_with_a_key_makes_one_job() {
        String key = UUID.randomUUID().toString();
        String body = "{\"type\":\"t\",\"payload\":{\"n\":1}}";
        List<Reply> all =
                Parallel.run(
                        8,
                        _ ->
                                () ->
                                        queue.keyed()
                                                .with("Idempotency-Key", key)
                                                .post(QueueApi.JOBS, body));
        assertThat(all).allMatch(reply -> reply.status() == 201 || reply.status() == 503);
        Reply again = queue.keyed().with("Idempotency-Key", key).post(QueueApi.JOBS, body);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(ids("?limit=200")).containsExactly(again.text("/id"));
        Reply other =
                queue.keyed()
                        .with("Idempotency-Key", key)
                        .post(QueueApi.JOBS, "{\"type\":\"t\",\"payload\":{\"n\":2}}");
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.text("/code")).isEqualTo("queue_idempotency_conflict");
        // The tasks door keeps keys of its own.
        Reply task =
                queue.keyed()
                        .with("Idempotency-Key", key)
                        .post("/v1/tasks", "{\"type\":\"t\",\"payload\":{\"n\":1}}");
        assertThat(task.status()).isEqualTo(201);
        assertThat(task.header("Idempotency-Replayed")).isEmpty();
    }

    @Test
    void a_key_out_of_bounds_is_refused() {
        Reply reply =
                queue.keyed()
                        .with("Idempotency-Key", "x".repeat(256))
                        .post(QueueApi.JOBS, "{\"type\":\"t\",\"payload\":{}}");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("/errors/0/field")).isEqualTo("Idempotency-Key");
    }
}
