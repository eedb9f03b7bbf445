package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.FailedAttempt;
import io.orchestrion.kernel.retry.FailureDecision;
import io.orchestrion.kernel.retry.FailureDecision.Reason;
import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.orchestrations.definition.CompensationPolicy;
import io.orchestrion.orchestrations.definition.Route;
import io.orchestrion.orchestrations.definition.StepSpec;
import io.orchestrion.orchestrations.execution.Verdict.Action;
import io.orchestrion.orchestrations.execution.Verdict.Letter;
import io.orchestrion.orchestrations.execution.Verdict.Move;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// Decides what follows from the end of an attempt. Pure: everything that it rests on is given, and
/// what it says is stored with it.
final class Decider {
    private Decider() {}

    /// @param spec the step as the definition has it
    /// @param attempt that has ended
    /// @param branch where a decision led; null for other steps and for what did not succeed
    /// @param guardFoundDone whether a guard found that the step has taken effect
    /// @param nowMs when the decision is made
    /// @param dependencyFactor how many times as long as usual a failed dependency is left alone
    /// @param draw from 0 to less than 1, drawn at random, for delays with jitter
    record Facts(
            StepSpec spec,
            StepAttempt attempt,
            @Nullable Route branch,
            boolean guardFoundDone,
            long nowMs,
            int dependencyFactor,
            double draw) {}

    static Verdict decide(Facts facts) {
        return switch (facts.attempt().place().kind()) {
            case STEP -> step(facts);
            case GUARD -> guard(facts);
            case COMPENSATION -> compensation(facts);
        };
    }

    private static Verdict step(Facts facts) {
        StepAttempt attempt = facts.attempt();
        StepSpec spec = facts.spec();
        if (attempt.status() == StepStatus.SUCCEEDED) {
            Route next = facts.branch() == null ? spec.onSuccess() : facts.branch();
            return Verdict.of(
                    switch (next) {
                        case Route.Next(var id) -> new Move.GoTo(id);
                        case Route.Terminal _ -> new Move.Succeed();
                    });
        }
        if (attempt.status() == StepStatus.SKIPPED && isOf(attempt, Codes.NOT_SAFE_TO_RETRY)) {
            return new Verdict(
                    new Move.Fail(false), new Letter(Reason.NOT_SAFE_TO_RETRY, false, null));
        }
        return switch (failure(facts, attempt.key().declared())) {
            case FailureDecision.Retry(long at, boolean guarded) ->
                    Verdict.of(new Move.Retry(at, guarded));
            case FailureDecision.GiveUp(Reason reason)
                    when reason == Reason.COMPENSATION_REQUIRED ->
                    compensating(spec);
            case FailureDecision.GiveUp(Reason reason) ->
                    routed(
                            reason == Reason.TIMED_OUT ? spec.onTimeout() : spec.onFailure(),
                            reason);
        };
    }

    private static FailureDecision failure(Facts facts, SafeRetry declared) {
        StepAttempt attempt = facts.attempt();
        StepError error = Objects.requireNonNull(attempt.ended().error());
        if (stepTimeIsOver(attempt) && error.errorClass() != ErrorClass.COMPENSATION_REQUIRED) {
            return new FailureDecision.GiveUp(Reason.TIMED_OUT);
        }
        return FailureDecision.of(
                new FailedAttempt(
                        error.errorClass(),
                        declared,
                        attempt.place().used(),
                        Objects.requireNonNull(attempt.times().finishedMs()),
                        facts.nowMs(),
                        attempt.times().deadlineMs(),
                        attempt.ended().retryAfterSeconds(),
                        attempt.status() == StepStatus.TIMED_OUT),
                facts.spec().retryPolicy(),
                facts.dependencyFactor(),
                facts.draw());
    }

    /// Whether the whole step ended with this attempt. A worker may say the same code of an attempt
    /// that has failed, which means nothing.
    private static boolean stepTimeIsOver(StepAttempt attempt) {
        return attempt.status() != StepStatus.FAILED && isOf(attempt, Codes.STEP_TIMEOUT);
    }

    private static boolean isOf(StepAttempt attempt, String code) {
        StepError error = attempt.ended().error();
        return error != null && error.code().equals(code);
    }

    private static Verdict compensating(StepSpec spec) {
        if (spec.compensation() == null) {
            return new Verdict(
                    new Move.Fail(false),
                    new Letter(Reason.COMPENSATION_REQUIRED, false, Action.MANUAL_COMPENSATION));
        }
        boolean auto = spec.compensationPolicy() == CompensationPolicy.AUTO;
        return new Verdict(
                auto ? new Move.Compensate() : new Move.AskToCompensate(),
                new Letter(Reason.COMPENSATION_REQUIRED, false, null));
    }

    private static Verdict routed(Route route, Reason reason) {
        return switch (route) {
            case Route.Next(var id) ->
                    new Verdict(new Move.GoTo(id), new Letter(reason, true, null));
            case Route.Terminal _ ->
                    new Verdict(new Move.Fail(false), new Letter(reason, false, null));
        };
    }

    /// A guard that fails says nothing about the effect, so nobody goes on without a person. One
    /// that has no time left has not failed: the step's own time is over.
    private static Verdict guard(Facts facts) {
        if (stepTimeIsOver(facts.attempt())) {
            return routed(facts.spec().onTimeout(), Reason.TIMED_OUT);
        }
        if (facts.attempt().status() != StepStatus.SUCCEEDED) {
            return new Verdict(
                    new Move.Fail(false),
                    new Letter(Reason.GUARD_FAILED, false, Action.CHECK_EFFECT));
        }
        return Verdict.of(
                facts.guardFoundDone()
                        ? new Move.TakeGuarded()
                        : new Move.Retry(facts.nowMs(), false));
    }

    /// A compensation handler has a key of its own, under which repeating it is safe, whatever the
    /// step says of itself.
    private static Verdict compensation(Facts facts) {
        if (facts.attempt().status() == StepStatus.SUCCEEDED) {
            return Verdict.of(
                    switch (facts.spec().onFailure()) {
                        case Route.Next(var id) -> new Move.GoTo(id);
                        case Route.Terminal _ -> new Move.Fail(true);
                    });
        }
        return switch (failure(facts, SafeRetry.SAFE_TO_RETRY)) {
            case FailureDecision.Retry(long at, var _) -> Verdict.of(new Move.Retry(at, false));
            case FailureDecision.GiveUp _ ->
                    new Verdict(
                            new Move.Fail(false),
                            new Letter(
                                    Reason.COMPENSATION_FAILED, false, Action.MANUAL_COMPENSATION));
        };
    }
}
