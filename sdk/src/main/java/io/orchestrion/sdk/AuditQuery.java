package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// Which events of the audit to read. Each method returns a changed copy.
///
/// ```java
/// Page<AuditEvent> decisions = client.audit().trail(
///
/// AuditQuery.ALL.about(id.toString()).withEvent("orchestration.approval").fromTheNewest());
/// ```
///
/// @param subject only of what has this id, and of its parts
/// @param event only of this name, or of names that begin with it and a dot
/// @param from not before
/// @param to before
/// @param newestFirst the order
/// @param limit 1 to 100; null for the server's default
/// @param cursor the cursor of the page before; null for the first page
public record AuditQuery(
        @Nullable String subject,
        @Nullable String event,
        @Nullable Instant from,
        @Nullable Instant to,
        boolean newestFirst,
        @Nullable Integer limit,
        @Nullable String cursor) {
    /// Everything, oldest first.
    public static final AuditQuery ALL = new AuditQuery(null, null, null, null, false, null, null);

    public AuditQuery about(@Nullable String id) {
        return new AuditQuery(id, event, from, to, newestFirst, limit, cursor);
    }

    public AuditQuery withEvent(@Nullable String name) {
        return new AuditQuery(subject, name, from, to, newestFirst, limit, cursor);
    }

    public AuditQuery between(@Nullable Instant from, @Nullable Instant to) {
        return new AuditQuery(subject, event, from, to, newestFirst, limit, cursor);
    }

    /// The newest first.
    public AuditQuery fromTheNewest() {
        return new AuditQuery(subject, event, from, to, true, limit, cursor);
    }

    public AuditQuery withLimit(@Nullable Integer limit) {
        return new AuditQuery(subject, event, from, to, newestFirst, limit, cursor);
    }

    public AuditQuery after(@Nullable String cursor) {
        return new AuditQuery(subject, event, from, to, newestFirst, limit, cursor);
    }

    Parameters parameters() {
        return new Parameters()
                .with("subject", subject)
                .with("event", event)
                .with("from", from)
                .with("to", to)
                .with("order", newestFirst ? "newest" : "oldest")
                .with("limit", limit)
                .with("cursor", cursor);
    }
}
