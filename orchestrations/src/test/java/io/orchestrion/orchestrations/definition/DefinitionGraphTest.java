package io.orchestrion.orchestrations.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.orchestrations.definition.DefinitionGraph.Edge;
import io.orchestrion.orchestrations.definition.DefinitionGraph.EdgeKind;
import io.orchestrion.orchestrations.definition.DefinitionGraph.Node;
import io.orchestrion.orchestrations.definition.DefinitionGraph.Target;

import org.junit.jupiter.api.Test;

import java.util.Map;

class DefinitionGraphTest {
    private final DefinitionGraph graph = Documents.definition(Documents.USUAL).graph();

    @Test
    void nodes_are_the_steps_and_edges_their_ways() {
        assertThat(graph.nodes()).first().isEqualTo(new Node("charge", "Charge", StepType.TASK));
        assertThat(graph.edges())
                .containsSubsequence(
                        new Edge("charge", new Target.Step("large"), EdgeKind.SUCCESS, null),
                        new Edge("charge", new Target.Step("tell"), EdgeKind.FAILURE, null),
                        new Edge("charge", new Target.Step("tell"), EdgeKind.TIMEOUT, null),
                        new Edge("large", new Target.Step("ask"), EdgeKind.BRANCH, "large"),
                        new Edge("large", new Target.End(true), EdgeKind.BRANCH, "2"),
                        new Edge("large", new Target.Step("cool_down"), EdgeKind.DEFAULT, null),
                        new Edge("large", new Target.End(false), EdgeKind.FAILURE, null));
    }

    @Test
    void a_chart_is_drawn_in_the_order_of_the_document() {
        assertThat(graph.mermaid())
                .isEqualTo(
                        """
                        flowchart TD
                          start((" "))
                          s0["Charge"]
                          s1{"Large#63;"}
                          s2(["Wait"])
                          s3[["Call"]]
                          s4>"Tell"]
                          s5[/"Ask"/]
                          start --> s0
                          s0 --> s1
                          s0 -.->|"failure"| s4
                          s0 -.->|"timeout"| s4
                          s1 -->|"large"| s5
                          s1 -->|"2"| succeeded_end
                          s1 -->|"default"| s2
                          s2 --> s3
                          s3 --> succeeded_end
                          s3 -.->|"failure"| s4
                          s4 --> succeeded_end
                          s5 --> s3
                          s5 -.->|"timeout"| s4
                          succeeded_end(("succeeded"))
                        """);
    }

    @Test
    void states_colour_their_steps_and_unknown_ones_do_not() {
        String chart = graph.mermaid(Map.of("charge", "succeeded", "call", "x; click s0 evil"));

        assertThat(chart)
                .contains("  classDef succeeded fill:#c8e6c9", "  class s0 succeeded\n")
                .doesNotContain("evil", "class s3");
    }

    @Test
    void names_cannot_become_part_of_the_chart() {
        String name = "a\\\"]; click s0 \\\"javascript:x\\\"\\n<b>#`|{}";
        // A line break is refused in a name; a graph of a draft may still have any.
        String document = Documents.with("/steps/0/name", "\"" + name.replace("\\n", "") + "\"");
        String chart = Documents.definition(document).graph().mermaid();

        assertThat(chart)
                .contains(
                        "s0[\"a#34;#93;#59; click s0"
                                + " #34;javascript:x#34;#60;b#62;#35;#96;#124;#123;#125;\"]");
    }

    @Test
    void a_long_name_is_cut() {
        String document = Documents.with("/steps/0/name", "\"" + "n".repeat(100) + "\"");

        assertThat(Documents.definition(document).graph().mermaid())
                .contains("\"" + "n".repeat(60) + "…\"");
    }
}
