package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationAction.AUTHENTICATE;
import static io.orchestrion.server.orchestrations.OrchestrationAction.CREATE_DEFINITION;
import static io.orchestrion.server.orchestrations.OrchestrationAction.CREATE_EXECUTION;
import static io.orchestrion.server.orchestrations.OrchestrationAction.FIX_REQUEST;
import static io.orchestrion.server.orchestrations.OrchestrationAction.LIST_APPROVALS;
import static io.orchestrion.server.orchestrations.OrchestrationAction.LIST_DEAD_LETTERS;
import static io.orchestrion.server.orchestrations.OrchestrationAction.LIST_DEFINITIONS;
import static io.orchestrion.server.orchestrations.OrchestrationAction.LIST_EXECUTIONS;
import static io.orchestrion.server.orchestrations.OrchestrationAction.LIST_REVIEW;

import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.door.StoreTrouble;

/// What a caller of the orchestrations door can do next: the calls that several answers offer, and
/// what follows from an error that is about nothing that the caller can see.
final class OrchestrationActions {
    private OrchestrationActions() {}

    /// After how long to ask again while the first request of an idempotency key is under way.
    private static final int IN_FLIGHT_WAIT_SECONDS = 2;

    /// After how long to ask again when as many executions are under way as may be.
    private static final int LIMIT_WAIT_SECONDS = 30;

    static AgentContract forError(OrchestrationError error, String method, String path) {
        NextAction[] actions =
                switch (error) {
                    case MISSING_API_KEY, INVALID_API_KEY ->
                            list(NextAction.call(AUTHENTICATE, "POST", "/v1/keys/register").best());
                    case FORBIDDEN ->
                            list(
                                    NextAction.act(FIX_REQUEST).best(),
                                    NextAction.call(AUTHENTICATE, "POST", "/v1/keys", "name")
                                            .notNow());
                    case DEFINITION_NOT_FOUND -> list(listDefinitions().best(), createDefinition());
                    case DEFINITION_NOT_PUBLISHED, DEFINITION_DEPRECATED ->
                            list(listDefinitions().best());
                    case EXECUTION_NOT_FOUND, STEP_NOT_FOUND -> list(listExecutions().best());
                    case APPROVAL_NOT_FOUND, ALREADY_DECIDED, APPROVAL_EXPIRED ->
                            list(listApprovals().best(), listExecutions());
                    case DLQ_ITEM_NOT_FOUND -> list(listDeadLetters().best(), listExecutions());
                    case REVIEW_ENTRY_NOT_FOUND -> list(listReview().best(), listExecutions());
                    case IDEMPOTENCY_CONFLICT ->
                            list(createExecution().best(), NextAction.act(FIX_REQUEST));
                    case IDEMPOTENCY_IN_FLIGHT ->
                            list(
                                    NextAction.waitAndRepeat(IN_FLIGHT_WAIT_SECONDS, method, path)
                                            .exactly());
                    case CONCURRENCY_LIMIT ->
                            list(
                                    NextAction.waitAndRepeat(LIMIT_WAIT_SECONDS, method, path),
                                    listExecutions());
                    case INSUFFICIENT_STORAGE ->
                            list(
                                    NextAction.waitAndRepeat(
                                            StoreTrouble.NO_ROOM.waitSeconds(), method, path));
                    case SERVER_ERROR, OVERLOADED, RATE_LIMITED ->
                            list(NextAction.waitAndRepeat(1, method, path));
                    case INVALID_REQUEST,
                            NOT_FOUND,
                            METHOD_NOT_ALLOWED,
                            INVALID_TRANSITION,
                            DEFINITION_IMMUTABLE,
                            DRAFT_EXISTS,
                            UNSAFE_RETRY,
                            STEP_NOT_FAILED,
                            NOTHING_TO_COMPENSATE ->
                            list(NextAction.act(FIX_REQUEST).best());
                };
        return AgentContract.of(error.retryable(), actions);
    }

    private static NextAction[] list(NextAction... actions) {
        return actions;
    }

    static NextAction createDefinition() {
        return NextAction.call(
                CREATE_DEFINITION,
                "POST",
                OrchestrationsDoor.DEFINITIONS,
                "name",
                "steps",
                "input_schema");
    }

    static NextAction listDefinitions() {
        return NextAction.call(LIST_DEFINITIONS, "GET", OrchestrationsDoor.DEFINITIONS);
    }

    static NextAction createExecution() {
        return NextAction.call(
                CREATE_EXECUTION,
                "POST",
                OrchestrationsDoor.EXECUTIONS,
                "definition_id",
                "target_object_type",
                "target_object_id",
                "input");
    }

    static NextAction listExecutions() {
        return NextAction.call(LIST_EXECUTIONS, "GET", OrchestrationsDoor.EXECUTIONS);
    }

    static NextAction listApprovals() {
        return NextAction.call(LIST_APPROVALS, "GET", OrchestrationsDoor.ROOT + "/approvals");
    }

    static NextAction listDeadLetters() {
        return NextAction.call(LIST_DEAD_LETTERS, "GET", OrchestrationsDoor.ROOT + "/dlq");
    }

    static NextAction listReview() {
        return NextAction.call(LIST_REVIEW, "GET", OrchestrationsDoor.ROOT + "/review");
    }
}
