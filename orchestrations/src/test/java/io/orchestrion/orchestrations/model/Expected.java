package io.orchestrion.orchestrations.model;

import io.orchestrion.orchestrations.model.Flow.Branch;
import io.orchestrion.orchestrations.model.Flow.Step;
import io.orchestrion.orchestrations.model.Rules.Failure;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What one execution is by the specification: its attempts, dead letters and approvals, and what
/// follows when an attempt ends. Knows nothing of the engine.
final class Expected {
    final Flow flow;
    final int input;
    String status = "running";
    int restarts = 1;
    boolean compensated;
    boolean reviewed;
    long activeMs;
    long runningSince;
    final List<Attempt> attempts = new ArrayList<>();
    final List<Letter> letters = new ArrayList<>();
    final List<Ask> asks = new ArrayList<>();

    private Expected(Flow flow, int input) {
        this.flow = flow;
        this.input = input;
    }

    static Expected started(Flow flow, int input, long now) {
        var made = new Expected(flow, input);
        made.runningSince = now;
        made.begin(made.first(flow.steps().getFirst()), null, now);
        return made;
    }

    Expected copy() {
        var copy = new Expected(flow, input);
        copy.status = status;
        copy.restarts = restarts;
        copy.compensated = compensated;
        copy.reviewed = reviewed;
        copy.activeMs = activeMs;
        copy.runningSince = runningSince;
        attempts.forEach(each -> copy.attempts.add(each.copy()));
        copy.letters.addAll(letters);
        copy.asks.addAll(asks);
        return copy;
    }

    boolean running() {
        return status.equals("running");
    }

    boolean over() {
        return status.equals("succeeded") || status.equals("failed") || status.equals("canceled");
    }

    @Nullable Attempt open() {
        return attempts.stream().filter(each -> !each.over()).findFirst().orElse(null);
    }

    @Nullable Attempt named(String name) {
        return attempts.stream().filter(a -> a.name().equals(name)).findFirst().orElse(null);
    }

    @Nullable Attempt newest(String step, String kind) {
        return attempts.stream()
                .filter(each -> each.step.id().equals(step) && each.kind.equals(kind))
                .max(Comparator.comparing(each -> each.number))
                .orElse(null);
    }

    int number(String step, String kind) {
        Attempt last = newest(step, kind);
        return last == null ? 0 : last.number;
    }

    @Nullable Letter newestLetter(String step) {
        return letters.stream()
                .filter(each -> each.step().equals(step))
                .reduce((_, later) -> later)
                .orElse(null);
    }

    void become(String other, long now) {
        if (running()) {
            activeMs += now - runningSince;
        }
        status = other;
        runningSince = now;
    }

    long active(long now) {
        return activeMs + (running() ? now - runningSince : 0);
    }

    boolean timeIsUp(long now) {
        return running() && flow.executionMs() != null && active(now) >= flow.executionMs();
    }

    Attempt first(Step step) {
        return new Attempt(step, "step", 1, 1, 0);
    }

    /// @param after whose deadline goes on; null for one of its own
    void begin(Attempt attempt, @Nullable Attempt after, long now) {
        attempts.add(attempt);
        if (after != null) {
            attempt.deadline = after.deadline;
            attempt.bounded = after.deadline >= 0;
        }
        if (attempt.retryAt != null) {
            attempt.status = "retrying";
        }
        Step step = attempt.step;
        if (step.unreadable()) {
            attempt.begin(now);
            end(attempt, "failed", new Failure("mapping_failed", null, false, null, false), now);
        } else if (!attempt.kind.equals("step")) {
            attempt.awaits = attempt.handler().equals("http") ? "call" : "worker";
        } else {
            switch (step.type()) {
                case "decision" -> decide(attempt, now);
                case "wait" -> {
                    attempt.begin(now);
                    attempt.awaits = "timer";
                    attempt.tooLong = step.waitMs() > step.timeoutMs();
                    attempt.timerAt = now + Math.min(step.waitMs(), step.timeoutMs());
                }
                case "human_approval" -> {
                    attempt.begin(now);
                    attempt.status = "awaiting_approval";
                    attempt.awaits = "timer";
                    attempt.timerAt = now + step.timeoutMs();
                    asks.add(new Ask(attempt.name(), "step", "pending", attempt.timerAt, false));
                    become("waiting_approval", now);
                }
                case "task" -> attempt.awaits = "worker";
                default -> attempt.awaits = "call";
            }
        }
    }

    private void decide(Attempt attempt, long now) {
        attempt.begin(now);
        for (Branch branch : attempt.step.branches()) {
            if (input >= branch.least()) {
                attempt.next = branch.next();
                succeed(attempt, now);
                return;
            }
        }
        attempt.next = attempt.step.otherwise();
        if (attempt.next == null) {
            end(attempt, "failed", new Failure("no_branch_matched", null, false, null, false), now);
        } else {
            succeed(attempt, now);
        }
    }

    void succeed(Attempt attempt, long now) {
        attempt.status = "succeeded";
        attempt.finishedAt = now;
        follow(attempt, now);
    }

    void end(Attempt attempt, String to, Failure failure, long now) {
        boolean mayRepeat = !attempt.kind.equals("step") || !attempt.step.unsafe();
        attempt.errorClass =
                to.equals("skipped") ? "TRANSIENT" : Rules.errorClass(failure, mayRepeat);
        attempt.retryAfter = failure.retryAfter();
        attempt.status = to;
        attempt.finishedAt = now;
        follow(attempt, now);
    }

    /// What follows is done at once, or when the execution is resumed.
    void follow(Attempt ended, long now) {
        if (!running()) {
            return;
        }
        ended.applied = true;
        boolean done = ended.status.equals("succeeded");
        switch (ended.kind) {
            case "guard" -> afterGuard(ended, done, now);
            case "compensation" -> afterCompensation(ended, done, now);
            default -> {
                if (done) {
                    goTo(ended.next == null ? ended.step.onSuccess() : ended.next, true, now);
                } else {
                    afterFailure(ended, now);
                }
            }
        }
    }

    private void afterFailure(Attempt failed, long now) {
        Step step = failed.step;
        String reason = Rules.finalReason(failed, !step.unsafe());
        if (reason == null && again(failed, step.guarded() ? "guard" : "step", now)) {
            return;
        }
        String why = reason == null ? "timed_out" : reason;
        if (why.equals("compensation_required")) {
            compensationRequired(failed, now);
            return;
        }
        String next = why.equals("timed_out") ? step.onTimeout() : step.onFailure();
        boolean handled = !next.equals(Flow.END);
        letter(failed, why, handled ? "handled" : "open", null, null);
        goTo(next, false, now);
    }

    private void letter(
            Attempt of,
            String reason,
            String in,
            @Nullable String action,
            @Nullable String compensation) {
        letters.add(new Letter(of.step.id(), of.name(), reason, in, action, compensation));
    }

    /// Another attempt, unless the time of the step is over before.
    private boolean again(Attempt failed, String kind, long now) {
        long at = Math.max(now, failed.finishedAt + Rules.delay(failed));
        if (failed.deadline >= 0 && at >= failed.deadline) {
            return false;
        }
        int number = failed.number + 1;
        var next = new Attempt(failed.step, kind, number, failed.budgetFrom, failed.epoch);
        next.retryAt = at;
        begin(next, failed, now);
        return true;
    }

    private void afterGuard(Attempt guard, boolean answered, long now) {
        if (guard.tooLong) {
            String next = guard.step.onTimeout();
            letter(guard, "timed_out", next.equals(Flow.END) ? "open" : "handled", null, null);
            goTo(next, false, now);
            return;
        }
        if (!answered) {
            letter(guard, "guard_failed", "open", "check_effect", null);
            become("failed", now);
            return;
        }
        var next = new Attempt(guard.step, "step", guard.number, guard.budgetFrom, guard.epoch);
        if (guard.guardSaysDone) {
            attempts.add(next);
            next.deadline = guard.deadline;
            next.begin(now);
            succeed(next, now);
        } else {
            begin(next, guard, now);
        }
    }

    private void compensationRequired(Attempt failed, long now) {
        if (failed.step.undo() == null) {
            letter(failed, "compensation_required", "open", Letter.MANUAL, "needed");
            become("failed", now);
        } else if (failed.step.auto()) {
            letter(failed, "compensation_required", "open", null, "running");
            undo(failed, now);
        } else {
            letter(failed, "compensation_required", "open", null, "asked");
            asks.add(new Ask(failed.name(), "compensation", "pending", -1, false));
            become("waiting_approval", now);
        }
    }

    void undo(Attempt failed, long now) {
        int number = number(failed.step.id(), "compensation") + 1;
        begin(new Attempt(failed.step, "compensation", number, number, failed.epoch), null, now);
    }

    private void afterCompensation(Attempt ended, boolean done, long now) {
        int at = letters.lastIndexOf(newestLetter(ended.step.id()));
        if (done) {
            compensated = true;
            String next = ended.step.onFailure();
            letters.set(at, letters.get(at).compensating("done", letters.get(at).reason(), null));
            if (!next.equals(Flow.END)) {
                letters.set(at, letters.get(at).in("handled"));
            }
            goTo(next, false, now);
            return;
        }
        if (Rules.finalReason(ended, true) == null && again(ended, "compensation", now)) {
            return;
        }
        letters.set(
                at, letters.get(at).compensating("failed", "compensation_failed", Letter.MANUAL));
        become("failed", now);
    }

    /// On to a step, or to the end.
    private void goTo(String next, boolean well, long now) {
        if (next.equals(Flow.END)) {
            become(well ? "succeeded" : "failed", now);
            return;
        }
        Attempt last = newest(next, "step");
        if (last == null) {
            begin(first(flow.step(next)), null, now);
        } else if (last.status.equals("succeeded")) {
            goOn(last, now);
        } else {
            comeBack(last, now);
        }
    }

    /// Behind a step that has succeeded.
    void goOn(Attempt succeeded, long now) {
        String next = succeeded.next == null ? succeeded.step.onSuccess() : succeeded.next;
        goTo(next, true, now);
    }

    /// To a step that failed before somebody restarted another one.
    private void comeBack(Attempt last, long now) {
        boolean tried = last.startedAt >= 0 || last.number > 1;
        if (!last.step.unsafe() || !tried || undone(last)) {
            anew(last, false, now);
            return;
        }
        // Nobody has said that it may be repeated.
        var refused = new Attempt(last.step, "step", last.number + 1, last.number + 1, last.epoch);
        attempts.add(refused);
        refused.status = "skipped";
        refused.errorClass = "TRANSIENT";
        refused.finishedAt = now;
        refused.applied = true;
        Letter known = newestLetter(last.step.id());
        if (known == null || !known.open()) {
            letter(refused, "not_safe_to_retry", "open", null, null);
        }
        become("failed", now);
    }

    private boolean undone(Attempt last) {
        Letter letter = newestLetter(last.step.id());
        return letter != null && letter.undone() && last.number <= named(letter.of()).number;
    }

    private void reprocessed(String step) {
        Letter letter = newestLetter(step);
        if (letter != null && letter.open()) {
            letters.set(letters.lastIndexOf(letter), letter.in("reprocessed"));
        }
    }

    /// A first attempt of a new budget.
    ///
    /// @param confirmed whether somebody says that it may be repeated without asking a guard
    void anew(Attempt last, boolean confirmed, long now) {
        boolean undone = undone(last);
        reprocessed(last.step.id());
        // A guard has the number of the attempt that it goes before.
        int number = Math.max(last.number, number(last.step.id(), "guard")) + 1;
        boolean guarded = last.step.guarded() && !undone && !confirmed;
        begin(
                new Attempt(
                        last.step,
                        guarded ? "guard" : "step",
                        number,
                        number,
                        last.epoch + (undone ? 1 : 0)),
                null,
                now);
    }

    /// Everything that is stored of it, a line for each.
    String text(long now) {
        var lines = new ArrayList<String>();
        lines.add(
                "execution "
                        + status
                        + " restarts="
                        + restarts
                        + " compensated="
                        + compensated
                        + " reviewed="
                        + reviewed
                        + " active="
                        + activeMs);
        attempts.stream().map(each -> each.text(now)).sorted().forEach(lines::add);
        letters.stream().map(Letter::text).sorted().forEach(lines::add);
        asks.stream().map(Ask::text).sorted().forEach(lines::add);
        return String.join("\n", lines);
    }
}
