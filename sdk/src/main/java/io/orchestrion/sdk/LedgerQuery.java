package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Which entries of the ledger to list, oldest first. Each method returns a changed copy.
///
/// ```java
/// Page<LedgerEntry> ofRun = client.credits().ledger(LedgerQuery.ALL.ofRun("run_7"));
/// ```
///
/// @param runId null for all
/// @param afterSequence only entries after this one; null for all
/// @param limit 1 to 100; null for the server's default of 50
/// @param cursor the cursor of the page before; null for the first page
public record LedgerQuery(
        @Nullable String runId,
        @Nullable Long afterSequence,
        @Nullable Integer limit,
        @Nullable String cursor) {
    /// Every entry.
    public static final LedgerQuery ALL = new LedgerQuery(null, null, null, null);

    public LedgerQuery ofRun(@Nullable String id) {
        return new LedgerQuery(id, afterSequence, limit, cursor);
    }

    public LedgerQuery afterSequence(@Nullable Long sequence) {
        return new LedgerQuery(runId, sequence, limit, cursor);
    }

    public LedgerQuery withLimit(@Nullable Integer limit) {
        return new LedgerQuery(runId, afterSequence, limit, cursor);
    }

    public LedgerQuery after(@Nullable String cursor) {
        return new LedgerQuery(runId, afterSequence, limit, cursor);
    }

    Parameters parameters() {
        return new Parameters()
                .with("run_id", runId)
                .with("after_seq", afterSequence)
                .with("limit", limit)
                .with("cursor", cursor);
    }
}
