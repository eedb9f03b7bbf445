package io.orchestrion.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.webhooks.Sender;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/// The door's errors: problem documents throughout, each with a page.
@Timeout(180)
class JobsErrorsTest extends JobsFixture {
    private static final String NOBODY = "01970000-0000-7000-8000-000000000000";

    static Stream<Endpoint> endpoints() {
        return Doors.CATALOGUE.ofDoor(JobsDoor.NAME).stream();
    }

    private static String path(Endpoint endpoint) {
        return endpoint.path().replaceAll("\\{[^/]*}", NOBODY);
    }

    private static boolean page(Endpoint endpoint) {
        return endpoint.path().startsWith("/problems");
    }

    private static void refused(Reply reply, int status, JobsError error) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.text("/code")).isEqualTo(error.code());
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
    }

    /// J-319, J-320, J-321, J-324.
    @Test
    void an_error_is_a_problem_document() {
        Reply reply =
                jobs.keyed().with("Accept", "application/json").get(JobsApi.JOBS + "/" + NOBODY);
        refused(reply, 404, JobsError.JOB_NOT_FOUND);
        assertThat(reply.text("/type")).isEqualTo("/problems/RFA_JOB_NOT_FOUND");
        assertThat(reply.text("/title")).isEqualTo("No such job");
        assertThat(reply.number("/status")).isEqualTo(404);
        assertThat(reply.text("/detail")).isNotEmpty();
        assertThat(reply.text("/instance")).isEqualTo(reply.header("X-Request-Id"));
    }

    @Test
    void the_word_of_a_delivery_without_an_answer_is_a_code_of_the_door() {
        assertThat(JobsError.DEPENDENCY_TIMEOUT.code()).isEqualTo(Sender.TIMED_OUT);
    }

    /// J-319: and every code is there once.
    @Test
    void every_code_is_of_the_door_and_explained() {
        var codes = new HashSet<String>();
        for (JobsError error : JobsError.values()) {
            assertThat(error.code()).startsWith("RFA_");
            assertThat(codes.add(error.code())).isTrue();
            assertThat(error.title()).isNotBlank();
            assertThat(error.meaning()).endsWith(".");
            assertThat(error.remedy()).endsWith(".");
        }
    }

    /// The type of a problem leads to a page, for programs and for people, without a key.
    @ParameterizedTest
    @EnumSource(JobsError.class)
    void every_type_has_a_page(JobsError error) {
        Reply json = jobs.plain().get(error.type());
        assertThat(json.status()).isEqualTo(200);
        assertThat(json.text("/code")).isEqualTo(error.code());
        assertThat(json.number("/status")).isEqualTo(error.status());
        assertThat(json.text("/remedy")).isEqualTo(error.remedy());
        Reply html = jobs.plain().with("Accept", "text/html,*/*;q=0.8").get(error.type());
        assertThat(html.status()).isEqualTo(200);
        assertThat(html.header("Content-Type")).startsWith("text/html");
        assertThat(html.text()).contains(error.code(), error.title());
    }

    @Test
    void an_unknown_type_has_no_page_and_all_are_listed() {
        refused(jobs.plain().get("/problems/RFA_NOTHING"), 404, JobsError.REQUEST_NOT_FOUND);
        assertThat(jobs.plain().get("/problems").at("/problems"))
                .hasSize(JobsError.values().length);
        assertThat(jobs.plain().with("Accept", "text/html").get("/problems").text())
                .contains("RFA_JOB_NOT_FOUND");
    }

    /// J-299: with an Allow header.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PUT    | /v1/jobs            | GET, HEAD, POST
                    PATCH  | /v1/jobs/x          | DELETE, GET, HEAD
                    GET    | /v1/jobs/x/cancel   | POST
                    DELETE | /v1/jobs/x/report   | GET, HEAD
                    GET    | /v1/clients         | POST
                    GET    | /v1/clients/x/keys  | POST
                    PUT    | /v1/clients/x/keys/renew | POST
                    """)
    void a_wrong_method_is_answered_with_those_that_are_right(
            String method, String path, String allowed) {
        Reply reply = jobs.keyed().send(method, path, "{}");
        refused(reply, 405, JobsError.REQUEST_METHOD_NOT_ALLOWED);
        assertThat(reply.header("Allow")).isEqualTo(allowed);
    }

    /// J-298 on every endpoint that takes a body.
    @ParameterizedTest
    @MethodSource("endpoints")
    void a_body_that_is_not_json_is_not_supported(Endpoint endpoint) {
        if (endpoint.request() == null) {
            return;
        }
        for (String type : List.of("text/plain", "application/xml", "application/json;charset=x")) {
            refused(
                    jobs.keyed()
                            .with("Content-Type", type)
                            .send(endpoint.method(), path(endpoint), "{}"),
                    415,
                    JobsError.REQUEST_UNSUPPORTED_MEDIA_TYPE);
        }
    }

    /// J-300, J-324, C-56: only when neither form of JSON is taken.
    @ParameterizedTest
    @MethodSource("endpoints")
    void a_caller_that_takes_no_json_is_told_so(Endpoint endpoint) {
        if (page(endpoint)) {
            return;
        }
        String body = endpoint.request() == null ? null : "{}";
        for (String accept :
                List.of("text/html", "image/*", "application/json;q=0,text/html", "text/*;q=1")) {
            refused(
                    jobs.keyed()
                            .with("Accept", accept)
                            .send(endpoint.method(), path(endpoint), body),
                    406,
                    JobsError.REQUEST_NOT_ACCEPTABLE);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/problem+json",
                "*/*",
                "application/*",
                "text/html, */*;q=0.1",
                "text/html;q=0.9, application/json ; q=0.5",
                "APPLICATION/JSON"
            })
    void a_caller_that_takes_json_in_some_form_is_served(String accept) {
        assertThat(jobs.keyed().with("Accept", accept).get(JobsApi.JOBS).status()).isEqualTo(200);
    }

    /// J-056: those for which no key is needed, by their names.
    @Test
    void every_other_endpoint_asks_for_a_key() {
        assertThat(
                        endpoints()
                                .filter(endpoint -> endpoint.access() == Access.PUBLIC)
                                .map(Endpoint::name))
                .containsExactlyInAnyOrder(
                        "createClient",
                        "createClientKey",
                        "getJobsReadiness",
                        "listProblems",
                        "getProblem");
    }

    /// J-056, J-217, J-303 on every endpoint but those for which no key is needed.
    @ParameterizedTest
    @MethodSource("endpoints")
    void without_a_key_nothing_is_served(Endpoint endpoint) {
        if (endpoint.access() == Access.PUBLIC) {
            return;
        }
        refused(
                jobs.plain()
                        .send(
                                endpoint.method(),
                                path(endpoint),
                                endpoint.request() == null ? null : "{}"),
                401,
                JobsError.AUTH_INVALID_CREDENTIALS);
    }

    /// J-297: invalid JSON on every endpoint that takes a body.
    @ParameterizedTest
    @MethodSource("endpoints")
    void a_malformed_body_is_a_problem_everywhere(Endpoint endpoint) {
        if (endpoint.request() == null) {
            return;
        }
        for (String body : List.of("{", "[]", "\"x\"", "{\"a\":1}x", "{\"surprise\":1}")) {
            refused(
                    jobs.keyed().send(endpoint.method(), path(endpoint), body),
                    400,
                    JobsError.REQUEST_MALFORMED);
        }
    }

    /// J-301 on every endpoint that takes a body.
    @ParameterizedTest
    @MethodSource("endpoints")
    void a_body_that_is_too_long_is_refused(Endpoint endpoint) {
        if (endpoint.request() == null) {
            return;
        }
        refused(
                jobs.keyed()
                        .send(
                                endpoint.method(),
                                path(endpoint),
                                "{\"a\":\"" + "x".repeat(endpoint.maxBodyBytes()) + "\"}"),
                413,
                JobsError.REQUEST_PAYLOAD_TOO_LARGE);
    }

    /// J-322: whatever is asked for, nothing is redirected and nothing is "not modified".
    @ParameterizedTest
    @CsvSource({
        "GET, /v1/jobs/, 404",
        "POST, /v1/jobs/, 404",
        "GET, /v1//jobs, 404",
        "GET, /v1/jobs/x/, 404",
        "POST, /v1/clients/, 404",
        "GET, /problems/, 404",
        "GET, /v1/jobs/x/y/z, 404"
    })
    void a_path_that_only_looks_right_is_not_found(String method, String path, int status) {
        Reply reply = jobs.keyed().send(method, path, method.equals("POST") ? "{}" : null);
        assertThat(reply.status()).isEqualTo(status);
    }

    /// J-322, J-323.
    @Test
    void a_conditional_request_gets_the_whole_answer() {
        String id = jobs.execute("SUCCESS_FAST");
        Reply reply =
                jobs.keyed()
                        .with("If-Modified-Since", "Wed, 21 Oct 2099 07:28:00 GMT")
                        .with("If-None-Match", "*")
                        .get(JobsApi.JOBS + "/" + id);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text("/job_id")).isEqualTo(id);
    }

    /// C-64: what nobody has under /v1 is told in both forms, so that clients of either understand.
    @ParameterizedTest
    @ValueSource(strings = {"/v1/nothing", "/v1/jobs/x/nothing", "/v1/clients/x", "/v1"})
    void an_unknown_path_is_told_in_the_words_of_both_doors(String path) {
        Reply reply = jobs.keyed().get(path);
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.text("/code")).isEqualTo("RFA_REQUEST_NOT_FOUND");
        assertThat(reply.text("/type")).isEqualTo("/problems/RFA_REQUEST_NOT_FOUND");
        assertThat(reply.text("/title")).isNotEmpty();
        assertThat(reply.number("/status")).isEqualTo(404);
        assertThat(reply.text("/detail")).isNotEmpty();
        assertThat(reply.text("/instance")).isEqualTo(reply.header("X-Request-Id"));
        assertThat(reply.error()).isEqualTo("not_found");
        assertThat(reply.text("/message")).isNotEmpty();
        assertThat(reply.text("/request_id")).isEqualTo(reply.header("X-Request-Id"));
        assertThat(reply.at("/agent_contract").isObject()).isTrue();
    }

    /// A key in an address is taken for leaked.
    @Test
    void a_key_in_the_address_is_refused() {
        refused(jobs.keyed().get(JobsApi.JOBS + "?api_key=x"), 400, JobsError.REQUEST_MALFORMED);
    }

    /// J-315: apart from the server's own readiness, which runners do not decide.
    @Test
    void the_door_is_ready_when_there_are_runners() {
        refused(jobs.plain().get(JobsApi.JOBS + "/ready"), 503, JobsError.EXEC_WORKER_UNAVAILABLE);
        try (var pool = runner(server, 3)) {
            advance(Duration.ofSeconds(1));
            Until.isTrue(
                    "a runner is known",
                    Duration.ofSeconds(10),
                    () -> jobs.plain().get(JobsApi.JOBS + "/ready").status() == 200);
            assertThat(jobs.plain().get(JobsApi.JOBS + "/ready").number("/capacity")).isEqualTo(3);
            pool.stop(Duration.ofSeconds(5));
        }
        assertThat(jobs.plain().get("/ready").status()).isEqualTo(200);
    }
}
