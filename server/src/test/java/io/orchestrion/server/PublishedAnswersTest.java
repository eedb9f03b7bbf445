package io.orchestrion.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;

/// The check that every test's answers go through sees an answer that is not as published.
class PublishedAnswersTest {
    private static final String JSON = "application/json";

    private static Reply reply(int status, String type, String text) {
        HttpHeaders headers =
                HttpHeaders.of(
                        Map.of("X-Request-Id", List.of("req_1"), "Content-Type", List.of(type)),
                        (_, _) -> true);
        return new Reply(
                status,
                headers,
                text,
                type.equals(JSON) && !text.isEmpty()
                        ? JsonMapper.shared().readTree(text)
                        : MissingNode.getInstance());
    }

    private static void check(String method, String path, Reply reply) {
        new CatalogueCheck().check(method, path, reply);
    }

    private static ObjectNode error(String code) {
        var body =
                (ObjectNode)
                        CatalogueCheck.PUBLISHED
                                .document()
                                .at("/components/examples/invalid_request/value")
                                .deepCopy();
        return body.put("error", code).put("request_id", "req_1");
    }

    /// T-311, C-22: only the errors that an operation publishes, only under their status.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    GET  | /v1/tasks/some          | 404 | task_not_found     | true
                    GET  | /v1/tasks/some?a=b      | 404 | task_not_found     | true
                    GET  | /v1/tasks/some          | 404 | key_gone           | false
                    GET  | /v1/tasks/some          | 409 | task_not_found     | false
                    GET  | /v1/tasks/some          | 409 | lease_expired      | false
                    POST | /v1/tasks/some/complete | 409 | lease_expired      | true
                    POST | /v1/tasks               | 409 | lease_expired      | false
                    POST | /v1/tasks/claim         | 404 | task_not_found     | false
                    GET  | /v1/nothing             | 404 | not_found          | true
                    GET  | /v1/nothing             | 404 | made_up            | false
                    PUT  | /v1/tasks               | 405 | method_not_allowed | true
                    GET  | /v1/tasks               | 431 | invalid_request    | true
                    GET  | /v1/tasks               | 431 | server_error       | false
                    GET  | /health                 | 503 | overloaded         | true
                    GET  | /health                 | 429 | rate_limited       | false
                    GET  | /v1/capabilities        | 429 | rate_limited       | true
                    """)
    void an_error_passes_only_where_it_is_published(
            String method, String path, int status, String code, boolean passes) {
        Reply reply = reply(status, JSON, error(code).toString());
        if (passes) {
            check(method, path, reply);
        } else {
            assertThatThrownBy(() -> check(method, path, reply))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("not as published");
        }
    }

    /// T-311: a body that lacks, adds or changes something.
    @Test
    void a_body_must_be_as_published() {
        var body =
                (ObjectNode)
                        CatalogueCheck.PUBLISHED
                                .document()
                                .at(
                                        "/paths/~1v1~1tasks~1{id}/get/responses/200/content"
                                                + "/application~1json/example");
        check("GET", "/v1/tasks/some", reply(200, JSON, body.toString()));
        var lacking = body.deepCopy();
        ((ObjectNode) lacking.get("task")).remove("payload");
        refused(200, JSON, lacking.toString());
        var more = body.deepCopy();
        more.put("extra", 1);
        refused(200, JSON, more.toString());
        var changed = body.deepCopy();
        ((ObjectNode) changed.get("task")).put("status", "open");
        refused(200, JSON, changed.toString());
        var deep = body.deepCopy();
        ((ObjectNode) deep.at("/agent_contract/next_actions/0")).remove("available");
        refused(200, JSON, deep.toString());
        refused(200, "text/html", body.toString());
        refused(201, JSON, body.toString());
    }

    private static void refused(int status, String type, String body) {
        assertThatThrownBy(() -> check("GET", "/v1/tasks/some", reply(status, type, body)))
                .isInstanceOf(AssertionError.class);
    }

    /// T-311: answers that are no JSON.
    @Test
    void text_and_empty_answers_are_checked_by_their_kind() {
        check("GET", "/llms.txt", reply(200, "text/markdown; charset=utf-8", "# x"));
        assertThatThrownBy(() -> check("GET", "/llms.txt", reply(200, JSON, "{}")))
                .hasMessageContaining("media type");
        check("GET", "/v1/schema", reply(304, "", ""));
        assertThatThrownBy(() -> check("GET", "/v1/schema", reply(304, JSON, "{}")))
                .hasMessageContaining("none is published");
        check("HEAD", "/v1/schema", reply(200, JSON, ""));
    }

    /// A literal path beats a parameter under any method, as in the router.
    @Test
    void the_word_claim_is_never_an_id() {
        assertThat(CatalogueCheck.PUBLISHED.knows("GET", "/v1/tasks/some")).isTrue();
        assertThat(CatalogueCheck.PUBLISHED.knows("GET", "/v1/tasks/claim")).isFalse();
        assertThat(CatalogueCheck.PUBLISHED.knows("POST", "/v1/tasks/claim")).isTrue();
    }
}
