package io.orchestrion.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.HttpOptions;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// What requests may hold of the memory, at every endpoint that reads a body.
@Timeout(180)
class MemoryBoundTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String PARKED = "{\"type\":\"parked\",\"payload\":{}}";

    private static List<Endpoint> withBody() {
        List<Endpoint> all =
                Doors.CATALOGUE.endpoints().stream()
                        .filter(endpoint -> endpoint.request() != null)
                        .toList();
        assertThat(all).hasSizeGreaterThan(20);
        return all;
    }

    private static TestServer server(HttpOptions.Memory memory) {
        return new TestServer(
                options -> options, options -> options.withHttp(options.http().withMemory(memory)));
    }

    private static Reply send(Api api, Endpoint endpoint) {
        return api.send(
                endpoint.method(),
                StrictRequestTest.path(endpoint),
                endpoint.request().toExample());
    }

    private static void later(Reply reply, int status, String what) {
        assertThat(reply.status()).as(what + ": " + reply.text()).isEqualTo(status);
        assertThat(reply.header("Retry-After")).as(what).isEqualTo("1");
    }

    @Test
    void every_endpoint_with_a_body_refuses_an_account_that_holds_its_share() throws Exception {
        var proceed = new Semaphore(0);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var server = server(new HttpOptions.Memory(Long.MAX_VALUE / 2, 1))) {
            TaskApi hog = server.account();
            TaskApi other = server.account();
            server.kernel()
                    .failpoints()
                    .arm("submit.before-commit", () -> proceed.tryAcquire(20, TimeUnit.SECONDS));
            var parked =
                    CompletableFuture.supplyAsync(
                            () -> hog.api().post("/v1/tasks", PARKED), threads);
            Until.isTrue("a body is held", SOON, () -> server.server().bytesInFlight() > 0);
            for (Endpoint endpoint : withBody()) {
                later(send(hog.api(), endpoint), 429, endpoint.name());
            }
            Api lines = hog.api().with("Content-Type", "application/x-ndjson");
            later(lines.post("/v1/tasks/batch", PARKED), 429, "lines");
            assertThat(other.claim("nothing").status()).as("another account").isEqualTo(200);
            assertThat(hog.api().get("/v1/tasks").status()).as("without a body").isEqualTo(200);
            proceed.release();
            assertThat(parked.get(20, TimeUnit.SECONDS).status()).isEqualTo(201);
            Until.isTrue("nothing is held", SOON, () -> server.server().bytesInFlight() == 0);
            assertThat(hog.claim("nothing").status()).as("when it is done").isEqualTo(200);
        }
    }

    @Test
    void every_endpoint_with_a_body_refuses_what_the_process_has_no_room_for() {
        try (var server = server(new HttpOptions.Memory(10, 10))) {
            TaskApi tasks = server.account();
            for (Endpoint endpoint : withBody()) {
                if (endpoint.request().toExample().length() > 2) {
                    later(send(tasks.api(), endpoint), 503, endpoint.name());
                }
            }
            Until.isTrue("nothing is held", SOON, () -> server.server().bytesInFlight() == 0);
            assertThat(server.anonymous().get("/health").status()).isEqualTo(200);
        }
    }
}
