package io.orchestrion.runs.read;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/// A call of a tool that people are asked about before it is made.
///
/// @param status one of [#STATUSES]
/// @param input JSON text: exactly what the tool would be given
/// @param decided null while nobody has
public record ApprovalView(
        UUID id,
        UUID run,
        UUID step,
        int attempt,
        String status,
        String tool,
        String input,
        long requestedMs,
        @Nullable Decided decided) {
    public static final List<String> STATUSES =
            List.of("pending", "approved", "rejected", "cancelled");

    /// @param by null where the run ended before anybody decided
    public record Decided(@Nullable String by, @Nullable String note, long atMs) {}
}
