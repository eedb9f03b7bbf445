package io.orchestrion.kernel.work;

import io.orchestrion.kernel.work.WorkItem.Lease;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/// Work items in every condition that a profile's items can be in.
final class Items {
    static final UUID TOKEN = UUID.fromString("6f0f2c35-1c1f-4b6e-9a53-0d8d2e0f9a11");
    static final long NUMBER = 4;
    private static final UUID ACCOUNT = UUID.fromString("01900000-0000-7000-8000-000000000001");
    private static final UUID ID = UUID.fromString("01900000-0000-7000-8000-000000000002");

    private Items() {}

    static WorkItem ready(Profile profile, long nowMs) {
        return NewWork.of(ACCOUNT, profile, "build", "{}").at(ID, nowMs - 100_000);
    }

    static WorkItem made(Profile profile, long nowMs, Consumer<WorkDraft> changes) {
        WorkDraft draft = ready(profile, nowMs).draft();
        draft.lease = new Lease(NUMBER, null, draft.lease.seconds(), null, null);
        changes.accept(draft);
        return draft.build();
    }

    static WorkItem waiting(Profile profile, long nowMs, WaitReason reason, Long runAtMs) {
        return made(
                profile,
                nowMs,
                draft -> {
                    draft.state = WorkState.WAITING;
                    draft.turn = draft.turn.waitingFor(reason).notBefore(runAtMs);
                });
    }

    static WorkItem held(Profile profile, WorkState state, long nowMs, long leaseLeftMs) {
        return made(
                profile,
                nowMs,
                draft -> {
                    draft.state = state;
                    draft.attempts = draft.attempts.made(1);
                    hold(draft, nowMs + leaseLeftMs);
                });
    }

    private static void hold(WorkDraft draft, long untilMs) {
        draft.lease = new Lease(NUMBER, TOKEN, draft.lease.seconds(), untilMs, null);
        draft.holding = draft.holding.by("w1");
        draft.times = draft.times.claimed(draft.times.updatedMs());
    }

    static WorkItem ended(Profile profile, WorkState state, long nowMs, int retries) {
        return made(
                profile,
                nowMs,
                draft -> {
                    draft.state = state;
                    draft.attempts = draft.attempts.made(1).retried(retries);
                    draft.times = draft.times.finished(nowMs - 1000, nowMs + 1000);
                });
    }

    static WorkItem givenUntil(WorkItem item, long giveUpMs) {
        WorkDraft draft = item.draft();
        draft.turn = draft.turn.givingUpAt(giveUpMs);
        return draft.build();
    }

    /// Ended while somebody held it, without that holder's word.
    static WorkItem lost(Profile profile, WorkState state, long nowMs) {
        WorkDraft draft = ended(profile, state, nowMs, 0).draft();
        draft.holding = draft.holding.by("w1").settledBy(new WorkItem.Settled(TOKEN, null));
        return draft.build();
    }

    /// All conditions, those at the edges included.
    static List<WorkItem> of(Profile profile, long nowMs) {
        var items = new ArrayList<WorkItem>();
        items.add(ready(profile, nowMs));
        for (WaitReason reason : List.of(WaitReason.SCHEDULE, WaitReason.BACKOFF)) {
            items.add(waiting(profile, nowMs, reason, nowMs + 1));
            items.add(waiting(profile, nowMs, reason, nowMs));
        }
        for (WaitReason reason : List.of(WaitReason.DEPENDENCY, WaitReason.HOLD)) {
            items.add(waiting(profile, nowMs, reason, null));
            items.add(waiting(profile, nowMs, reason, nowMs + 60_000));
            items.add(waiting(profile, nowMs, reason, nowMs - 1));
        }
        List<WorkState> heldStates =
                profile.claims().startWork()
                        ? List.of(WorkState.RUNNING)
                        : List.of(WorkState.LEASED, WorkState.RUNNING);
        for (WorkState state : heldStates) {
            for (long left : new long[] {60_000, 1, 0, -60_000}) {
                items.add(held(profile, state, nowMs, left));
                WorkDraft last = held(profile, state, nowMs, left).draft();
                last.attempts = last.attempts.made(profile.bounds().attempts().orElse());
                items.add(last.build());
            }
        }
        if (!profile.cancelling().askedIn().isEmpty()) {
            for (long left : new long[] {60_000, -60_000}) {
                WorkDraft asked = held(profile, WorkState.RUNNING, nowMs, left).draft();
                asked.holding = asked.holding.asked(StopRequest.CANCEL);
                items.add(asked.build());
            }
        }
        WorkDraft overTime = held(profile, WorkState.RUNNING, nowMs, -1).draft();
        overTime.lease = overTime.lease.endingBy(nowMs - 1);
        items.add(overTime.build());
        for (WorkState state : WorkState.values()) {
            if (state.ended()) {
                items.add(ended(profile, state, nowMs, 0));
                items.add(ended(profile, state, nowMs, profile.bounds().attempts().orElse() - 1));
            }
        }
        if (profile.ends().onGiveUp() != null) {
            List.copyOf(items).forEach(item -> items.add(givenUntil(item, nowMs)));
            items.add(givenUntil(ready(profile, nowMs), nowMs + 1));
        }
        if (profile.keeping().lateReports() > 0) {
            for (WorkState state : List.of(WorkState.SUCCEEDED, WorkState.FAILED)) {
                items.add(lost(profile, state, nowMs));
            }
            items.add(lost(profile, WorkState.CANCELLED, nowMs));
        }
        if (profile.endsWhenDue()) {
            items.removeIf(item -> item.state() == WorkState.READY || item.state().held());
            items.removeIf(item -> item.turn().runAtMs() == null);
        }
        return items;
    }
}
