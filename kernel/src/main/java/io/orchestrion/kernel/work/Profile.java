package io.orchestrion.kernel.work;

import static io.orchestrion.kernel.work.WorkState.DEAD;
import static io.orchestrion.kernel.work.WorkState.FAILED;
import static io.orchestrion.kernel.work.WorkState.LEASED;
import static io.orchestrion.kernel.work.WorkState.READY;
import static io.orchestrion.kernel.work.WorkState.RUNNING;
import static io.orchestrion.kernel.work.WorkState.WAITING;

import io.orchestrion.kernel.lifecycle.TransitionTable;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Set;

/// What makes one door's queue out of the kernel: data, not code. [Profiles] names them all, each
/// by what is special about it.
///
/// @param name stored with each item; never reused for another meaning
/// @param queue whose claims see the items: profiles may share one
/// @param lease how long a claim lasts and who says so
/// @param promotionsShown the waits whose end is an event to the outside
/// @param bounds what an item may ask for at the most
public record Profile(
        String name,
        String queue,
        Claims claims,
        LeaseTerms lease,
        Ends ends,
        Retries retries,
        CancelRules cancelling,
        Set<WaitReason> promotionsShown,
        ItemBounds bounds,
        Keeping keeping) {

    /// How items are claimed.
    ///
    /// @param order what is claimed first
    /// @param startWork claim starts the work at once, so that LEASED is never seen
    /// @param byPolicy whether items say what they ask of a worker, and claims what a worker may
    ///     take
    public record Claims(ClaimOrder order, boolean startWork, boolean byPolicy) {}

    /// What ends an attempt or a wait, and how.
    ///
    /// @param onFailure what a reported failure does
    /// @param onExpiry what an expired lease of started work does
    /// @param onDue what the end of a wait for a time does
    /// @param onGiveUp in which state an item ends that was not done by the time until which it was
    ///     wanted; null where items have no such time
    public record Ends(
            OnFailure onFailure, OnExpiry onExpiry, OnDue onDue, @Nullable WorkState onGiveUp) {}

    /// How what failed is tried again.
    ///
    /// @param backoff the delay before the next attempt where the worker names none
    /// @param ofDead whether a dead item may be put back
    /// @param ofFailed whether a failed item may be tried again on request
    public record Retries(Backoff backoff, boolean ofDead, boolean ofFailed) {}

    /// When an item may be cancelled.
    ///
    /// @param from the states in which cancelling is allowed
    /// @param forcedFrom the states in which it is allowed with force
    /// @param askedIn the states in which cancelling asks the holder to stop: unless the holder
    ///     then reports success, the item ends as cancelled
    public record CancelRules(
            Set<WorkState> from, Set<WorkState> forcedFrom, Set<WorkState> askedIn) {
        /// Whether an item may go from that state to cancelled, for whatever reason.
        boolean everFrom(WorkState state) {
            return from.contains(state) || forcedFrom.contains(state) || askedIn.contains(state);
        }
    }

    /// What an item may ask for at the most.
    ///
    /// @param attempts how often an item may be leased before a failure is final
    /// @param schedule how far from now a first time may lie
    /// @param payload how large and deep a payload may be
    public record ItemBounds(Bounds attempts, ScheduleBounds schedule, PayloadBounds payload) {}

    /// What is kept of an item.
    ///
    /// @param retention how long an ended item is kept; zero means as long as its owner
    /// @param metered whether the account's plan counts, bounds and keeps these items
    /// @param log whether each item keeps a log that its holder may add to
    /// @param lateReports how many reports that come after the end of an item are kept in its
    ///     history; where this is above zero, a late holder is also answered that its lease was
    ///     revoked
    public record Keeping(Duration retention, boolean metered, boolean log, int lateReports) {}

    /// Who names the length of a lease.
    public enum LeaseSource {
        ITEM,
        CLAIM,
        FIXED
    }

    /// Inclusive bounds with a default between them.
    public record Bounds(int min, int max, int orElse) {
        public Bounds {
            if (min > orElse || orElse > max) {
                throw new IllegalArgumentException(min + " ≤ " + orElse + " ≤ " + max);
            }
        }
    }

    public record LeaseTerms(LeaseSource source, Bounds seconds) {}

    public record PayloadBounds(int maxBytes, int maxDepth) {}

    /// A first time may lie this far before the database's time (clocks differ) and this far after
    /// it.
    public record ScheduleBounds(Duration behind, Duration ahead) {
        boolean allows(long runAtMs, long nowMs) {
            return runAtMs >= nowMs - behind.toMillis() && runAtMs <= nowMs + ahead.toMillis();
        }
    }

    public enum OnFailure {
        /// Another attempt, or dead when none is left.
        RETRY_OR_DIE,
        /// As above when the worker calls it retryable, else failed.
        AS_REPORTED,
        /// The item fails. Its owner or the caller decides what follows.
        FAIL
    }

    public enum OnExpiry {
        RETRY_OR_DIE,
        FAIL,
        /// The item is ready for anybody again, however often this happens.
        TAKE_OVER
    }

    public enum OnDue {
        /// It becomes ready, for whoever claims it.
        READY,
        /// The item succeeds. Waiting was all there was to do, so nobody ever claims it.
        SUCCEEDED
    }

    public enum ClaimOrder {
        /// Priority, then schedule with the unscheduled first, then creation.
        PRIORITY_SCHEDULE_CREATION,
        PRIORITY_CREATION,
        CREATION
    }

    /// The log that its events are in. Profiles that share a queue have a log each, so that a
    /// reader of the one log sees nothing of the other.
    public String log() {
        return name;
    }

    /// Whether waiting for the first time, and the end of that wait, are shown to the outside.
    public boolean showsWaiting() {
        return !promotionsShown.isEmpty();
    }

    /// Whether its items only wait, and are never claimed.
    public boolean endsWhenDue() {
        return ends.onDue == OnDue.SUCCEEDED;
    }

    /// The part of the whole graph that items of this profile may follow.
    public TransitionTable<WorkState, WorkEvent> lifecycle() {
        return WorkLifecycle.TABLE.only(this::keeps);
    }

    private boolean keeps(TransitionTable.Row<WorkState, WorkEvent> row) {
        WorkState to = row.to();
        if (endsWhenDue()) {
            return row.from() == WAITING && to != READY && row.event() != WorkEvent.GIVE_UP;
        }
        return switch (row.event()) {
            case SUBMIT -> false;
            case PROMOTE -> true;
            case COMPLETE -> row.from() == RUNNING;
            // Where waiting is a state of its own to the outside, a ready item never goes back to
            // it.
            case HOLD, RELEASE -> !showsWaiting();
            case LEASE -> (to == RUNNING) == claims.startWork;
            case START -> !claims.startWork;
            case FAIL ->
                    switch (ends.onFailure) {
                        case RETRY_OR_DIE -> to != FAILED;
                        case AS_REPORTED -> true;
                        case FAIL -> to == FAILED;
                    };
            case EXPIRE -> keepsExpiry(row.from(), to);
            case TIME_OUT -> to == (ends.onFailure == OnFailure.FAIL ? FAILED : DEAD);
            case CANCEL ->
                    cancelling.everFrom(row.from()) && !(claims.startWork && row.from() == LEASED);
            case ASK_CANCEL -> cancelling.askedIn.contains(row.from());
            case GIVE_UP -> to == ends.onGiveUp && !(claims.startWork && row.from() == LEASED);
            case LATE_REPORT -> keeping.lateReports > 0;
            case REOPEN -> retries.ofDead;
            case RETRY -> retries.ofFailed && (to == WAITING) == retries.backoff.delays();
        };
    }

    private boolean keepsExpiry(WorkState from, WorkState to) {
        if (from != RUNNING) {
            return !claims.startWork;
        }
        return switch (ends.onExpiry) {
            case RETRY_OR_DIE -> to == DEAD || to == (retries.backoff.delays() ? WAITING : READY);
            case FAIL -> to == FAILED;
            case TAKE_OVER -> to == READY;
        };
    }
}
