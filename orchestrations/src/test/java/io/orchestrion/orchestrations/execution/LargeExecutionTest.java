package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.orchestrations.definition.DefinitionLimits;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// Executions at the bounds of what they may be.
class LargeExecutionTest {
    private static final int INPUT_BYTES = 64 * 1024;

    private final OrchestrationFixture fixture = new OrchestrationFixture();
    private final Acts acts = new Acts(fixture);

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String text(int bytes) {
        return "{\"x\":\"" + "y".repeat(bytes - 8) + "\"}";
    }

    /// A definition has at most so many steps, and so many decisions are made in one transaction:
    /// with the largest input, and with conditions that look at it.
    @Test
    void the_longest_chain_of_decisions_is_made_at_once() {
        List<String> steps = new ArrayList<>();
        int decisions = DefinitionLimits.STEPS - 1;
        for (int i = 0; i < decisions; i++) {
            String next = i == decisions - 1 ? "last" : "d" + (i + 1);
            steps.add(
                    Acts.decision(
                            "d" + i,
                            Acts.branch(
                                    "{\"path\":\"$.input.x\",\"op\":\"contains\",\"value\":\"z\"}",
                                    "last"),
                            next));
        }
        steps.add(Documents.task("last", ""));
        UUID definition = fixture.published(Documents.of(steps.toArray(String[]::new)));
        UUID id = fixture.start(definition, text(INPUT_BYTES)).id();
        List<String> history = fixture.history(id);
        assertThat(history).hasSize(DefinitionLimits.STEPS).last().isEqualTo("last#1 pending");
        assertThat(history).filteredOn(line -> line.endsWith("#1 succeeded")).hasSize(decisions);
        acts.failForGood("last");

        // All of them are passed over again.
        acts.retry(id);
        acts.succeed("do_last");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
    }

    /// One more is refused when the definition is published.
    @Test
    void a_longer_chain_cannot_be_published() {
        List<String> steps = new ArrayList<>();
        for (int i = 0; i < DefinitionLimits.STEPS; i++) {
            steps.add(Acts.decision("d" + i, Acts.cel("false", "terminal"), "d" + (i + 1)));
        }
        steps.add(Documents.task("d" + DefinitionLimits.STEPS, ""));
        var made =
                fixture.engine
                        .definitions()
                        .create(
                                fixture.account,
                                fixture.person,
                                Documents.of(steps.toArray(String[]::new)));
        assertThat(
                        made instanceof Definitions.Changed.Done done
                                ? fixture.engine
                                        .definitions()
                                        .publish(
                                                fixture.account,
                                                fixture.person,
                                                done.version().id(),
                                                1)
                                : made)
                .isInstanceOf(Definitions.Changed.Refused.class);
    }

    /// E-030: one step after the other, 200 of them.
    @Test
    void an_execution_of_two_hundred_tasks_comes_to_its_end() {
        List<String> steps = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            steps.add(Documents.task("s" + i, i == 199 ? "" : Acts.next("s" + (i + 1))));
        }
        UUID id = fixture.start(Documents.of(steps.toArray(String[]::new))).id();
        for (int i = 0; i < 200; i++) {
            fixture.complete(fixture.claim("do_s" + i), "{\"i\":" + i + "}");
        }
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
        assertThat(fixture.history(id)).hasSize(200);
        assertThat(fixture.execution(id).ending().output()).isEqualTo("{\"i\":199}");
    }

    /// E-068, E-030: the largest input and the largest result, handed on.
    @Test
    void the_largest_input_and_the_largest_result_are_handed_on() {
        UUID definition =
                fixture.published(
                        Documents.of(
                                Documents.task("a", Acts.next("b")),
                                Documents.task(
                                        "b",
                                        ",\"input\":{\"a\":{\"$ref\":\"$.steps.a.result\"},\"i\":{\"$ref\":\"$.input\"}}")));
        UUID id = fixture.start(definition, text(INPUT_BYTES)).id();
        fixture.complete(fixture.claim("do_a"), text(INPUT_BYTES));
        WorkItem b = fixture.claim("do_b");
        fixture.complete(b, text(INPUT_BYTES));
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
        assertThat(fixture.execution(id).ending().output()).hasSize(INPUT_BYTES);
    }

    /// What is too large for a handler or for a person fails its step, and an output its execution.
    @Test
    void what_a_mapping_makes_too_large_fails_its_step() {
        String five =
                "[{\"$ref\":\"$.input\"},{\"$ref\":\"$.input\"},{\"$ref\":\"$.input\"},{\"$ref\":\"$.input\"},{\"$ref\":\"$.input\"}]";
        for (String step :
                List.of(
                        Documents.task("a", ",\"input\":" + five),
                        Acts.approval("a", ",\"input\":" + five),
                        Acts.call("a", ",\"request\":{\"body\":" + five + "}"))) {
            UUID id = fixture.start(fixture.published(Documents.of(step)), text(INPUT_BYTES)).id();
            assertThat(fixture.history(id)).containsExactly("a#1 failed");
            assertThat(Objects.requireNonNull(fixture.step(id, "a", 1).ended().error()).code())
                    .isEqualTo("mapping_failed");
        }
        UUID output =
                fixture.start(
                                fixture.published(
                                        Documents.with(
                                                "\"output\":" + five + ",",
                                                Documents.task("b", ""))),
                                text(INPUT_BYTES))
                        .id();
        acts.succeed("do_b");
        assertThat(fixture.status(output)).isEqualTo(ExecutionStatus.FAILED);
        assertThat(fixture.history(output)).containsExactly("b#1 succeeded");
    }

    /// The names of fields are bounded by nothing but the result.
    @Test
    void a_result_may_have_the_longest_name() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", Acts.next("b")),
                                        Documents.task(
                                                "b", ",\"input\":{\"$ref\":\"$.steps.a.result\"}")))
                        .id();
        fixture.complete(fixture.claim("do_a"), "{\"" + "n".repeat(65_000) + "\":1}");
        assertThat(fixture.history(id)).containsExactly("a#1 succeeded", "b#1 pending");
    }
}
