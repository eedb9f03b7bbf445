package io.orchestrion.kernel.progress;

/// The progress of a lane of this node.
///
/// @param waiting how many requests wait to be begun
/// @param inHand how many are being carried out
/// @param sinceProgressMs the longest time since a committer with requests made progress; 0 where
///     none has requests
/// @param limitMs how long a transaction may take: beyond it the lane is stuck
/// @param transactionsEnded how many of its transactions were ended because they took longer, since
///     the node started
/// @param threadsLost threads that did not go on after that, and were replaced
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
