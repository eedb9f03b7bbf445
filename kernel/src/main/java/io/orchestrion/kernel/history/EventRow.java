package io.orchestrion.kernel.history;

import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.TimeInState;
import io.orchestrion.kernel.work.Transition;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/// A history row about to be written.
///
/// @param log that it is written to, which is that of the item's profile
/// @param kind of the item, for listeners
/// @param countedAs the word beside its queue that it is counted under
/// @param left which state the item was in until now as the history shows it, and since when
/// @param sinceMs when the item entered the state it leaves, as far as its row tells
/// @param trace of the item, for listeners
/// @param correlationId of the item, for listeners
/// @param error what the holder of a failed attempt gave for it
/// @param owner of the item, for listeners; null where nobody owns it, or where it is not known
public record EventRow(
        UUID workId,
        String log,
        int seq,
        long atMs,
        WorkEvent event,
        @Nullable WorkState from,
        WorkState to,
        int attempt,
        long leaseNumber,
        @Nullable String holder,
        @Nullable String detail,
        String kind,
        String countedAs,
        TimeInState left,
        long sinceMs,
        @Nullable String trace,
        @Nullable String correlationId,
        @Nullable WorkError error,
        @Nullable OwnerRef owner) {

    /// For a change that a statement made without reading the row first.
    public static EventRow of(WorkItem after, WorkEvent event, @Nullable WorkState from) {
        return new EventRow(
                after.id(),
                after.profile(),
                after.place().eventSeq(),
                after.place().eventMs(),
                event,
                from,
                after.state(),
                after.attempt(),
                after.lease().number(),
                after.holding().holder(),
                null,
                after.kind(),
                counted(after),
                left(after, event, from),
                since(after, event),
                after.trail().trace(),
                after.trail().correlationId(),
                null,
                after.owner());
    }

    private static String counted(WorkItem item) {
        return Profiles.countedAs(item.profile(), item.kind(), item.turn().priority());
    }

    /// An item that waited for a time counts as waiting since that time.
    private static TimeInState left(WorkItem after, WorkEvent event, @Nullable WorkState from) {
        TimeInState before =
                from == after.state() ? after.place().stay() : after.place().stay().before();
        TimeInState left = before == null ? TimeInState.NOWHERE : before;
        Long runAtMs = after.turn().runAtMs();
        boolean waited = left.word().equals("waiting") || left.word().equals("backoff");
        return event == WorkEvent.LEASE
                        && waited
                        && runAtMs != null
                        && runAtMs > left.sinceMs()
                        && runAtMs <= after.place().eventMs()
                ? new TimeInState(left.word(), runAtMs, null)
                : left;
    }

    /// A statement that changes rows cannot say what stood there before, so this is put together
    /// from what it left: an item is ready since it was handed in, was due or failed last.
    private static long since(WorkItem after, WorkEvent event) {
        if (event == WorkEvent.SUBMIT) {
            return after.place().eventMs();
        }
        if (event == WorkEvent.LEASE) {
            long ready = after.times().createdMs();
            ready = Math.max(ready, after.turn().runAtMs() == null ? 0 : after.turn().runAtMs());
            return Math.max(
                    ready, after.attempts().failedMs() == null ? 0 : after.attempts().failedMs());
        }
        return after.times().claimedMs() == null
                ? after.place().eventMs()
                : after.times().claimedMs();
    }

    /// The state in which the item is now, as the history shows it.
    String arrived() {
        return left.after(event, from, to, atMs).word();
    }

    /// How a new item begins, see [NewWork#at].
    public static List<EventRow> ofNew(WorkItem item) {
        if (item.place().eventSeq() == 1) {
            return List.of(of(item, WorkEvent.SUBMIT, null));
        }
        var first =
                new EventRow(
                        item.id(),
                        item.profile(),
                        1,
                        item.place().eventMs() - 1,
                        WorkEvent.SUBMIT,
                        null,
                        WorkState.WAITING,
                        item.attempt(),
                        item.lease().number(),
                        null,
                        null,
                        item.kind(),
                        counted(item),
                        TimeInState.NOWHERE,
                        item.place().eventMs() - 1,
                        item.trail().trace(),
                        item.trail().correlationId(),
                        null,
                        item.owner());
        return List.of(first, of(item, WorkEvent.PROMOTE, WorkState.WAITING));
    }

    public static EventRow of(Transition transition) {
        WorkItem after = transition.after();
        // The holder that acted is the one before a change that lets the lease go.
        String holder =
                after.state().held()
                        ? after.holding().holder()
                        : transition.before().holding().holder();
        boolean failed =
                switch (transition.event()) {
                    case FAIL, EXPIRE, TIME_OUT, GIVE_UP -> true;
                    default -> false;
                };
        return new EventRow(
                after.id(),
                after.profile(),
                after.place().eventSeq(),
                after.place().eventMs(),
                transition.event(),
                transition.before().state(),
                after.state(),
                after.attempt(),
                after.lease().number(),
                holder,
                failed ? after.attempts().failure() : transition.detail(),
                after.kind(),
                counted(after),
                left(after, transition.event(), transition.before().state()),
                transition.before().place().eventMs(),
                after.trail().trace(),
                after.trail().correlationId(),
                reported(transition),
                after.owner());
    }

    /// Failures that the kernel itself found need no error here, because the event names them.
    private static @Nullable WorkError reported(Transition transition) {
        Report report = transition.report();
        return report == null || transition.event() != WorkEvent.FAIL ? null : report.error();
    }
}
