package io.orchestrion.server.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Access;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.HashSet;

class ToolTest {
    private static final SchemaRegistry SCHEMAS =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private static TestServer server;
    private static Reply manifest;

    @BeforeAll
    static void start() {
        server = new TestServer();
        manifest = server.anonymous().get("/v1/tool");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static JsonNode tool(String name) {
        return manifest.at("/tools").values().stream()
                .filter(each -> each.get("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /// T-017, T-309: one for each authenticated operation and no other.
    @Test
    void every_authenticated_operation_is_a_tool() {
        assertThat(manifest.at("/tools").values())
                .extracting(
                        tool ->
                                tool.at("/_meta/http/method").asString()
                                        + " "
                                        + tool.at("/_meta/http/path").asString())
                .containsExactlyElementsOf(
                        Doors.CATALOGUE.ofDoor("tasks").stream()
                                .filter(endpoint -> endpoint.access() == Access.KEY)
                                .map(endpoint -> endpoint.method() + " " + endpoint.path())
                                .toList());
        var names = new HashSet<String>();
        for (JsonNode tool : manifest.at("/tools")) {
            assertThat(tool.get("name").asString()).matches("[a-z][a-z_]{2,63}");
            assertThat(names.add(tool.get("name").asString())).isTrue();
            assertThat(tool.get("description").asString()).isNotBlank();
            assertThat(tool.at("/inputSchema/type").asString()).isEqualTo("object");
        }
        assertThat(manifest.text("/authentication/header")).isEqualTo("Authorization");
    }

    /// T-309: the bounds of a new task.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    type                 | minLength  | 1
                    type                 | maxLength  | 100
                    type                 | pattern    | ^[A-Za-z0-9_-]+$
                    payload              | type       | object
                    payload              | x-maxBytes | 65536
                    payload              | x-maxDepth | 5
                    priority             | minimum    | 0
                    priority             | maximum    | 100
                    priority             | default    | 0
                    maxAttempts          | minimum    | 1
                    maxAttempts          | maximum    | 10
                    maxAttempts          | default    | 3
                    leaseDurationSeconds | minimum    | 30
                    leaseDurationSeconds | maximum    | 3600
                    leaseDurationSeconds | default    | 300
                    scheduledAt          | format     | date-time
                    idempotencyKey       | maxLength  | 255
                    """)
    void the_bounds_are_those_that_are_enforced(String field, String keyword, String value) {
        JsonNode schema = tool("create_task").at("/inputSchema/properties/" + field);
        assertThat(schema.get(keyword).asString()).isEqualTo(value);
    }

    /// T-309: a validator reads the schemas as meant; path and query arguments are in them.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    create_task   | {"type":"a","payload":{}}                 | true
                    create_task   | {"type":"a"}                              | false
                    create_task   | {"type":"a b","payload":{}}               | false
                    create_task   | {"type":"a","payload":{},"priority":101}  | false
                    create_task   | {"type":"a","payload":{},"priorty":1}     | false
                    get_task      | {"id":"x"}                                | true
                    get_task      | {}                                        | false
                    list_tasks    | {"status":"pending","limit":100}          | true
                    list_tasks    | {"limit":101}                             | false
                    list_tasks    | {"status":"open"}                         | false
                    fail_task     | {"id":"x","retry_after_seconds":86400}    | true
                    fail_task     | {"id":"x","retry_after_seconds":86401}    | false
                    complete_task | {"id":"x","result":[]}                    | false
                    """)
    void arguments_are_checked_as_the_server_does(String tool, String arguments, boolean fits) {
        var schema = SCHEMAS.getSchema(tool(tool).get("inputSchema").toString());
        assertThat(schema.validate(arguments, InputFormat.JSON).isEmpty()).isEqualTo(fits);
    }

    /// T-309: what MCP clients ask the user about.
    @ParameterizedTest
    @CsvSource({
        "get_task, true, false, true",
        "list_tasks, true, false, true",
        "create_task, false, false, false",
        "cancel_task, false, true, false"
    })
    void hints_say_what_a_tool_does_to_the_world(
            String name, boolean reads, boolean destroys, boolean repeats) {
        JsonNode hints = tool(name).get("annotations");
        assertThat(hints.get("readOnlyHint").asBoolean()).isEqualTo(reads);
        assertThat(hints.get("destructiveHint").asBoolean()).isEqualTo(destroys);
        assertThat(hints.get("idempotentHint").asBoolean()).isEqualTo(repeats);
    }

    /// T-017, T-309: a client that knows nothing but the manifest can do the work.
    @Test
    void the_manifest_alone_is_enough_to_work_with() {
        TaskApi account = server.account();
        Reply created = call(account, "create_task", "{\"type\":\"t\",\"payload\":{\"n\":1}}");
        assertThat(created.status()).isEqualTo(201);
        String id = created.text("/task/id");
        assertThat(call(account, "claim_next_task", "{\"type\":\"t\"}").text("/task/id"))
                .isEqualTo(id);
        String about = "{\"id\":\"%s\"%s}";
        assertThat(call(account, "heartbeat_task", about.formatted(id, "")).status())
                .isEqualTo(200);
        assertThat(
                        call(
                                        account,
                                        "complete_task",
                                        about.formatted(id, ",\"result\":{\"ok\":true}"))
                                .text("/task/status"))
                .isEqualTo("completed");
        assertThat(
                        call(account, "list_tasks", "{\"status\":\"completed\",\"limit\":5}")
                                .at("/tasks")
                                .size())
                .isEqualTo(1);
    }

    private static Reply call(TaskApi account, String name, String arguments) {
        JsonNode http = tool(name).at("/_meta/http");
        var left = (ObjectNode) JsonMapper.shared().readTree(arguments);
        String path = http.get("path").asString();
        for (JsonNode argument : http.get("path_arguments")) {
            String value = left.remove(argument.asString()).asString();
            path = path.replace("{" + argument.asString() + "}", value);
        }
        var query = new StringBuilder();
        for (JsonNode argument : http.get("query_arguments")) {
            JsonNode value = left.remove(argument.asString());
            if (value != null) {
                query.append(query.isEmpty() ? '?' : '&')
                        .append(argument.asString())
                        .append('=')
                        .append(value.asString());
            }
        }
        String method = http.get("method").asString();
        return account.api()
                .send(method, path + query, method.equals("GET") ? null : left.toString());
    }
}
