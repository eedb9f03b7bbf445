package io.orchestrion.orchestrations.model;

import io.orchestrion.orchestrations.model.Move.Beat;
import io.orchestrion.orchestrations.model.Move.Cancel;
import io.orchestrion.orchestrations.model.Move.Close;
import io.orchestrion.orchestrations.model.Move.Compensate;
import io.orchestrion.orchestrations.model.Move.Complete;
import io.orchestrion.orchestrations.model.Move.Decide;
import io.orchestrion.orchestrations.model.Move.Fail;
import io.orchestrion.orchestrations.model.Move.Mark;
import io.orchestrion.orchestrations.model.Move.Pause;
import io.orchestrion.orchestrations.model.Move.Reprocess;
import io.orchestrion.orchestrations.model.Move.Resolve;
import io.orchestrion.orchestrations.model.Move.Resume;
import io.orchestrion.orchestrations.model.Move.Retry;
import io.orchestrion.orchestrations.model.Rules.Failure;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/// What moves and the clock do to an execution, by the specification.
final class Acts {
    /// As steps have it that say nothing else.
    static final long LEASE_MS = 60_000;

    static final String DONE = "done";
    static final String SAME = "same";
    static final String REFUSED = "refused";

    private static final Failure TIMED_OUT = new Failure("timed_out", null, false, null, true);
    private static final Failure LEASE_LOST = new Failure("lease_expired", null, false, null, true);
    private static final Failure EXPIRED =
            new Failure("approval_expired", null, false, null, false);
    private static final Failure REJECTED =
            new Failure("approval_rejected", null, false, null, false);

    private final Expected it;
    private final long now;

    Acts(Expected it, long now) {
        this.it = it;
        this.now = now;
    }

    /// Changes the execution, and says what its mover is told.
    String make(Move move) {
        return switch (move) {
            case Pause _ -> pause();
            case Resume _ -> resume();
            case Cancel _ -> cancel();
            case Retry(var step, boolean confirm) ->
                    !it.status.equals("failed")
                            ? REFUSED
                            : step == null
                                    ? retryWhereItStopped(confirm)
                                    : retry(it.newest(step, "step"), confirm);
            case Decide decide -> decide(decide);
            case Complete(var name, var result) -> complete(attempt(name), result);
            case Fail(var name, var failure) -> fail(attempt(name), failure);
            case Beat(var name) -> beat(attempt(name));
            case Reprocess(int letter, boolean confirm) ->
                    !it.letters.get(letter).open() || !it.status.equals("failed")
                            ? REFUSED
                            : retry(it.newest(it.letters.get(letter).step(), "step"), confirm);
            case Compensate(int letter) -> compensate(letter);
            case Mark(int letter) -> mark(letter);
            case Resolve(int letter) -> resolve(letter);
            case Close _ -> close();
        };
    }

    private Attempt attempt(String name) {
        return Objects.requireNonNull(it.named(name), name);
    }

    private String pause() {
        if (it.status.equals("paused")) {
            return SAME;
        }
        if (!it.running()) {
            return REFUSED;
        }
        it.become("paused", now);
        Attempt open = it.open();
        if (open != null && open.ahead()) {
            open.held = true;
        }
        return DONE;
    }

    private String resume() {
        if (it.running()) {
            return SAME;
        }
        if (!it.status.equals("paused")) {
            return REFUSED;
        }
        it.become("running", now);
        it.attempts.forEach(each -> each.held = false);
        for (Attempt each : List.copyOf(it.attempts)) {
            if (each.over() && !each.applied) {
                it.follow(each, now);
            }
        }
        return DONE;
    }

    private String cancel() {
        if (it.status.equals("canceled")) {
            return SAME;
        }
        if (it.over()) {
            return REFUSED;
        }
        stop("canceled");
        return DONE;
    }

    /// What nobody has begun is skipped, what somebody works on has failed.
    /// What ended half done during a pause is left for people, as nothing follows from it now.
    private void stop(String to) {
        for (Attempt each : it.attempts) {
            boolean half = each.kind.equals("step") && Rules.COMPENSATION.equals(each.errorClass);
            if (each.over() && !each.applied && half) {
                it.letters.add(
                        new Letter(
                                each.step.id(),
                                each.name(),
                                "compensation_required",
                                "open",
                                Letter.MANUAL,
                                "needed"));
            }
            each.applied = true;
        }
        it.asks.replaceAll(ask -> ask.pending() ? ask.answered("canceled", false) : ask);
        it.letters.replaceAll(
                letter ->
                        letter.open()
                                        && ("asked".equals(letter.compensation())
                                                || "running".equals(letter.compensation()))
                                ? letter.compensating("needed", letter.reason(), Letter.MANUAL)
                                : letter);
        Attempt open = it.open();
        if (open != null) {
            open.finishedAt = now;
            open.applied = true;
            boolean began = open.running();
            open.status = began ? "failed" : "skipped";
            boolean acts = !open.awaits.equals("timer") && open.kind.equals("step");
            if (began && acts && open.step.unsafe()) {
                open.errorClass = Rules.COMPENSATION;
                it.letters.add(
                        new Letter(
                                open.step.id(),
                                open.name(),
                                "compensation_required",
                                "open",
                                Letter.MANUAL,
                                "needed"));
            } else if (began) {
                open.errorClass = Rules.FINAL;
            }
        }
        it.become(to, now);
    }

    private String retryWhereItStopped(boolean confirm) {
        Attempt last =
                it.attempts.stream()
                        .filter(each -> each.kind.equals("step"))
                        .reduce((_, later) -> later)
                        .orElse(null);
        if (last == null || !last.status.equals("succeeded")) {
            return retry(last, confirm);
        }
        // It stopped behind that step: before the next one, whose guard has failed.
        restart();
        it.goOn(last, now);
        return DONE;
    }

    private String retry(@Nullable Attempt last, boolean confirm) {
        if (last == null || last.status.equals("succeeded")) {
            return REFUSED;
        }
        if (last.step.unsafe() && !confirm) {
            return REFUSED;
        }
        restart();
        it.anew(last, confirm, now);
        return DONE;
    }

    private void restart() {
        it.restarts++;
        it.compensated = false;
        it.reviewed = false;
        it.activeMs = 0;
        it.become("running", now);
    }

    private String decide(Decide said) {
        Ask ask = it.asks.get(said.approval());
        String to = said.approve() ? "approved" : "rejected";
        if (!ask.pending()) {
            return ask.status().equals(to) && ask.byOther() == said.other() ? SAME : REFUSED;
        }
        if (ask.due() >= 0 && ask.due() <= now) {
            return REFUSED;
        }
        it.asks.set(said.approval(), ask.answered(to, said.other()));
        it.become("running", now);
        Attempt attempt = attempt(ask.of());
        if (ask.kind().equals("compensation")) {
            compensation(attempt, said.approve());
        } else if (said.approve()) {
            it.succeed(attempt, now);
        } else {
            it.end(attempt, "failed", REJECTED, now);
        }
        return DONE;
    }

    private void compensation(Attempt failed, boolean approved) {
        int at = it.letters.lastIndexOf(it.newestLetter(failed.step.id()));
        Letter letter = it.letters.get(at);
        if (approved) {
            it.letters.set(at, letter.compensating("running", letter.reason(), null));
            it.undo(failed, now);
        } else {
            it.letters.set(at, letter.compensating("rejected", letter.reason(), Letter.MANUAL));
            it.become("failed", now);
        }
    }

    private boolean live(Attempt held) {
        return held.running() && held.leaseUntil > now;
    }

    private String complete(Attempt held, String result) {
        if (result.equals(held.said)) {
            return SAME;
        }
        if (!live(held)) {
            return REFUSED;
        }
        held.said = result;
        held.guardSaysDone = held.kind.equals("guard") && result.contains("true");
        it.succeed(held, now);
        return DONE;
    }

    private String fail(Attempt held, Failure failure) {
        if (!live(held)) {
            return REFUSED;
        }
        held.said = failure.toString();
        it.end(held, "failed", failure, now);
        return DONE;
    }

    private String beat(Attempt held) {
        if (!live(held)) {
            return REFUSED;
        }
        held.leaseUntil = Math.min(now + LEASE_MS, held.attemptEnd);
        return DONE;
    }

    private String compensate(int place) {
        Letter letter = it.letters.get(place);
        Attempt failed = attempt(letter.of());
        if (!letter.open()
                || !it.status.equals("failed")
                || letter.action() == null
                || failed.step.undo() == null) {
            return REFUSED;
        }
        it.letters.set(place, letter.compensating("running", letter.reason(), null));
        restart();
        it.undo(failed, now);
        return DONE;
    }

    private String mark(int place) {
        Letter letter = it.letters.get(place);
        if (!letter.open() || letter.action() == null) {
            return REFUSED;
        }
        it.letters.set(place, letter.compensating("marked", letter.reason(), null).in("resolved"));
        it.compensated = true;
        return DONE;
    }

    private String resolve(int place) {
        Letter letter = it.letters.get(place);
        if (!letter.open()
                || "asked".equals(letter.compensation())
                || "running".equals(letter.compensation())) {
            return REFUSED;
        }
        it.letters.set(place, letter.in("resolved"));
        return DONE;
    }

    private String close() {
        if (!it.status.equals("failed")) {
            return REFUSED;
        }
        if (it.reviewed) {
            return SAME;
        }
        it.reviewed = true;
        return DONE;
    }

    /// Somebody is given the open attempt.
    static void claim(Attempt attempt, long now) {
        attempt.begin(now);
        attempt.attemptEnd =
                Math.min(
                        now + attempt.step.policy().timeoutMs(),
                        attempt.bounded ? attempt.deadline : now + attempt.step.timeoutMs());
        attempt.leaseUntil = Math.min(now + LEASE_MS, attempt.attemptEnd);
    }

    /// All that can come of it when everything that is due is done, in whatever order.
    static List<Expected> due(Expected start, long now) {
        var ends = new ArrayList<Expected>();
        var todo = new ArrayList<>(List.of(start));
        while (!todo.isEmpty()) {
            Expected one = todo.removeLast();
            Attempt open = one.open();
            boolean lapsed = open != null && open.lapsed(now);
            if (lapsed) {
                Expected next = one.copy();
                new Acts(next, now).lapse(Objects.requireNonNull(next.open()));
                todo.add(next);
            }
            if (one.timeIsUp(now)) {
                Expected next = one.copy();
                new Acts(next, now).stop("failed");
                todo.add(next);
            }
            if (!lapsed && !one.timeIsUp(now)) {
                ends.add(one);
            }
        }
        ends.sort(Comparator.comparing(each -> each.text(now)));
        return ends;
    }

    private void lapse(Attempt open) {
        if (open.awaits.equals("timer")) {
            timer(open);
        } else if (open.ahead()) {
            open.tooLong = true;
            it.end(open, "skipped", TIMED_OUT, now);
        } else if (open.bounded && open.deadline <= now) {
            open.tooLong = true;
            it.end(open, "timed_out", TIMED_OUT, now);
        } else if (open.attemptEnd <= now) {
            it.end(open, "timed_out", TIMED_OUT, now);
        } else {
            it.end(open, "failed", LEASE_LOST, now);
        }
    }

    private void timer(Attempt open) {
        if (!open.status.equals("awaiting_approval")) {
            if (open.tooLong) {
                it.end(open, "timed_out", TIMED_OUT, now);
            } else {
                it.succeed(open, now);
            }
            return;
        }
        it.asks.replaceAll(ask -> ask.pending() ? ask.answered("expired", false) : ask);
        it.become("running", now);
        open.tooLong = true;
        it.end(open, "timed_out", EXPIRED, now);
    }
}
