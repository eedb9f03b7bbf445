package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunAction.AUTHENTICATE;
import static io.orchestrion.server.runs.RunAction.CHECK_CREDITS;
import static io.orchestrion.server.runs.RunAction.CREATE_RUN;
import static io.orchestrion.server.runs.RunAction.FIX_REQUEST;
import static io.orchestrion.server.runs.RunAction.LIST_APPROVALS;
import static io.orchestrion.server.runs.RunAction.LIST_ESCALATIONS;
import static io.orchestrion.server.runs.RunAction.LIST_RUNS;

import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.door.StoreTrouble;

/// What a caller of the runs door can do next: the calls that several answers offer, and what
/// follows from an error that is about nothing that the caller can see.
public final class RunActions {
    private RunActions() {}

    /// After how long to ask again while the first request of an idempotency key is under way.
    private static final int IN_FLIGHT_WAIT_SECONDS = 2;

    /// After how long one of several uploads or downloads may have ended.
    private static final int UPLOAD_WAIT_SECONDS = 5;

    static AgentContract forError(RunError error, String method, String path) {
        NextAction[] actions =
                switch (error) {
                    case MISSING_API_KEY, INVALID_API_KEY ->
                            list(NextAction.call(AUTHENTICATE, "POST", "/v1/keys/register").best());
                    case FORBIDDEN ->
                            list(
                                    NextAction.act(FIX_REQUEST).best(),
                                    NextAction.call(AUTHENTICATE, "POST", "/v1/keys", "name")
                                            .notNow());
                    case INSUFFICIENT_CREDITS -> list(checkCredits().best(), listRuns());
                    case RUN_NOT_FOUND -> list(listRuns().best(), createRun());
                    case AGENT_NOT_FOUND,
                            TASK_NOT_FOUND,
                            STEP_NOT_FOUND,
                            ARTIFACT_NOT_FOUND,
                            ARTIFACT_EXPIRED,
                            MAX_ATTEMPTS_EXCEEDED ->
                            list(listRuns().best());
                    case ESCALATION_NOT_FOUND, ALREADY_RESOLVED ->
                            list(listEscalations().best(), listRuns());
                    case APPROVAL_NOT_FOUND, ALREADY_DECIDED, APPROVAL_EXPIRED ->
                            list(listApprovals().best(), listRuns());
                    case IDEMPOTENCY_IN_FLIGHT ->
                            list(
                                    NextAction.waitAndRepeat(IN_FLIGHT_WAIT_SECONDS, method, path)
                                            .exactly());
                    case TOO_MANY_UPLOADS, TOO_MANY_DOWNLOADS ->
                            list(NextAction.waitAndRepeat(UPLOAD_WAIT_SECONDS, method, path));
                    case INSUFFICIENT_STORAGE ->
                            list(
                                    NextAction.waitAndRepeat(
                                            StoreTrouble.NO_ROOM.waitSeconds(), method, path));
                    case SERVER_ERROR, OVERLOADED, RATE_LIMITED ->
                            list(NextAction.waitAndRepeat(1, method, path));
                    case INVALID_REQUEST,
                            NOT_FOUND,
                            METHOD_NOT_ALLOWED,
                            ORG_NOT_FOUND,
                            LEDGER_ENTRY_NOT_FOUND,
                            INVALID_TRANSITION,
                            IDEMPOTENCY_CONFLICT,
                            INVALID_PLAN,
                            LEASE_LOST,
                            OUTPUT_LIMIT,
                            ARTIFACT_EXISTS,
                            ARTIFACTS_TOO_LARGE,
                            TOO_MANY_ARTIFACTS,
                            CHECKSUM_MISMATCH,
                            RANGE_NOT_SATISFIABLE,
                            INVALID_SIGNATURE,
                            ADDRESS_EXPIRED,
                            NOT_REVERSIBLE ->
                            list(NextAction.act(FIX_REQUEST).best());
                };
        return AgentContract.of(error.retryable(), actions);
    }

    private static NextAction[] list(NextAction... actions) {
        return actions;
    }

    public static NextAction createRun() {
        return NextAction.call(CREATE_RUN, "POST", RunsDoor.RUNS, "name", "task");
    }

    public static NextAction listRuns() {
        return NextAction.call(LIST_RUNS, "GET", RunsDoor.RUNS);
    }

    public static NextAction checkCredits() {
        return NextAction.call(CHECK_CREDITS, "GET", RunsDoor.ROOT + "/credits");
    }

    public static NextAction listEscalations() {
        return NextAction.call(LIST_ESCALATIONS, "GET", RunsDoor.ROOT + "/escalations");
    }

    public static NextAction listApprovals() {
        return NextAction.call(LIST_APPROVALS, "GET", RunsDoor.ROOT + "/approvals");
    }
}
