package io.orchestrion.sdk;

import static io.orchestrion.sdk.OrchestrionClient.putIfThere;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;

/// What whoever runs the server does with runs and credits of all accounts. From
/// [Runs#admin]. The key must be one of the account `local`.
///
/// ```java
/// RunAdmin admin = client.runs().admin();
/// var amount = new java.math.BigDecimal("500");
/// admin.grant("0195f2b4-0000-7000-8000-000000000001", amount, "invoice-7", "paid");
/// admin.anomalies(null).items().forEach(each -> System.out.println(each.runId()));
/// ```
public final class RunAdmin {
    private static final String ADMIN = Runs.ROOT + "/admin";

    private final Transport transport;

    RunAdmin(Transport transport) {
        this.transport = transport;
    }

    /// Gives credits to an account.
    ///
    /// @param orgId the account
    /// @param key the account gets credits once for a key, for as long as the ledger is kept
    /// @param reason for the audit log, at most 500 characters; null for nothing
    public LedgerEntry grant(String orgId, BigDecimal amount, String key, @Nullable String reason) {
        ObjectNode body = Json.object().put("org_id", orgId).put("amount", amount);
        body.put("idempotency_key", key);
        putIfThere(body, "reason", reason);
        return transport.send(
                Call.post(ADMIN + "/credits/grants", body).repeated(true), RunWire::entry);
    }

    /// Gives a charge back that was a mistake, whole and once.
    ///
    /// @param reason for the audit log, 1 to 500 characters
    public LedgerEntry reverse(String ledgerEntryId, String reason) {
        ObjectNode body = Json.object().put("ledger_entry_id", ledgerEntryId).put("reason", reason);
        return transport.send(
                Call.post(ADMIN + "/billing/reversals", body).repeated(true), RunWire::entry);
    }

    /// Some of the attempts of which the ledger says something odd. A page may be empty and not be
    /// the last.
    ///
    /// @param cursor the cursor of the page before; null for the first page
    public Page<BillingAnomaly> anomalies(@Nullable String cursor) {
        return transport.send(
                Call.get(ADMIN + "/billing/anomalies" + Parameters.page(null, cursor)),
                OrchestrationWire.page(RunWire::anomaly));
    }

    /// Looks whether a part of all rows is as it must be.
    ///
    /// @param cursor the cursor of the call before; null to begin
    public InvariantCheck invariants(@Nullable String cursor) {
        return transport.send(
                Call.get(ADMIN + "/invariants" + Parameters.page(null, cursor)),
                RunWire::invariants);
    }

    /// A page of the runs that run too long or without a heartbeat.
    ///
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<StuckRun> stuck(@Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(ADMIN + "/runs/stuck" + Parameters.page(limit, cursor)),
                OrchestrationWire.page(RunWire::stuck));
    }

    /// Ends a run of any account that nothing else ends. What it has not used is given back.
    ///
    /// @param reason becomes its last error, 1 to 500 characters
    public EndedRun forceFail(String runId, String reason) {
        String path = ADMIN + "/runs/" + Parameters.encoded(runId) + "/force-fail";
        return transport.send(
                Runs.keyed(Call.post(path, Json.object().put("reason", reason))), RunWire::ended);
    }
}
