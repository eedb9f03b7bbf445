package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.registry.Runners;
import io.orchestrion.jobs.runner.Handlers;
import io.orchestrion.jobs.runner.RunnerListener;
import io.orchestrion.jobs.runner.RunnerOptions;
import io.orchestrion.jobs.runner.RunnerPool;
import io.orchestrion.server.jobs.JobsApi;
import io.orchestrion.testkit.HookReceiver.Got;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Events of jobs, to callbacks and to webhooks.
class JobHooksTest extends HooksFixture {
    private static RunnerPool runner;

    private final JobsApi jobs = JobsApi.of(server);

    @BeforeAll
    static void run() {
        var kernel = server.kernel().kernel();
        runner =
                new RunnerPool(
                        kernel,
                        server.jobs(),
                        new Runners(kernel.database()),
                        RunnerOptions.named("hooks")
                                .withConcurrency(2)
                                .withTimeScale(0.001)
                                .withPace(
                                        Duration.ofMillis(200),
                                        Duration.ofMillis(20),
                                        Duration.ofMillis(20)),
                        Handlers.onClassPath(),
                        RunnerListener.NONE);
        runner.start();
    }

    @AfterAll
    static void rest() {
        Objects.requireNonNull(runner).close();
    }

    private String hook(String path, String... events) {
        Reply made =
                jobs.keyed()
                        .post(
                                "/v1/webhooks",
                                "{\"url\":\"%s\",\"events\":[\"%s\"]}"
                                        .formatted(
                                                receiver.url(path), String.join("\",\"", events)));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made.text("/webhook_id");
    }

    private String job(String kind, String callback) {
        return jobs.submitted(
                "\"type\":\"EXECUTE\",\"work_kind\":\"%s\",\"callback\":\"%s\""
                        .formatted(kind, receiver.url(callback)));
    }

    private List<JsonNode> ofJob(String id) {
        Reply reply = jobs.keyed().get("/v1/jobs/" + id + "/deliveries");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        var all = new ArrayList<JsonNode>();
        reply.at("/deliveries").forEach(all::add);
        return all;
    }

    private static List<String> states(List<JsonNode> deliveries) {
        return deliveries.stream().map(each -> each.get("state").asString()).toList();
    }

    /// What one address of a server says is not said for the others, which nobody could resume.
    @Test
    void a_callback_that_is_gone_stops_no_other_of_the_same_server() {
        receiver.answering("/gone", 410);
        String gone = job("WEBHOOK_SUCCESS", "/gone");
        jobs.await(gone, "SUCCEEDED");
        until("it was told", () -> receiver.got("/gone").size() == 5);
        assertThat(states(ofJob(gone))).containsOnly("failed");
        String other = job("WEBHOOK_SUCCESS", "/here");
        jobs.await(other, "SUCCEEDED");
        until("all came", () -> receiver.got("/here").size() == 5);
    }

    /// J-042, J-288, J-290, J-291: a callback hears of every change of its job, in order, with the
    /// ids and words of its report.
    @Test
    void a_callback_gets_one_call_for_each_change_of_its_job() {
        String id = job("WEBHOOK_SUCCESS", "/callback");
        jobs.await(id, "SUCCEEDED");
        until("all came", () -> receiver.got("/callback").size() == 5);
        assertThat(names("/callback")).isEqualTo(jobs.events(id));
        JsonNode events = jobs.report(id).at("/events");
        for (int i = 0; i < 5; i++) {
            JsonNode told = receiver.got("/callback").get(i).json();
            JsonNode event = events.get(i);
            for (String field :
                    List.of(
                            "event_id",
                            "job_id",
                            "event_name",
                            "prev_state",
                            "next_state",
                            "timestamp")) {
                assertThat(told.get(field)).as(field).isEqualTo(event.get(field));
            }
            assertThat(told.get("scenario").asString()).isEqualTo("WEBHOOK_SUCCESS");
        }
        assertThat(states(ofJob(id))).hasSize(5).containsOnly("delivered");
        assertThat(ofJob(id)).allMatch(each -> each.get("webhook_id").isNull());
        assertThat(ofJob(id)).allMatch(each -> each.get("url").asString().endsWith("/callback"));
    }

    /// J-043, J-269, J-273: never an answer.
    @Test
    void a_receiver_that_never_answers_is_tried_again_while_the_job_succeeds() {
        receiver.hanging("/callback");
        retried("WEBHOOK_TIMEOUT", "RFA_DEPENDENCY_TIMEOUT", -1);
    }

    /// J-044: an answer of 500.
    @Test
    void a_receiver_that_answers_500_is_tried_again_while_the_job_succeeds() {
        receiver.answering("/callback", 500);
        retried("WEBHOOK_5XX", "", 500);
    }

    private void retried(String kind, String error, int status) {
        String id = job(kind, "/callback");
        jobs.await(id, "SUCCEEDED");
        until("it was tried", () -> receiver.got("/callback").size() >= 1);
        later(Duration.ofSeconds(2));
        until("and again", () -> receiver.got("/callback").size() >= 2);
        JsonNode first = ofJob(id).getFirst();
        assertThat(first.get("attempt_count").asInt()).isGreaterThanOrEqualTo(2);
        assertThat(first.at("/attempts/0/error").asString("")).isEqualTo(error);
        assertThat(first.at("/attempts/0/status").asInt(-1)).isEqualTo(status);
        assertThat(jobs.state(id)).isEqualTo("SUCCEEDED");
    }

    /// J-045: the last try fails, and the job is what it was.
    @Test
    void a_delivery_ends_failed_after_its_last_try() {
        receiver.answering("/callback", 500);
        String id = job("WEBHOOK_RETRIES_EXHAUSTED", "/callback");
        jobs.await(id, "SUCCEEDED");
        until("it was tried", () -> receiver.got("/callback").size() >= 1);
        for (int i = 0; i < 40 && !states(ofJob(id)).stream().allMatch("failed"::equals); i++) {
            later(Duration.ofMinutes(6));
        }
        assertThat(states(ofJob(id))).hasSize(5).containsOnly("failed");
        assertThat(ofJob(id)).allMatch(each -> each.get("attempts").size() == 4);
        assertThat(jobs.state(id)).isEqualTo("SUCCEEDED");
    }

    /// J-046: late and there.
    @Test
    void a_slow_receiver_gets_its_delivery() {
        receiver.slow("/callback", Duration.ofMillis(150));
        String id = job("WEBHOOK_SLOW_RECEIVER", "/callback");
        jobs.await(id, "SUCCEEDED");
        until(
                "all came",
                () ->
                        states(ofJob(id))
                                .equals(
                                        List.of(
                                                "delivered",
                                                "delivered",
                                                "delivered",
                                                "delivered",
                                                "delivered")));
        assertThat(ofJob(id).getFirst().at("/attempts/0/duration_ms").asInt())
                .isGreaterThanOrEqualTo(150);
    }

    /// J-292, J-296: a job that was taken before a rule came shows what the rule refuses.
    @Test
    void a_callback_that_no_rule_of_today_allows_is_in_the_list_of_deliveries() {
        for (String url :
                List.of(
                        "http://2130706433/",
                        "http://0/",
                        "http://x@127.0.0.1/",
                        "http://10.0.0.1/")) {
            String id = jobs.submitted("\"type\":\"EXECUTE\",\"callback\":\"http://example.com/\"");
            server.database()
                    .execute(
                            "update job set callback = '%s' where job_id = '%s'"
                                    .formatted(url, id));
            until("it was tried", () -> !ofJob(id).isEmpty() && tries(id) > 0);
            JsonNode first = ofJob(id).getFirst();
            assertThat(first.get("url").asString()).isEqualTo(url);
            assertThat(first.at("/attempts/0/error").asString()).isEqualTo("address_refused");
            assertThat(first.get("reason").asString()).contains("address_refused");
        }
    }

    private int tries(String job) {
        return ofJob(job).getFirst().get("attempts").size();
    }

    /// J-289, J-088: and who asks for job.succeeded hears of job.emitted, too. Nobody hears of
    /// another client's jobs.
    @Test
    void a_webhook_gets_the_events_that_it_asked_for_and_those_they_stand_for() {
        hook("/ends", "job.succeeded", "job.failed");
        hook("/emitted", "job.emitted");
        JobsApi stranger = JobsApi.of(server);
        String foreign = stranger.execute("SUCCESS_FAST");
        stranger.await(foreign, "SUCCEEDED");
        String good = jobs.execute("SUCCESS_FAST");
        String bad = jobs.execute("FAIL_IMMEDIATE");
        String late = jobs.execute("RUNS_OVER_TIMEOUT");
        String emitted = jobs.submitted("\"type\":\"EMIT_EVENT\",\"work_kind\":\"SUCCESS_FAST\"");
        for (String id : List.of(good, emitted)) {
            jobs.await(id, "SUCCEEDED");
        }
        for (String id : List.of(bad, late)) {
            jobs.await(id, "FAILED");
        }
        until("all came", () -> receiver.got("/ends").size() == 4);
        assertThat(told(good)).isEqualTo("job.succeeded");
        assertThat(told(bad)).isEqualTo("job.failed");
        assertThat(told(late)).isEqualTo("job.timed_out");
        assertThat(told(emitted)).isEqualTo("job.emitted");
        assertThat(names("/emitted")).containsExactly("job.emitted");
        pump();
        assertThat(receiver.got("/ends")).hasSize(4);
        assertThat(told(foreign)).isEmpty();
    }

    private String told(String job) {
        for (Got got : receiver.got("/ends")) {
            if (got.json().get("job_id").asString().equals(job)) {
                return got.json().get("event_name").asString();
            }
        }
        return "";
    }

    /// L-030: a job's deliveries go with it; other clients never see them.
    @Test
    void deliveries_of_a_job_are_its_clients_alone_and_go_with_it() {
        String id = job("WEBHOOK_SUCCESS", "/callback");
        jobs.await(id, "SUCCEEDED");
        until("all came", () -> states(ofJob(id)).size() == 5);
        Reply foreign = JobsApi.of(server).keyed().get("/v1/jobs/" + id + "/deliveries");
        assertThat(foreign.status()).isEqualTo(403);
        assertThat(jobs.keyed().send("DELETE", "/v1/jobs/" + id, null).status()).isEqualTo(200);
        assertThat(jobs.keyed().get("/v1/jobs/" + id + "/deliveries").status()).isEqualTo(404);
        sweep(WebhookPurger.NAME);
        Long left =
                server.database()
                        .value(
                                "select count(*) from webhook_delivery where subject = ?",
                                java.util.UUID.fromString(id));
        assertThat(left).isZero();
    }
}
