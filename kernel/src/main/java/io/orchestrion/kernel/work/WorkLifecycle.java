package io.orchestrion.kernel.work;

import static io.orchestrion.kernel.work.WorkEvent.ASK_CANCEL;
import static io.orchestrion.kernel.work.WorkEvent.CANCEL;
import static io.orchestrion.kernel.work.WorkEvent.COMPLETE;
import static io.orchestrion.kernel.work.WorkEvent.EXPIRE;
import static io.orchestrion.kernel.work.WorkEvent.FAIL;
import static io.orchestrion.kernel.work.WorkEvent.GIVE_UP;
import static io.orchestrion.kernel.work.WorkEvent.HOLD;
import static io.orchestrion.kernel.work.WorkEvent.LATE_REPORT;
import static io.orchestrion.kernel.work.WorkEvent.LEASE;
import static io.orchestrion.kernel.work.WorkEvent.PROMOTE;
import static io.orchestrion.kernel.work.WorkEvent.RELEASE;
import static io.orchestrion.kernel.work.WorkEvent.REOPEN;
import static io.orchestrion.kernel.work.WorkEvent.RETRY;
import static io.orchestrion.kernel.work.WorkEvent.START;
import static io.orchestrion.kernel.work.WorkEvent.TIME_OUT;
import static io.orchestrion.kernel.work.WorkState.CANCELLED;
import static io.orchestrion.kernel.work.WorkState.DEAD;
import static io.orchestrion.kernel.work.WorkState.FAILED;
import static io.orchestrion.kernel.work.WorkState.LEASED;
import static io.orchestrion.kernel.work.WorkState.READY;
import static io.orchestrion.kernel.work.WorkState.RUNNING;
import static io.orchestrion.kernel.work.WorkState.SUCCEEDED;
import static io.orchestrion.kernel.work.WorkState.WAITING;

import io.orchestrion.kernel.lifecycle.TransitionTable;

/// The whole graph of a work item: state, event, next state. A profile keeps a part of it, and
/// nothing adds to it. The database's own guard, the lifecycle page and the tests are made from
/// these rows.
public final class WorkLifecycle {
    private WorkLifecycle() {}

    public static final TransitionTable<WorkState, WorkEvent> TABLE =
            TransitionTable.<WorkState, WorkEvent>empty()
                    .row(WAITING, PROMOTE, READY)
                    // A timer has ended when its time has come.
                    .row(WAITING, COMPLETE, SUCCEEDED)
                    .row(READY, LEASE, LEASED)
                    // In most profiles a claim starts the work at once, and nobody sees LEASED.
                    .row(READY, LEASE, RUNNING)
                    .row(LEASED, START, RUNNING)
                    .row(RUNNING, COMPLETE, SUCCEEDED)
                    .row(RUNNING, FAIL, READY)
                    .row(RUNNING, FAIL, WAITING)
                    .row(RUNNING, FAIL, FAILED)
                    .row(RUNNING, FAIL, DEAD)
                    // Nothing ran yet, so the attempt does not count against the item.
                    .row(LEASED, EXPIRE, READY)
                    .row(RUNNING, EXPIRE, READY)
                    .row(RUNNING, EXPIRE, WAITING)
                    .row(RUNNING, EXPIRE, FAILED)
                    .row(RUNNING, EXPIRE, DEAD)
                    .row(RUNNING, TIME_OUT, FAILED)
                    .row(RUNNING, TIME_OUT, DEAD)
                    .row(WAITING, CANCEL, CANCELLED)
                    .row(READY, CANCEL, CANCELLED)
                    .row(LEASED, CANCEL, CANCELLED)
                    .row(RUNNING, CANCEL, CANCELLED)
                    // The holder learns of it from the answer to its next heartbeat.
                    .row(RUNNING, ASK_CANCEL, RUNNING)
                    .row(WAITING, GIVE_UP, FAILED)
                    .row(READY, GIVE_UP, FAILED)
                    .row(LEASED, GIVE_UP, FAILED)
                    .row(RUNNING, GIVE_UP, FAILED)
                    .row(WAITING, GIVE_UP, CANCELLED)
                    .row(READY, GIVE_UP, CANCELLED)
                    .row(LEASED, GIVE_UP, CANCELLED)
                    .row(RUNNING, GIVE_UP, CANCELLED)
                    // Nothing changes but the history, which has one more line.
                    .row(SUCCEEDED, LATE_REPORT, SUCCEEDED)
                    .row(FAILED, LATE_REPORT, FAILED)
                    .row(CANCELLED, LATE_REPORT, CANCELLED)
                    .row(DEAD, REOPEN, READY)
                    .row(FAILED, RETRY, WAITING)
                    .row(FAILED, RETRY, READY)
                    .row(READY, HOLD, WAITING)
                    .row(WAITING, HOLD, WAITING)
                    .row(WAITING, RELEASE, READY)
                    .row(WAITING, RELEASE, WAITING);
}
