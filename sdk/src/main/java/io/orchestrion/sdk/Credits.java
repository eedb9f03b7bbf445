package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

/// What runs cost. From [OrchestrionClient#credits].
///
/// ```java
/// Credits credits = client.credits();
/// if (credits.balance().available().signum() == 0) {
///     credits.ledger(LedgerQuery.ALL).items().forEach(each -> System.out.println(each.type()));
/// }
/// ```
public final class Credits {
    private static final String CREDITS = Runs.ROOT + "/credits";

    private final Transport transport;

    Credits(Transport transport) {
        this.transport = transport;
    }

    /// What the account has.
    public CreditBalance balance() {
        return transport.send(Call.get(CREDITS), RunWire::balance);
    }

    /// A page of the ledger, oldest first.
    public Page<LedgerEntry> ledger(LedgerQuery query) {
        return transport.send(
                Call.get(CREDITS + "/ledger" + query.parameters()),
                OrchestrationWire.page(RunWire::entry));
    }

    /// A page of what the account was told of corrected charges, oldest first.
    ///
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<CreditNotice> notices(@Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(CREDITS + "/notices" + Parameters.page(limit, cursor)),
                OrchestrationWire.page(RunWire::notice));
    }
}
