package io.orchestrion.orchestrations.definition;

import static io.orchestrion.orchestrations.definition.Documents.found;
import static io.orchestrion.orchestrations.definition.Documents.of;
import static io.orchestrion.orchestrations.definition.Documents.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.document.Finding;

import org.junit.jupiter.api.Test;

class GraphCheckTest {
    private static String to(String next) {
        return "\"on_success\":\"" + next + "\"";
    }

    private static String uses(String id) {
        return "\"input\":{\"$ref\":\"$.steps." + id + ".result\"}";
    }

    /// E-021.
    @Test
    void an_id_may_stand_once() {
        assertThat(found(of(step("a", to("b")), step("b", ""), step("a", ""), step("b", ""))))
                .containsExactly(
                        "duplicate_step_id /steps/2/step_id", "duplicate_step_id /steps/3/step_id");
    }

    /// E-022.
    @Test
    void every_way_that_leads_nowhere_is_named() {
        assertThat(
                        found(
                                of(
                                        step(
                                                "a",
                                                "\"on_success\":\"x\",\"on_failure\":\"y\",\"on_timeout\":\"z\""))))
                .containsExactly(
                        "unknown_step /steps/0/on_success",
                        "unknown_step /steps/0/on_failure",
                        "unknown_step /steps/0/on_timeout");
    }

    @Test
    void a_timeout_that_goes_the_way_of_a_failure_is_not_named_twice() {
        assertThat(found(of(step("a", "\"on_failure\":\"y\""))))
                .containsExactly("unknown_step /steps/0/on_failure");
    }

    /// E-023.
    @Test
    void every_circle_is_named() {
        assertThat(
                        found(
                                of(
                                        step("a", to("b") + ",\"on_failure\":\"c\""),
                                        step("b", to("b")),
                                        step("c", to("d")),
                                        step("d", "\"on_failure\":\"c\""))))
                .containsExactly("cycle /steps/1", "cycle /steps/2");
    }

    @Test
    void a_circle_is_told_by_its_steps() {
        assertThat(Documents.read(of(step("a", to("b")), step("b", to("a")))).findings())
                .singleElement()
                .extracting(Finding::message)
                .isEqualTo("The steps go in a circle: a → b → a.");
    }

    @Test
    void two_ways_to_one_step_are_no_circle() {
        assertThat(
                        found(
                                of(
                                        step("a", to("b") + ",\"on_failure\":\"c\""),
                                        step("b", to("d")),
                                        step("c", to("d")),
                                        step("d", ""))))
                .isEmpty();
    }

    /// E-024.
    @Test
    void steps_that_nothing_leads_to_are_named() {
        assertThat(found(of(step("a", ""), step("b", to("c")), step("c", ""))))
                .containsExactly("unreachable_step /steps/1", "unreachable_step /steps/2");
    }

    /// E-006: none of these keeps a draft from being stored.
    @Test
    void a_graph_that_cannot_be_published_can_be_kept() {
        ReadDefinition read = Documents.read(of(step("a", to("a")), step("b", to("x"))));

        assertThat(read.isTaken()).isTrue();
        assertThat(read.isPublishable()).isFalse();
        assertThat(read.definition().graph().mermaid()).contains("s0", "s1");
    }

    @Test
    void a_result_that_cannot_be_there_yet_is_refused() {
        assertThat(
                        found(
                                of(
                                        step("a", to("b") + ",\"on_failure\":\"c\""),
                                        step("b", ""),
                                        step("c", uses("b")))))
                .containsExactly("result_not_before /steps/2/input/$ref");
    }

    @Test
    void a_result_that_is_not_always_there_is_warned_of() {
        String both = to("b") + ",\"on_failure\":\"b\"";

        assertThat(found(of(step("a", both), step("b", uses("a")))))
                .containsExactly("result_not_always /steps/1/input/$ref");
        assertThat(found(of(step("a", to("b")), step("b", uses("a"))))).isEmpty();
    }

    @Test
    void a_default_beside_the_reference_ends_the_warning() {
        String both = to("b") + ",\"on_failure\":\"b\"";
        String input = "\"input\":{\"$ref\":\"$.steps.a.result\",\"default\":0}";

        assertThat(found(of(step("a", both), step("b", input)))).isEmpty();
    }

    @Test
    void results_of_the_steps_before_a_decision_are_there_after_it() {
        String decision =
                """
                {"step_id":"d","name":"d","type":"decision","timeout_ms":1,"idempotency_strategy":"SAFE_TO_RETRY",
                 "branches":[{"when":{"path":"$.steps.a.result","op":"eq","value":1},"next":"b"}],"default":"b"}
                """;

        assertThat(found(of(step("a", to("d")), decision, step("b", uses("a"))))).isEmpty();
        assertThat(found(of(step("a", to("d")), decision, step("b", uses("d"))))).isEmpty();
    }

    @Test
    void the_output_may_use_what_every_success_has_run() {
        String output = "\"output\": {\"$ref\": \"$.steps.%s.result\"}, \"input_schema\"";
        String document = of(step("a", "\"on_failure\":\"b\""), step("b", ""));

        assertThat(found(document.replace("\"input_schema\"", output.formatted("a"))))
                .containsExactly("result_not_always /output/$ref");
        assertThat(
                        found(
                                of(step("a", to("b")), step("b", ""))
                                        .replace("\"input_schema\"", output.formatted("b"))))
                .isEmpty();
    }

    @Test
    void results_in_expressions_are_seen_too() {
        assertThat(
                        found(
                                of(
                                        step(
                                                "a",
                                                "\"input\":{\"$cel\":\"steps.b.result.x\"},"
                                                        + to("b")),
                                        step("b", ""))))
                .containsExactly("result_not_before /steps/0/input/$cel");
    }
}
