package io.orchestrion.server.billing;

/// The state of an order at the provider, from a look or from the answer to a capture.
public sealed interface OrderState {

    /// The human has not agreed yet, or has to agree again.
    record NotApproved() implements OrderState {}

    /// The human has agreed and nothing was captured.
    ///
    /// @param amount what would be captured
    record Approved(Money amount) implements OrderState {}

    /// The money was captured.
    record Completed(Money amount, String captureId) implements OrderState {}

    /// It was captured and has not arrived, such as a cheque that has to clear.
    record Pending(String captureId, String reason) implements OrderState {}

    /// There will be no money: declined, voided or given back.
    record Declined(String reason) implements OrderState {}

    /// The provider knows no such order, as after it expired without approval.
    record Gone() implements OrderState {}

    /// No answer, or none that says anything: a capture may or may not have happened.
    record Unknown(String reason) implements OrderState {}
}
