package io.orchestrion.server.billing;

import io.orchestrion.kernel.Kernel;

import org.jspecify.annotations.Nullable;

import java.net.URI;

/// What billing is made of.
///
/// @param publicUrl under which people reach this server; null for where it listens
/// @param payPal null where no money is taken
public record BillingOptions(@Nullable URI publicUrl, @Nullable PayPalOptions payPal) {
    public static final BillingOptions LOCAL = new BillingOptions(null, null);

    public PaymentProvider provider(Kernel kernel, PublicAddress address) {
        return payPal == null
                ? new LocalProvider(kernel.database(), kernel.ids(), address)
                : new PayPalProvider(payPal, address);
    }
}
