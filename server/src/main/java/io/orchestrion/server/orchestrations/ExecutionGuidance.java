package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationAction.APPROVE_STEP;
import static io.orchestrion.server.orchestrations.OrchestrationAction.CANCEL_EXECUTION;
import static io.orchestrion.server.orchestrations.OrchestrationAction.CHECK_EXECUTION;
import static io.orchestrion.server.orchestrations.OrchestrationAction.CLAIM_TASK;
import static io.orchestrion.server.orchestrations.OrchestrationAction.PAUSE_EXECUTION;
import static io.orchestrion.server.orchestrations.OrchestrationAction.REJECT_STEP;
import static io.orchestrion.server.orchestrations.OrchestrationAction.RESUME_EXECUTION;
import static io.orchestrion.server.orchestrations.OrchestrationAction.RETRY_EXECUTION;

import io.orchestrion.orchestrations.execution.Execution;
import io.orchestrion.orchestrations.execution.ExecutionReads;
import io.orchestrion.orchestrations.execution.ExecutionReads.Blocked;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;

import java.util.ArrayList;
import java.util.List;

/// The guidance on answers about executions: what can be done next with one as it stands.
final class ExecutionGuidance {
    private final ExecutionReads reads;

    ExecutionGuidance(ExecutionReads reads) {
        this.reads = reads;
    }

    /// @param retryable whether the same request may be sent again
    AgentContract of(Execution execution, boolean retryable) {
        return new AgentContract(
                retryable, actions(execution, List.of()), AgentContract.Details.NONE);
    }

    /// @param blocked what it waits for, as far as that is known
    AgentContract of(Execution execution, List<Blocked> blocked) {
        return new AgentContract(true, actions(execution, blocked), AgentContract.Details.NONE);
    }

    static AgentContract listed() {
        return AgentContract.of(
                true,
                OrchestrationActions.createExecution().best(),
                OrchestrationActions.listDefinitions());
    }

    private List<NextAction> actions(Execution execution, List<Blocked> blocked) {
        NextAction check = check(execution);
        var actions = new ArrayList<NextAction>();
        switch (execution.status()) {
            case RUNNING -> {
                actions.add(check.best());
                if (blocked.stream().anyMatch(each -> each.on() == Blocked.On.UNCLAIMED_WORK)) {
                    actions.add(NextAction.call(CLAIM_TASK, "POST", "/v1/tasks/claim", "type"));
                }
                actions.add(verb(PAUSE_EXECUTION, execution, "pause"));
                actions.add(verb(CANCEL_EXECUTION, execution, "cancel"));
            }
            case WAITING_APPROVAL -> {
                decide(actions, blocked);
                actions.add(OrchestrationActions.listApprovals());
                actions.add(check);
                actions.add(verb(CANCEL_EXECUTION, execution, "cancel"));
                actions.set(0, actions.getFirst().best());
            }
            case PAUSED -> {
                actions.add(verb(RESUME_EXECUTION, execution, "resume").best());
                actions.add(check);
                actions.add(verb(CANCEL_EXECUTION, execution, "cancel"));
            }
            case FAILED -> {
                retry(actions, execution);
                actions.add(OrchestrationActions.listDeadLetters());
                actions.add(check);
                actions.set(0, actions.getFirst().best());
            }
            case SUCCEEDED, CANCELED -> {
                actions.add(OrchestrationActions.createExecution().best());
                actions.add(check);
            }
        }
        return actions;
    }

    private static void decide(List<NextAction> actions, List<Blocked> blocked) {
        for (Blocked each : blocked) {
            if (each.on() == Blocked.On.APPROVAL) {
                String path = OrchestrationsDoor.ROOT + "/approvals/" + each.id();
                actions.add(NextAction.call(APPROVE_STEP, "POST", path + "/approve"));
                actions.add(NextAction.call(REJECT_STEP, "POST", path + "/reject"));
            }
        }
    }

    /// A retry repeats the step where the execution stopped, which may ask for a word more.
    private void retry(List<NextAction> actions, Execution execution) {
        String path = path(execution) + "/retry";
        switch (reads.retriable(execution)) {
            case NO -> {}
            case YES -> actions.add(NextAction.call(RETRY_EXECUTION, "POST", path, "reason"));
            case UNSAFE ->
                    actions.add(
                            NextAction.call(
                                    RETRY_EXECUTION, "POST", path, "reason", "confirm_unsafe"));
        }
    }

    /// For a verb that needs more than was sent.
    AgentContract unsafe(Execution execution, String method, String path) {
        return AgentContract.of(
                false,
                NextAction.call(RETRY_EXECUTION, method, path, "reason", "confirm_unsafe"),
                check(execution).best());
    }

    private static NextAction verb(OrchestrationAction action, Execution execution, String verb) {
        return NextAction.call(action, "POST", path(execution) + "/" + verb);
    }

    private static NextAction check(Execution execution) {
        return NextAction.call(CHECK_EXECUTION, "GET", path(execution));
    }

    static String path(Execution execution) {
        return OrchestrationsDoor.EXECUTIONS + "/" + execution.id();
    }
}
