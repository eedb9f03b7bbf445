package io.orchestrion.server.billing;

import io.orchestrion.kernel.plan.Standing;

/// The outcome of a look at a purchase.
public sealed interface Verification {

    /// Paid, now or before. Saying it again changes nothing.
    record Activated(Purchase purchase, Standing standing, long nowMs) implements Verification {}

    /// The account has no such purchase, even if another account has.
    record NoSuchPurchase() implements Verification {}

    /// A human has to approve the order first.
    record NotApproved(Purchase purchase) implements Verification {}

    /// There is no money for it and there will be none.
    record Failed(Purchase purchase, String reason) implements Verification {}

    /// The provider speaks of another amount than the price, and may have taken it: nothing was
    /// activated, and a person has to look at it.
    record Mismatched(Purchase purchase, String reason) implements Verification {}

    /// Still open, with a provider that this server is not set up for: nobody here can look.
    record OtherProvider(Purchase purchase) implements Verification {}

    /// The money is under way, or another caller is capturing it at this moment.
    record Pending(Purchase purchase) implements Verification {}

    /// The provider did not say what is so; nothing was concluded from that.
    record Uncertain(Purchase purchase, String reason) implements Verification {}
}
