package io.orchestrion.server.tasks;

import static io.orchestrion.server.tasks.TaskStatus.CANCELLED;
import static io.orchestrion.server.tasks.TaskStatus.CLAIMED;
import static io.orchestrion.server.tasks.TaskStatus.COMPLETED;
import static io.orchestrion.server.tasks.TaskStatus.DEAD_LETTER;
import static io.orchestrion.server.tasks.TaskStatus.PENDING;

import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.server.http.Endpoint;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// One change of a task's status, in the words of the published contract.
///
/// @param from null for a task that is made
/// @param event what it is to the kernel
/// @param trigger what makes it happen
public record TaskTransition(
        @Nullable TaskStatus from, TaskStatus to, WorkEvent event, String trigger) {

    private static final String LAPSE = "Lease expiry";
    private static final String OVERDUE = "giveUpAt passed";

    /// All there are; a test holds them against the kernel's own table.
    public static final List<TaskTransition> ALL =
            List.of(
                    new TaskTransition(null, PENDING, WorkEvent.SUBMIT, by(TaskEndpoints.CREATE)),
                    new TaskTransition(
                            PENDING,
                            CLAIMED,
                            WorkEvent.LEASE,
                            by(TaskEndpoints.CLAIM) + " or " + by(TaskEndpoints.CLAIM_THIS)),
                    new TaskTransition(
                            CLAIMED, COMPLETED, WorkEvent.COMPLETE, by(TaskEndpoints.COMPLETE)),
                    new TaskTransition(
                            CLAIMED, PENDING, WorkEvent.FAIL, remaining(by(TaskEndpoints.FAIL))),
                    new TaskTransition(
                            CLAIMED,
                            DEAD_LETTER,
                            WorkEvent.FAIL,
                            exhausted(by(TaskEndpoints.FAIL))),
                    new TaskTransition(CLAIMED, PENDING, WorkEvent.EXPIRE, remaining(LAPSE)),
                    new TaskTransition(CLAIMED, DEAD_LETTER, WorkEvent.EXPIRE, exhausted(LAPSE)),
                    new TaskTransition(
                            PENDING, CANCELLED, WorkEvent.CANCEL, by(TaskEndpoints.CANCEL)),
                    new TaskTransition(
                            DEAD_LETTER, PENDING, WorkEvent.REOPEN, by(TaskEndpoints.REQUEUE)),
                    // Beyond the published list.
                    new TaskTransition(
                            CLAIMED,
                            CANCELLED,
                            WorkEvent.CANCEL,
                            by(TaskEndpoints.CANCEL) + " (force)"),
                    new TaskTransition(PENDING, CANCELLED, WorkEvent.GIVE_UP, OVERDUE),
                    new TaskTransition(CLAIMED, CANCELLED, WorkEvent.GIVE_UP, OVERDUE));

    private static String by(Endpoint endpoint) {
        return endpoint.method() + " " + endpoint.colonPath();
    }

    private static String remaining(String trigger) {
        return trigger + " (retries remaining)";
    }

    private static String exhausted(String trigger) {
        return trigger + " (retries exhausted)";
    }
}
