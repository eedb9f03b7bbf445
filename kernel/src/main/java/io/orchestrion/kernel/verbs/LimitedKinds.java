package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.memory.BoundedMap;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Remembers which kinds had limits when they were last claimed. It is a guess, used to choose the
/// shorter way; the claim itself finds out.
final class LimitedKinds {
    private final Map<ClaimMarks.Line, Boolean> limited = new BoundedMap<>();

    /// Whether one of the kinds had limits.
    synchronized boolean likely(UUID account, String queue, List<String> kinds) {
        for (String kind : kinds) {
            if (limited.containsKey(new ClaimMarks.Line(account, queue, kind))) {
                return true;
            }
        }
        return false;
    }

    synchronized void found(
            UUID account, String queue, List<String> kinds, PromotionSql.Promoted promoted) {
        for (String kind : kinds) {
            var line = new ClaimMarks.Line(account, queue, kind);
            if (promoted.limited().contains(kind) || promoted.switched().contains(kind)) {
                limited.put(line, true);
            } else if (!limited.isEmpty()) {
                limited.remove(line);
            }
        }
    }
}
