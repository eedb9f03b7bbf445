package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.retry.BackoffStrategy;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.orchestrations.definition.DefinitionReader;
import io.orchestrion.orchestrations.definition.DefinitionSchema;
import io.orchestrion.orchestrations.definition.ReadDefinition;
import io.orchestrion.orchestrations.definition.Schemas;
import io.orchestrion.orchestrations.expression.ConditionOp;
import io.orchestrion.sdk.definition.Condition;
import io.orchestrion.sdk.definition.Definition;
import io.orchestrion.sdk.definition.ErrorClass;
import io.orchestrion.sdk.definition.Handler;
import io.orchestrion.sdk.definition.Step;
import io.orchestrion.sdk.definition.StepRetry;
import io.orchestrion.sdk.definition.Value;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/// The SDK's builder of definitions writes what the engine takes, and can write all of it.
class DefinitionBuilderTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final DefinitionReader READER =
            new DefinitionReader(new Schemas(new JsonSchemas(new Failpoints())), Set.of("echo"));
    private static final URI URL = URI.create("https://example.com/hook");

    /// One of everything.
    private static Definition everything() {
        return Definition.named("Everything")
                .description("Each feature once.")
                .startAt("charge")
                .executionTimeout(Duration.ofDays(30))
                .retry(StepRetry.exponential(5, Duration.ofSeconds(1), Duration.ofMinutes(1)))
                .maxRunningPerTarget(1)
                .maxRunningPerDefinition(100)
                .inputSchema("{\"type\":\"object\",\"required\":[\"order\"]}")
                .outputSchema("true")
                .output(Value.object().with("order", Value.input("order.id")))
                .errorClass("card_expired", ErrorClass.NON_RETRYABLE)
                .step(charge())
                .step(
                        Step.builtin("echo", "echo")
                                .timeout(Duration.ofMinutes(10))
                                .retry(StepRetry.never().attemptTimeout(Duration.ofMinutes(1)))
                                .safeToRetryWithGuard(Handler.task("echo-done"))
                                .onSuccess("choose"))
                .step(choose())
                .step(guarded(Step.waitFor("cool_down", Duration.ofSeconds(5))).onSuccess("moment"))
                .step(
                        Step.waitUntil("moment", Instant.parse("2030-01-31T08:00:00Z"))
                                .timeout(Duration.ofDays(300))
                                .onSuccess("due"))
                .step(
                        Step.waitUntil("due", Value.input("due").orElse("2030-01-31T08:00:00Z"))
                                .timeout(Duration.ofDays(300))
                                .onSuccess("call"))
                .step(
                        guarded(Step.call("call", URL))
                                .input(Value.input())
                                .method("PUT")
                                .header("X-Order", Value.input("order.id"))
                                .header("Accept", "application/json")
                                .body(Value.object().with("id", Value.execution("id")))
                                .onSuccess("tell"))
                .step(
                        guarded(Step.notice("tell", URL))
                                .input(Value.of(List.of(1, "two", Value.input("order"))))
                                .method("POST")
                                .onSuccess(Definition.END))
                .step(
                        guarded(Step.approval("ask", Duration.ofDays(2)))
                                .input(Value.object().with("why", Value.result("charge")))
                                .assigneeGroup("finance")
                                .title("Go on?")
                                .note("Look twice.")
                                .onSuccess("cool_down"))
                .build();
    }

    private static Step<?> charge() {
        return Step.task("charge", "charge-card")
                .named("Charge the card")
                .input(
                        Value.object()
                                .with("order", Value.input("order[\"the id\"]").orElse(null))
                                .with("first", Value.input("lines[0].sku").orElse(Map.of()))
                                .with("cents", Value.cel("input.amount * 100"))
                                .with("fixed", Map.of("$ref", "no reference"))
                                .with("list", List.of(1.5, true, Value.execution("id"))))
                .lease(Duration.ofMinutes(2))
                .priority(10)
                .resultSchema("{\"type\":\"object\"}")
                .timeout(Duration.ofMinutes(10))
                .retry(
                        StepRetry.jittered(3, Duration.ofMillis(100), Duration.ofSeconds(1))
                                .attemptTimeout(Duration.ofSeconds(5))
                                .on(ErrorClass.TRANSIENT, ErrorClass.RATE_LIMITED))
                .notSafeToRetry()
                .compensatedAtOnceBy(Handler.http(URL))
                .onSuccess("echo")
                .onFailure("tell")
                .onTimeout(Definition.END);
    }

    /// With everything that steps of each type may have.
    private static <S extends Step<S>> S guarded(S step) {
        return step.named("A step")
                .timeout(Duration.ofMinutes(10))
                .retry(
                        StepRetry.fixed(2, Duration.ofSeconds(1))
                                .attemptTimeout(Duration.ofSeconds(30)))
                .safeToRetryWithGuard(Handler.task("guard"))
                .compensatedAtOnceBy(Handler.builtin("echo"))
                .onFailure(Definition.END)
                .onTimeout(Definition.END);
    }

    private static Step<?> choose() {
        var amount = Value.input("amount");
        var country = Value.result("charge", "country");
        return guarded(Step.decision("choose"))
                .branch(
                        "risky",
                        Condition.any(
                                Condition.all(
                                        amount.moreThan(100),
                                        amount.atLeast(101),
                                        Condition.not(amount.lessThan(1)),
                                        amount.atMost(1e6)),
                                country.in("DE", "AT"),
                                country.notIn("CH"),
                                country.is("FR"),
                                country.isNot(null),
                                country.exists(),
                                country.notExists(),
                                country.contains("x"),
                                country.startsWith("a"),
                                country.endsWith("b")),
                        "ask")
                .branch(Condition.cel("input.amount % 2 == 1"), Definition.END)
                .otherwise("cool_down");
    }

    private static ReadDefinition read(Definition definition) {
        return READER.read(new UUID(1, 1), definition.json());
    }

    /// E-026.
    @Test
    void what_it_writes_can_be_published_as_it_is() {
        ReadDefinition read = read(everything());
        assertThat(read.findings()).isEmpty();
        assertThat(read.isPublishable()).isTrue();
    }

    /// E-026.
    @Test
    void it_can_write_every_field_that_a_document_may_have() {
        JsonNode schema = JSON.readTree(DefinitionSchema.text());
        JsonNode document = JSON.readTree(everything().json());
        var missing = new TreeSet<String>();
        missing(schema, document, "", missing);
        missing(schema.at("/$defs/policies"), document.path("policies"), "policies.", missing);
        for (String type :
                List.of("task", "decision", "wait", "external_call", "notify", "human_approval")) {
            JsonNode allowed = schema.at("/$defs/" + type + "Step/properties");
            var fields = new TreeSet<>(allowed.propertyNames());
            document.path("steps")
                    .valueStream()
                    .filter(step -> step.path("type").asString().equals(type))
                    .forEach(step -> fields.removeAll(step.propertyNames()));
            fields.forEach(field -> missing.add(type + "." + field));
        }
        assertThat(missing).isEmpty();
    }

    private static void missing(
            JsonNode schema, JsonNode object, String prefix, Set<String> missing) {
        schema.path("properties").propertyNames().stream()
                .filter(name -> !object.has(name))
                .forEach(name -> missing.add(prefix + name));
    }

    @Test
    void it_knows_the_words_of_the_engine() {
        String document = everything().json();
        for (String op : ConditionOp.words()) {
            assertThat(document).contains("\"op\":\"" + op + "\"");
        }
        assertThat(Arrays.stream(StepRetry.Backoff.values()).map(Enum::name))
                .containsExactlyElementsOf(
                        Arrays.stream(BackoffStrategy.values()).map(Enum::name).toList());
        assertThat(Arrays.stream(ErrorClass.values()).map(Enum::name))
                .containsExactlyElementsOf(
                        Arrays.stream(io.orchestrion.kernel.retry.ErrorClass.values())
                                .map(Enum::name)
                                .toList());
    }

    @Test
    void what_looks_like_an_order_of_the_engine_is_marked_as_fixed() {
        assertThat(Value.of(Map.of("$ref", "x"))).hasToString("{\"$literal\":{\"$ref\":\"x\"}}");
        assertThat(Value.json("{\"a\":[{\"$cel\":1}]}"))
                .hasToString("{\"$literal\":{\"a\":[{\"$cel\":1}]}}");
        assertThat(Value.of(List.of("$ref"))).hasToString("[\"$ref\"]");
        var mixed = Value.object().with("$a", 1).with("b", Value.input());
        assertThatThrownBy(mixed::toString).hasMessageContaining("cannot begin with $: $a");
    }

    @Test
    void a_computed_value_cannot_stand_where_only_a_fixed_one_counts() {
        assertThatThrownBy(() -> Value.input("a").is(Value.input("b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("only a fixed value can stand here");
        assertThatThrownBy(() -> Value.of(new Object()))
                .hasMessageContaining("a value is a text, a number");
    }

    @Test
    void a_definition_that_says_too_little_is_refused_by_the_engine_and_not_here() {
        Definition bare = Definition.named("bare").step(Step.task("a", "t").onSuccess("b")).build();
        assertThat(read(bare).isPublishable()).isFalse();
        assertThat(read(bare).findings())
                .extracting(finding -> finding.code().word())
                .contains("missing_field", "missing_retry_policy", "missing_declaration");
    }
}
