package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.Pace;
import io.orchestrion.server.limits.Paces;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Whoever keeps to the waits that it is told meets no limit.
class WaitsWithinLimitsTest {
    private static final RateLimits LIMITS = RateLimits.PUBLISHED;
    private static final Plan FREE = Plans.PUBLISHED.free();
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /// Every wait in an answer, wherever it stands, held to the limit of the call it is before.
    private static int keepsToLimits(JsonNode answer, String about) {
        int waits = 0;
        for (JsonNode action : answer.findParents("retry_after_seconds")) {
            if (action.has("endpoint")) {
                waits++;
                withinLimits(
                        action.get("method").asString(),
                        action.get("endpoint").asString(),
                        action.get("retry_after_seconds").asLong(),
                        about);
            }
        }
        return waits;
    }

    /// In any window, and the slot that has begun, no more of them than may be.
    private static void withinLimits(String method, String path, long seconds, String about) {
        Endpoint endpoint = endpoint(method, path);
        if (endpoint.limit().equals(RateLimits.NONE)) {
            return;
        }
        for (String name : List.of(endpoint.limit(), RateLimits.EVERYTHING)) {
            if (!name.isEmpty()) {
                RateLimit limit = LIMITS.named(name);
                long sent = limit.window().plus(limit.slot()).toSeconds() / seconds + 1;
                assertThat(sent)
                        .as("%s: %s %s each %d s against %s", about, method, path, seconds, name)
                        .isLessThanOrEqualTo(limit.maxFor(FREE));
            }
        }
    }

    private static Endpoint endpoint(String method, String path) {
        String bare = path.replaceFirst("\\?.*", "");
        Endpoint found = null;
        for (Endpoint endpoint : Doors.CATALOGUE) {
            boolean same =
                    endpoint.method().equals(method)
                            && bare.matches(endpoint.path().replaceAll("\\{[^}]*}", "[^/]+"));
            if (same && (found == null || endpoint.pathParameters().isEmpty())) {
                found = endpoint;
            }
        }
        assertThat(found).as(method + " " + path).isNotNull();
        return found;
    }

    private static TaskApi freeAccount() {
        return server.account(FREE.id());
    }

    @Test
    void every_answer_on_a_task_of_every_status_keeps_to_the_limits() {
        int waits = 0;
        for (TaskStatus status : TaskStatus.values()) {
            TaskApi tasks = freeAccount();
            for (Requests request : Requests.authenticated(Requests.task(tasks, status))) {
                Reply reply = request.by(tasks.api());
                if (reply.header("Content-Type").startsWith("application/json")) {
                    waits += keepsToLimits(reply.body(), request.name());
                }
            }
        }
        assertThat(waits).isGreaterThan(10);
    }

    /// What is in flight ends by itself, and so often it may be asked meanwhile; the contract sets
    /// how long is waited. A used up limit says itself when it is open again.
    @Test
    void every_error_keeps_to_the_limits() {
        long asked = Once.PLACEHOLDER_STALE.toSeconds() / TaskSpecs.IN_FLIGHT_WAIT_SECONDS;
        assertThat(asked).isLessThan(LIMITS.named(RateLimits.CREATE).maxFor(FREE));
        for (String code : Provoked.CODES) {
            if (!code.equals("rate_limited") && !code.equals("idempotency_in_flight")) {
                keepsToLimits(Provoked.reply(server, freeAccount(), code).body(), code);
            }
        }
    }

    /// All errors at all endpoints, also those that are hard to bring about.
    @Test
    void every_error_at_every_endpoint_keeps_to_the_limits() {
        int waits = 0;
        Kernel kernel = server.kernel().kernel();
        var limiter =
                new RateLimiter(LIMITS, kernel.allowances(), kernel.standings(), kernel.database());
        Pace pace =
                new Paces(Doors.CATALOGUE, limiter)
                        .of(kernel.identity().authenticate(freeAccount().key()));
        for (Endpoint endpoint : Doors.CATALOGUE.ofDoor(TaskEndpoints.DOOR)) {
            for (TaskError error : TaskError.values()) {
                if (error == TaskError.IDEMPOTENCY_IN_FLIGHT || error == TaskError.RATE_LIMITED) {
                    continue;
                }
                String path = endpoint.path().replaceAll("\\{[^}]*}", Requests.NO_TASK);
                String written =
                        CallerScopes.within(
                                Set.of(Scope.values()),
                                pace,
                                () ->
                                        JsonWriter.objectText(
                                                AgentContract.forError(
                                                                error, endpoint.method(), path)
                                                        ::write));
                waits += keepsToLimits(JsonMapper.shared().readTree(written), error + " " + path);
            }
        }
        assertThat(waits).isGreaterThan(100);
    }

    /// The case that it began with: paying, and nobody approves.
    @Test
    void an_agent_that_waits_for_a_payment_as_it_is_told_is_never_refused() {
        TaskApi tasks = freeAccount();
        var replies = new ArrayList<Reply>();
        Reply reply = tasks.api().post("/v1/billing/checkout", "{\"planId\":\"basic\"}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        String verify = "{\"purchaseId\":\"" + reply.text("/purchaseId") + "\"}";
        replies.add(tasks.api().get("/v1/billing/status"));
        Duration waited = Duration.ZERO;
        while (waited.compareTo(Duration.ofHours(2)) < 0) {
            JsonNode wait = null;
            for (JsonNode action : reply.at("/agent_contract/next_actions").values()) {
                if (wait == null && action.has("retry_after_seconds")) {
                    wait = action;
                }
            }
            assertThat(wait).as(reply.text()).isNotNull();
            Duration next = Duration.ofSeconds(wait.get("retry_after_seconds").asLong());
            server.clock().advance(next);
            waited = waited.plus(next);
            reply = tasks.api().post(wait.get("endpoint").asString(), verify);
            replies.add(reply);
        }
        assertThat(replies).noneMatch(each -> each.status() == 429);
        assertThat(replies).hasSizeGreaterThan(10);
    }
}
