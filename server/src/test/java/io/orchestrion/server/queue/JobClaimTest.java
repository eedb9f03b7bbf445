package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What a claim asks for and what it answers with.
class JobClaimTest extends QueueFixture {
    private static final String PAYLOAD =
            "{\"repository\":\"MoonLadderStudios/MoonMind\","
                    + "\"codex\":{\"model\":\"gpt-5-codex\",\"effort\":\"high\"},"
                    + "\"requiredCapabilities\":[\"git\",\"codex\"]}";

    private final QueueApi.Worker worker = queue.worker("executor-01");

    /// Q-013..Q-016.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {}                                              | workerId              | ''
                    {"workerId":null}                               | workerId              | ''
                    {"workerId":""}                                 | workerId              | 1..200
                    {"workerId":7}                                  | workerId              | ''
                    {"workerId":"w","leaseSeconds":0}               | leaseSeconds          | 1..3600
                    {"workerId":"w","leaseSeconds":3601}            | leaseSeconds          | 1..3600
                    {"workerId":"w","leaseSeconds":-1}              | leaseSeconds          | 1..3600
                    {"workerId":"w","leaseSeconds":1.5}             | leaseSeconds          | 1..3600
                    {"workerId":"w","leaseSeconds":"120"}           | leaseSeconds          | 1..3600
                    {"workerId":"w","allowedTypes":"t"}             | allowedTypes          | ''
                    {"workerId":"w","allowedTypes":{}}              | allowedTypes          | ''
                    {"workerId":"w","allowedTypes":[""]}            | allowedTypes[0]       | 1..100
                    {"workerId":"w","allowedTypes":["t",1]}         | allowedTypes[1]       | ''
                    {"workerId":"w","workerCapabilities":"git"}     | workerCapabilities    | ''
                    {"workerId":"w","workerCapabilities":[""]}      | workerCapabilities[0] | 1..100
                    {"workerId":"w","workerCapabilities":[null]}    | workerCapabilities[0] | ''
                    {"workerId":"w","count":0}                      | count                 | 1..100
                    {"workerId":"w","count":101}                    | count                 | 1..100
                    {"workerId":"w","waitSeconds":31}               | waitSeconds           | 0..30
                    {"workerId":"w","type":"t"}                     | type                  | ''
                    """)
    void a_bad_claim_is_refused_with_its_field_and_bound(String body, String field, String bound) {
        String id = queue.enqueue("t");
        Reply reply = queue.keyWorker("w").api().post(QueueApi.JOBS + "/claim", body);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(reply.text("/errors/0/field")).isEqualTo(field);
        assertThat(reply.text("/errors/0/bound")).isEqualTo(bound);
        assertThat(queue.status(id)).isEqualTo("queued");
    }

    ///
    @ParameterizedTest
    @ValueSource(ints = {1, 120, 3600})
    void a_lease_of_up_to_an_hour_may_be_asked_for(int seconds) {
        queue.enqueue("t");
        assertThat(worker.claim("\"leaseSeconds\":" + seconds).text("/job/id")).isNotEmpty();
    }

    /// ..Q-041: the seed's own example, there and back.
    @Test
    void the_example_of_the_contract_is_served_as_it_stands() {
        String id = queue.enqueue("codex_exec", PAYLOAD);
        Reply reply =
                worker.api()
                        .post(
                                QueueApi.JOBS + "/claim",
                                """
                                {
                                  "workerId": "executor-01",
                                  "leaseSeconds": 120,
                                  "allowedTypes": ["codex_exec"],
                                  "workerCapabilities": ["git", "gh", "codex"]
                                }
                                """);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text("/job/id")).isEqualTo(id);
        assertThat(reply.text("/job/type")).isEqualTo("codex_exec");
        assertThat(reply.text("/job/status")).isEqualTo("running");
        assertThat(reply.number("/job/attempt")).isEqualTo(1);
        assertThat(reply.number("/job/maxAttempts")).isEqualTo(3);
        assertThat(reply.at("/job/nextAttemptAt").isNull()).isTrue();
        assertThat(reply.at("/job/payload")).isEqualTo(queue.get(id).at("/payload"));
        assertThat(reply.text("/job/payload/repository")).isEqualTo("MoonLadderStudios/MoonMind");
        assertThat(reply.text("/job/payload/codex/model")).isEqualTo("gpt-5-codex");
        assertThat(reply.text("/job/payload/codex/effort")).isEqualTo("high");
        assertThat(reply.at("/job/payload/requiredCapabilities")).hasSize(2);
        assertThat(reply.text("/job/workerId")).isEqualTo("executor-01");
        assertThat(reply.text("/job/leaseToken")).isNotEmpty();
        assertThat(reply.at("/job/cancelRequested").asBoolean()).isFalse();
    }

    /// whatever a payload holds comes back with the same meaning.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"n\":12345678901234567890.1234567890}",
                "{\"n\":1.0,\"m\":100}",
                "{\"t\":\"tab\\tquote\\\"slash/ö\u2028😀\"}",
                "{\"a\":[null,true,{\"b\":[]}]}",
                "{\"repository\":\"Some/Where\",\"Repository\":\"other\"}",
                "{\"requiredCapabilities\":[]}",
                "{\"codex\":{\"model\":null}}"
            })
    void a_payload_reaches_the_worker_unchanged(String payload) {
        queue.enqueue("t", payload);
        String answer = worker.claim("").text();
        int begin = answer.indexOf("\"payload\":") + "\"payload\":".length();
        String got = answer.substring(begin, answer.lastIndexOf(",\"leaseToken\""));
        assertThat(meaning(got)).isEqualTo(meaning(payload));
    }

    /// Members in order and numbers as they are written, so that only the meaning counts.
    private static String meaning(String json) {
        return EXACT.writeValueAsString(EXACT.readValue(json, Object.class));
    }

    private static final JsonMapper EXACT =
            JsonMapper.builder()
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                    .build();

    /// what one job says of its model says nothing of the next.
    @Test
    void an_override_holds_for_its_own_job_only() {
        queue.enqueue("t", PAYLOAD);
        queue.enqueue("t", "{\"repository\":\"a/b\"}");
        assertThat(worker.claim("").text("/job/payload/codex/model")).isEqualTo("gpt-5-codex");
        assertThat(worker.claim("").at("/job/payload/codex").isMissingNode()).isTrue();
    }

    ///
    @Test
    void nothing_to_claim_is_a_null_job() {
        Reply reply = worker.claim("");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text()).isEqualTo("{\"job\":null}");
        assertThat(worker.claim("\"count\":5").text()).isEqualTo("{\"jobs\":[]}");
    }

    /// Several at once, as many as there are.
    @Test
    void a_claim_with_a_count_gets_several_jobs_each_with_a_lease_of_its_own() {
        List<String> made = List.of(queue.enqueue("t"), queue.enqueue("t"), queue.enqueue("t"));
        Reply two = worker.claim("\"count\":2");
        assertThat(two.at("/jobs").findValuesAsString("id")).isEqualTo(made.subList(0, 2));
        assertThat(two.at("/jobs").findValuesAsString("leaseToken")).doesNotHaveDuplicates();
        assertThat(two.at("/job").isMissingNode()).isTrue();
        assertThat(worker.claim("\"count\":2").at("/jobs")).hasSize(1);
    }

    ///
    @Test
    void parallel_claims_of_ten_workers_get_different_jobs() {
        for (int i = 0; i < 50; i++) {
            queue.enqueue("t");
        }
        var workers = new ArrayList<QueueApi.Worker>();
        for (int i = 0; i < 10; i++) {
            workers.add(queue.worker("w-" + i));
        }
        List<String> got = Parallel.run(50, i -> () -> workers.get(i % 10).claimed());
        assertThat(got).doesNotContain("").doesNotHaveDuplicates().hasSize(50);
        assertThat(worker.claimed()).isEmpty();
    }

    ///
    @Test
    void higher_priorities_come_first_and_older_jobs_among_equals() {
        String low = queue.enqueue("t", "{}", "\"priority\":1");
        String first = queue.enqueue("u", "{}", "\"priority\":5");
        String second = queue.enqueue("t", "{}", "\"priority\":5");
        String top = queue.enqueue("v", "{}", "\"priority\":100");
        assertThat(List.of(worker.claimed(), worker.claimed(), worker.claimed(), worker.claimed()))
                .containsExactly(top, first, second, low);
    }

    /// also the default.
    @Test
    void a_lease_ends_so_many_seconds_after_the_claim() {
        queue.enqueue("t");
        queue.enqueue("t");
        Instant before = now();
        Reply asked = worker.claim("\"leaseSeconds\":7");
        Reply unasked = worker.claim("");
        assertThat(Instant.parse(asked.text("/job/leaseExpiresAt")))
                .isBetween(before.plusSeconds(6), now().plusSeconds(8));
        assertThat(Instant.parse(unasked.text("/job/leaseExpiresAt")))
                .isBetween(before.plusSeconds(119), now().plusSeconds(121));
    }

    /// the second claim is the second attempt, once its time has come.
    @Test
    void a_retry_is_claimed_once_its_time_has_come() {
        String id = queue.enqueue("t");
        assertThat(worker.claimed()).isEqualTo(id);
        Reply failed = worker.fail(id, true);
        Instant next = Instant.parse(failed.text("/nextAttemptAt"));
        assertThat(next).isAfter(Instant.parse(failed.text("/updatedAt")));
        assertThat(worker.claimed()).isEmpty();
        assertThat(queue.get(id).text("/nextAttemptAt")).isEqualTo(next.toString());
        advance(Duration.ofSeconds(10));
        Reply again = worker.claim("");
        assertThat(again.text("/job/id")).isEqualTo(id);
        assertThat(again.number("/job/attempt")).isEqualTo(2);
        assertThat(again.at("/job/nextAttemptAt").isNull()).isTrue();
    }

    /// seen by the sweeper, which leaves the job queued while attempts remain.
    @Test
    void an_expired_lease_puts_the_job_back_and_at_last_makes_it_a_dead_letter() {
        String id = queue.enqueue("t", "{}", "\"maxAttempts\":2");
        assertThat(worker.claim("\"leaseSeconds\":5").text("/job/id")).isEqualTo(id);
        advance(Duration.ofSeconds(6));
        server.sweepLeases();
        assertThat(queue.status(id)).isEqualTo("queued");
        advance(Duration.ofMinutes(16));
        Reply second = worker.claim("\"leaseSeconds\":5");
        assertThat(second.text("/job/id")).isEqualTo(id);
        assertThat(second.number("/job/attempt")).isEqualTo(2);
        advance(Duration.ofSeconds(6));
        server.sweepLeases();
        Reply dead = queue.get(id);
        assertThat(dead.text("/status")).isEqualTo("dead_letter");
        assertThat(dead.at("/nextAttemptAt").isNull()).isTrue();
        assertThat(dead.at("/workerId").isNull()).isTrue();
        assertThat(worker.claimed()).isEmpty();
    }

    /// a claim in between treats an expired lease as over, without a sweep.
    @Test
    void whoever_comes_before_the_sweeper_finds_the_lease_over() {
        String id = queue.enqueue("t", "{}", "\"maxAttempts\":1");
        worker.claim("\"leaseSeconds\":5");
        advance(Duration.ofSeconds(6));
        assertThat(worker.complete(id).text("/code")).isEqualTo("queue_lease_expired");
        assertThat(worker.claimed()).isEmpty();
        // No sweep: the claim itself has ended it.
        assertThat(queue.status(id)).isEqualTo("dead_letter");
        String retried = queue.enqueue("t");
        assertThat(worker.claim("\"leaseSeconds\":5").text("/job/id")).isEqualTo(retried);
        advance(Duration.ofSeconds(6));
        assertThat(worker.claimed()).isEmpty();
        assertThat(queue.status(retried)).isEqualTo("queued");
        advance(Duration.ofMinutes(16));
        assertThat(worker.claim("").number("/job/attempt")).isEqualTo(2);
        assertThat(queue.status(retried)).isEqualTo("running");
    }
}
