package io.orchestrion.server.types;

import static io.orchestrion.server.types.TypeApi.refused;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.type.Types;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

class TypeRegistryTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi tasks = server.account();
    private final TypeApi types = TypeApi.of(tasks);

    /// L-013: all that can be said of a type comes back as it was said.
    @Test
    void a_type_is_registered_shown_replaced_and_deleted() {
        String all =
                """
                {"description":"One page","payloadSchema":{"type":"object"},
                 "resultSchema":{"required":["a"]},
                 "defaults":{"priority":7,"maxAttempts":9,"leaseDurationSeconds":60},
                 "agingSeconds":30,"concurrencyLimit":{"max":4},
                 "rateLimit":{"max":10,"periodSeconds":60}}
                """;
        Reply made = types.put("page", all);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.header("Location")).isEqualTo("/v1/types/page");
        JsonNode type = types.get("page").at("/type");
        assertThat(type).isEqualTo(made.at("/type"));
        assertThat(type.at("/type").asString()).isEqualTo("page");
        assertThat(type.at("/description").asString()).isEqualTo("One page");
        assertThat(type.at("/payloadSchema").toString()).isEqualTo("{\"type\":\"object\"}");
        assertThat(type.at("/resultSchema").toString()).isEqualTo("{\"required\":[\"a\"]}");
        assertThat(type.at("/defaults").toString())
                .isEqualTo("{\"priority\":7,\"maxAttempts\":9,\"leaseDurationSeconds\":60}");
        assertThat(type.at("/agingSeconds").asInt()).isEqualTo(30);
        assertThat(type.at("/concurrencyLimit/max").asInt()).isEqualTo(4);
        assertThat(type.at("/rateLimit").toString()).isEqualTo("{\"max\":10,\"periodSeconds\":60}");
        assertThat(type.at("/paused").asBoolean()).isFalse();

        server.clock().advance(Duration.ofSeconds(5));
        Reply replaced = types.put("page", "{}");
        assertThat(replaced.status()).isEqualTo(200);
        for (String field :
                List.of(
                        "description",
                        "payloadSchema",
                        "resultSchema",
                        "agingSeconds",
                        "concurrencyLimit",
                        "rateLimit")) {
            assertThat(replaced.at("/type/" + field).isNull()).as(field).isTrue();
        }
        assertThat(replaced.at("/type/createdAt")).isEqualTo(type.at("/createdAt"));
        assertThat(replaced.text("/type/updatedAt"))
                .isGreaterThan(type.at("/updatedAt").asString());

        assertThat(types.delete("page").status()).isEqualTo(200);
        refused(types.get("page"), 404, "type_not_found", "PUT /v1/types");
        refused(types.delete("page"), 404, "type_not_found");
    }

    /// Only the registration goes.
    @Test
    void tasks_of_a_deleted_type_stay_and_can_be_claimed() {
        types.register("short", "{\"agingSeconds\":10}");
        String id = tasks.create("short");
        types.verb("short", "pause");
        assertThat(tasks.claim("short").at("/task").isNull()).isTrue();
        types.delete("short");
        assertThat(tasks.claim("short").text("/task/id")).isEqualTo(id);
    }

    @Test
    void types_are_listed_by_name_page_by_page_without_their_schemas() {
        for (String name : List.of("b", "d", "a", "e", "c")) {
            types.register(name, "{\"payloadSchema\":{}}");
        }
        var seen = new ArrayList<String>();
        String cursor = "";
        for (int page = 0; page < 3; page++) {
            Reply reply = tasks.api().get("/v1/types?limit=2" + cursor);
            reply.at("/types")
                    .forEach(
                            type -> {
                                seen.add(type.get("type").asString());
                                assertThat(type.has("payloadSchema")).isFalse();
                                assertThat(type.get("payloadChecked").asBoolean()).isTrue();
                                assertThat(type.get("resultChecked").asBoolean()).isFalse();
                            });
            cursor = "&cursor=" + reply.text("/nextCursor");
            assertThat(reply.at("/nextCursor").isNull()).isEqualTo(page == 2);
        }
        assertThat(seen).containsExactly("a", "b", "c", "d", "e");
        for (String bad : List.of("x", "MTo", "MjphYg", "MTphIGI", "%20")) {
            refused(tasks.api().get("/v1/types?cursor=" + bad), 400, "invalid_request", "cursor");
        }
        refused(tasks.api().get("/v1/types?limit=0"), 400, "invalid_request", "limit");
        refused(tasks.api().get("/v1/types?limit=101"), 400, "invalid_request", "limit");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"description":""}                                    | description
                    {"description":5}                                     | description
                    {"payloadSchema":true}                                | payloadSchema
                    {"payloadSchema":"x"}                                 | payloadSchema
                    {"resultSchema":[]}                                   | resultSchema
                    {"defaults":{"priority":101}}                         | defaults.priority
                    {"defaults":{"priority":-1}}                          | defaults.priority
                    {"defaults":{"maxAttempts":0}}                        | defaults.maxAttempts
                    {"defaults":{"leaseDurationSeconds":1}}               | defaults.leaseDurationSeconds
                    {"defaults":{"payload":{}}}                           | defaults.payload
                    {"agingSeconds":0}                                    | agingSeconds
                    {"agingSeconds":604801}                               | agingSeconds
                    {"agingSeconds":1.5}                                  | agingSeconds
                    {"concurrencyLimit":{}}                               | concurrencyLimit.max
                    {"concurrencyLimit":{"max":0}}                        | concurrencyLimit.max
                    {"rateLimit":{"max":1}}                               | rateLimit.periodSeconds
                    {"rateLimit":{"max":1,"periodSeconds":86401}}         | rateLimit.periodSeconds
                    {"rateLimit":{"periodSeconds":1}}                     | rateLimit.max
                    {"paused":true}                                       | paused
                    {"draining":true}                                     | draining
                    {"colour":"red"}                                      | colour
                    """)
    void a_bad_field_is_named(String body, String field) {
        refused(types.put("bad", body), 400, "invalid_request", field);
        refused(types.get("bad"), 404, "type_not_found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%20b", "a.b", "%C3%A4"})
    void a_name_that_no_task_can_have_is_refused(String name) {
        refused(types.put(name, "{}"), 400, "invalid_request", "type must be 1 to 100");
        refused(types.get(name), 404, "type_not_found");
        refused(types.verb(name, "pause"), 404, "type_not_found");
    }

    @Test
    void a_name_has_a_hundred_characters_at_most() {
        types.register("n".repeat(100), "{}");
        refused(types.put("n".repeat(101), "{}"), 400, "invalid_request", "1 to 100");
    }

    @Test
    void the_settings_are_shown_and_changed() {
        assertThat(tasks.api().get("/v1/settings").at("/settings/strictTypes").asBoolean())
                .isFalse();
        types.strict(true);
        assertThat(tasks.api().get("/v1/settings").at("/settings/strictTypes").asBoolean())
                .isTrue();
        Reply nothing = tasks.api().send("PATCH", "/v1/settings", "{}");
        assertThat(nothing.at("/settings/strictTypes").asBoolean()).isTrue();
        refused(
                tasks.api().send("PATCH", "/v1/settings", "{\"strictTypes\":\"yes\"}"),
                400,
                "invalid_request",
                "strictTypes");
    }

    /// L-013: free-form by default; in strict mode a type must be registered.
    @Test
    void strict_mode_takes_registered_types_only() {
        tasks.create("anything");
        types.register("known", "{}");
        types.strict(true);
        refused(
                tasks.api().post("/v1/tasks", "{\"type\":\"anything\",\"payload\":{}}"),
                400,
                "invalid_request",
                "type must be registered",
                "PUT /v1/types/anything");
        tasks.create("known");
        types.strict(false);
        tasks.create("anything");
    }

    /// L-013: what the producer says goes before what the type says, which goes before the rest.
    @Test
    void defaults_hold_where_the_producer_says_nothing() {
        types.register(
                "slow",
                "{\"defaults\":{\"priority\":7,\"maxAttempts\":9,\"leaseDurationSeconds\":60}}");
        JsonNode task = tasks.get(tasks.create("slow")).at("/task");
        assertThat(task.get("priority").asInt()).isEqualTo(7);
        assertThat(task.get("maxAttempts").asInt()).isEqualTo(9);
        assertThat(task.get("leaseDurationSeconds").asInt()).isEqualTo(60);
        JsonNode said =
                tasks.get(tasks.create("slow", "\"priority\":0,\"maxAttempts\":3")).at("/task");
        assertThat(said.get("priority").asInt()).isZero();
        assertThat(said.get("maxAttempts").asInt()).isEqualTo(3);
        assertThat(said.get("leaseDurationSeconds").asInt()).isEqualTo(60);
        types.register("slow", "{\"defaults\":{\"priority\":8}}");
        JsonNode rest = tasks.get(tasks.create("slow")).at("/task");
        assertThat(rest.get("priority").asInt()).isEqualTo(8);
        assertThat(rest.get("maxAttempts").asInt())
                .isEqualTo(tasks.get(tasks.create("free")).number("/task/maxAttempts"));
    }

    /// A repeated create is answered as the first one was, whatever was said of the type since.
    @Test
    void a_create_that_is_repeated_is_answered_though_the_type_has_changed() {
        String body = "{\"type\":\"once\",\"payload\":{},\"idempotencyKey\":\"k\"}";
        Reply first = tasks.api().post("/v1/tasks", body);
        types.register("once", "{\"payloadSchema\":{\"required\":[\"url\"]}}");
        Reply again = tasks.api().post("/v1/tasks", body);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(again.text()).isEqualTo(first.text());
        refused(
                tasks.api().post("/v1/tasks", body.replace("\"k\"", "\"l\"")),
                400,
                "invalid_request",
                "payload.url: is required");
        // The refused key was not used up.
        types.register("once", "{}");
        assertThat(tasks.api().post("/v1/tasks", body.replace("\"k\"", "\"l\"")).status())
                .isEqualTo(201);
    }

    @Test
    void an_account_sees_and_changes_its_own_types_only() {
        TaskApi other = server.account();
        types.register("mine", "{\"payloadSchema\":{\"required\":[\"url\"]}}");
        types.strict(true);
        TypeApi others = TypeApi.of(other);
        refused(others.get("mine"), 404, "type_not_found");
        refused(others.delete("mine"), 404, "type_not_found");
        for (String verb : List.of("pause", "resume", "drain")) {
            refused(others.verb("mine", verb), 404, "type_not_found");
        }
        assertThat(other.api().get("/v1/types").at("/types").isEmpty()).isTrue();
        assertThat(other.api().get("/v1/settings").at("/settings/strictTypes").asBoolean())
                .isFalse();
        other.create("mine");
        others.register("mine", "{}");
        others.verb("mine", "pause");
        assertThat(types.get("mine").at("/type/paused").asBoolean()).isFalse();
    }

    @Test
    void an_operator_changes_types_and_any_key_reads_them() {
        types.register("seen", "{}");
        for (String scope : List.of("producer", "worker", "operator")) {
            Api key = withScope(scope);
            var theirs = new TypeApi(key);
            assertThat(theirs.get("seen").status()).as(scope).isEqualTo(200);
            assertThat(key.get("/v1/types").status()).as(scope).isEqualTo(200);
            assertThat(key.get("/v1/settings").status()).as(scope).isEqualTo(200);
            int expected = scope.equals("operator") ? 200 : 403;
            assertThat(theirs.put("seen", "{}").status()).as(scope).isEqualTo(expected);
            assertThat(theirs.verb("seen", "pause").status()).as(scope).isEqualTo(expected);
            assertThat(key.send("PATCH", "/v1/settings", "{}").status())
                    .as(scope)
                    .isEqualTo(expected);
        }
    }

    private Api withScope(String scope) {
        Reply made =
                tasks.api()
                        .post("/v1/keys", "{\"name\":\"k\",\"scopes\":[\"%s\"]}".formatted(scope));
        return server.anonymous().withKey(made.text("/apiKey"));
    }

    /// The bound holds when many register at once.
    @Test
    void an_account_has_so_many_types_and_no_more() {
        server.database()
                .execute(
                        """
                        insert into work_type (account_id, queue, kind, created_ms, updated_ms)
                        select '%s', 'tasks', 'n' || n, 1, 1 from generate_series(1, %d) as n
                        """
                                .formatted(UUID.fromString(tasks.accountId()), Types.MOST - 3));
        List<Integer> statuses = Parallel.run(8, i -> () -> types.put("more" + i, "{}").status());
        assertThat(statuses).filteredOn(status -> status == 201).hasSize(3);
        assertThat(statuses).filteredOn(status -> status == 400).hasSize(5);
        refused(types.put("more", "{}"), 400, "invalid_request", "1000 types");
        assertThat(types.put("n1", "{\"description\":\"known\"}").status()).isEqualTo(200);
        types.delete("n1");
        assertThat(types.put("more", "{}").status()).isEqualTo(201);
    }

    /// Two who register the same type at once: one makes it, the other replaces it.
    @Test
    void one_of_many_that_register_the_same_type_makes_it() {
        List<Integer> statuses = Parallel.run(8, i -> () -> types.put("same", "{}").status());
        assertThat(statuses).filteredOn(status -> status == 201).hasSize(1);
        assertThat(statuses).filteredOn(status -> status == 200).hasSize(7);
    }
}
