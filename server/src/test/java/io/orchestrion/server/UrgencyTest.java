package io.orchestrion.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.HttpOptions;
import io.orchestrion.server.http.Urgency;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// Whoever holds a lease is heard, whatever else there is to do.
@Timeout(180)
class UrgencyTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int PLACES = 3;

    /// By what their paths say, so that a new verb of a holder is not forgotten.
    private static final Pattern OF_HOLDERS = Pattern.compile(".*/(heartbeat|complete|fail)");

    private static List<Endpoint> of(Urgency urgency) {
        return Doors.CATALOGUE.endpoints().stream()
                .filter(endpoint -> endpoint.urgency() == urgency)
                .toList();
    }

    @Test
    void the_verbs_of_holders_and_no_others_have_places_of_their_own() {
        assertThat(of(Urgency.HOLDER))
                .isEqualTo(
                        Doors.CATALOGUE.endpoints().stream()
                                .filter(each -> OF_HOLDERS.matcher(each.path()).matches())
                                .toList());
        assertThat(of(Urgency.HOLDER)).hasSize(9);
        assertThat(of(Urgency.PROBE).stream().map(Endpoint::path))
                .containsExactlyInAnyOrder("/health", "/ready", "/v1/jobs/ready");
    }

    /// An item for each verb, leased before the load comes.
    private static final class Held {
        private final TaskApi api;
        private final Map<String, String> paths = new HashMap<>();
        private final Map<String, String> bodies = new HashMap<>();

        Held(TaskApi api) {
            this.api = api;
            for (Endpoint endpoint : of(Urgency.HOLDER)) {
                if (endpoint.door().equals("queue")) {
                    job(endpoint);
                } else {
                    task(endpoint);
                }
            }
        }

        private void task(Endpoint endpoint) {
            String id = api.create(endpoint.name());
            assertThat(api.claim(endpoint.name()).status()).isEqualTo(200);
            boolean batch = endpoint.path().contains("/batch/");
            paths.put(endpoint.name(), endpoint.path().replace("{id}", id));
            bodies.put(
                    endpoint.name(), batch ? "{\"items\":[{\"id\":\"%s\"}]}".formatted(id) : "{}");
        }

        private void job(Endpoint endpoint) {
            String type = endpoint.name().toLowerCase(Locale.ROOT);
            String id =
                    api.api()
                            .post(
                                    "/api/queue/jobs",
                                    "{\"type\":\"%s\",\"payload\":{}}".formatted(type))
                            .text("/id");
            Reply claimed =
                    api.api()
                            .post(
                                    "/api/queue/jobs/claim",
                                    "{\"workerId\":\"w\",\"leaseSeconds\":60,\"allowedTypes\":[\"%s\"]}"
                                            .formatted(type));
            assertThat(claimed.text("/job/id")).as(claimed.text()).isEqualTo(id);
            paths.put(endpoint.name(), endpoint.path().replace("{jobId}", id));
            bodies.put(
                    endpoint.name(),
                    endpoint.path().endsWith("/fail")
                            ? "{\"workerId\":\"w\",\"errorMessage\":\"no\",\"retryable\":false}"
                            : "{\"workerId\":\"w\"}");
        }

        Reply say(Endpoint endpoint) {
            return api.api().post(paths.get(endpoint.name()), bodies.get(endpoint.name()));
        }
    }

    /// Creates wait in their lane for a test that does not let them commit, until all ordinary
    /// places are taken and others wait for one.
    @Test
    void holders_of_every_door_are_served_while_ordinary_calls_have_all_places() throws Exception {
        var proceed = new Semaphore(0);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var server =
                        new TestServer(
                                options -> options,
                                options ->
                                        options.withHttp(
                                                options.http()
                                                        .withAdmission(
                                                                new HttpOptions.Admission(
                                                                        PLACES,
                                                                        5,
                                                                        1,
                                                                        Duration.ZERO))))) {
            TaskApi tasks = server.account();
            var held = new Held(tasks);
            server.kernel().failpoints().arm("submit.before-commit", proceed::acquire);
            List<CompletableFuture<Reply>> parked = new ArrayList<>();
            for (int i = 0; i < PLACES; i++) {
                parked.add(
                        CompletableFuture.supplyAsync(
                                () ->
                                        tasks.api()
                                                .post(
                                                        "/v1/tasks",
                                                        "{\"type\":\"parked\",\"payload\":{}}"),
                                threads));
            }
            Until.isTrue("all places are taken", SOON, () -> server.server().inFlight() == PLACES);
            Reply refused = tasks.api().get("/v1/tasks");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            for (Endpoint endpoint : of(Urgency.HOLDER)) {
                Reply reply = held.say(endpoint);
                assertThat(reply.status()).as(endpoint.name() + ": " + reply.text()).isEqualTo(200);
            }
            assertThat(server.anonymous().get("/health").status()).isEqualTo(200);
            proceed.release(PLACES);
            for (CompletableFuture<Reply> each : parked) {
                assertThat(each.get(60, TimeUnit.SECONDS).status()).isEqualTo(201);
            }
        }
    }
}
