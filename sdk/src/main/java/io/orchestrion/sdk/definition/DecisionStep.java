package io.orchestrion.sdk.definition;

import tools.jackson.databind.node.ObjectNode;

/// A step that chooses the next one; from [Step#decision].
///
/// ```java
/// DecisionStep large = Step.decision("large")
///         .branch("large", Value.input("amount").moreThan(1000), "ask")
///         .otherwise("ship");
/// ```
///
/// The first branch whose condition holds is taken. With none and no [#otherwise], the step fails
/// with `no_branch_matched`.
public final class DecisionStep extends Step<DecisionStep> {
    DecisionStep(String id) {
        super("decision", id);
    }

    @Override
    DecisionStep self() {
        return this;
    }

    /// A branch without a name.
    public DecisionStep branch(Condition when, String next) {
        ObjectNode branch = node.withArray("branches").addObject();
        branch.set("when", when.node());
        branch.put("next", next);
        return this;
    }

    /// A branch whose name is in the step's result.
    public DecisionStep branch(String name, Condition when, String next) {
        ObjectNode branch = node.withArray("branches").addObject().put("name", name);
        branch.set("when", when.node());
        branch.put("next", next);
        return this;
    }

    /// Where it leads when no branch holds.
    public DecisionStep otherwise(String next) {
        return set("default", next);
    }
}
