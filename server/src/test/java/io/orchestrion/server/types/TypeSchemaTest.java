package io.orchestrion.server.types;

import static io.orchestrion.server.types.TypeApi.refused;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.tasks.Storage;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypeSchemaTest {
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

    private static final String PAGE =
            """
            {"type":"object","required":["url"],"additionalProperties":false,
             "properties":{
               "url":{"type":"string","pattern":"^https://"},
               "size":{"type":"integer","minimum":1},
               "tags":{"type":"array","maxItems":3,"items":{"type":"string"}},
               "deep":{"properties":{"a b":{"type":"null"}}}}}
            """;

    private Reply create(String payload) {
        return tasks.api()
                .post("/v1/tasks", "{\"type\":\"page\",\"payload\":%s}".formatted(payload));
    }

    /// L-014: the message names the place.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {}                                            | payload.url: is required
                    {"url":5}                                     | payload.url:
                    {"url":"http://a"}                            | payload.url:
                    {"url":"https://a","size":0}                  | payload.size:
                    {"url":"https://a","size":1.5}                | payload.size:
                    {"url":"https://a","tags":["a",7]}            | payload.tags[1]:
                    {"url":"https://a","tags":["a","b","c","d"]}  | payload.tags:
                    {"url":"https://a","more":1}                  | payload.more: is not allowed
                    {"url":"https://a","deep":{"a b":1}}          | payload.deep["a b"]:
                    """)
    void a_payload_that_breaks_the_schema_is_refused_with_its_path(String payload, String words) {
        types.register("page", "{\"payloadSchema\":%s}".formatted(PAGE));
        long before = Storage.of(server).taskCount(tasks.accountId());
        Reply reply = create(payload);
        refused(reply, 400, "invalid_request", words);
        assertThat(reply.text("/agent_contract/next_actions/0/action")).isEqualTo("fix_request");
        assertThat(Storage.of(server).taskCount(tasks.accountId())).isEqualTo(before);
    }

    @Test
    void a_payload_that_fits_is_taken() {
        types.register("page", "{\"payloadSchema\":%s}".formatted(PAGE));
        for (String payload :
                new String[] {
                    "{\"url\":\"https://a\"}",
                    "{\"url\":\"https://a\",\"size\":2.0,\"tags\":[],\"deep\":{\"a b\":null}}"
                }) {
            Reply reply = create(payload);
            assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        }
    }

    /// L-014: several faults come in one answer.
    @Test
    void all_that_is_wrong_is_said_at_once() {
        types.register("page", "{\"payloadSchema\":%s}".formatted(PAGE));
        refused(
                create("{\"size\":\"x\",\"more\":1}"),
                400,
                "invalid_request",
                "payload.url: is required",
                "payload.size:",
                "payload.more: is not allowed");
    }

    /// L-014: after a refused result the task is still the worker's.
    @Test
    void a_result_that_breaks_the_schema_is_refused_and_the_task_stays_claimed() {
        types.register(
                "sum",
                "{\"resultSchema\":{\"required\":[\"sum\"],\"properties\":{\"sum\":{\"type\":\"number\"}}}}");
        String id = tasks.create("sum");
        tasks.claim("sum");
        refused(
                tasks.verb(id, "complete", "{\"result\":{\"sum\":\"4\"}}"),
                400,
                "invalid_request",
                "result.sum:");
        // None counts as an empty one.
        refused(tasks.verb(id, "complete"), 400, "invalid_request", "result.sum: is required");
        refused(
                tasks.verb(id, "complete", "{\"outputId\":\"o\"}"),
                400,
                "invalid_request",
                "result.sum: is required");
        assertThat(tasks.status(id)).isEqualTo("claimed");
        assertThat(tasks.verb(id, "complete", "{\"result\":{\"sum\":4}}").status()).isEqualTo(200);
        assertThat(tasks.status(id)).isEqualTo("completed");
    }

    @Test
    void no_result_is_fine_where_the_schema_asks_for_nothing() {
        types.register("lax", "{\"resultSchema\":{\"properties\":{\"n\":{\"type\":\"number\"}}}}");
        String id = tasks.create("lax");
        tasks.claim("lax");
        assertThat(tasks.verb(id, "complete").status()).isEqualTo(200);
    }

    @Test
    void a_task_that_cannot_be_completed_says_so_whatever_the_result() {
        types.register("sum", "{\"resultSchema\":{\"required\":[\"sum\"]}}");
        String id = tasks.create("sum");
        refused(tasks.verb(id, "complete"), 409, "invalid_transition");
        refused(
                tasks.verb("0190a000-0000-7000-8000-000000000000", "complete"),
                404,
                "task_not_found");
    }

    /// L-013: a schema is held against its own grammar first, and the place is named.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"type":"strnig"}                                          | payloadSchema.type:
                    {"properties":{"a":{"minLength":-1}}}                      | payloadSchema.properties.a.minLength:
                    {"properties":{"a":5}}                                     | payloadSchema.properties.a:
                    {"required":"a"}                                           | payloadSchema.required:
                    {"pattern":"("}                                            | payloadSchema.pattern: the pattern "(" is not a regular expression
                    {"patternProperties":{"[":{}}}                             | payloadSchema.patternProperties["["]: the pattern "[" is not a regular
                    {"$ref":"https://example.com/s.json"}                      | payloadSchema.$ref: must lead to a place in this schema
                    {"items":{"$ref":"file:///etc/passwd"}}                    | payloadSchema.items.$ref: must lead
                    {"allOf":[{},{"$dynamicRef":"other.json#x"}]}              | payloadSchema.allOf[1].$dynamicRef: must lead
                    {"$ref":"#/$defs/gone"}                                    | payloadSchema.$ref: leads to no schema
                    {"$ref":"#gone"}                                           | payloadSchema.$ref: leads to no schema
                    {"$ref":"#/default","default":{"$ref":"http://a"}}         | payloadSchema.$ref: leads to no schema
                    {"$schema":"http://json-schema.org/draft-07/schema#"}      | payloadSchema.$schema: must be
                    {"items":{"$id":"https://a/b"}}                            | payloadSchema.items.$id:
                    {"properties":{"a":{"pattern":"^(?=a)"}}}                  | payloadSchema.properties.a.pattern: the pattern "^(?=a)" cannot be used: it looks ahead
                    {"patternProperties":{"(a)\\\\1":{}}}                        | cannot be used: it refers back
                    {"maxLength":1e300}                                        | payloadSchema.maxLength: must be at most 2147483647
                    {"$ref":"#"}                                               | payloadSchema: is too costly
                    {"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"} | payloadSchema: is too costly
                    """)
    void a_broken_schema_is_refused_with_its_path(String schema, String words) {
        refused(
                types.put("broken", "{\"payloadSchema\":%s}".formatted(schema)),
                400,
                "invalid_request",
                words);
        refused(
                types.put("broken", "{\"resultSchema\":%s}".formatted(schema)),
                400,
                "invalid_request",
                words.replace("payloadSchema", "resultSchema"));
        refused(types.get("broken"), 404, "type_not_found");
    }

    @Test
    void a_schema_is_at_most_64_kilobytes_long() {
        String head = "{\"payloadSchema\":{\"description\":\"";
        String fits = head + "x".repeat(65_536 - "{\"description\":\"\"}".length()) + "\"}}";
        types.register("long", fits);
        refused(
                types.put("long", fits.replace("x\"", "xx\"")),
                400,
                "invalid_request",
                "payloadSchema must be at most 65536 bytes");
    }

    /// A few lines of schema can mean billions of steps: the check gives up and says so.
    @Test
    void a_check_that_would_take_too_long_is_given_up() {
        var doubling =
                new StringBuilder("{\"properties\":{\"a\":{\"$ref\":\"#/$defs/d0\"}},\"$defs\":{");
        for (int i = 0; i < 40; i++) {
            doubling.append(
                    "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]},"
                            .formatted(i, i + 1, i + 1));
        }
        doubling.append("\"d40\":{}}}");
        types.register("page", "{\"payloadSchema\":%s}".formatted(doubling));
        refused(create("{\"a\":1}"), 400, "invalid_request", "payload: is too costly");
        assertThat(create("{}").status()).isEqualTo(201);
    }

    @Test
    void a_schema_may_refer_to_itself_below() {
        types.register(
                "page",
                "{\"payloadSchema\":{\"$id\":\"https://example.com/tree\",\"type\":\"object\","
                        + "\"properties\":{\"n\":{\"$ref\":\"#\"}}}}");
        assertThat(create("{\"n\":{\"n\":{}}}").status()).isEqualTo(201);
        refused(create("{\"n\":{\"n\":5}}"), 400, "invalid_request", "payload.n.n:");
    }

    /// The newest schema holds, also where the one before has been used.
    @Test
    void a_replaced_schema_holds_at_once() {
        types.register("page", "{\"payloadSchema\":{\"required\":[\"a\"]}}");
        refused(create("{}"), 400, "invalid_request", "payload.a");
        types.register("page", "{\"payloadSchema\":{\"required\":[\"b\"]}}");
        refused(create("{\"a\":1}"), 400, "invalid_request", "payload.b");
        types.register("page", "{}");
        assertThat(create("{}").status()).isEqualTo(201);
    }

    /// A type that an earlier version took, with a pattern that is refused today: the answer says
    /// so, other types and the server go on, and registering it anew mends it.
    @Test
    void a_kept_type_whose_pattern_is_no_longer_taken_is_answered_with_the_reason() {
        types.register("page", "{\"payloadSchema\":{\"required\":[\"a\"]}}");
        server.database()
                .execute(
                        "update work_type set payload_schema ="
                                + " '{\"properties\":{\"a\":{\"pattern\":\"^(?=a)\"}}}' where"
                                + " account_id = '"
                                + tasks.accountId()
                                + "'");
        types.verb("page", "resume");
        refused(
                create("{\"a\":\"a\"}"),
                400,
                "invalid_request",
                "payload: cannot be checked",
                "schema.properties.a.pattern: the pattern \"^(?=a)\" cannot be used",
                "register the type anew");
        assertThat(types.get("page").status()).isEqualTo(200);
        tasks.create("another");
        types.register("page", "{\"payloadSchema\":{\"properties\":{\"a\":{\"pattern\":\"^a\"}}}}");
        assertThat(create("{\"a\":\"a\"}").status()).isEqualTo(201);
    }
}
