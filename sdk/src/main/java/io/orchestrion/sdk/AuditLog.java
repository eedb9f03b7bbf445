package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Who did what to the account. From [OrchestrionClient#audit]. The key needs the scope `operator`
/// or `admin`.
///
/// ```java
/// AuditLog.Entries newest = client.audit().list(true, null, 50);
/// newest.entries().forEach(entry -> System.out.println(entry.at() + " " + entry.action()));
/// ```
public final class AuditLog {
    private final Transport transport;

    AuditLog(Transport transport) {
        this.transport = transport;
    }

    /// A page of entries.
    ///
    /// @param nextAfter pass this as `after` for the next page in the same order; null on the last
    ///     page
    public record Entries(List<AuditEntry> entries, @Nullable Long nextAfter) {
        public Entries {
            entries = List.copyOf(entries);
        }
    }

    /// Reads a page of entries.
    ///
    /// @param newestFirst the order of the entries; `after` follows the same order
    /// @param after the id of the last entry that was read; null for the beginning
    /// @param limit 1 to 200; null for the server's default
    public Entries list(boolean newestFirst, @Nullable Long after, @Nullable Integer limit) {
        var asked =
                new Parameters()
                        .with("order", newestFirst ? "newest" : "oldest")
                        .with("after", after)
                        .with("limit", limit);
        return transport.send(Call.get("/v1/audit" + asked), ResourceWire::audit);
    }

    /// Reads a page of what people and engines did, by time. A page may be empty and have a further
    /// one.
    public Page<AuditEvent> trail(AuditQuery query) {
        return transport.send(
                Call.get("/v1/audit-events" + query.parameters()),
                OrchestrationWire.page(OrchestrationWire::auditEvent));
    }
}
