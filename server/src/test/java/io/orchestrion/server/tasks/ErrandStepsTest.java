package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.HookReceiver;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;
import io.orchestrion.testkit.sample.Errands;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// The steps of the sample engine, worked on by somebody who knows nothing but the tasks door.
class ErrandStepsTest {
    private static final String TYPE = "errand_work";
    private static final String BUSY =
            "\"error\":{\"code\":\"busy\",\"http_status\":503,\"message\":\"come back\"}";

    private static TestServer server;
    private static Errands errands;

    @BeforeAll
    static void start() {
        server =
                new TestServer(
                        options ->
                                options.withSubjects(Errands.SUBJECTS)
                                        .withSchema(
                                                options.schema().plus(List.of(Errands.SCHEMA))));
        errands = new Errands(kernel());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final HookReceiver receiver = new HookReceiver();
    private final TaskApi tasks = server.account();
    private final UUID account = UUID.fromString(tasks.accountId());

    @AfterEach
    void closeReceiver() {
        receiver.close();
    }

    private static Kernel kernel() {
        return server.kernel().kernel();
    }

    private UUID create() {
        return errands.create(
                account, "{\"url\":\"%s\"}".formatted(receiver.url("/call")), "order-7");
    }

    /// A step in the hands of a worker.
    private record Held(String id, String token) {
        String with(String fields) {
            return "{\"leaseToken\":\"" + token + "\"," + fields + "}";
        }
    }

    private Held claim() {
        Reply claim = tasks.claim(TYPE);
        assertThat(claim.text("/task/owner/kind")).as(claim.text()).isEqualTo("errand");
        return new Held(claim.text("/task/id"), claim.text("/leaseToken"));
    }

    private boolean nothingToClaim() {
        return tasks.claim(TYPE).at("/task").isNull();
    }

    private Reply complete(Held held, String result) {
        return tasks.verb(held.id(), "complete", held.with("\"result\":" + result));
    }

    private Reply fail(Held held, String fields) {
        Reply reply = tasks.verb(held.id(), "fail", held.with(fields));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    private List<String> told(UUID errand) {
        return kernel().subjects().of(account, errand, 0, 100).stream()
                .map(line -> line.event().event())
                .toList();
    }

    private void later(long seconds) {
        server.clock().advance(Duration.ofSeconds(seconds));
        kernel().sweepOnce("due-promoter");
    }

    /// What the calls of this account wait for.
    private List<Object> calls() {
        return server
                .database()
                .rows(
                        "select wait_reason from work where account_id = ? and queue = 'builtin'",
                        account)
                .stream()
                .map(row -> row.get("wait_reason"))
                .toList();
    }

    private void called(UUID errand) {
        Until.isTrue(
                "it has succeeded",
                Duration.ofSeconds(20),
                () -> {
                    kernel().sweepOnce("errand-calls");
                    return told(errand).contains("succeeded");
                });
    }

    @Test
    void a_worker_does_its_step_then_it_rests_then_the_server_calls_and_it_is_over() {
        UUID errand = create();
        Held held = claim();
        assertThat(tasks.verb(held.id(), "heartbeat").status()).isEqualTo(200);
        assertThat(complete(held, "{\"answer\":42}").status()).isEqualTo(200);
        assertThat(calls()).as("it rests").isEmpty();
        later(61);
        assertThat(calls()).hasSize(1);
        called(errand);
        assertThat(told(errand)).containsExactly("running", "succeeded");
        assertThat(receiver.got("/call")).hasSize(1);
        Reply log = tasks.api().get("/v1/events?include=subjects&type=errand");
        assertThat(log.at("/subjectEvents"))
                .extracting(each -> each.path("event").asString())
                .containsExactly("running", "succeeded");
        assertThat(log.text("/subjectEvents/1/correlationId")).isEqualTo("order-7");
        assertThat(log.at("/subjectEvents/1/data/status").asInt()).isEqualTo(200);
    }

    @Test
    void a_failure_with_an_error_for_programs_is_tried_again_after_its_backoff() {
        UUID errand = create();
        Held first = claim();
        fail(first, BUSY);
        assertThat(nothingToClaim()).isTrue();
        server.clock().advance(Duration.ofSeconds(4));
        assertThat(nothingToClaim()).isTrue();
        server.clock().advance(Duration.ofSeconds(2));
        Held second = claim();
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(tasks.status(first.id())).isEqualTo("failed");
        assertThat(complete(second, "{\"answer\":1}").status()).isEqualTo(200);
        assertThat(told(errand)).containsExactly("running");
    }

    @Test
    void an_errand_whose_attempts_are_used_up_has_failed() {
        UUID errand = create();
        for (int attempt = 1; attempt <= 3; attempt++) {
            fail(claim(), BUSY);
            server.clock().advance(Duration.ofMinutes(1));
        }
        assertThat(nothingToClaim()).isTrue();
        assertThat(told(errand)).containsExactly("running", "failed");
        Reply log = tasks.api().get("/v1/events?include=subjects&type=errand&event=failed");
        assertThat(log.text("/subjectEvents/0/data/code")).as(log.text()).isEqualTo("busy");
    }

    @Test
    void a_pause_holds_the_step_back_and_what_is_claimed_may_be_finished() {
        UUID held = create();
        assertThat(errands.pause(account, held)).isTrue();
        assertThat(nothingToClaim()).isTrue();
        assertThat(errands.resume(account, held)).isTrue();
        Held step = claim();
        assertThat(errands.pause(account, held)).isTrue();
        assertThat(complete(step, "{\"answer\":1}").status()).isEqualTo(200);
        later(61);
        kernel().sweepOnce("errand-calls");
        assertThat(calls()).containsExactly("hold");
        assertThat(errands.resume(account, held)).isTrue();
        called(held);
        assertThat(told(held))
                .containsExactly("running", "paused", "running", "paused", "running", "succeeded");
    }

    @Test
    void a_cancel_revokes_the_lease_of_a_worker() {
        UUID errand = create();
        Held step = claim();
        assertThat(errands.cancel(account, errand)).isTrue();
        Reply beat = tasks.verb(step.id(), "heartbeat");
        assertThat(beat.status()).isEqualTo(409);
        assertThat(beat.error()).isEqualTo("lease_revoked");
        assertThat(complete(step, "{\"answer\":1}").error()).isEqualTo("lease_revoked");
        assertThat(told(errand)).containsExactly("running", "cancelled");
        assertThat(errands.resume(account, errand)).isFalse();
    }

    @Test
    void a_result_without_an_answer_is_rejected() {
        UUID errand = create();
        Reply rejected = complete(claim(), "{\"a\":1}");
        assertThat(rejected.status()).isEqualTo(422);
        assertThat(rejected.error()).isEqualTo("result_rejected");
        assertThat(rejected.text()).contains("bad_result", "the result has no answer");
        assertThat(told(errand)).containsExactly("running", "failed");
    }

    @Test
    void only_the_engine_cancels_its_step() {
        UUID errand = create();
        Held step = claim();
        Reply refused = tasks.verb(step.id(), "cancel");
        assertThat(refused.error()).isEqualTo("managed_task");
        assertThat(refused.text("/message")).contains("a step of errand " + errand);
    }
}
