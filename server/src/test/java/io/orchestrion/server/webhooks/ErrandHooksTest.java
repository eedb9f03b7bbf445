package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.testkit.sample.Errands;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.UUID;

/// The events of the sample engine reach those who ask for them, once.
class ErrandHooksTest extends HooksFixture {
    private static Errands errands;

    @BeforeAll
    static void startErrands() {
        errands = new Errands(kernel());
    }

    private static Kernel kernel() {
        return server.kernel().kernel();
    }

    private UUID create() {
        return errands.create(
                UUID.fromString(tasks.accountId()),
                "{\"url\":\"%s\"}".formatted(receiver.url("/call")),
                "order-7");
    }

    private void work(String verb, String body) {
        String id = tasks.claim("errand_work").text("/task/id");
        assertThat(tasks.verb(id, verb, body).status()).isEqualTo(200);
    }

    @Test
    void a_receiver_hears_once_that_an_errand_has_succeeded() {
        webhook("/succeeded", "errand.succeeded");
        webhook("/failed", "errand.failed");
        webhook("/attempts", "errand_attempt.begun");
        UUID errand = create();
        work("complete", "{\"result\":{\"answer\":42}}");
        server.clock().advance(Duration.ofSeconds(61));
        sweep("due-promoter");
        until(
                "the receiver has heard of it",
                () -> {
                    sweep("errand-calls");
                    return !receiver.got("/succeeded").isEmpty()
                            && receiver.got("/attempts").size() == 2;
                });
        pump();
        assertThat(receiver.got("/succeeded")).hasSize(1);
        assertThat(receiver.got("/failed")).isEmpty();
        assertThat(receiver.got("/attempts")).hasSize(2);
        assertThat(receiver.got("/call").getFirst().header("Idempotency-Key"))
                .startsWith(errand.toString());
        JsonNode told = receiver.got("/succeeded").getFirst().json();
        assertThat(told.path("event_name").asString()).isEqualTo("errand.succeeded");
        assertThat(told.path("subject_id").asString()).isEqualTo(errand.toString());
        assertThat(told.path("prev_state").asString()).isEqualTo("running");
        assertThat(told.path("correlation_id").asString()).isEqualTo("order-7");
        assertThat(told.at("/data/status").asInt()).isEqualTo(200);
    }

    @Test
    void a_receiver_hears_that_an_errand_has_failed_and_why() {
        webhook("/failed", "errand.failed");
        UUID errand = create();
        work("fail", "{\"reason\":\"it rained\"}");
        until("the receiver has heard of it", () -> !receiver.got("/failed").isEmpty());
        JsonNode told = receiver.got("/failed").getFirst().json();
        assertThat(told.path("subject_id").asString()).isEqualTo(errand.toString());
        assertThat(told.at("/data/message").asString()).isEqualTo("it rained");
    }
}
