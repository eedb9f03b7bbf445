package io.orchestrion.server.billing;

/// The outcome of a checkout.
public sealed interface Checkout {

    /// A human has to approve it now; the account's plan is as before.
    record Started(Purchase purchase) implements Checkout {}

    /// The catalogue has no such plan, or it is not for sale.
    record NotSold() implements Checkout {}

    /// An account without limits would only lose by a plan.
    record Pointless() implements Checkout {}

    /// The provider did not make an order; nothing is stored.
    record ProviderAway(String reason) implements Checkout {}
}
