package io.orchestrion.server.orchestrations;

import static io.orchestrion.kernel.json.Field.any;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.orchestrations.execution.ApprovalStatus;
import io.orchestrion.orchestrations.execution.ExecutionStatus;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;

import java.util.List;

/// The endpoints for what people are asked, with their bodies.
public final class ApprovalEndpoints {
    private ApprovalEndpoints() {}

    static final String ALL = OrchestrationsDoor.ROOT + "/approvals";
    private static final String ONE = ALL + "/{approval_id}";
    private static final String STEP =
            OrchestrationsDoor.EXECUTIONS + "/{execution_id}/steps/{step_id}";
    private static final int GROUP_MAX = 200;

    static final List<String> KINDS = List.of("step", "compensation");

    private static final ObjectSpec DECISION =
            ObjectSpec.named("OrchestrationDecision").optional(OrchestrationSpecs.note());

    private static ObjectSpec approval(String name) {
        return ObjectSpec.answer(name)
                .required(OrchestrationSpecs.id("approval_id"))
                .required(OrchestrationSpecs.id("execution_id"))
                .required(text("step_id"))
                .required(OrchestrationSpecs.id("step_execution_id"))
                .required(
                        oneOf("kind", KINDS)
                                .doc(
                                        "Whether it decides if a step may go on, or if a failed"
                                                + " step is undone."))
                .required(oneOf("status", ApprovalStatus.words()))
                .required(text("assignee_group").nullable().doc("Group that is asked to decide."))
                .required(text("title").nullable())
                .required(any("input").nullable().doc("Input that the decision is about."))
                .required(instant("requested_at"))
                .required(instant("expires_at").nullable().doc("Null for never."))
                .required(instant("decided_at").nullable())
                .required(text("decided_by").nullable().doc("key: followed by the id of a key."))
                .required(text("note").nullable());
    }

    private static final ObjectSpec ANSWER =
            OrchestrationSpecs.answer(approval("OrchestrationApproval"));

    private static final ObjectSpec DECIDED =
            OrchestrationSpecs.answer(
                    approval("OrchestrationApprovalDecided")
                            .required(oneOf("execution_status", ExecutionStatus.words())));

    static final Endpoint LIST =
            OrchestrationSpecs.paged(
                            reading(Endpoint.get("listApprovals", ALL))
                                    .query(
                                            oneOf("status", ApprovalStatus.words()),
                                            oneOf("kind", KINDS),
                                            text("assignee_group").length(1, GROUP_MAX),
                                            OrchestrationSpecs.id("execution_id"),
                                            instant("due_before")
                                                    .doc("Only those that expire earlier.")))
                    .summary("List what people are asked, oldest first")
                    .response(
                            200,
                            OrchestrationSpecs.page(
                                    "OrchestrationApprovalPage",
                                    approval("OrchestrationApprovalListed")))
                    .build();

    static final Endpoint GET =
            reading(Endpoint.get("getApproval", ONE), "approval_not_found")
                    .summary("Get approval with what is to be approved")
                    .response(200, ANSWER)
                    .build();

    static final Endpoint APPROVE =
            deciding("approve", ONE + "/approve").summary("Approve; the execution goes on").build();

    static final Endpoint REJECT =
            deciding("reject", ONE + "/reject")
                    .summary("Reject; the step fails with approval_rejected")
                    .build();

    static final Endpoint APPROVE_STEP =
            deciding("approveStep", STEP + "/approve")
                    .summary("Approve the newest approval of a step")
                    .build();

    static final Endpoint REJECT_STEP =
            deciding("rejectStep", STEP + "/reject")
                    .summary("Reject the newest approval of a step")
                    .build();

    private static Endpoint.Builder reading(Endpoint.Builder endpoint, String... errors) {
        return OrchestrationSpecs.approving(endpoint, errors).limit(OrchestrationLimits.READ);
    }

    private static Endpoint.Builder deciding(String name, String path) {
        return OrchestrationSpecs.approving(
                        Endpoint.post(name, path),
                        "approval_not_found",
                        "already_decided",
                        "approval_expired",
                        "invalid_transition")
                .limit(OrchestrationLimits.WRITE)
                .request(DECISION)
                .response(200, DECIDED);
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(List.of(LIST, GET, APPROVE, REJECT, APPROVE_STEP, REJECT_STEP));
}
