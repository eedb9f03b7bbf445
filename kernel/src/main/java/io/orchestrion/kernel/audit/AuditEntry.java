package io.orchestrion.kernel.audit;

import org.jspecify.annotations.Nullable;

/// One line of the log as it is read.
///
/// @param seq counts up by one within the account
/// @param actorName what the key was called at the time
/// @param detail JSON text
public record AuditEntry(
        long seq,
        long atMs,
        Actor actor,
        @Nullable String actorName,
        String action,
        Subject subject,
        String detail) {}
