package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Who did what to the account. From [OrchestrionClient#audit]; the key needs the scope `operator`
/// or `admin`.
public final class AuditLog {
    private final Transport transport;

    AuditLog(Transport transport) {
        this.transport = transport;
    }

    /// A page of entries.
    ///
    /// @param nextAfter the id to go on after, in the same order; null at the end
    public record Entries(List<AuditEntry> entries, @Nullable Long nextAfter) {
        public Entries {
            entries = List.copyOf(entries);
        }
    }

    /// @param newestFirst the order; `after` goes on in it
    /// @param after the id of an entry; null for the beginning
    /// @param limit 1 to 200; null for the server's default
    public Entries list(boolean newestFirst, @Nullable Long after, @Nullable Integer limit) {
        var asked =
                new Parameters()
                        .with("order", newestFirst ? "newest" : "oldest")
                        .with("after", after)
                        .with("limit", limit);
        return transport.send(Call.get("/v1/audit" + asked), ResourceWire::audit);
    }
}
