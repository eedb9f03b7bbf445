package io.orchestrion.server.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.json.Field;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.billing.BillingOptions;
import io.orchestrion.server.billing.FakePayPal;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.tasks.TaskSpecs;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The served document against `capabilities.json`, which is what the contract publishes: nothing
/// of that may be missing or different, and more may be there.
class CapabilitiesTest {
    /// As the contract has it.
    private static final FakePayPal PAYPAL = new FakePayPal();

    private static final JsonNode CONTRACT =
            JsonMapper.shared()
                    .readTree(CapabilitiesTest.class.getResourceAsStream("capabilities.json"));

    private static TestServer server;
    private static Reply served;

    @BeforeAll
    static void start() {
        server =
                new TestServer(
                        options -> options,
                        options ->
                                options.withLimits(RateLimits.PUBLISHED)
                                        .withBilling(new BillingOptions(null, PAYPAL.options())));
        served = server.anonymous().get("/v1/capabilities");
    }

    @AfterAll
    static void stop() {
        server.close();
        PAYPAL.close();
    }

    /// T-016, T-014, T-294, T-295, T-297, T-298, T-299, T-300, T-301, T-302, T-303, T-305, T-306:
    /// section by section, with the numbers and words of the contract.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "service",
                "version",
                "description",
                "authentication",
                "lease",
                "retry",
                "idempotency",
                "task_fields",
                "claim_ordering",
                "billing",
                "rate_limits",
                "error_model",
                "agent_contract"
            })
    void a_section_holds_what_the_contract_publishes(String section) {
        var missing = new ArrayList<String>();
        compare(CONTRACT.get(section), served.body().path(section), section, missing);
        assertThat(missing).isEmpty();
    }

    /// T-016: every section is looked at by one of these tests.
    @Test
    void no_section_of_the_contract_is_forgotten() {
        assertThat(served.status()).isEqualTo(200);
        assertThat(served.body().propertyNames())
                .containsExactlyInAnyOrderElementsOf(with(CONTRACT.propertyNames(), "limitations"));
    }

    private static List<String> with(Iterable<String> names, String another) {
        var all = new ArrayList<String>();
        names.forEach(all::add);
        all.add(another);
        return all;
    }

    /// Objects may have more fields and arrays more elements; what is published is there.
    private static void compare(JsonNode wanted, JsonNode found, String at, List<String> missing) {
        if (wanted.isObject()) {
            for (String name : wanted.propertyNames()) {
                compare(wanted.get(name), found.path(name), at + "." + name, missing);
            }
        } else if (wanted.isArray()) {
            for (JsonNode element : wanted) {
                if (found.values().stream().noneMatch(each -> holds(element, each))) {
                    missing.add(at + " lacks " + element);
                }
            }
        } else if (!wanted.equals(found)) {
            missing.add(at + " is " + found + " instead of " + wanted);
        }
    }

    private static boolean holds(JsonNode wanted, JsonNode found) {
        var missing = new ArrayList<String>();
        compare(wanted, found, "", missing);
        return missing.isEmpty();
    }

    /// T-016: the comparison sees what is left out, changed or dropped from a list.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"a":1,"b":[{"x":1}]}       | true
                    {"a":1,"b":[{"x":1},2],"c":3} | true
                    {"a":2,"b":[{"x":1}]}       | false
                    {"b":[{"x":1}]}             | false
                    {"a":1,"b":[]}              | false
                    {"a":1,"b":[{"x":2}]}       | false
                    """)
    void the_comparison_can_fail(String document, boolean holds) {
        JsonNode wanted = JsonMapper.shared().readTree("{\"a\":1,\"b\":[{\"x\":1}]}");
        assertThat(holds(wanted, JsonMapper.shared().readTree(document))).isEqualTo(holds);
    }

    /// T-296, L-006: word for word, and behind it what came later.
    @Test
    void the_lifecycle_is_that_of_the_contract() {
        JsonNode lifecycle = served.body().get("task_lifecycle");
        JsonNode published = CONTRACT.get("task_lifecycle");
        assertThat(lifecycle.get("states")).isEqualTo(published.get("states"));
        assertThat(lifecycle.get("terminal_states")).isEqualTo(published.get("terminal_states"));
        var transitions = new ArrayList<>(lifecycle.get("transitions").values());
        int first = published.get("transitions").size();
        List<JsonNode> later = transitions.subList(first, transitions.size());
        assertThat(later.stream().map(JsonNode::toString))
                .containsExactly(
                        "{\"from\":\"claimed\",\"to\":\"cancelled\","
                                + "\"trigger\":\"POST /v1/tasks/:id/cancel (force)\"}",
                        "{\"from\":\"pending\",\"to\":\"cancelled\",\"trigger\":\"giveUpAt"
                                + " passed\"}",
                        "{\"from\":\"claimed\",\"to\":\"cancelled\",\"trigger\":\"giveUpAt"
                                + " passed\"}");
        later.clear();
        assertThat(transitions).containsExactlyElementsOf(published.get("transitions").values());
    }

    /// T-303: the fourteen rows come first and in order.
    @Test
    void the_rows_of_limits_are_in_the_order_of_the_contract() {
        assertThat(
                        served.body().at("/rate_limits/limits").values().stream()
                                .map(row -> row.get("endpoint"))
                                .limit(14))
                .isEqualTo(
                        CONTRACT.at("/rate_limits/limits").values().stream()
                                .map(row -> row.get("endpoint"))
                                .toList());
    }

    /// T-304, T-302: every row of the contract.
    @ParameterizedTest
    @ValueSource(strings = {"public", "authenticated"})
    void the_endpoints_of_the_contract_are_listed(String access) {
        List<JsonNode> listed = List.copyOf(served.body().at("/endpoints/" + access).values());
        for (JsonNode row : CONTRACT.at("/endpoints/" + access)) {
            assertThat(listed).contains(row);
        }
    }

    /// T-304: from the catalogue and from nothing else.
    @Test
    void every_endpoint_of_the_catalogue_is_listed_once() {
        var listed = new ArrayList<String>();
        for (String access : new String[] {"public", "authenticated"}) {
            for (JsonNode row : served.body().at("/endpoints/" + access)) {
                listed.add(row.get("method").asString() + " " + row.get("path").asString());
            }
        }
        assertThat(listed)
                .containsExactlyInAnyOrderElementsOf(
                        Doors.CATALOGUE.ofDoor("tasks").stream()
                                .map(each -> each.method() + " " + each.colonPath())
                                .toList());
    }

    /// T-302, T-298, T-297: what a section calls an endpoint is one.
    @Test
    void every_path_that_is_named_is_in_the_catalogue() {
        Set<String> paths = new HashSet<>();
        Doors.CATALOGUE.ofDoor("tasks").forEach((Endpoint each) -> paths.add(each.colonPath()));
        var named = new ArrayList<String>();
        for (JsonNode section : served.body()) {
            for (String name : section.propertyNames()) {
                if (name.endsWith("_endpoint")) {
                    named.add(section.get(name).asString());
                }
            }
        }
        assertThat(named).hasSizeGreaterThan(5);
        assertThat(paths).containsAll(named);
    }

    /// T-300: every field that a create takes, and no other.
    @Test
    void the_fields_at_creation_are_those_of_the_request() {
        var described = new ArrayList<String>();
        for (String part : new String[] {"required_at_creation", "optional_at_creation"}) {
            described.addAll(served.body().at("/task_fields/" + part).propertyNames());
        }
        assertThat(described)
                .containsExactlyElementsOf(
                        TaskSpecs.CREATE.fields().stream().map(Field::name).toList());
    }

    /// T-307, C-18: this and no other, and the next test shows that it is so.
    @Test
    void one_limitation_is_listed() {
        assertThat(served.body().get("limitations").values())
                .extracting(JsonNode::asString)
                .containsExactly(
                        "No payment without a person — an order is approved by somebody, never by"
                                + " an agent alone.");
    }

    /// T-307, T-193: whoever buys can ask for the money to be taken as often as it likes.
    @Test
    void an_agent_alone_pays_for_nothing() {
        TaskApi agent = server.account("free");
        String order = "{\"planId\":\"basic\"}";
        String purchase = agent.api().post("/v1/billing/checkout", order).text("/purchaseId");
        assertThat(purchase).isNotEmpty();
        for (int i = 0; i < 2; i++) {
            Reply refused =
                    agent.api()
                            .post(
                                    "/v1/billing/verify",
                                    "{\"purchaseId\":\"%s\"}".formatted(purchase));
            assertThat(refused.status()).as(refused.text()).isEqualTo(402);
            assertThat(refused.error()).isEqualTo("payment_failed");
        }
        assertThat(agent.api().get("/v1/billing/status").text("/plan")).isEqualTo("free");
        assertThat(PAYPAL.captures()).isZero();
    }

    /// T-307, C-18: what the first contract said that it cannot do is done now, each in a few
    /// requests, and so none of it is listed.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Rate limiting uses in-memory stores",
                "No priority aging",
                "No force-cancel of claimed tasks",
                "No webhook or push notifications",
                "No workflow DAGs",
                "No task type registry",
                "Background lease expiry job runs in a single process"
            })
    void a_limitation_of_the_first_contract_is_gone(String limitation) {
        boolean gone =
                switch (limitation.split(" ")[limitation.startsWith("No ") ? 1 : 0]) {
                    case "Rate" -> countersAreStored();
                    case "priority" -> prioritiesAge();
                    case "force-cancel" -> claimedTasksAreCancelledByForce();
                    case "webhook" -> changesAreToldOf();
                    case "workflow" -> tasksWaitForOthers();
                    case "task" -> typesAreRegistered();
                    case "Background" -> everyNodeEndsLeases();
                    default -> throw new IllegalArgumentException(limitation);
                };
        assertThat(gone).isTrue();
    }

    private static boolean countersAreStored() {
        TaskApi counted = server.account("free");
        counted.create("t");
        Long rows =
                server.database()
                        .value(
                                "select count(*) from allowance where account_id = ?::uuid",
                                counted.accountId());
        assertThat(served.text("/rate_limits/note")).doesNotContain("in-memory", "per-process");
        return rows != null && rows > 0;
    }

    /// For types that say so; without it, one that waited however long stays behind.
    private static boolean prioritiesAge() {
        TaskApi tasks = server.account();
        register(tasks, "aging", "{\"agingSeconds\":10}");
        String old = tasks.create("aging", "\"priority\":1");
        tasks.create("literal", "\"priority\":1");
        server.clock().advance(Duration.ofMinutes(10));
        tasks.create("aging", "\"priority\":2");
        String fresh = tasks.create("literal", "\"priority\":2");
        return tasks.claim("aging").text("/task/id").equals(old)
                && tasks.claim("literal").text("/task/id").equals(fresh);
    }

    private static Reply register(TaskApi tasks, String type, String body) {
        Reply reply = tasks.api().send("PUT", "/v1/types/" + type, body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply;
    }

    private static boolean claimedTasksAreCancelledByForce() {
        TaskApi tasks = server.account();
        String id = tasks.create("t");
        tasks.claim("t");
        tasks.verb(id, "cancel", "{\"force\":true}");
        return tasks.status(id).equals("cancelled");
    }

    private static boolean changesAreToldOf() {
        TaskApi tasks = server.account();
        String id = tasks.create("t");
        Reply hook =
                tasks.api()
                        .post(
                                "/v1/webhooks",
                                "{\"url\":\"https://93.184.216.34/\",\"events\":[\"task.created\"]}");
        Reply stream = tasks.api().get("/v1/events/stream?seconds=0");
        return hook.status() == 201 && stream.text().contains(id);
    }

    private static boolean tasksWaitForOthers() {
        TaskApi tasks = server.account();
        String parent = tasks.create("parent");
        String child = tasks.create("child", "\"dependsOn\":[\"%s\"]".formatted(parent));
        boolean waited = tasks.claim("child").at("/task").isNull();
        tasks.verb(parent, "claim");
        tasks.verb(parent, "complete");
        server.kernel().kernel().sweepOnce("dependency-resolver");
        return waited && tasks.claim("child").text("/task/id").equals(child);
    }

    private static boolean typesAreRegistered() {
        TaskApi tasks = server.account();
        register(tasks, "page", "{\"payloadSchema\":{\"required\":[\"url\"]}}");
        Reply refused = tasks.api().post("/v1/tasks", "{\"type\":\"page\",\"payload\":{}}");
        return refused.status() == 400 && refused.text("/message").contains("payload.url");
    }

    private static boolean everyNodeEndsLeases() {
        TaskApi tasks = server.account();
        String id = tasks.create("t", "\"leaseDurationSeconds\":30");
        tasks.claim("t");
        server.clock().advance(Duration.ofSeconds(31));
        try (Kernel other = server.kernel().anotherNode(options -> options)) {
            other.sweepOnce("lease-reaper");
        }
        return tasks.status(id).equals("pending");
    }

    /// T-263, C-05: the one object is both the description and the contract of this answer.
    @Test
    void the_contract_is_described_and_given() {
        JsonNode contract = served.body().get("agent_contract");
        assertThat(contract.get("version").asString()).isEqualTo("1");
        assertThat(contract.get("retryable").isBoolean()).isTrue();
        assertThat(contract.get("next_actions").get(0).get("action").asString())
                .isEqualTo("authenticate");
        assertThat(contract.get("structure").propertyNames())
                .containsExactlyElementsOf(
                        TaskSpecs.CONTRACT.fields().stream().map(Field::name).toList());
    }
}
