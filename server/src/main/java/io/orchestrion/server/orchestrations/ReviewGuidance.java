package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationAction.APPROVE_STEP;
import static io.orchestrion.server.orchestrations.OrchestrationAction.CHECK_EXECUTION;
import static io.orchestrion.server.orchestrations.OrchestrationAction.COMPENSATE;
import static io.orchestrion.server.orchestrations.OrchestrationAction.MARK_COMPENSATED;
import static io.orchestrion.server.orchestrations.OrchestrationAction.REJECT_STEP;
import static io.orchestrion.server.orchestrations.OrchestrationAction.REPROCESS;
import static io.orchestrion.server.orchestrations.OrchestrationAction.RESOLVE_DEAD_LETTER;

import io.orchestrion.orchestrations.execution.DeadLetters;
import io.orchestrion.orchestrations.execution.DeadLetters.Handled;
import io.orchestrion.orchestrations.execution.DeadLetters.Seen;
import io.orchestrion.orchestrations.execution.Execution;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import java.util.ArrayList;
import java.util.UUID;

/// What can be done next about what has failed for good, and why something cannot.
final class ReviewGuidance {
    private ReviewGuidance() {}

    static AgentContract listed() {
        return AgentContract.of(
                true,
                OrchestrationActions.listReview().best(),
                OrchestrationActions.listExecutions());
    }

    static AgentContract of(Seen seen, boolean retryable) {
        UUID id = seen.letter().id();
        var actions = new ArrayList<NextAction>();
        for (DeadLetters.Action action : seen.actions()) {
            switch (action) {
                case REPROCESS -> actions.add(letter(REPROCESS, id, "reprocess", "reason"));
                case RESOLVE -> actions.add(letter(RESOLVE_DEAD_LETTER, id, "resolve", "note"));
                case COMPENSATE -> actions.add(entry(COMPENSATE, id, "compensate"));
                case MARK_COMPENSATED ->
                        actions.add(entry(MARK_COMPENSATED, id, "mark-compensated"));
                case APPROVE -> actions.add(decision(APPROVE_STEP, seen, "approve"));
                case REJECT -> actions.add(decision(REJECT_STEP, seen, "reject"));
                case RETRY -> throw new IllegalStateException("a dead letter is not retried");
            }
        }
        actions.add(check(seen.execution()));
        actions.set(0, actions.getFirst().best());
        return AgentContract.of(retryable, actions.toArray(NextAction[]::new));
    }

    static AgentContract of(Execution execution) {
        return AgentContract.of(false, check(execution).best(), OrchestrationActions.listReview());
    }

    private static NextAction letter(
            OrchestrationAction action, UUID id, String verb, String needs) {
        return NextAction.call(
                action, "POST", ReviewEndpoints.LETTERS + "/" + id + "/" + verb, needs);
    }

    private static NextAction entry(OrchestrationAction action, UUID id, String verb) {
        return NextAction.call(
                action, "POST", ReviewEndpoints.REVIEW + "/" + id + "/" + verb, "note");
    }

    private static NextAction decision(OrchestrationAction action, Seen seen, String verb) {
        return NextAction.call(
                action, "POST", ApprovalEndpoints.ALL + "/" + seen.approval() + "/" + verb);
    }

    private static NextAction check(Execution execution) {
        return NextAction.call(CHECK_EXECUTION, "GET", ExecutionGuidance.path(execution));
    }

    /// @param nothing how it is called that there is no such thing
    static Answer refused(Call call, Handled handled, OrchestrationError nothing) {
        OrchestrationError error = error(handled, nothing);
        return handled instanceof Handled.WrongStatus(var _, var execution)
                ? OrchestrationAnswers.error(call, error, words(handled), of(execution))
                : OrchestrationAnswers.error(
                        call, error, error == nothing ? error.meaning() : words(handled));
    }

    static OrchestrationError error(Handled handled, OrchestrationError nothing) {
        return switch (handled) {
            case Handled.Done _ -> throw new IllegalStateException("nothing was refused");
            case Handled.NotFound() -> nothing;
            case Handled.WrongStatus _ -> OrchestrationError.INVALID_TRANSITION;
            case Handled.Unsafe _ -> OrchestrationError.UNSAFE_RETRY;
            case Handled.TooMany _ -> OrchestrationError.CONCURRENCY_LIMIT;
            case Handled.NothingToCompensate _ -> OrchestrationError.NOTHING_TO_COMPENSATE;
        };
    }

    static String words(Handled handled) {
        return switch (handled) {
            case Handled.Done _ -> throw new IllegalStateException("nothing was refused");
            case Handled.NotFound() -> OrchestrationError.DLQ_ITEM_NOT_FOUND.meaning();
            case Handled.WrongStatus(var letter, var execution) ->
                    "The dead letter is "
                            + letter.status().word()
                            + " and its execution "
                            + execution.status().word()
                            + ", which does not allow this.";
            case Handled.Unsafe(var letter) ->
                    "Step "
                            + letter.stepId()
                            + " is not safe to repeat; send confirm_unsafe as true to repeat it"
                            + " all the same.";
            case Handled.TooMany(var limit, int most) -> OrchestrationAnswers.tooMany(limit, most);
            case Handled.NothingToCompensate _ ->
                    OrchestrationError.NOTHING_TO_COMPENSATE.meaning();
        };
    }
}
