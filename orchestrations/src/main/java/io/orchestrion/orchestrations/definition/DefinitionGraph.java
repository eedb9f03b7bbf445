package io.orchestrion.orchestrations.definition;

import io.orchestrion.orchestrations.definition.StepDetails.Branch;
import io.orchestrion.orchestrations.definition.StepDetails.Decision;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The steps of a definition and the ways between them, in the order of the document.
///
/// @param nodes the steps
/// @param edges each leads to a step or to an end
public record DefinitionGraph(String startStepId, List<Node> nodes, List<Edge> edges) {
    public record Node(String id, String name, StepType type) {}

    /// @param branch the name of the branch that it is, or its number from 1; null for other kinds
    public record Edge(String from, Target to, EdgeKind kind, @Nullable String branch) {}

    public sealed interface Target {
        /// In a draft it may name no step.
        record Step(String id) implements Target {}

        record End(boolean succeeded) implements Target {}
    }

    public enum EdgeKind {
        SUCCESS,
        FAILURE,
        TIMEOUT,
        BRANCH,
        DEFAULT;

        private final String word = name().toLowerCase(Locale.ROOT);

        public String word() {
            return word;
        }

        /// Whether the step has a result on that way.
        boolean hasResult() {
            return this == SUCCESS || this == BRANCH || this == DEFAULT;
        }
    }

    static DefinitionGraph of(Definition definition) {
        var nodes = new ArrayList<Node>();
        var edges = new ArrayList<Edge>();
        for (StepSpec step : definition.distinctSteps()) {
            nodes.add(new Node(step.id(), step.name(), step.type()));
            if (step.details() instanceof Decision(List<Branch> branches, Route otherwise)) {
                for (int i = 0; i < branches.size(); i++) {
                    Branch branch = branches.get(i);
                    String name = branch.name() == null ? String.valueOf(i + 1) : branch.name();
                    edges.add(edge(step, branch.next(), EdgeKind.BRANCH, name));
                }
                if (otherwise != null) {
                    edges.add(edge(step, otherwise, EdgeKind.DEFAULT, null));
                }
            } else {
                edges.add(edge(step, step.onSuccess(), EdgeKind.SUCCESS, null));
            }
            edges.add(edge(step, step.onFailure(), EdgeKind.FAILURE, null));
            edges.add(edge(step, step.onTimeout(), EdgeKind.TIMEOUT, null));
        }
        return new DefinitionGraph(
                definition.startStepId(), List.copyOf(nodes), List.copyOf(edges));
    }

    private static Edge edge(StepSpec from, Route route, EdgeKind kind, @Nullable String branch) {
        Target to =
                switch (route) {
                    case Route.Next(String stepId) -> new Target.Step(stepId);
                    case Route.Terminal _ -> new Target.End(kind.hasResult());
                };
        return new Edge(from.id(), to, kind, branch);
    }

    /// A flow chart in Mermaid's language.
    public String mermaid() {
        return mermaid(Map.of());
    }

    /// The same, with the steps in the colours of their states.
    ///
    /// @param states words such as `succeeded` by step id; steps without one stay plain
    public String mermaid(Map<String, String> states) {
        return new MermaidChart(this, states).text();
    }
}
