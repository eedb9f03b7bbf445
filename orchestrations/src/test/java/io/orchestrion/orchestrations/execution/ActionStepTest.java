package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.UUID;

/// Steps that change other executions, through the verbs of people's calls.
class ActionStepTest {
    private final OrchestrationFixture fixture = new OrchestrationFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String act(String action, String input) {
        return Documents.step(
                "act",
                "task",
                ",\"handler\":\"builtin:execution." + action + "\",\"input\":" + input);
    }

    private UUID other() {
        return fixture.start(Documents.of(Documents.task("work", ""))).id();
    }

    /// Runs one step that does this to that execution, to its end.
    private UUID acting(String action, UUID on) {
        UUID id =
                fixture.start(
                                Documents.of(
                                        act(
                                                action,
                                                "{\"execution_id\":\""
                                                        + on
                                                        + "\",\"reason\":\"over budget\"}")))
                        .id();
        untilOver(id);
        return id;
    }

    private void untilOver(UUID id) {
        fixture.callUntil("its end", () -> fixture.status(id).isTerminal());
    }

    private List<String> transitions(UUID id) {
        return fixture.seen(id).transitions().stream()
                .map(line -> line.event().event() + " " + line.event().data())
                .toList();
    }

    /// E-185.
    @Test
    void a_step_pauses_resumes_and_cancels_an_execution_and_is_named_as_who_did_it() {
        UUID other = other();

        UUID pausing = acting("pause", other);
        assertThat(fixture.status(other)).isEqualTo(ExecutionStatus.PAUSED);
        assertThat(transitions(other).getLast())
                .contains("execution:" + pausing + "/act", "over budget");

        UUID resuming = acting("resume", other);
        assertThat(fixture.status(other)).isEqualTo(ExecutionStatus.RUNNING);
        assertThat(transitions(other).getLast()).contains("execution:" + resuming + "/act");

        UUID cancelling = acting("cancel", other);
        assertThat(fixture.status(other)).isEqualTo(ExecutionStatus.CANCELED);
        assertThat(transitions(other).getLast()).contains("execution:" + cancelling + "/act");
        assertThat(fixture.history(cancelling)).containsExactly("act#1 succeeded");
    }

    /// E-186.
    @Test
    void what_the_state_of_the_other_forbids_fails_the_step_for_good_and_changes_nothing() {
        UUID other = other();
        acting("cancel", other);
        List<String> before = transitions(other);

        UUID id = acting("pause", other);

        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
        assertThat(fixture.history(id)).containsExactly("act#1 failed");
        StepError error = fixture.execution(id).ending().error();
        assertThat(error.code()).isEqualTo("invalid_transition");
        assertThat(error.errorClass().name()).isEqualTo("NON_RETRYABLE");
        assertThat(transitions(other)).isEqualTo(before);
    }

    @Test
    void a_step_starts_an_execution_once_and_that_knows_where_it_came_from() {
        UUID child = fixture.published(Documents.of(Documents.task("inner", "")));
        UUID id = fixture.start(Documents.of(act("start", start(child)))).id();
        untilOver(id);

        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
        assertThat(fixture.claim("do_inner", 10)).hasSize(1);
        String output = fixture.execution(id).ending().output();
        UUID started = UUID.fromString(output.replaceAll(".*execution_id\":\"([^\"]*)\".*", "$1"));
        Execution made = fixture.execution(started);
        assertThat(made.asked().parent().execution()).isEqualTo(id);
        assertThat(made.asked().correlationId())
                .isEqualTo(fixture.execution(id).asked().correlationId());
    }

    @Test
    void executions_that_start_each_other_come_to_an_end() {
        UUID deep = fixture.published(Documents.of(Documents.task("bottom", "")));
        for (int i = 0; i < ExecutionActions.DEPTH_MAX + 1; i++) {
            deep = fixture.published(Documents.of(act("start", start(deep))));
        }
        UUID id = fixture.start(deep, "{\"n\":1}").id();

        fixture.callUntil("the deepest to fail", () -> listed(ExecutionStatus.FAILED) == 1);

        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
        assertThat(fixture.claim("do_bottom", 10)).isEmpty();
    }

    private int listed(ExecutionStatus status) {
        return fixture.engine
                .reads()
                .list(
                        new ExecutionQuery(
                                fixture.account, status, null, null, null, null, null, 100))
                .size();
    }

    private static String start(UUID definition) {
        return "{\"definition_id\":\""
                + definition
                + "\",\"target_object_type\":\"order\",\"target_object_id\":\"7\","
                + "\"input\":{\"n\":{\"$ref\":\"$.execution.id\"}}}";
    }

    @Test
    void input_that_does_not_fit_its_function_fails_the_step_with_a_sentence() {
        for (String input :
                List.of("{}", "{\"execution_id\":7}", "{\"execution_id\":\"x\"}", "[]")) {
            UUID id = fixture.start(Documents.of(act("cancel", input))).id();
            untilOver(id);
            StepError error = fixture.execution(id).ending().error();
            assertThat(error.code()).as(input).isEqualTo("validation_failed");
            assertThat(error.summary()).contains("execution_id");
        }
    }

    @Test
    void an_unknown_function_is_refused_when_the_definition_is_made() {
        var made =
                fixture.engine
                        .definitions()
                        .create(
                                fixture.account,
                                fixture.person,
                                Documents.of(act("explode", "{}")));
        assertThat(made).isInstanceOf(Definitions.Changed.Refused.class);
        assertThat(((Definitions.Changed.Refused) made).findings())
                .anyMatch(finding -> finding.message().contains("execution.explode"));
    }
}
