package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.FailedAttempt;
import io.orchestrion.kernel.retry.FailureDecision;
import io.orchestrion.kernel.retry.FailureDecision.Reason;
import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.orchestrations.definition.CompensationPolicy;
import io.orchestrion.orchestrations.definition.Route;
import io.orchestrion.orchestrations.definition.StepSpec;
import io.orchestrion.orchestrations.definition.StepType;
import io.orchestrion.orchestrations.execution.Verdict.Action;
import io.orchestrion.orchestrations.execution.Verdict.Letter;
import io.orchestrion.orchestrations.execution.Verdict.Move;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.random.RandomGenerator;

/// Decides what follows from the end of an attempt. Pure: everything that it rests on is given, and
/// what it says is stored with it.
final class Decider {
    private Decider() {}

    /// @param spec the step as the definition has it
    /// @param attempt that has ended
    /// @param branch where a decision led; null for other steps and for what did not succeed
    /// @param guardFoundDone whether a guard found that the step has taken effect
    /// @param nowMs when the decision is made
    record Facts(
            StepSpec spec,
            StepAttempt attempt,
            @Nullable Route branch,
            boolean guardFoundDone,
            long nowMs) {}

    static Verdict decide(Facts facts, RandomGenerator random) {
        return switch (facts.attempt().place().kind()) {
            case STEP -> step(facts, random);
            case GUARD -> guard(facts);
            case COMPENSATION -> compensation(facts, random);
        };
    }

    private static Verdict step(Facts facts, RandomGenerator random) {
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
        if (isExpiredApproval(attempt)) {
            return routed(spec.onTimeout(), Reason.TIMED_OUT);
        }
        return switch (failure(facts, attempt.key().declared(), random)) {
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

    private static boolean isExpiredApproval(StepAttempt attempt) {
        return attempt.place().type() == StepType.HUMAN_APPROVAL
                && attempt.status() == StepStatus.TIMED_OUT;
    }

    private static FailureDecision failure(
            Facts facts, SafeRetry declared, RandomGenerator random) {
        StepAttempt attempt = facts.attempt();
        StepError error = Objects.requireNonNull(attempt.ended().error());
        boolean stepTimeOver =
                attempt.status() == StepStatus.SKIPPED || error.code().equals(Codes.STEP_TIMEOUT);
        if (stepTimeOver && error.errorClass() != ErrorClass.COMPENSATION_REQUIRED) {
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
                random);
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

    /// A guard that fails says nothing about the effect, so nobody goes on without a person.
    private static Verdict guard(Facts facts) {
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
    private static Verdict compensation(Facts facts, RandomGenerator random) {
        if (facts.attempt().status() == StepStatus.SUCCEEDED) {
            return Verdict.of(
                    switch (facts.spec().onFailure()) {
                        case Route.Next(var id) -> new Move.GoTo(id);
                        case Route.Terminal _ -> new Move.Fail(true);
                    });
        }
        return switch (failure(facts, SafeRetry.SAFE_TO_RETRY, random)) {
            case FailureDecision.Retry(long at, var _) -> Verdict.of(new Move.Retry(at, false));
            case FailureDecision.GiveUp _ ->
                    new Verdict(
                            new Move.Fail(false),
                            new Letter(
                                    Reason.COMPENSATION_FAILED, false, Action.MANUAL_COMPENSATION));
        };
    }
}
