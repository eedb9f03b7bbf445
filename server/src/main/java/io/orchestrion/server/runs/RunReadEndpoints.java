package io.orchestrion.server.runs;

import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.read.ApprovalView;
import io.orchestrion.runs.read.TicketView;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;

import java.util.List;

/// The endpoints that show runs and what is kept of them.
public final class RunReadEndpoints {
    private RunReadEndpoints() {}

    static final String ONE = RunsDoor.RUNS + "/{run_id}";
    static final String AGENT = ONE + "/agents/{agent_id}";
    static final String TASK = ONE + "/tasks/{task_id}";
    static final String STEP = ONE + "/steps/{step_id}";
    static final String ESCALATIONS = RunsDoor.ROOT + "/escalations";
    static final String ESCALATION = ESCALATIONS + "/{escalation_id}";
    static final String APPROVALS = RunsDoor.ROOT + "/approvals";
    static final String APPROVAL = APPROVALS + "/{approval_id}";

    static final String NO_RUN = "run_not_found";
    private static final int TREE_MAX = 500;
    private static final int TREE_DEFAULT = 100;
    private static final int PLANS_MAX = 10;

    private static Field attemptNumber(String meaning) {
        return integer("attempt_number").range(1, Integer.MAX_VALUE).doc(meaning);
    }

    static final Endpoint LIST =
            RunSpecs.paged(
                            RunSpecs.reading(Endpoint.get("listRuns", RunsDoor.RUNS))
                                    .query(
                                            oneOf("status", RunStatus.words()),
                                            bool("escalated"),
                                            instant("created_from").doc("Not made earlier."),
                                            instant("created_to").doc("Made earlier.")))
                    .summary("List runs, newest first")
                    .response(200, RunViewSpecs.RUN_PAGE)
                    .build();

    static final Endpoint GET =
            RunSpecs.reading(Endpoint.get("getRun", ONE), NO_RUN)
                    .summary("Get run, and with expand=tree what it consists of")
                    .query(
                            oneOf("expand", "tree"),
                            attemptNumber("Whose tree; the present attempt's by default."),
                            integer("limit")
                                    .range(1, TREE_MAX)
                                    .orElse(TREE_DEFAULT)
                                    .doc("Nodes of the tree at the most."),
                            text("cursor")
                                    .length(1, RunSpecs.CURSOR_MAX)
                                    .doc("tree_next_cursor of the page before."))
                    .response(200, RunViewSpecs.SEEN)
                    .build();

    static final Endpoint ATTEMPTS =
            list("listRunAttempts", ONE + "/attempts", RecordSpecs.ATTEMPT_PAGE)
                    .summary("List attempts of run with their credits, oldest first")
                    .build();

    static final Endpoint TRANSITIONS =
            list("listRunTransitions", ONE + "/transitions", RecordSpecs.TRANSITION_PAGE)
                    .summary("List changes of the run's status, oldest first")
                    .build();

    static final Endpoint DECISIONS =
            list("listRunDecisions", ONE + "/decisions", RecordSpecs.DECISION_PAGE)
                    .summary("List what was decided of run and by what, oldest first")
                    .build();

    static final Endpoint EVENTS =
            list("listRunEvents", ONE + "/events", RecordSpecs.EVENT_PAGE)
                    .summary("List events of run, oldest first")
                    .build();

    /// A plan may be long, so a page has few of them.
    static final Endpoint PLANS =
            RunSpecs.reading(Endpoint.get("listRunPlans", ONE + "/plans"), NO_RUN)
                    .summary("List plans that the run has had, oldest first")
                    .query(
                            integer("limit")
                                    .range(1, PLANS_MAX)
                                    .orElse(PLANS_MAX)
                                    .doc("How many at the most."),
                            RunSpecs.cursor())
                    .response(200, RecordSpecs.PLAN_PAGE)
                    .build();

    static final Endpoint AGENTS =
            list("listRunAgents", ONE + "/agents", RunViewSpecs.AGENT_PAGE)
                    .query(attemptNumber("Of the run; all by default."))
                    .summary("List agents of run, oldest first")
                    .build();

    static final Endpoint GET_AGENT =
            RunSpecs.reading(Endpoint.get("getRunAgent", AGENT), NO_RUN, "agent_not_found")
                    .summary("Get agent of run")
                    .response(200, RunViewSpecs.AGENT)
                    .build();

    static final Endpoint TASKS =
            list("listRunTasks", AGENT + "/tasks", RunViewSpecs.TASK_PAGE)
                    .errors(NO_RUN, "agent_not_found")
                    .summary("List tasks of agent in their order")
                    .build();

    static final Endpoint GET_TASK =
            RunSpecs.reading(Endpoint.get("getRunTask", TASK), NO_RUN, "task_not_found")
                    .summary("Get task of agent")
                    .response(200, RunViewSpecs.TASK)
                    .build();

    static final Endpoint STEPS =
            list("listRunSteps", TASK + "/steps", RunViewSpecs.STEP_PAGE)
                    .errors(NO_RUN, "task_not_found")
                    .summary("List steps of task in their order")
                    .build();

    static final Endpoint GET_STEP =
            RunSpecs.paged(
                            RunSpecs.reading(
                                    Endpoint.get("getRunStep", STEP), NO_RUN, "step_not_found"))
                    .summary("Get step with its output and its attempts")
                    .response(200, RunViewSpecs.STEP)
                    .build();

    static final Endpoint LIST_ESCALATIONS =
            RunSpecs.paged(
                            RunSpecs.reading(Endpoint.get("listEscalations", ESCALATIONS))
                                    .query(
                                            oneOf("status", TicketView.STATUSES),
                                            RunSpecs.id("run_id", PublicId.RUN)))
                    .summary("List tickets of runs that people were called for, newest first")
                    .response(200, RecordSpecs.ESCALATION_PAGE)
                    .build();

    static final Endpoint GET_ESCALATION =
            RunSpecs.reading(Endpoint.get("getEscalation", ESCALATION), "escalation_not_found")
                    .summary("Get ticket")
                    .response(200, RecordSpecs.ESCALATION)
                    .build();

    static final Endpoint LIST_APPROVALS =
            RunSpecs.paged(
                            RunSpecs.inspecting(Endpoint.get("listRunApprovals", APPROVALS))
                                    .query(
                                            oneOf("status", ApprovalView.STATUSES),
                                            RunSpecs.id("run_id", PublicId.RUN)))
                    .summary("List calls of tools that people are asked about, oldest first")
                    .response(200, RecordSpecs.APPROVAL_PAGE)
                    .build();

    static final Endpoint GET_APPROVAL =
            RunSpecs.inspecting(Endpoint.get("getRunApproval", APPROVAL), "approval_not_found")
                    .summary("Get what people are asked about the call of a tool")
                    .response(200, RecordSpecs.APPROVAL)
                    .build();

    static final Endpoint STUCK =
            RunSpecs.paged(
                            RunSpecs.inspecting(
                                    Endpoint.get("listStuckRuns", RunsDoor.ADMIN + "/runs/stuck")))
                    .summary("List runs of all accounts that run too long or without a heartbeat")
                    .response(200, RecordSpecs.STUCK_PAGE)
                    .build();

    private static Endpoint.Builder list(String name, String path, ObjectSpec page) {
        return RunSpecs.paged(RunSpecs.reading(Endpoint.get(name, path), NO_RUN))
                .response(200, page);
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(
                    List.of(
                            LIST,
                            GET,
                            ATTEMPTS,
                            TRANSITIONS,
                            DECISIONS,
                            EVENTS,
                            PLANS,
                            AGENTS,
                            GET_AGENT,
                            TASKS,
                            GET_TASK,
                            STEPS,
                            GET_STEP,
                            LIST_ESCALATIONS,
                            GET_ESCALATION,
                            LIST_APPROVALS,
                            GET_APPROVAL,
                            STUCK));
}
