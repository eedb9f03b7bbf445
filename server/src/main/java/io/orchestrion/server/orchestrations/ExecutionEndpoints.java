package io.orchestrion.server.orchestrations;

import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.orchestrations.execution.ExecutionStatus;
import io.orchestrion.orchestrations.execution.StepStatus;
import io.orchestrion.server.door.Correlation;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;

import java.util.List;

/// The endpoints for executions and the attempts of their steps.
public final class ExecutionEndpoints {
    private ExecutionEndpoints() {}

    private static final String ALL = OrchestrationsDoor.EXECUTIONS;
    private static final String ONE = ALL + "/{execution_id}";
    private static final String NOT_FOUND = "execution_not_found";
    private static final String WRONG_STATUS = "invalid_transition";

    static final Endpoint CREATE =
            Endpoint.post("createExecution", ALL)
                    .door(OrchestrationsDoor.NAME)
                    .limit(OrchestrationLimits.START)
                    .scopes("orchestration:write", "producer", "admin")
                    .errors(
                            "definition_not_found",
                            "definition_not_published",
                            "definition_deprecated",
                            "idempotency_conflict",
                            "idempotency_in_flight",
                            "concurrency_limit")
                    .summary("Start execution of a published definition")
                    .request(ExecutionSpecs.CREATE)
                    .requestHeader(
                            text(Once.KEY_HEADER)
                                    .length(1, Once.KEY_MAX)
                                    .printableAscii()
                                    .doc("One key creates at most one execution, for ever."))
                    .requestHeader(Correlation.header())
                    .answerHeader("Location", "The path of the new execution.")
                    .answerHeader(Correlation.HEADER, "The correlation id of the execution.")
                    .answerHeader(Once.REPLAYED, "true where an earlier call made it.")
                    .response(201, ExecutionSpecs.ANSWER)
                    .response(200, ExecutionSpecs.ANSWER)
                    .build();

    static final Endpoint LIST =
            OrchestrationSpecs.paged(
                            OrchestrationSpecs.reading(Endpoint.get("listExecutions", ALL))
                                    .query(
                                            oneOf("status", ExecutionStatus.words()),
                                            OrchestrationSpecs.id("definition_id"),
                                            ExecutionSpecs.targetType(),
                                            ExecutionSpecs.targetId(),
                                            Correlation.id("correlation_id")))
                    .summary("List executions, newest first")
                    .response(200, ExecutionSpecs.PAGE)
                    .build();

    static final Endpoint GET =
            OrchestrationSpecs.reading(Endpoint.get("getExecution", ONE), NOT_FOUND)
                    .summary("Get execution with its history and what it waits for")
                    .query(OrchestrationSpecs.limit())
                    .response(200, ExecutionSpecs.SEEN)
                    .build();

    static final Endpoint STEPS =
            OrchestrationSpecs.paged(
                            OrchestrationSpecs.reading(
                                            Endpoint.get("listExecutionSteps", ONE + "/steps"),
                                            NOT_FOUND)
                                    .query(
                                            ExecutionSpecs.stepId(),
                                            oneOf("status", StepStatus.words())))
                    .summary("List attempts of steps, oldest first")
                    .response(200, ExecutionSpecs.STEP_PAGE)
                    .build();

    static final Endpoint TRANSITIONS =
            OrchestrationSpecs.paged(
                            OrchestrationSpecs.reading(
                                    Endpoint.get("listExecutionTransitions", ONE + "/transitions"),
                                    NOT_FOUND))
                    .summary("List changes of an execution's status, oldest first")
                    .response(200, ExecutionSpecs.TRANSITION_PAGE)
                    .build();

    static final Endpoint GRAPH =
            OrchestrationSpecs.reading(Endpoint.get("getExecutionGraph", ONE + "/graph"), NOT_FOUND)
                    .summary(
                            "Get steps of execution, the transitions between them and the status of"
                                    + " each")
                    .query(DefinitionSpecs.format())
                    .response(200, DefinitionSpecs.GRAPH)
                    .answers(200, GraphAnswers.MERMAID)
                    .build();

    static final Endpoint CANCEL =
            verb("cancelExecution", "cancel")
                    .summary("Cancel execution; workers that hold a step are told")
                    .destructive()
                    .build();

    static final Endpoint PAUSE =
            verb("pauseExecution", "pause")
                    .summary("Pause execution: no further step begins")
                    .build();

    static final Endpoint RESUME =
            verb("resumeExecution", "resume")
                    .summary("Resume paused execution where it stopped")
                    .build();

    static final Endpoint RETRY =
            OrchestrationSpecs.operating(
                            Endpoint.post("retryExecution", ONE + "/retry"),
                            NOT_FOUND,
                            WRONG_STATUS,
                            "unsafe_retry",
                            "concurrency_limit")
                    .summary("Retry failed execution from the step that failed")
                    .request(ExecutionSpecs.RETRY)
                    .response(200, ExecutionSpecs.RETRIED)
                    .build();

    static final Endpoint RETRY_STEP =
            OrchestrationSpecs.operating(
                            Endpoint.post("retryStep", ONE + "/steps/{step_id}/retry"),
                            NOT_FOUND,
                            "step_not_found",
                            WRONG_STATUS,
                            "unsafe_retry",
                            "concurrency_limit",
                            "step_not_failed")
                    .summary("Retry failed execution from a failed step")
                    .request(ExecutionSpecs.RETRY)
                    .response(200, ExecutionSpecs.STEP_RETRIED)
                    .build();

    private static Endpoint.Builder verb(String name, String verb) {
        return OrchestrationSpecs.operating(
                        Endpoint.post(name, ONE + "/" + verb), NOT_FOUND, WRONG_STATUS)
                .request(ExecutionSpecs.REASON)
                .response(200, ExecutionSpecs.ANSWER);
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(
                    List.of(
                            CREATE,
                            LIST,
                            GET,
                            STEPS,
                            TRANSITIONS,
                            GRAPH,
                            CANCEL,
                            PAUSE,
                            RESUME,
                            RETRY,
                            RETRY_STEP));
}
