package io.orchestrion.server.queue;

import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

/// What the kernel would not do, in the door's words.
final class JobRefusals {
    private JobRefusals() {}

    /// @param verb what would have been done to the job
    static Answer answer(Call call, Refusal refusal, String verb) {
        return switch (refusal) {
            case Refusal.NotFound _ -> QueueProblems.noSuchJob(call);
            case Refusal.WrongState(var item) -> wrongStatus(call, item, verb);
            case Refusal.Held(var item) -> wrongStatus(call, item, verb);
            case Refusal.LeaseExpired _ -> leaseExpired(call);
            // Nobody holds the job, so its status tells the caller more than a lost lease.
            case Refusal.LeaseLost(var item) when !item.state().held() ->
                    wrongStatus(call, item, verb);
            case Refusal.LeaseLost _ -> notTheHolder(call);
            case Refusal.NotReady _,
                    Refusal.KindPaused _,
                    Refusal.KeyBusy _,
                    Refusal.TooManyHeld _,
                    Refusal.TooManyClaims _,
                    Refusal.ClaimOver _,
                    Refusal.ClaimConflict _,
                    Refusal.Rejected _,
                    Refusal.Revoked _,
                    Refusal.Managed _ ->
                    throw new IllegalStateException("this door asks for no such thing: " + refusal);
        };
    }

    static Answer leaseExpired(Call call) {
        return QueueProblems.error(
                call, QueueError.LEASE_EXPIRED, "The lease on this job has run out.");
    }

    static Answer notTheHolder(Call call) {
        return QueueProblems.error(
                call,
                QueueError.NOT_THE_HOLDER,
                "Another worker holds this job, or the leaseToken is of an earlier claim.");
    }

    private static Answer wrongStatus(Call call, WorkItem item, String verb) {
        String detail =
                item.state() == WorkState.CANCELLED && !verb.equals("cancelled")
                        ? "This job was cancelled, so it cannot be "
                                + verb
                                + "; whoever works on it should stop."
                        : "A job that is "
                                + JobStatus.of(item.state()).word()
                                + " cannot be "
                                + verb
                                + ".";
        return QueueProblems.error(call, QueueError.WRONG_STATUS, detail);
    }

    /// For a caller that reports as the holder of a job and is not, or no longer.
    static Answer notHeld(Call call, WorkItem item) {
        return item.state().held()
                ? QueueProblems.error(
                        call,
                        QueueError.NOT_THE_HOLDER,
                        "This worker does not hold this job, or its lease has run out.")
                : wrongStatus(call, item, "written about");
    }
}
