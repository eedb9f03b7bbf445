package io.orchestrion.server.runs;

import static io.orchestrion.kernel.json.Field.any;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.read.ApprovalView;
import io.orchestrion.runs.read.TicketView;
import io.orchestrion.runs.run.Decision;
import io.orchestrion.runs.state.RunStatus;

import java.util.List;

/// What is kept of runs beside themselves, as it is answered: attempts, changes of status,
/// decisions, plans, events, and what people are asked.
final class RecordSpecs {
    private RecordSpecs() {}

    private static final List<String> ENDS = List.of("completed", "failed", "cancelled", "skipped");
    private static final List<String> LEVELS = List.of("step", "task", "agent", "run");
    private static final List<String> SOURCES = List.of("static", "worker", "openai", "hand");

    private static final ObjectSpec ATTEMPT =
            ObjectSpec.answer("RunAttempt")
                    .required(RunSpecs.id("run_id", PublicId.RUN))
                    .required(RunViewSpecs.attemptNumber("attempt_number"))
                    .required(oneOf("outcome", ENDS).nullable().doc("Null while it goes on."))
                    .required(RunSpecs.credits("credits_reserved"))
                    .required(RunSpecs.credits("credits_charged"))
                    .required(RunSpecs.credits("credits_refunded"))
                    .required(text("error_code").nullable())
                    .required(text("error").nullable())
                    .required(instant("started_at"))
                    .required(instant("ended_at").nullable());

    static final ObjectSpec ATTEMPT_PAGE = RunSpecs.page("RunAttemptPage", ATTEMPT);

    private static final ObjectSpec TRANSITION =
            ObjectSpec.answer("RunTransition")
                    .required(RunViewSpecs.attemptNumber("number").doc("1 for its creation."))
                    .required(RunViewSpecs.attemptNumber("attempt_number"))
                    .required(oneOf("from", RunStatus.words()).nullable())
                    .required(oneOf("to", RunStatus.words()))
                    .required(text("actor").doc("engine, or key: or operator: and an id."))
                    .required(text("reason").nullable())
                    .required(instant("at"));

    static final ObjectSpec TRANSITION_PAGE = RunSpecs.page("RunTransitionPage", TRANSITION);

    private static final ObjectSpec DECISION =
            ObjectSpec.answer("RunDecision")
                    .required(text("id"))
                    .required(RunViewSpecs.attemptNumber("attempt_number"))
                    .required(oneOf("level", LEVELS))
                    .required(text("subject_id").doc("Of the step, task, agent or run."))
                    .required(oneOf("decision", Decision.Kind.words()))
                    .required(text("trigger").nullable())
                    .required(object("inputs").doc("What it was decided by."))
                    .required(object("outcome").doc("What follows."))
                    .required(instant("at"));

    static final ObjectSpec DECISION_PAGE = RunSpecs.page("RunDecisionPage", DECISION);

    private static final ObjectSpec PLAN =
            ObjectSpec.answer("RunPlan")
                    .required(RunViewSpecs.attemptNumber("attempt_number"))
                    .required(RunViewSpecs.attemptNumber("plan_version"))
                    .required(oneOf("source", SOURCES))
                    .required(text("made_by"))
                    .required(object("decomposition"))
                    .required(
                            any("failure_analysis")
                                    .nullable()
                                    .doc("Why another plan had to be made."))
                    .required(instant("created_at"));

    static final ObjectSpec PLAN_PAGE = RunSpecs.page("RunPlanPage", PLAN);

    private static final ObjectSpec EVENT =
            ObjectSpec.answer("RunEvent")
                    .required(integer("seq").range(1, Integer.MAX_VALUE))
                    .required(text("event").doc("As webhooks name it, such as run.started."))
                    .required(text("from").nullable())
                    .required(text("to").nullable())
                    .required(instant("at"))
                    .required(object("data").nullable());

    static final ObjectSpec EVENT_PAGE = RunSpecs.page("RunEventPage", EVENT);

    static ObjectSpec escalation(String name) {
        return ObjectSpec.answer(name)
                .required(RunSpecs.id("id", PublicId.TICKET))
                .required(RunSpecs.id("run_id", PublicId.RUN))
                .required(oneOf("status", TicketView.STATUSES))
                .required(oneOf("severity", "high"))
                .required(text("trigger"))
                .required(text("last_trigger").nullable().doc("The newest that was added."))
                .required(RunViewSpecs.count("added").doc("Further triggers while it was open."))
                .required(text("error_code").nullable())
                .required(text("error"))
                .required(bool("holds").doc("Whether the run waits for what is said."))
                .required(instant("created_at"))
                .required(instant("resolved_at").nullable())
                .required(text("resolved_by").nullable())
                .required(oneOf("resolution", "resume", "cancel", "over").nullable())
                .required(text("note").nullable());
    }

    static final ObjectSpec ESCALATION = RunSpecs.answer(escalation("RunEscalation"));
    static final ObjectSpec ESCALATION_PAGE =
            RunSpecs.page("RunEscalationPage", escalation("RunEscalationListed"));

    static ObjectSpec approval(String name) {
        return ObjectSpec.answer(name)
                .required(text("id"))
                .required(RunSpecs.id("run_id", PublicId.RUN))
                .required(RunSpecs.id("step_id", PublicId.STEP))
                .required(RunViewSpecs.attemptNumber("attempt_number").doc("Of the step."))
                .required(oneOf("status", ApprovalView.STATUSES))
                .required(text("tool"))
                .required(any("input").doc("Exactly what the tool would be given."))
                .required(instant("requested_at"))
                .required(instant("decided_at").nullable())
                .required(text("decided_by").nullable())
                .required(text("note").nullable());
    }

    static final ObjectSpec APPROVAL = RunSpecs.answer(approval("RunApproval"));
    static final ObjectSpec APPROVAL_PAGE =
            RunSpecs.page("RunApprovalPage", approval("RunApprovalListed"));

    private static final ObjectSpec STUCK =
            ObjectSpec.answer("StuckRun")
                    .required(RunSpecs.org())
                    .required(RunSpecs.id("run_id", PublicId.RUN))
                    .required(RunViewSpecs.attemptNumber("attempt_number"))
                    .required(oneOf("why", "no_heartbeat", "too_long"))
                    .required(integer("running_ms").range(0, Long.MAX_VALUE))
                    .required(instant("last_heartbeat").nullable())
                    .required(RunSpecs.credits("credits_reserved"))
                    .required(RunSpecs.credits("credits_charged"));

    static final ObjectSpec STUCK_PAGE = RunSpecs.page("StuckRunPage", STUCK);
}
