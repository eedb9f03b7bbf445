package io.orchestrion.sdk.definition;

/// A step that waits for a person; from [Step#approval].
///
/// ```java
/// ApprovalStep ask = Step.approval("ask", Duration.ofDays(2))
///         .title("Refund this order?")
///         .assigneeGroup("finance")
///         .input(Value.object().with("amount", Value.input("amount")))
///         .onSuccess("refund")
///         .onTimeout("tell");
/// ```
///
/// Rejecting it fails the step with the code `approval_rejected`.
public final class ApprovalStep extends LeadingStep<ApprovalStep> {
    ApprovalStep(String id) {
        super("human_approval", id);
    }

    @Override
    ApprovalStep self() {
        return this;
    }

    /// What is shown to the person; the input of the execution unless set.
    public ApprovalStep input(Value input) {
        node.set("input", input.node());
        return this;
    }

    /// Whose inbox it is in. It gives no rights.
    public ApprovalStep assigneeGroup(String group) {
        return set("assignee_group", group);
    }

    /// The question; the step's name unless set.
    public ApprovalStep title(String title) {
        return set("title", title);
    }

    /// More about the question.
    public ApprovalStep note(String note) {
        return set("note", note);
    }
}
