package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

/// Whatever comes in as a body: it is refused in the contract's form and leaves no trace.
class MalformedBodiesTest {
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
    private String held;
    private List<String> before;

    @BeforeEach
    void holdATask() {
        held = tasks.create("held");
        tasks.claim("held");
        before = Storage.of(server).tasksOf(tasks.accountId());
    }

    /// Every endpoint that takes a body.
    private List<String> posts() {
        var paths = new ArrayList<String>();
        for (Requests request : Requests.authenticated(held)) {
            if (request.method().equals("POST")) {
                paths.add(request.path());
            }
        }
        return paths;
    }

    private void refused(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo("invalid_request");
        assertThat(reply.text("/message")).isNotBlank();
        assertThat(reply.text("/agent_contract/next_actions/0/action")).isEqualTo("fix_request");
        assertThat(reply.text("/agent_contract/next_actions/0/recommended")).isEqualTo("true");
        assertThat(reply.text()).doesNotContain("jackson", "java.", "Exception");
    }

    private void nothingChanged() {
        assertThat(Storage.of(server).tasksOf(tasks.accountId())).isEqualTo(before);
    }

    /// T-060, T-241, T-262.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "}",
                "{]",
                "{\"type\"}",
                "{\"type\":}",
                "{\"type\":\"a\",}",
                "{\"type\":\"a\" \"payload\":{}}",
                "{'type':'a','payload':{}}",
                "{type:\"a\",payload:{}}",
                "{\"type\":\"a\",\"payload\":{}} {}",
                "{\"type\":\"a\",\"payload\":{}}x",
                "{\"type\":\"a\",\"payload\":{\"n\":NaN}}",
                "{\"type\":\"a\",\"payload\":{\"n\":Infinity}}",
                "{\"type\":\"a\",\"payload\":{\"n\":01}}",
                "{\"type\":\"a\",\"payload\":{\"n\":.5}}",
                "{\"type\":\"a\",\"payload\":{\"n\":+1}}",
                "{\"type\":\"a\",\"payload\":{\"n\":0x1}}",
                "{\"type\":\"a\",\"payload\":{/* c */}}",
                "{\"type\":\"a\",\"payload\":{\"s\":\"\t\"}}",
                "{\"type\":\"a\",\"payload\":{\"s\":\"\\x\"}}",
                "{\"type\":\"a\",\"payload\":{\"s\":\"\\u12\"}}",
                "type=a&payload=b",
                "<task/>",
                "nil",
                " ",
                "\n"
            })
    void what_is_no_json_is_refused_everywhere(String body) {
        posts().forEach(path -> refused(tasks.api().post(path, body)));
        nothingChanged();
    }

    /// T-060.
    @ParameterizedTest
    @ValueSource(
            strings = {"[]", "[{\"type\":\"a\",\"payload\":{}}]", "\"a\"", "5", "true", "null"})
    void a_body_that_is_no_object_is_refused_everywhere(String body) {
        posts().forEach(path -> refused(tasks.api().post(path, body)));
        nothingChanged();
    }

    /// T-060: nothing at all is fine only where nothing is required.
    @Test
    void an_empty_body_is_refused_where_fields_are_required() {
        refused(tasks.api().post("/v1/tasks"));
        refused(tasks.api().post("/v1/tasks", ""));
        refused(tasks.api().post("/v1/tasks/claim"));
        nothingChanged();
    }

    /// T-060.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "multipart/form-data",
                "application/xml",
                "application/jsonp",
                "application/json; charset=utf-16",
                "json"
            })
    void another_content_type_is_refused_everywhere(String contentType) {
        var other = tasks.api().with("Content-Type", contentType);
        posts().forEach(path -> refused(other.post(path, "{\"type\":\"a\",\"payload\":{}}")));
        nothingChanged();
    }

    /// T-060: the ways in which clients write it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "Application/JSON",
                "application/json;charset=UTF-8",
                "application/json; charset=\"utf-8\""
            })
    void json_is_taken_however_it_is_written(String contentType) {
        Reply created =
                tasks.api()
                        .with("Content-Type", contentType)
                        .post("/v1/tasks", "{\"type\":\"a\",\"payload\":{}}");
        assertThat(created.status()).as(created.text()).isEqualTo(201);
    }

    /// T-060, T-241: what the database could not hold, or could hold only changed.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"s\":\"\\u0000\"}",
                "{\"s\":\"a\\u0000b\"}",
                "{\"\\u0000\":1}",
                "{\"s\":\"\\ud800\"}",
                "{\"s\":\"\\udc00\"}",
                "{\"s\":\"\\ud800x\"}",
                "{\"s\":\"\\udc00\\ud800\"}",
                "{\"\\ud800\":1}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":1,\"\\u0061\":2}",
                "{\"o\":{\"a\":1,\"a\":1}}",
                "{\"n\":1e400}",
                "{\"n\":-1e99999}",
                "{\"n\":1e-1001}",
                "{\"n\":1e999999999999999999999}"
            })
    void what_cannot_be_stored_is_refused(String document) {
        refused(create(document));
        refused(complete(document));
        nothingChanged();
    }

    private Reply create(String payload) {
        return tasks.api().post("/v1/tasks", "{\"type\":\"a\",\"payload\":%s}".formatted(payload));
    }

    private Reply complete(String result) {
        return tasks.verb(held, "complete", "{\"result\":%s}".formatted(result));
    }

    /// T-060: a number of more digits than anybody needs.
    @Test
    void an_endless_number_is_refused() {
        refused(create("{\"n\":" + "9".repeat(1001) + "}"));
        refused(complete("{\"n\":" + "9".repeat(1001) + "}"));
        nothingChanged();
    }

    /// T-060: a field twice at the top, of whatever value.
    @Test
    void a_field_given_twice_is_refused() {
        refused(tasks.api().post("/v1/tasks", "{\"type\":\"a\",\"type\":\"b\",\"payload\":{}}"));
        refused(tasks.api().post("/v1/tasks", "{\"type\":\"a\",\"payload\":{},\"payload\":{}}"));
        nothingChanged();
    }

    /// T-060: bytes that are no UTF-8, a NUL as it is, another encoding, a byte order mark.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"a\",\"payload\":{\"s\":\"\u0000\"}}",
                "{\"type\":\"a\",\"payload\":{}}\u0000",
                "\u0000",
                "{\"type\":\"a\",\"payload\":{\"s\":\"\u00ff\"}}",
                "{\"type\":\"a\",\"payload\":{\"s\":\"\u00c3\"}}",
                "{\"type\":\"a\",\"payload\":{\"s\":\"\u00c0\u0080\"}}",
                "{\"type\":\"a\",\"payload\":{\"s\":\"\u00ed\u00a0\u0080\"}}",
                "{\"type\":\"a\",\"payload\":{\"s\":\"\u00f4\u0090\u0080\u0080\"}}",
                "\u00ef\u00bb\u00bf{\"type\":\"a\",\"payload\":{}}",
                "\u00ff\u00fe{\u0000}\u0000",
                "{\u0000}\u0000"
            })
    void bytes_that_are_no_utf8_text_are_refused_everywhere(String latin1) {
        for (String path : posts()) {
            refused(Raw.post(server, tasks, path, Raw.bytes(latin1)));
        }
        nothingChanged();
    }

    /// T-060: refused before it is parsed, with or without an announced length.
    @Test
    void a_body_over_256_kilobytes_is_refused() {
        String huge = "{\"type\":\"a\",\"payload\":{}" + " ".repeat(256 * 1024) + "}";
        for (String path : posts()) {
            refused(tasks.api().post(path, huge));
        }
        refused(Raw.postChunked(server, tasks, "/v1/tasks", Raw.bytes(huge)));
        refused(tasks.api().post("/v1/tasks", "x".repeat(3 * 1024 * 1024)));
        nothingChanged();
    }

    /// T-060: 256 KB to the byte, and one more.
    @Test
    void a_body_of_exactly_256_kilobytes_is_read() {
        String small = "{\"type\":\"a\",\"payload\":{}}";
        String padded = small + " ".repeat(256 * 1024 - small.length());
        refused(tasks.api().post("/v1/tasks", padded + " "));
        nothingChanged();
        assertThat(tasks.api().post("/v1/tasks", padded).status()).isEqualTo(201);
    }

    /// T-060, T-046: as deep as the body's size allows.
    @ParameterizedTest
    @ValueSource(
            strings = {"%s", "{\"type\":\"a\",\"payload\":{\"d\":%s}}", "{\"result\":{\"d\":%s}}"})
    void a_bottomless_body_is_refused_everywhere(String template) {
        for (String nested :
                List.of(
                        "[".repeat(100_000) + "]".repeat(100_000),
                        "[".repeat(200_000),
                        "{\"a\":".repeat(40_000) + "1" + "}".repeat(40_000))) {
            posts().forEach(path -> refused(tasks.api().post(path, template.formatted(nested))));
        }
        nothingChanged();
    }

    /// T-060, T-059: an unknown field is named, on every endpoint; a key of ours is left alone.
    @Test
    void an_unknown_field_is_refused_by_name_everywhere() {
        for (String path : posts()) {
            Reply reply =
                    tasks.api().post(path, "{\"type\":\"a\",\"payload\":{},\"colour\":\"red\"}");
            refused(reply);
        }
        Reply named = tasks.api().post("/v1/tasks", "{\"type\":\"a\",\"payload\":{},\"colour\":1}");
        assertThat(named.text("/message")).contains("colour");
        nothingChanged();
    }
}
