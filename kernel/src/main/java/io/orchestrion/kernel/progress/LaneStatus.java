package io.orchestrion.kernel.progress;

/// How a lane of this node gets on.
///
/// @param waiting how many requests wait to be begun with
/// @param inHand how many are being done
/// @param sinceProgressMs how long ago the committer that is the furthest behind got on with what
///     it has in hand; 0 where nothing is in hand
/// @param limitMs how long a transaction may take: beyond it the lane is stuck
/// @param transactionsEnded how many of its transactions were ended because they took longer,
///     since the node started
/// @param threadsLost threads that did not come back after that, and were replaced
public record LaneStatus(
        String name,
        int waiting,
        int inHand,
        long sinceProgressMs,
        long limitMs,
        long transactionsEnded,
        int threadsLost) {

    /// Whether it makes no progress.
    public boolean stuck() {
        return sinceProgressMs > limitMs;
    }
}
