package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunAction.CANCEL_RUN;
import static io.orchestrion.server.runs.RunAction.CHECK_DECISIONS;
import static io.orchestrion.server.runs.RunAction.CHECK_RUN;
import static io.orchestrion.server.runs.RunAction.CLAIM_TASK;
import static io.orchestrion.server.runs.RunAction.DELETE_RUN;
import static io.orchestrion.server.runs.RunAction.PAUSE_RUN;
import static io.orchestrion.server.runs.RunAction.RESOLVE_ESCALATION;
import static io.orchestrion.server.runs.RunAction.RESUME_RUN;
import static io.orchestrion.server.runs.RunAction.RETRY_RUN;
import static io.orchestrion.server.runs.RunAction.SEND_PLAN;
import static io.orchestrion.server.runs.RunAction.START_RUN;

import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.run.PlannerMode;
import io.orchestrion.runs.run.Run;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The guidance on answers about runs: what can be done next with one as it stands.
public final class RunGuidance {
    /// What resumes or is tried again is something else soon.
    private static final int SOON_SECONDS = 2;

    private RunGuidance() {}

    /// @param retryable whether the same request may be sent again
    public static AgentContract of(Run run, boolean retryable) {
        return new AgentContract(retryable, actions(run), AgentContract.Details.NONE);
    }

    static AgentContract listed() {
        return AgentContract.of(true, RunActions.createRun().best(), RunActions.listEscalations());
    }

    /// Where the account cannot pay for what was asked: the same may succeed once it can.
    static AgentContract unpaid(Run run) {
        var actions = new ArrayList<NextAction>();
        actions.add(RunActions.checkCredits().best());
        actions.add(check(run));
        return new AgentContract(true, actions, AgentContract.Details.NONE);
    }

    private static List<NextAction> actions(Run run) {
        NextAction check = check(run);
        var actions = new ArrayList<NextAction>();
        switch (run.status()) {
            case CREATED -> {
                actions.add(verb(START_RUN, run, "start").best());
                actions.add(check);
                actions.add(verb(CANCEL_RUN, run, "cancel"));
                actions.add(NextAction.call(DELETE_RUN, "DELETE", path(run.id())));
            }
            case PENDING -> {
                actions.add(check.best());
                actions.add(verb(CANCEL_RUN, run, "cancel"));
            }
            case RUNNING -> {
                actions.add(check.best());
                if (run.progress().planVersion() == 0
                        && run.asked().planner() != PlannerMode.STATIC) {
                    actions.add(
                            NextAction.call(SEND_PLAN, "POST", path(run.id()) + "/plan", "agents"));
                }
                if (run.progress().inFlight() > 0) {
                    actions.add(NextAction.call(CLAIM_TASK, "POST", "/v1/tasks/claim", "type"));
                }
                actions.add(verb(PAUSE_RUN, run, "pause"));
                actions.add(verb(CANCEL_RUN, run, "cancel"));
            }
            case PAUSED -> {
                if (run.note().escalated() && run.note().ticket() != null) {
                    actions.add(resolve(run.note().ticket()).best());
                    actions.add(verb(RESUME_RUN, run, "resume"));
                } else {
                    actions.add(verb(RESUME_RUN, run, "resume").best());
                }
                actions.add(check);
                actions.add(verb(CANCEL_RUN, run, "cancel"));
            }
            case RESUMING, RETRYING -> actions.add(check.after(SOON_SECONDS).best());
            case FAILED -> {
                if (run.attempt() < run.bounds().attempts()) {
                    actions.add(verb(RETRY_RUN, run, "retry").best());
                }
                actions.add(NextAction.call(CHECK_DECISIONS, "GET", path(run.id()) + "/decisions"));
                actions.add(check);
                actions.set(0, actions.getFirst().best());
            }
            case COMPLETED, CANCELLED, SKIPPED -> {
                actions.add(RunActions.createRun().best());
                actions.add(check);
            }
        }
        return actions;
    }

    static NextAction resolve(UUID ticket) {
        return NextAction.call(
                RESOLVE_ESCALATION,
                "POST",
                RunReadEndpoints.ESCALATIONS + "/" + PublicId.TICKET.of(ticket) + "/resolve",
                "action",
                "note");
    }

    private static NextAction verb(RunAction action, Run run, String verb) {
        return NextAction.call(action, "POST", path(run.id()) + "/" + verb);
    }

    static NextAction check(Run run) {
        return check(run.id());
    }

    static NextAction check(UUID run) {
        return NextAction.call(CHECK_RUN, "GET", path(run));
    }

    public static String path(UUID run) {
        return RunsDoor.RUNS + "/" + PublicId.RUN.of(run);
    }
}
