package io.orchestrion.server.events;

import static io.orchestrion.kernel.work.WorkState.CANCELLED;
import static io.orchestrion.kernel.work.WorkState.DEAD;
import static io.orchestrion.kernel.work.WorkState.FAILED;
import static io.orchestrion.kernel.work.WorkState.READY;
import static io.orchestrion.kernel.work.WorkState.RUNNING;
import static io.orchestrion.kernel.work.WorkState.SUCCEEDED;
import static io.orchestrion.kernel.work.WorkState.WAITING;

import io.orchestrion.kernel.history.HistoryEntry;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkState;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The door's own words for what happens to a task: the kernel's event together with the state that
/// it led to. Words are never removed or renamed within `/v1`.
public enum TaskEvent {
    CREATED(EnumSet.of(WorkEvent.SUBMIT), EnumSet.of(READY, WAITING)),
    CLAIMED(EnumSet.of(WorkEvent.LEASE, WorkEvent.START), EnumSet.of(WorkState.LEASED, RUNNING)),
    COMPLETED(EnumSet.of(WorkEvent.COMPLETE), EnumSet.of(SUCCEEDED)),
    /// An attempt failed, and the next may begin at once; of a step, what follows is its owner's to
    /// say.
    FAILED_ATTEMPT(
            "failed",
            EnumSet.of(WorkEvent.FAIL, WorkEvent.TIME_OUT, WorkEvent.GIVE_UP),
            EnumSet.of(READY, FAILED)),
    /// An attempt failed, and the next has to wait.
    RETRY_SCHEDULED(EnumSet.of(WorkEvent.FAIL), EnumSet.of(WAITING)),
    LEASE_EXPIRED(EnumSet.of(WorkEvent.EXPIRE), EnumSet.of(READY, WAITING, FAILED)),
    /// The last attempt failed, lapsed or took too long.
    DEAD_LETTERED(
            EnumSet.of(WorkEvent.FAIL, WorkEvent.EXPIRE, WorkEvent.TIME_OUT), EnumSet.of(DEAD)),
    /// Somebody asked for it, or it was not done by the time that it was given.
    CANCELLED_BY_REQUEST(
            "cancelled", EnumSet.of(WorkEvent.CANCEL, WorkEvent.GIVE_UP), EnumSet.of(CANCELLED)),
    REQUEUED(EnumSet.of(WorkEvent.REOPEN, WorkEvent.RETRY), EnumSet.of(READY, WAITING)),
    HELD(EnumSet.of(WorkEvent.HOLD), EnumSet.of(WAITING)),
    RELEASED(EnumSet.of(WorkEvent.RELEASE, WorkEvent.PROMOTE), EnumSet.of(READY, WAITING)),
    /// A former holder reported after the end of the task; nothing changed by that.
    LATE_REPORT(EnumSet.of(WorkEvent.LATE_REPORT), EnumSet.of(SUCCEEDED, FAILED, DEAD, CANCELLED)),
    /// For a kernel event without a word of its own.
    CHANGED(EnumSet.noneOf(WorkEvent.class), EnumSet.noneOf(WorkState.class));

    public static final List<String> WORDS = Arrays.stream(values()).map(TaskEvent::word).toList();

    private final String word;
    private final Set<WorkEvent> events;
    private final Set<WorkState> to;

    TaskEvent(Set<WorkEvent> events, Set<WorkState> to) {
        this.word = name().toLowerCase(Locale.ROOT);
        this.events = events;
        this.to = to;
    }

    TaskEvent(String word, Set<WorkEvent> events, Set<WorkState> to) {
        this.word = word;
        this.events = events;
        this.to = to;
    }

    public String word() {
        return word;
    }

    public static TaskEvent of(HistoryEntry entry) {
        return of(entry.event(), entry.to());
    }

    public static TaskEvent of(WorkEvent event, WorkState to) {
        for (TaskEvent each : values()) {
            if (each.events.contains(event) && each.to.contains(to)) {
                return each;
            }
        }
        return CHANGED;
    }
}
