package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.UUID;

/// What random histories have found, each as short as it can be.
class FoundByModelTest {
    private final OrchestrationFixture fixture = new OrchestrationFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /// E-156, CB-007: a guard may have any handler; a service says in the body of its answer what a
    /// worker says in its result.
    @Test
    void a_service_can_be_the_guard_of_a_step() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task(
                                                "a",
                                                ",\"guard_handler\":\"http:https://guard.test/\"")))
                        .id();
        fixture.service.answer =
                _ ->
                        OrchestrationFixture.Service.json(
                                200, "{\"completed\":true,\"result\":{\"paid\":1}}");
        fixture.fail(fixture.claim("do_a"), "unavailable");
        fixture.later(Duration.ofSeconds(9));

        fixture.callUntil("it is over", () -> fixture.status(id).isTerminal());

        assertThat(fixture.history(id))
                .containsExactly("a#1 failed", "a guard#2 succeeded", "a#2 succeeded");
        assertThat(fixture.execution(id).ending().output()).isEqualTo("{\"paid\":1}");
    }

    /// E-136: whoever began first may have waited longest, so that ids do not say what is newest.
    @Test
    void a_retry_closes_the_open_dead_letter_whatever_its_id_says() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task(
                                                "a", ",\"input\":{\"$cel\":\"input.none + 1\"}")))
                        .id();
        assertThat(retried(id)).isTrue();
        fixture.test.clock().advance(Duration.ofMinutes(-1));
        assertThat(retried(id)).isTrue();

        assertThat(retried(id)).isTrue();

        assertThat(fixture.letters(id))
                .hasSize(4)
                .filteredOn(letter -> letter.status() == DeadLetter.Status.OPEN)
                .hasSize(1);
    }

    private boolean retried(UUID id) {
        return fixture.engine.executions().retry(fixture.request(id), "a", false)
                instanceof Ack.Done;
    }
}
