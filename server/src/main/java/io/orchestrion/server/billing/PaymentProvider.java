package io.orchestrion.server.billing;

import java.util.UUID;

/// Somebody who takes a human's money for an order. Calls may take seconds, so none is made inside
/// a database transaction, and none throws for a provider that is away: that is an answer here.
public interface PaymentProvider extends AutoCloseable {

    /// The name that purchases are stored with: an order means nothing to another provider.
    String name();

    /// As people know it.
    String title();

    /// What is to be paid, and by whom.
    ///
    /// @param purchaseId ours; the provider keeps it with the order
    /// @param description what the human reads before agreeing
    record NewOrder(UUID accountId, UUID purchaseId, String description, Money price) {}

    /// What came of an order's creation.
    sealed interface Creation {
        /// @param approvalUrl where the human agrees to pay
        record Created(String orderId, String approvalUrl) implements Creation {}

        /// Nothing that anybody could pay was made.
        record Failed(String reason) implements Creation {}
    }

    Creation create(NewOrder order);

    OrderState look(String orderId);

    /// Captures an approved order. The same request id captures at most once, however often it is
    /// sent.
    OrderState capture(String orderId, String requestId);

    @Override
    default void close() {}
}
