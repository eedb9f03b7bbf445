package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationApi.DEFINITIONS;
import static io.orchestrion.server.orchestrations.OrchestrationApi.codes;
import static io.orchestrion.server.orchestrations.OrchestrationApi.document;
import static io.orchestrion.server.orchestrations.OrchestrationApi.documentWith;
import static io.orchestrion.server.orchestrations.OrchestrationApi.refused;
import static io.orchestrion.server.orchestrations.OrchestrationApi.step;
import static io.orchestrion.server.orchestrations.OrchestrationApi.task;
import static io.orchestrion.server.orchestrations.OrchestrationApi.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Requests that were made to use up the server. Each is answered with what is wrong with it, under
/// bounds that count work and no time, and nothing of it is stored.
class HostileRequestsTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final OrchestrationApi mine = OrchestrationApi.on(server);

    private static String schema(String schema) {
        return documentWith("\"input_schema\":" + schema + ",", task("a", ""));
    }

    private static String output(String expression) {
        return documentWith("\"output\":{\"$cel\":\"" + expression + "\"},", task("a", ""));
    }

    /// What it is, the document, and the code of a finding that it has to be refused with.
    static Stream<Arguments> documents() {
        return Stream.of(
                Arguments.of(
                        "10,000 steps",
                        document(
                                IntStream.range(0, 10_000)
                                        .mapToObj(
                                                i ->
                                                        "{\"step_id\":\"s"
                                                                + i
                                                                + "\",\"type\":\"task\"}")
                                        .toArray(String[]::new)),
                        "out_of_bounds"),
                Arguments.of(
                        "a deep schema",
                        schema("{\"allOf\":[".repeat(3_000) + "{}" + "]}".repeat(3_000)),
                        "document_too_deep"),
                Arguments.of("a schema of itself", schema("{\"$ref\":\"#\"}"), "invalid_schema"),
                Arguments.of(
                        "a schema that doubles",
                        schema(
                                "{\"allOf\":[{\"$ref\":\"#/$defs/a\"}],\"$defs\":{\"a\":{\"allOf\":"
                                        + "[{\"$ref\":\"#/$defs/a\"},{\"$ref\":\"#/$defs/a\"}]}}}"),
                        "invalid_schema"),
                Arguments.of(
                        "a schema elsewhere",
                        schema("{\"$ref\":\"http://127.0.0.1/s\"}"),
                        "invalid_schema"),
                Arguments.of(
                        "a schema in a file",
                        schema("{\"$ref\":\"file:///etc/passwd\"}"),
                        "invalid_schema"),
                Arguments.of(
                        "a pattern without end",
                        schema("{\"pattern\":\"(a{1000}){1000}\"}"),
                        "invalid_schema"),
                Arguments.of("101 expressions", expressions(101), "out_of_bounds"),
                Arguments.of("brackets", "[".repeat(100_000), "document_too_deep"),
                Arguments.of(
                        "a number without end",
                        document(task("a", "")).replace("600000", "1e99999"),
                        "number_too_long"),
                Arguments.of(
                        "10,000 fields that there are not",
                        IntStream.range(0, 10_000)
                                .mapToObj(i -> "\"f" + i + "\":1")
                                .collect(Collectors.joining(",", "{", "}")),
                        "too_many_findings"));
    }

    private static String expressions(int count) {
        return document(
                IntStream.range(0, count)
                        .mapToObj(
                                i ->
                                        task(
                                                "s" + i,
                                                ",\"input\":{\"$cel\":\"1\"}"
                                                        + (i + 1 < count
                                                                ? ",\"on_success\":\"s"
                                                                        + (i + 1)
                                                                        + "\""
                                                                : "")))
                        .toArray(String[]::new));
    }

    /// Created, only validated, written over a draft: it is read in one way.
    @ParameterizedTest(name = "{0}")
    @MethodSource("documents")
    void a_hostile_document_is_refused_with_findings(String name, String document, String code) {
        Reply created = mine.create(document);
        refused(created, 400, "invalid_request");
        assertThat(codes(created, "/details")).contains(code);

        Reply validated = mine.api().post(DEFINITIONS + "/validate", document);
        assertThat(validated.status()).as(name).isEqualTo(200);
        assertThat(validated.at("/valid").asBoolean()).isFalse();
        assertThat(codes(validated, "/findings")).contains(code);

        String draft = mine.draft(document(task("a", "")));
        Reply replaced = mine.api().send("PUT", version(draft, 1), document);
        refused(replaced, 400, "invalid_request");
        assertThat(mine.api().get(version(draft, 1)).at("/document/steps").size()).isOne();
        assertThat(mine.publish(draft, 1).status()).isEqualTo(200);
    }

    /// A draft may have them, and is stored with what is wrong with it. It is not published.
    @ParameterizedTest
    @ValueSource(strings = {"[", "[1].map(x,{x:x})", "!"})
    void a_hostile_expression_is_not_published(String part) {
        String draft =
                mine.draft(
                        output(
                                part.startsWith("[1]")
                                        ? "[1]" + ".map(x,{x:x})".repeat(100)
                                        : part.repeat(1_000) + "a"));
        Reply refusal = mine.publish(draft, 1);
        refused(refusal, 400, "invalid_request");
        assertThat(codes(refusal, "/details")).contains("invalid_cel");
        assertThat(mine.api().get(version(draft, 1)).text("/status")).isEqualTo("draft");
    }

    /// What it is, the definition, and the input that makes it costly.
    static Stream<Arguments> inputs() {
        String a = "\"" + "a".repeat(60_000) + "\"";
        return Stream.of(
                Arguments.of(
                        "a pattern that others go back in",
                        schema("{\"properties\":{\"a\":{\"pattern\":\"^(([a-z])+.)+[A-Z]$\"}}}"),
                        "{\"a\":" + a + "}"),
                Arguments.of(
                        "a schema for each item",
                        schema(
                                "{\"properties\":{\"a\":{\"uniqueItems\":true,\"items\":{\"allOf\":["
                                    + "{\"enum\":[1]},{\"enum\":[2]},{\"enum\":[3]}]}}}}"),
                        "{\"a\":["
                                + IntStream.range(0, 10_000)
                                        .mapToObj(Integer::toString)
                                        .collect(Collectors.joining(","))
                                + "]}"),
                Arguments.of(
                        "brackets",
                        schema("{\"type\":\"object\"}"),
                        "{\"a\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("inputs")
    void a_hostile_input_is_refused_and_starts_nothing(String name, String document, String input) {
        String definition = mine.published(document);
        refused(mine.start(definition, ",\"input\":" + input), 400, "invalid_request");
        assertThat(mine.api().get(OrchestrationApi.EXECUTIONS).at("/items").size()).isZero();
    }

    /// An expression may be small, and its data may be made for it. Its execution ends, in the
    /// request that started it, with what the expression did too much of.
    @ParameterizedTest
    @MethodSource("expressions")
    void an_expression_that_does_too_much_fails_its_execution(String expression) {
        String definition =
                mine.published(
                        document(
                                step(
                                        "decide",
                                        "decision",
                                        ",\"branches\":[{\"when\":{\"$cel\":\""
                                                + expression
                                                + "\"},\"next\":\"rest\"}],\"default\":\"rest\""),
                                step("rest", "wait", ",\"duration_ms\":1000")));
        Reply started =
                mine.start(
                        definition,
                        ",\"input\":{\"hundred\":["
                                + "1,".repeat(99)
                                + "1],\"text\":\""
                                + "a".repeat(50_000)
                                + "\"}");
        assertThat(started.status()).as(started.text()).isEqualTo(201);
        assertThat(started.text("/status")).isEqualTo("failed");
        Reply failed = mine.get(started.text("/execution_id"));
        assertThat(failed.text("/steps/0/error_class")).isEqualTo("NON_RETRYABLE");
        assertThat(failed.text("/steps/0/error_summary")).contains("The expression ");
    }

    static Stream<String> expressions() {
        return Stream.of(
                "input.hundred.all(a, input.hundred.all(b, input.hundred.all(c,"
                        + " input.hundred.all(d, d == 1))))",
                "input.text.matches('((a{1,30}){1,30}b)')",
                "size(input.hundred.map(x, input.text + string(x))) == 100");
    }

    /// Whoever sends these does not keep others from the same.
    @Test
    void another_account_is_served_after_all_of_it() {
        documents().forEach(row -> mine.create((String) row.get()[1]));
        OrchestrationApi other = OrchestrationApi.on(server);
        String definition = other.published(document(task("other", "")));
        String execution = other.started(definition);
        other.done("do_other");
        assertThat(other.status(execution)).isEqualTo("succeeded");
    }
}
