package io.orchestrion.kernel.bulk;

import io.orchestrion.kernel.work.Profile;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// An operation as it stands.
///
/// @param keyName what the key that asked was called then
/// @param reached the newest id that was looked at
/// @param matched how many fitted when it was made
/// @param matchedAll false when there were too many to count, so that there may be more
/// @param skipped fitted, and were in another state when their turn came
/// @param failures the first few that failed
/// @param tries passes in a row that came to nothing
public record BulkOperation(
        UUID accountId,
        UUID id,
        Profile profile,
        BulkAction action,
        BulkFilter filter,
        int max,
        @Nullable String why,
        UUID keyId,
        @Nullable String keyName,
        BulkState state,
        UUID reached,
        int matched,
        boolean matchedAll,
        int done,
        int skipped,
        int failed,
        List<Failure> failures,
        int tries,
        long createdMs,
        @Nullable Long finishedMs) {

    /// How many failures are kept word by word.
    public static final int FAILURES_KEPT = 5;

    /// An item to which it could not be done.
    public record Failure(UUID id, String reason) {}

    /// The same after a step that went on to another place.
    BulkOperation moved(UUID to, int moreDone, int moreSkipped) {
        return changed(
                state, to, done + moreDone, skipped + moreSkipped, failed, failures, 0, finishedMs);
    }

    /// The same after an item that it could not be done to.
    BulkOperation failedAt(UUID item, String reason) {
        var kept = new ArrayList<>(failures);
        if (kept.size() < FAILURES_KEPT) {
            kept.add(new Failure(item, reason));
        }
        return changed(state, item, done, skipped, failed + 1, List.copyOf(kept), 0, finishedMs);
    }

    BulkOperation triedInVain() {
        return changed(state, reached, done, skipped, failed, failures, tries + 1, finishedMs);
    }

    /// An item that matched at the start, and no longer when its turn came, was passed over.
    BulkOperation ended(BulkState as, long nowMs) {
        boolean walkedAll = as == BulkState.FINISHED && matchedAll && done < max;
        int passed = walkedAll ? Math.max(skipped, matched - done - failed) : skipped;
        return changed(as, reached, done, passed, failed, failures, tries, nowMs);
    }

    private BulkOperation changed(
            BulkState newState,
            UUID newReached,
            int newDone,
            int newSkipped,
            int newFailed,
            List<Failure> newFailures,
            int newTries,
            @Nullable Long newFinishedMs) {
        return new BulkOperation(
                accountId,
                id,
                profile,
                action,
                filter,
                max,
                why,
                keyId,
                keyName,
                newState,
                newReached,
                matched,
                matchedAll,
                newDone,
                newSkipped,
                newFailed,
                newFailures,
                newTries,
                createdMs,
                newFinishedMs);
    }
}
