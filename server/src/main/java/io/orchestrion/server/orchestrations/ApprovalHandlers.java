package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationAction.APPROVE_STEP;
import static io.orchestrion.server.orchestrations.OrchestrationAction.CHECK_EXECUTION;
import static io.orchestrion.server.orchestrations.OrchestrationAction.REJECT_STEP;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.orchestrations.execution.Approval;
import io.orchestrion.orchestrations.execution.ApprovalQuery;
import io.orchestrion.orchestrations.execution.ApprovalStatus;
import io.orchestrion.orchestrations.execution.Approvals;
import io.orchestrion.orchestrations.execution.Approvals.Decided;
import io.orchestrion.orchestrations.execution.Approvals.Said;
import io.orchestrion.orchestrations.execution.AttemptKind;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.contract.Pages.Cursor;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/// What people are asked, and what they say.
public final class ApprovalHandlers {
    private final Approvals approvals;

    public ApprovalHandlers(Approvals approvals) {
        this.approvals = approvals;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(ApprovalEndpoints.LIST, this::list)
                .handle(ApprovalEndpoints.GET, this::get)
                .handle(ApprovalEndpoints.APPROVE, call -> decide(call, true))
                .handle(ApprovalEndpoints.REJECT, call -> decide(call, false))
                .handle(ApprovalEndpoints.APPROVE_STEP, call -> decideStep(call, true))
                .handle(ApprovalEndpoints.REJECT_STEP, call -> decideStep(call, false));
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return OrchestrationAnswers.badCursor(call);
        }
        int limit = query.int32("limit");
        String status = query.textOrNull("status");
        String kind = query.textOrNull("kind");
        String execution = query.textOrNull("execution_id");
        Instant due = query.instantOrNull("due_before");
        List<Approval> found =
                approvals.list(
                        new ApprovalQuery(
                                Callers.account(call),
                                status == null ? null : ApprovalStatus.named(status).orElseThrow(),
                                kind == null
                                        ? null
                                        : AttemptKind.valueOf(kind.toUpperCase(Locale.ROOT)),
                                query.textOrNull("assignee_group"),
                                execution == null ? null : UUID.fromString(execution),
                                due == null ? null : Long.valueOf(due.toEpochMilli()),
                                cursor.place(),
                                limit + 1));
        return Pages.page(
                found,
                limit,
                Approval::id,
                ApprovalHandlers::write,
                AgentContract.of(
                        true,
                        OrchestrationActions.listApprovals().best(),
                        OrchestrationActions.listExecutions()));
    }

    private Answer get(Call call) {
        UUID id = Callers.id(call, "approval_id");
        Approval approval = id == null ? null : approvals.get(Callers.account(call), id);
        return approval == null
                ? notFound(call)
                : Pages.json(200, out -> write(out, approval), contract(approval, true));
    }

    private Answer decide(Call call, boolean approve) {
        UUID id = Callers.id(call, "approval_id");
        return answer(
                call,
                id == null ? new Decided.NotFound() : approvals.decide(id, said(call, approve)));
    }

    private Answer decideStep(Call call, boolean approve) {
        UUID execution = Callers.id(call, "execution_id");
        return answer(
                call,
                execution == null
                        ? new Decided.NotFound()
                        : approvals.decide(
                                execution, call.pathParameter("step_id"), said(call, approve)));
    }

    private static Said said(Call call, boolean approve) {
        return new Said(
                Callers.account(call),
                OrchestrationAnswers.person(call),
                approve,
                call.json().textOrNull("note"));
    }

    private static Answer answer(Call call, Decided decided) {
        return switch (decided) {
            case Decided.Done(var approval, var execution, boolean _) ->
                    Pages.json(
                            200,
                            out -> {
                                write(out, approval);
                                out.text("execution_status", execution.status().word());
                            },
                            contract(approval, true));
            case Decided.NotFound() -> notFound(call);
            case Decided.Already(var approval) when approval.status() == ApprovalStatus.CANCELED ->
                    OrchestrationAnswers.error(
                            call,
                            OrchestrationError.INVALID_TRANSITION,
                            "The execution has ended, and nothing is asked any more.",
                            contract(approval, false));
            case Decided.Already(var approval) ->
                    OrchestrationAnswers.error(
                            call,
                            OrchestrationError.ALREADY_DECIDED,
                            "The approval is " + approval.status().word() + " already.",
                            contract(approval, false));
            case Decided.Expired(var approval) ->
                    OrchestrationAnswers.error(
                            call,
                            OrchestrationError.APPROVAL_EXPIRED,
                            OrchestrationError.APPROVAL_EXPIRED.meaning(),
                            contract(approval, false));
        };
    }

    private static Answer notFound(Call call) {
        return OrchestrationAnswers.error(
                call,
                OrchestrationError.APPROVAL_NOT_FOUND,
                OrchestrationError.APPROVAL_NOT_FOUND.meaning());
    }

    private static AgentContract contract(Approval approval, boolean retryable) {
        NextAction check =
                NextAction.call(
                        CHECK_EXECUTION,
                        "GET",
                        OrchestrationsDoor.EXECUTIONS + "/" + approval.execution());
        if (approval.status() != ApprovalStatus.PENDING || !retryable) {
            return AgentContract.of(retryable, check.best(), OrchestrationActions.listApprovals());
        }
        String path = ApprovalEndpoints.ALL + "/" + approval.id();
        return AgentContract.of(
                true,
                NextAction.call(APPROVE_STEP, "POST", path + "/approve").best(),
                NextAction.call(REJECT_STEP, "POST", path + "/reject"),
                check);
    }

    private static void write(JsonWriter out, Approval approval) {
        Approval.Question question = approval.question();
        Approval.@Nullable Answer answer = approval.answer();
        out.text("approval_id", approval.id().toString())
                .text("execution_id", approval.execution().toString())
                .text("step_id", approval.stepId())
                .text("step_execution_id", approval.stepExecution().toString())
                .text("kind", approval.kind().word())
                .text("status", approval.status().word())
                .text("assignee_group", question.assigneeGroup())
                .text("title", question.title())
                .raw("input", question.input())
                .instant("requested_at", question.requestedMs());
        out.instantOrNull("expires_at", question.dueMs());
        out.instantOrNull("decided_at", answer == null ? null : Long.valueOf(answer.atMs()));
        out.text("decided_by", answer == null || answer.by() == null ? null : answer.by().word())
                .text("note", answer == null ? null : answer.note());
    }
}
