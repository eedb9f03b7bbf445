package io.orchestrion.runs.llm;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.plan.PlanReader;
import io.orchestrion.runs.policy.Failures;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// What is made of a model's answers, and what a model is asked.
class PlanningWorkTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final UUID ACCOUNT = new UUID(1, 1);
    private static final String PLAN = "{\"agents\":[{\"subtask\":\"Look.\"}]}";
    private static final String PAYLOAD =
            "{\"run_id\":\"run_1\",\"tool\":\"run_plan\",\"input\":{\"task\":\"Find"
                    + " it.\",\"max_agents\":2}}";
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Service service = new Service();
    private long nanos;

    /// Answers by a script, and notes each call.
    private static final class Service implements Egress {
        private final List<Call> calls = new ArrayList<>();
        private final ArrayDeque<CallOutcome> script = new ArrayDeque<>();

        @Override
        public @Nullable String knownFault(String url) {
            return null;
        }

        @Override
        public @Nullable String fault(UUID account, String url) {
            return null;
        }

        @Override
        public CallOutcome call(UUID account, Call call) {
            calls.add(call);
            return script.removeFirst();
        }

        Service then(int status, String body, String... header) {
            script.add(
                    new CallOutcome.Answered(
                            status,
                            header.length == 0 ? Map.of() : Map.of(header[0], List.of(header[1])),
                            body.getBytes(StandardCharsets.UTF_8)));
            return this;
        }

        Service thenContent(String content) {
            return then(
                    200,
                    events(
                            piece("{\"content\":" + JSON.writeValueAsString(content) + "}", null),
                            piece("{}", "stop"),
                            "{\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5}}",
                            "[DONE]"));
        }

        JsonNode asked(int number) {
            return JSON.readTree(calls.get(number).body());
        }
    }

    private static String events(String... events) {
        var stream = new StringBuilder();
        Arrays.stream(events).forEach(event -> stream.append("data: " + event + "\n\n"));
        return stream.toString();
    }

    private static String piece(String delta, @Nullable String finish) {
        return "{\"choices\":[{\"index\":0,\"delta\":"
                + delta
                + ",\"finish_reason\":"
                + (finish == null ? "null" : "\"" + finish + "\"")
                + "}]}";
    }

    private Outcome plan(LlmOptions options, String payload) throws InterruptedException {
        return new LlmPlanner(
                        service,
                        options,
                        new PlanReader(new JsonSchemas(new Failpoints())),
                        PlanLimits.USUAL,
                        () -> nanos)
                .plan(ACCOUNT, payload, LONG);
    }

    private Outcome plan() throws InterruptedException {
        return plan(options(), PAYLOAD);
    }

    private static LlmOptions options() {
        return LlmOptions.of("http://llm.example/v1", new LlmKey("sk-secret"), "model-1");
    }

    private static Outcome.Completed completed(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Completed.class);
        return (Outcome.Completed) outcome;
    }

    private static WorkError failed(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed) outcome).report().error();
    }

    ///
    @Test
    void a_streamed_answer_is_put_together_and_taken_as_the_plan() throws InterruptedException {
        service.then(
                200,
                ": a comment\r\n\r\n"
                        + events(
                                        piece("{\"role\":\"assistant\",\"content\":\"\"}", null),
                                        piece("{\"content\":\"{\\\"agents\\\":[{\"}", null),
                                        piece("{\"content\":\"\\\"subtask\\\":\"}", null),
                                        piece("{\"content\":\"\\\"Look.\\\"}]}\"}", null),
                                        piece("{}", "stop"),
                                        "{\"choices\":[],\"usage\":{\"prompt_tokens\":120,\"completion_tokens\":30,"
                                            + "\"prompt_tokens_details\":{\"cached_tokens\":100}}}",
                                        "[DONE]")
                                .replace("\n", "\r\n"));

        Outcome.Completed completed = completed(plan());

        assertThat(completed.result()).isEqualTo(PLAN);
        assertThat(JSON.readTree(completed.report().usage()))
                .isEqualTo(
                        JSON.readTree(
                                "{\"tokens\":150,\"prompt_tokens\":120,\"cached_tokens\":100,"
                                        + "\"completion_tokens\":30,\"model\":\"model-1\"}"));
    }

    ///
    @Test
    void the_arguments_of_a_tool_are_taken_as_the_plan() throws InterruptedException {
        service.then(
                200,
                events(
                        piece(
                                "{\"content\":null,\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":"
                                    + "{\"name\":\"look_around\",\"arguments\":\"{}\"}},"
                                    + "{\"index\":1,\"id\":\"d\",\"function\":{\"name\":\"run_plan\",\"arguments\":\"\"}}]}",
                                null),
                        piece(
                                "{\"tool_calls\":[{\"index\":1,\"function\":{\"arguments\":\"{\\\"agents\\\":\"}}]}",
                                null),
                        piece(
                                "{\"tool_calls\":[{\"index\":1,\"function\":{\"arguments\":\"[{\\\"subtask\\\":\\\"Look.\\\"}]}\"}}]}",
                                null),
                        piece("{}", "tool_calls"),
                        "[DONE]"));

        Outcome.Completed completed = completed(plan());

        assertThat(completed.result()).isEqualTo(PLAN);
        JsonNode usage = JSON.readTree(completed.report().usage());
        assertThat(usage.get("estimated").booleanValue()).isTrue();
        assertThat(usage.get("tokens").longValue()).isGreaterThan(100);
    }

    @Test
    void an_answer_in_one_piece_is_taken_too() throws InterruptedException {
        service.then(
                200,
                "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":{\"content\":"
                        + JSON.writeValueAsString("```json\n" + PLAN + "\n```")
                        + "}}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}");

        assertThat(completed(plan()).result()).isEqualTo(PLAN);
    }

    ///
    @ParameterizedTest
    @EnumSource(AnswerForm.class)
    void json_is_asked_for_in_the_form_that_the_service_knows(AnswerForm form)
            throws InterruptedException {
        service.thenContent(PLAN);

        completed(plan(options().withForm(form), PAYLOAD));

        JsonNode asked = service.asked(0);
        assertThat(asked.get("model").stringValue()).isEqualTo("model-1");
        assertThat(asked.get("stream").booleanValue()).isTrue();
        assertThat(asked.at("/stream_options/include_usage").booleanValue()).isTrue();
        JsonNode schema =
                switch (form) {
                    case JSON_SCHEMA -> asked.at("/response_format/json_schema/schema");
                    case JSON_OBJECT -> JSON.missingNode();
                    case TOOL_CALL -> asked.at("/tools/0/function/parameters");
                };
        if (form == AnswerForm.JSON_OBJECT) {
            assertThat(asked.at("/response_format/type").stringValue()).isEqualTo("json_object");
        } else {
            assertThat(schema.at("/properties/agents/maxItems").intValue()).isEqualTo(2);
        }
        assertThat(asked.get("messages").get(0).get("content").stringValue())
                .contains("at most 2 agents")
                .contains("\"maxItems\":2");
        assertThat(asked.get("messages").get(1).get("content").stringValue()).contains("Find it.");
    }

    @Test
    void the_key_goes_into_a_header_and_nowhere_else() throws InterruptedException {
        service.then(401, "{\"error\":{\"code\":\"invalid_api_key\",\"message\":\"sk-secret\"}}");

        WorkError error = failed(plan());

        assertThat(service.calls.getFirst().headers())
                .containsEntry("Authorization", "Bearer sk-secret");
        assertThat(error.message() + options()).doesNotContain("sk-secret");
        assertThat(error.message()).contains("401 (invalid_api_key)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    # line | status | code                    | message                            | header             | error                      | after | retried
                    R-330  | 429    | rate_limit_exceeded     | -                                  | Retry-After=7      | LLMRateLimitError          | 7     | true
                    R-330  | 429    | -                       | -                                  | retry-after-ms=1500 | LLMRateLimitError         | 2     | true
                    R-330  | 429    | -                       | -                                  | Retry-After=0.2    | LLMRateLimitError          | 1     | true
                    R-330  | 429    | -                       | -                                  | Retry-After=soon   | LLMRateLimitError          | -     | true
                    R-267  | 429    | insufficient_quota      | -                                  | -                  | QuotaExceededError         | -     | false
                    R-330  | 500    | -                       | -                                  | -                  | LLMServiceError            | -     | true
                    R-330  | 503    | overloaded              | -                                  | Retry-After=3      | LLMServiceError            | 3     | true
                    R-330  | 599    | -                       | -                                  | -                  | LLMServiceError            | -     | true
                    R-330  | 408    | -                       | -                                  | -                  | LLMTimeoutError            | -     | true
                    R-161  | 400    | context_length_exceeded | -                                  | -                  | ContextWindowExceededError | -     | false
                    R-161  | 400    | -                       | The maximum context length is 8192 | -                  | ContextWindowExceededError | -     | false
                    R-161  | 413    | -                       | Prompt is too long                 | -                  | ContextWindowExceededError | -     | false
                    R-258  | 400    | unknown_parameter       | -                                  | -                  | ValueError                 | -     | false
                    R-261  | 401    | -                       | -                                  | -                  | AuthenticationError        | -     | false
                    R-262  | 403    | -                       | -                                  | -                  | AuthorizationError         | -     | false
                    R-264  | 404    | model_not_found         | -                                  | -                  | NotFoundError              | -     | false
                    R-269  | 302    | -                       | -                                  | -                  | HTTPError                  | -     | false
                    """)
    void what_the_service_answers_has_a_name(
            String line,
            int status,
            String code,
            String message,
            String header,
            String error,
            Integer after,
            boolean retried)
            throws InterruptedException {
        String body =
                "{\"error\":{\"code\":"
                        + (code == null ? "null" : "\"" + code + "\"")
                        + ",\"message\":\""
                        + message
                        + "\"}}";
        service.then(status, body, header == null ? new String[0] : header.split("="));

        WorkError told = failed(plan());

        assertThat(told.code()).as(line).isEqualTo(error);
        assertThat(told.httpStatus()).isEqualTo(status);
        assertThat(told.retryAfterSeconds()).isEqualTo(after);
        assertThat(Failures.of(told).retryable()).isEqualTo(retried);
    }

    @Test
    void an_answer_of_an_error_that_is_no_json_has_a_name_too() throws InterruptedException {
        service.then(502, "<html>Bad gateway</html>");

        assertThat(failed(plan()).code()).isEqualTo("LLMServiceError");
    }

    ///
    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    TIMED_OUT,       LLMTimeoutError,    true
                    CONNECT_FAILED,  ConnectionError,    true
                    UNKNOWN_HOST,    ConnectionError,    true
                    TLS_FAILED,      ConnectionError,    true
                    BROKEN,          ConnectionError,    true
                    TOO_LARGE,       InvalidOutputError, false
                    ADDRESS_REFUSED, AuthorizationError, false
                    """)
    void what_keeps_an_answer_away_has_a_name(
            CallOutcome.Reason reason, String error, boolean retried) throws InterruptedException {
        service.script.add(new CallOutcome.Failed(reason, "It did not work.", true));

        WorkError told = failed(plan());

        assertThat(told.code()).isEqualTo(error);
        assertThat(Failures.of(told).retryable()).isEqualTo(retried);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # the stream after a first piece                                       | error
                    $length [DONE]                                                         | ContextWindowExceededError
                    $filter [DONE]                                                         | ContentFilteredError
                    $refusal $stop [DONE]                                                  | InvalidOutputError
                    {"error":{"type":"rate_limit_error"}}                                  | LLMRateLimitError
                    {"error":{"type":"server_error","message":"Oh."}} [DONE]               | LLMServiceError
                    {"error":{"code":"context_length_exceeded","type":"invalid_request_error"}} | ContextWindowExceededError
                    {"error":{"code":503}}                                                 | LLMServiceError
                    nonsense                                                               | LLMServiceError
                    $nothing                                                               | ConnectionError
                    """)
    void a_stream_that_ends_badly_has_a_name(String events, String error)
            throws InterruptedException {
        String[] all =
                ("{\"choices\":[{\"delta\":{\"content\":\"{\"}}]} " + events)
                        .replace("$length", piece("{}", "length"))
                        .replace("$filter", piece("{}", "content_filter"))
                        .replace("$refusal", piece("{\"refusal\":\"No.\"}", null))
                        .replace("$stop", piece("{}", "stop"))
                        .replace("$nothing", piece("{}", null))
                        .split(" ");
        service.then(200, events(all));

        assertThat(failed(plan()).code()).isEqualTo(error);
    }

    /// it is told once what is wrong, and what both answers used is reported.
    @Test
    void a_model_may_correct_its_plan() throws InterruptedException {
        service.thenContent("{\"agents\":[{\"subtask\":\"a\",\"tasks\":1}]}").thenContent(PLAN);

        Outcome.Completed completed = completed(plan());

        assertThat(completed.result()).isEqualTo(PLAN);
        assertThat(JSON.readTree(completed.report().usage()).get("tokens").intValue())
                .isEqualTo(30);
        JsonNode messages = service.asked(1).get("messages");
        assertThat(messages.size()).isEqualTo(4);
        assertThat(messages.get(2).get("role").stringValue()).isEqualTo("assistant");
        assertThat(messages.get(3).get("content").stringValue())
                .contains("/agents/0/tasks: The field tasks is not a list.");
    }

    ///
    @Test
    void a_model_that_goes_on_to_be_wrong_has_given_invalid_output() throws InterruptedException {
        service.thenContent("Sure! Here is your plan.")
                .thenContent(
                        "{\"agents\":["
                                + "{\"subtask\":\"a\"},".repeat(2)
                                + "{\"subtask\":\"a\"}]}");

        Outcome outcome = plan();

        assertThat(failed(outcome).code()).isEqualTo("InvalidOutputError");
        assertThat(failed(outcome).message()).contains("/agents").contains("3 entries");
        assertThat(((Outcome.Failed) outcome).report().usage()).contains("\"tokens\":30");
        assertThat(service.calls).hasSize(2);
    }

    @Test
    void an_agent_is_planned_with_what_it_has() throws InterruptedException {
        String task = "{\"name\":\"%s\",\"steps\":[{\"name\":\"s\",\"tool\":\"t\"}]}";
        service.thenContent("{\"tasks\":[" + task.formatted("read") + "]}")
                .thenContent("{\"tasks\":[" + task.formatted("write") + "],\"continue\":true}");

        Outcome outcome =
                plan(
                        options(),
                        "{\"tool\":\"agent_plan\",\"input\":{\"subtask\":\"Write.\",\"parallelism_mode\":\"dag\","
                            + "\"tasks\":[{\"name\":\"read\",\"status\":\"completed\"}]}}");

        assertThat(completed(outcome).result()).contains("\"write\"").contains("\"continue\":true");
        assertThat(service.asked(1).get("messages").get(3).get("content").stringValue())
                .contains("There is another one with the name \"read\".");
    }

    @Test
    void no_call_takes_longer_than_is_left_of_the_attempt() throws InterruptedException {
        service.thenContent(PLAN);
        new LlmPlanner(
                        service,
                        options(),
                        new PlanReader(new JsonSchemas(new Failpoints())),
                        PlanLimits.USUAL,
                        () -> nanos)
                .plan(ACCOUNT, PAYLOAD, Duration.ofSeconds(3));

        Call call = service.calls.getFirst();
        assertThat(call.within()).isEqualTo(Duration.ofSeconds(3));
        assertThat(call.quietWithin()).isEqualTo(Duration.ofSeconds(3));
        assertThat(call.connectWithin()).isEqualTo(Duration.ofSeconds(3));
    }
}
