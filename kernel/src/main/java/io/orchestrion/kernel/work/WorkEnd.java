package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

/// The end of an item, as its owner is told of it: the change, and all that its holder said.
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

    /// Why it failed, in a form that a program can go by: what was reported, or, where its holder
    /// gave a sentence alone, that sentence under [WorkError#UNSPECIFIED]. Null for what did not
    /// fail.
    public @Nullable WorkError error() {
        WorkError reported = report.error();
        boolean failed = item.state() == WorkState.FAILED || item.state() == WorkState.DEAD;
        return reported != null || !failed
                ? reported
                : WorkError.unspecified(item.attempts().failure());
    }

    /// Of a change that was decided on a locked item; null when the item goes on.
    ///
    /// @param command what was asked for, null where nobody asked
    static @Nullable WorkEnd of(Step step, @Nullable Command command) {
        if (!step.ends()) {
            return null;
        }
        boolean succeeded = step.event() == WorkEvent.COMPLETE;
        return command instanceof Command.Complete complete && succeeded
                ? of(step, complete.result(), complete.outputRef())
                : of(step, null, null);
    }

    private static WorkEnd of(Step step, @Nullable String result, @Nullable String outputRef) {
        Report report = step.report();
        return new WorkEnd(
                step.event(),
                step.before().state(),
                step.after(),
                result,
                outputRef,
                report == null ? Report.NONE : report);
    }
}
