package io.orchestrion.sdk.definition;

/// A step that leads to one other step when it succeeds.
///
/// @param <S> the kind of step
public abstract sealed class LeadingStep<S extends LeadingStep<S>> extends Step<S>
        permits TaskStep, WaitStep, CallStep, ApprovalStep {
    LeadingStep(String type, String id) {
        super(type, id);
    }

    /// The next step. Without one the execution succeeds.
    public S onSuccess(String stepId) {
        return set("on_success", stepId);
    }
}
