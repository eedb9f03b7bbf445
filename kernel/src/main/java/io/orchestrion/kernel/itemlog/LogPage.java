package io.orchestrion.kernel.itemlog;

import java.util.List;

/// Some lines of an item's log, oldest first.
///
/// @param nextMs the time to ask from again: of the last line, or what was asked from
/// @param more whether there are more by now
public record LogPage(List<LogEntry> events, long nextMs, boolean more) {}
