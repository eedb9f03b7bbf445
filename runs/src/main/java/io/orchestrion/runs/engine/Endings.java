package io.orchestrion.runs.engine;

import io.orchestrion.kernel.redact.Redaction;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.credit.Usage;
import io.orchestrion.runs.policy.ErrorWindow;
import io.orchestrion.runs.policy.Failure;
import io.orchestrion.runs.policy.Failures;
import io.orchestrion.runs.policy.PolicySettings;
import io.orchestrion.runs.policy.RunClock;
import io.orchestrion.runs.policy.StepFailure;
import io.orchestrion.runs.policy.StepVerdict;
import io.orchestrion.runs.policy.StopReason;
import io.orchestrion.runs.run.Credits;
import io.orchestrion.runs.run.Decision;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.AttemptSql;
import io.orchestrion.runs.tree.AttemptStatus;
import io.orchestrion.runs.tree.Fault;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.StepAttempt;
import io.orchestrion.runs.tree.Task;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/// What follows from the end of an attempt of a step: it is metered at once, and while the run is
/// running its step is completed, tried again, or has failed for good.
final class Endings {
    private final Engine engine;
    private final Turn turn;

    Endings(Engine engine, Turn turn) {
        this.engine = engine;
        this.turn = turn;
    }

    /// The item of an attempt has ended by itself.
    void ended(StepAttempt attempt, WorkEnd end) throws SQLException {
        if (attempt.status().isOver()) {
            return;
        }
        Step step = turn.step(attempt.step());
        WorkError error = end.error();
        StepAttempt over = record(attempt, end, error);
        meter(over, end.report().usage(), error == null);
        Step closed = step;
        if (step.status() == StepStatus.PENDING) {
            closed = turn.change(step, step.in(StepStatus.RUNNING));
        }
        if (error == null) {
            closed =
                    turn.change(
                            closed,
                            closed.in(StepStatus.COMPLETED)
                                    .giving(output(step, over, Envelopes.text(end.result())))
                                    .with(closed.times().ended(turn.nowMs())));
        }
        turn.change(closed, closed.with(closed.progress().closed()));
        if (turn.isRunning()) {
            follow(over);
        }
    }

    /// What is too large to be given to the next step is kept once, with the item of the attempt.
    private static Step.Output output(Step step, StepAttempt over, String json) {
        int bytes = json.getBytes(StandardCharsets.UTF_8).length;
        return step.home().kind() == Step.Kind.TOOL && bytes > Envelopes.INLINE_BYTES
                ? Step.Output.in(over.id(), bytes)
                : Step.Output.of(json, bytes);
    }

    private StepAttempt record(StepAttempt attempt, WorkEnd end, @Nullable WorkError error) {
        Failure failure = error == null ? null : Failures.of(error);
        StepAttempt over =
                attempt.ended(
                        error == null ? AttemptStatus.COMPLETED : AttemptStatus.FAILED,
                        turn.nowMs(),
                        turn.isRunning(),
                        new StepAttempt.Ended(
                                failure == null ? null : failure.code(),
                                failure == null ? null : failure.httpStatus(),
                                error == null ? null : Redaction.summary(error.message()),
                                error == null ? null : error.partialSideEffect(),
                                failure == null ? null : failure.retryAfterSeconds(),
                                end.report().usage(),
                                end.report().logsRef(),
                                attempt.ended().worker()));
        turn.end(over);
        return over;
    }

    /// Each attempt is paid for once, when it ends: also during a pause, and also a failed one.
    private void meter(StepAttempt over, @Nullable String usage, boolean completed) {
        Run run = turn.run();
        long tokens = Envelopes.tokens(usage);
        BigDecimal cost = engine.options().prices().cost(tokens, completed);
        Credits before = run.credits();
        Credits after = before.using(cost).holding(over.held().negate());
        turn.change(run.with(run.progress().inFlight(run.progress().inFlight() - 1)).with(after));
        engine.ledger()
                .use(
                        turn.tx(),
                        run.account(),
                        List.of(
                                new Usage(
                                        run.id(),
                                        run.attempt(),
                                        over.id(),
                                        tokens,
                                        cost,
                                        after.charged().subtract(before.charged()))));
    }

    /// What ended during a pause is followed up, in the order of the ends.
    void catchUp() throws SQLException {
        boolean more = true;
        while (more && turn.isRunning()) {
            turn.flush();
            List<StepAttempt> some =
                    AttemptSql.unapplied(turn.tx(), turn.account(), turn.run().id(), 1);
            for (StepAttempt each : some) {
                AttemptSql.apply(turn.tx(), turn.account(), List.of(each.id()));
                if (turn.isRunning() && each.number().ofRun() == turn.run().attempt()) {
                    follow(each);
                }
            }
            more = !some.isEmpty();
        }
    }

    private void follow(StepAttempt over) throws SQLException {
        Step step = turn.step(over.step());
        Task task = turn.task(step.home().task());
        Agent agent = turn.agent(step.home().agent());
        if (task.status().isOver() || agent.status().isOver()) {
            return;
        }
        agent = Agents.begin(turn, agent);
        task = Agents.begin(turn, task);
        turn.change(task, task.with(task.progress().givenOut(-1)));
        turn.refill(agent.id());
        if (turn.run().credits().over().signum() > 0) {
            new Failing(engine, turn).outOfCredits();
            return;
        }
        if (over.status() == AttemptStatus.COMPLETED) {
            new Completing(engine, turn).completed(step);
        } else {
            failed(step, over);
        }
    }

    private void failed(Step step, StepAttempt over) throws SQLException {
        PolicySettings settings = engine.options().policy();
        Failure failure = failure(over.ended());
        var facts =
                new StepFailure(
                        failure,
                        over.number().ofStep(),
                        step.call().maxAttempts(),
                        RunClock.OPEN,
                        turn.run().credits().left(),
                        new Dispatch(engine, turn).cost(step),
                        window(failure, step),
                        Objects.requireNonNullElse(over.times().endedMs(), turn.nowMs()),
                        turn.nowMs());
        StepVerdict verdict = StepVerdict.of(facts, settings, engine.draw());
        engine.decided(
                turn,
                Decision.Level.STEP,
                step.id(),
                kind(verdict),
                trigger(verdict),
                facts.json(settings),
                verdict.json());
        String message = Objects.requireNonNullElse(over.ended().message(), failure.code());
        switch (verdict) {
            case StepVerdict.Retry(var at, var delay) -> retry(step, failure, at, delay);
            case StepVerdict.Escalate(var trigger, var at, var delay) -> {
                retry(step, failure, at, delay);
                new Tickets(engine, turn)
                        .call(trigger, failure.code(), message, true, facts.window());
            }
            case StepVerdict.Stop(var reason) -> {
                if (reason == StopReason.INSUFFICIENT_CREDITS) {
                    new Failing(engine, turn).outOfCredits();
                } else {
                    new Failing(engine, turn)
                            .step(step, Fault.of(failure.code(), message), failure, reason);
                }
            }
        }
    }

    private void retry(Step step, Failure failure, long atMs, long delayMs) {
        String code = name(failure);
        Step told = step.told().with(step.progress().notBefore(atMs));
        turn.change(step, told);
        turn.tell(Subjects.retried(told, code, delayMs));
        RunLines.retried(turn.tx(), told, code, delayMs);
    }

    /// A name of the table, by which retries are counted.
    private static String name(Failure failure) {
        return Failures.rows().stream().anyMatch(row -> row.code().equals(failure.code()))
                ? failure.code()
                : Failures.HTTP_ERROR;
    }

    static Failure failure(StepAttempt.Ended ended) {
        return Failures.of(
                new WorkError(
                        Objects.requireNonNullElse(ended.errorCode(), WorkError.UNSPECIFIED),
                        ended.httpStatus(),
                        Objects.requireNonNullElse(ended.message(), "no reason"),
                        ended.retryAfterSeconds(),
                        ended.partial()));
    }

    /// Counted no further than makes a difference: beyond that, too many have failed or too small a
    /// share. Where nothing is retried anyway, nothing is counted.
    private ErrorWindow window(Failure failure, Step step) throws SQLException {
        if (!failure.retryable() || step.progress().attempt() >= step.call().maxAttempts()) {
            return new ErrorWindow(1, 1);
        }
        PolicySettings settings = engine.options().policy();
        turn.flush();
        Run run = turn.run();
        long cleared = run.note().windowFromMs();
        int most =
                settings.errorShare() == 0
                        ? OUTCOMES
                        : (int) Math.min(OUTCOMES, settings.errors() / settings.errorShare() + 2);
        AttemptSql.Outcomes found =
                AttemptSql.outcomesSince(
                        turn.tx(),
                        run.account(),
                        run.id(),
                        ErrorWindow.sinceMs(turn.nowMs(), cleared == 0 ? null : cleared, settings),
                        settings.errors() + 1,
                        Math.max(most, settings.outcomesLeast()));
        return new ErrorWindow(found.failed(), Math.max(found.failed(), found.ended()));
    }

    private static final int OUTCOMES = 1_000;

    private static Decision.Kind kind(StepVerdict verdict) {
        return switch (verdict) {
            case StepVerdict.Retry _ -> Decision.Kind.RETRY;
            case StepVerdict.Escalate _ -> Decision.Kind.ESCALATE;
            case StepVerdict.Stop _ -> Decision.Kind.STOP;
        };
    }

    private static @Nullable String trigger(StepVerdict verdict) {
        return switch (verdict) {
            case StepVerdict.Retry _ -> null;
            case StepVerdict.Escalate(var trigger, _, _) -> trigger.word();
            case StepVerdict.Stop(var reason) -> reason.word();
        };
    }
}
