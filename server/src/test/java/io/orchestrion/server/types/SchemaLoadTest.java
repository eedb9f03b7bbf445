package io.orchestrion.server.types;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.orchestrations.OrchestrationApi;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Whoever makes the server calculate waits for it, and nobody else does.
class SchemaLoadTest {
    private static final String PLACE = "schema.heavy-check";

    /// Doubles its steps with every letter in an engine that goes back.
    private static final String PATTERN =
            "{\"payloadSchema\":{\"properties\":{\"a\":{\"pattern\":\"^(([a-z])+.)+[A-Z]([a-z])+$\"}}}}";

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi costly = server.account();
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    @AfterEach
    void end() {
        server.kernel().failpoints().disarm(PLACE);
        opened.countDown();
        callers.close();
    }

    private static String task(int letters) {
        return "{\"type\":\"page\",\"payload\":{\"a\":\"" + "a".repeat(letters) + "\"}}";
    }

    private static String batch(int items, int letters) {
        return IntStream.range(0, items)
                .mapToObj(_ -> task(letters))
                .collect(Collectors.joining(",", "{\"tasks\":[", "]}"));
    }

    /// From here on, what takes long is begun and does not end.
    private void holdLongChecks() {
        server.kernel()
                .failpoints()
                .arm(
                        PLACE,
                        () -> {
                            begun.countDown();
                            opened.await();
                        });
    }

    /// The pattern that took minutes: each of the thirty items is answered for what it is.
    @Test
    void a_batch_of_long_texts_is_checked_in_proportion_to_them() {
        TypeApi.of(costly).register("page", PATTERN);
        Reply reply = costly.api().post("/v1/tasks/batch", batch(30, 5_000));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.number("/failed")).isEqualTo(30);
        assertThat(reply.text("/results/29/error/message")).contains("payload.a: does not match");
    }

    @Test
    void the_items_of_a_batch_share_one_budget_and_the_rest_is_told_so() {
        TypeApi.of(costly).register("page", PATTERN);
        Reply reply = costly.api().post("/v1/tasks/batch", batch(1_000, 5_000));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.text("/results/0/error/message")).contains("payload.a: does not match");
        assertThat(reply.text("/results/999/error/code")).isEqualTo("invalid_request");
        assertThat(reply.text("/results/999/error/message"))
                .contains("too costly", "2,000,000 steps together");
    }

    @Test
    void others_are_answered_while_long_checks_stand_still() throws Exception {
        TypeApi.of(costly).register("page", PATTERN);
        holdLongChecks();
        Future<Reply> held =
                callers.submit(() -> costly.api().post("/v1/tasks/batch", batch(30, 5_000)));
        begun.await();

        TaskApi other = server.account();
        String id = other.create("plain");
        assertThat(other.status(id)).isEqualTo("pending");
        // A small check needs no thread of those, not even with the same type.
        TypeApi.of(other).register("page", PATTERN);
        assertThat(other.api().post("/v1/tasks", task(5)).status()).isEqualTo(400);
        assertThat(costly.api().post("/v1/tasks", task(5)).status()).isEqualTo(400);
        assertThat(held.isDone()).isFalse();
        opened.countDown();
        assertThat(held.get().status()).isEqualTo(200);
    }

    @Test
    void who_sends_more_long_checks_than_may_wait_is_told_to_come_back() throws Exception {
        TypeApi.of(costly).register("page", PATTERN);
        holdLongChecks();
        var answers = new ExecutorCompletionService<Reply>(callers);
        int sent = 100;
        for (int i = 0; i < sent; i++) {
            answers.submit(() -> costly.api().post("/v1/tasks", task(20_000)));
        }
        // No check ends, so what is answered was refused.
        Reply refused = answers.take().get();
        assertThat(refused.status()).as(refused.text()).isEqualTo(503);
        assertThat(refused.error()).isEqualTo("overloaded");
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        opened.countDown();
        for (int i = 1; i < sent; i++) {
            assertThat(answers.take().get().status()).isIn(400, 503);
        }
    }

    /// The bounds hold for the node, and not for each of its doors.
    @Test
    void long_checks_of_all_doors_wait_in_one_place() throws Exception {
        TypeApi.of(costly).register("page", PATTERN);
        var orchestrations = new OrchestrationApi(costly);
        String definition =
                orchestrations.published(
                        OrchestrationApi.documentWith(
                                "\"input_schema\":{\"properties\":{\"a\":{\"pattern\":\"^(([a-z])+.)+[A-Z]([a-z])+$\"}}},",
                                OrchestrationApi.task("a", "")));
        holdLongChecks();
        var answers = new ExecutorCompletionService<Reply>(callers);
        int sent = 100;
        for (int i = 0; i < sent; i++) {
            answers.submit(() -> costly.api().post("/v1/tasks", task(20_000)));
        }
        assertThat(answers.take().get().error()).isEqualTo("overloaded");

        Reply refused =
                orchestrations.start(
                        definition, ",\"input\":{\"a\":\"" + "a".repeat(20_000) + "\"}");
        assertThat(refused.status()).as(refused.text()).isEqualTo(503);
        assertThat(refused.error()).isEqualTo("overloaded");
        opened.countDown();
        for (int i = 1; i < sent; i++) {
            assertThat(answers.take().get().status()).isIn(400, 503);
        }
    }
}
