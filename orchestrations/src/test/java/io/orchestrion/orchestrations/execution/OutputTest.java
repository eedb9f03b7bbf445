package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Objects;
import java.util.UUID;

/// What goes into an execution and what comes out of it.
class OutputTest {
    private final OrchestrationFixture fixture = new OrchestrationFixture();
    private final Acts acts = new Acts(fixture);

    @AfterEach
    void close() {
        fixture.close();
    }

    private String errorOf(UUID id) {
        return Objects.requireNonNull(fixture.execution(id).ending().error()).code();
    }

    private static String output(String mapping, String... steps) {
        return Documents.with("\"output\":" + mapping + ",", steps);
    }

    /// E-052.
    @Test
    void the_output_is_mapped_when_the_execution_has_succeeded() {
        UUID id =
                fixture.start(
                                output(
                                        "{\"a\":{\"$ref\":\"$.steps.a.result.x\"},\"n\":{\"$cel\":\"input.n"
                                            + " + 1\"}}",
                                        Documents.task("a", Acts.next("b")),
                                        Documents.task("b", "")))
                        .id();
        fixture.complete(fixture.claim("do_a"), "{\"x\":7}");
        assertThat(fixture.execution(id).ending().output()).isNull();
        acts.succeed("do_b");
        assertThat(fixture.execution(id).ending().output()).isEqualTo("{\"a\":7,\"n\":2}");
    }

    /// E-012, E-123.
    @Test
    void an_output_that_its_schema_refuses_fails_the_execution() {
        UUID id =
                fixture.start(
                                Documents.with(
                                        "\"output_schema\":{\"type\":\"object\",\"required\":[\"y\"]},",
                                        Documents.task("a", "")))
                        .id();
        acts.succeed("do_a");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
        assertThat(errorOf(id)).isEqualTo("output_schema_violation");
        assertThat(fixture.execution(id).ending().error().errorClass().name())
                .isEqualTo("NON_RETRYABLE");
        assertThat(fixture.execution(id).ending().output()).isNull();
        assertThat(fixture.history(id)).containsExactly("a#1 succeeded");
    }

    /// E-012, E-089: also where it comes out on a resume only.
    @Test
    void an_output_that_is_refused_after_a_pause_fails_the_execution_then() {
        UUID id =
                fixture.start(
                                Documents.with(
                                        "\"output_schema\":{\"type\":\"string\"},",
                                        Documents.task("a", "")))
                        .id();
        var held = fixture.claim("do_a");
        acts.pause(id);
        fixture.complete(held, "{}");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.PAUSED);
        acts.resume(id);
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
    }

    /// E-053: one transaction; a look in between is impossible, as the database holds the two
    /// together.
    @Test
    void the_database_knows_no_end_without_its_time() {
        UUID id = fixture.start(Documents.of(Documents.task("a", ""))).id();
        for (String wrong :
                new String[] {
                    "update orchestration_execution set completed_ms = 1 where id = ?",
                    "update orchestration_execution set status = 'failed', running_since_ms = null"
                            + " where id = ?",
                    "update orchestration_execution set output = '1' where id = ?"
                }) {
            org.assertj.core.api.Assertions.assertThatThrownBy(
                            () -> fixture.test.database().execute(wrong, id))
                    .hasStackTraceContaining("orchestration_execution_");
        }
    }

    /// E-050.
    @Test
    void an_input_that_its_schema_refuses_makes_nothing() {
        UUID definition =
                fixture.published(
                        Documents.of(Documents.task("a", ""))
                                .replace(
                                        "\"input_schema\":{\"type\":\"object\"}",
                                        "\"input_schema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}"));
        Created created = fixture.engine.create(fixture.asked(definition, "{\"n\":\"x\"}", null));
        assertThat(created).isInstanceOf(Created.BadInput.class);
        assertThat(((Created.BadInput) created).faults().getFirst()).contains("n");
        assertThat(
                        fixture.test
                                .database()
                                .<Long>value("select count(*) from orchestration_execution"))
                .isZero();
    }

    /// E-051, E-020: as it was at the beginning.
    @Test
    void an_execution_keeps_its_input_and_its_version() {
        UUID definition =
                fixture.published(
                        Documents.of(Documents.task("a", Acts.next("b")), Documents.task("b", "")));
        UUID id = fixture.start(definition, "{\"n\":1,\"big\":12345678901234567890.5}").id();
        fixture.engine
                .definitions()
                .addVersion(
                        fixture.account,
                        fixture.person,
                        definition,
                        Documents.of(Documents.task("a", Acts.next("c")), Documents.task("c", "")));
        fixture.engine.definitions().publish(fixture.account, fixture.person, definition, 2);
        acts.succeed("do_a");
        assertThat(fixture.history(id)).containsExactly("a#1 succeeded", "b#1 pending");
        assertThat(fixture.execution(id).asked().input())
                .isEqualTo("{\"n\":1,\"big\":12345678901234567890.5}");
        assertThat(fixture.execution(id).definition().version()).isEqualTo(1);
        String payload =
                fixture.test
                        .database()
                        .value(
                                "select payload::text from work where id = ?",
                                fixture.claim("do_b").id());
        assertThat(payload).contains("12345678901234567890.5");
    }

    /// E-016, E-046, E-055.
    @Test
    void an_execution_has_a_key_also_where_nobody_gave_one() {
        UUID definition = fixture.published(Documents.of(Documents.task("a", "")));
        Execution one = fixture.start(definition, "{}");
        Execution other = fixture.start(definition, "{}");
        assertThat(one.id()).isNotEqualTo(other.id());
        assertThat(one.asked().idempotencyKey())
                .isNotBlank()
                .isNotEqualTo(other.asked().idempotencyKey());
    }

    /// A number that no double holds, in a result, in a condition and in what comes after.
    @Test
    void a_number_beyond_doubles_hurts_nobody() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", Acts.next("d")),
                                        Acts.decision(
                                                "d",
                                                Acts.branch(
                                                                "{\"path\":\"$.steps.a.result.x\",\"op\":\"lt\",\"value\":1}",
                                                                "c")
                                                        + ","
                                                        + Acts.cel("steps.a.result.x > 1.0", "b"),
                                                "c"),
                                        Documents.task(
                                                "b",
                                                ",\"input\":{\"x\":{\"$ref\":\"$.steps.a.result.x\"},\"y\":{\"$cel\":\"1\"}}"),
                                        Documents.task("c", "")))
                        .id();
        fixture.complete(fixture.claim("do_a"), "{\"x\":9.9e308}");
        assertThat(fixture.history(id))
                .containsExactly("a#1 succeeded", "d#1 succeeded", "b#1 pending");
        acts.succeed("do_b");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
    }

    /// E-065: what no text of the database may hold.
    @Test
    void a_zero_in_a_message_does_not_keep_a_step_from_ending() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task(
                                                "a",
                                                ",\"result_schema\":{\"type\":\"object\",\"additionalProperties\":false}")))
                        .id();
        fixture.complete(fixture.claim("do_a"), "{\"\\u0000\":1}");
        assertThat(fixture.history(id)).containsExactly("a#1 failed");
        assertThat(errorOf(id)).isEqualTo("invalid_output");
    }

    /// A text of CEL may hold what the database does not.
    @Test
    void a_zero_that_an_expression_gives_reaches_the_worker() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task(
                                                "a",
                                                ",\"input\":{\"x\":{\"$cel\":\"'\\\\u0000'\"}}")))
                        .id();
        acts.succeed("do_a");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
    }
}
