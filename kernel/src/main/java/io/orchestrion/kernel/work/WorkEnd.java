package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

/// The end of an item, as its owner is told of it: the change, and all that the holder reported.
///
/// @param event what ended it
/// @param from the state in which it was
/// @param item as it is now
/// @param result JSON text, of a success
/// @param outputRef a reference to something kept elsewhere, of a success
/// @param report why it failed, what the attempt used and where its logs are
public record WorkEnd(
        WorkEvent event,
        WorkState from,
        WorkItem item,
        @Nullable String result,
        @Nullable String outputRef,
        Report report) {

    /// Why the item failed, in a form for programs: the error that was reported. Where the holder
    /// reported only a sentence, it is that sentence with the code [WorkError#UNSPECIFIED]. Null
    /// for an item that did not fail.
    public @Nullable WorkError error() {
        WorkError reported = report.error();
        boolean failed = item.state() == WorkState.FAILED || item.state() == WorkState.DEAD;
        return reported != null || !failed
                ? reported
                : WorkError.unspecified(item.attempts().failure());
    }

    /// Makes it of a change that was decided on a locked item; null when the change does not end
    /// the item.
    ///
    /// @param command what was asked for, null where nobody asked
    public static @Nullable WorkEnd of(Transition transition, @Nullable Command command) {
        if (!transition.ends()) {
            return null;
        }
        boolean succeeded = transition.event() == WorkEvent.COMPLETE;
        return command instanceof Command.Complete complete && succeeded
                ? of(transition, complete.result(), complete.outputRef())
                : of(transition, null, null);
    }

    private static WorkEnd of(
            Transition transition, @Nullable String result, @Nullable String outputRef) {
        Report report = transition.report();
        return new WorkEnd(
                transition.event(),
                transition.before().state(),
                transition.after(),
                result,
                outputRef,
                report == null ? Report.NONE : report);
    }
}
