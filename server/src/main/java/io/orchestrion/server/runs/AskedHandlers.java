package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunAction.APPROVE_STEP;
import static io.orchestrion.server.runs.RunAction.FORCE_FAIL_RUN;
import static io.orchestrion.server.runs.RunAction.REJECT_STEP;

import io.orchestrion.kernel.json.Values;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.read.ApprovalView;
import io.orchestrion.runs.read.RunReads;
import io.orchestrion.runs.read.StuckRun;
import io.orchestrion.runs.read.TicketView;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.contract.Pages.Cursor;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.PageCursor;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/// Shows what people are asked about runs, and the runs that somebody should look at.
public final class AskedHandlers {
    private final RunReads reads;
    private final StuckAfter stuckAfter;

    /// When a run counts as stuck.
    ///
    /// @param silentMs without a heartbeat
    /// @param runningMs of an attempt
    public record StuckAfter(long silentMs, long runningMs) {}

    public AskedHandlers(RunReads reads, StuckAfter stuckAfter) {
        this.reads = reads;
        this.stuckAfter = stuckAfter;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(RunReadEndpoints.LIST_ESCALATIONS, this::escalations)
                .handle(RunReadEndpoints.GET_ESCALATION, this::escalation)
                .handle(RunReadEndpoints.LIST_APPROVALS, this::approvals)
                .handle(RunReadEndpoints.GET_APPROVAL, this::approval)
                .handle(RunReadEndpoints.STUCK, this::stuck);
    }

    private Answer escalations(Call call) {
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return RunAnswers.badCursor(call);
        }
        Values query = call.queryValues();
        int limit = query.int32("limit");
        return Pages.page(
                reads.tickets(
                        Callers.account(call),
                        query.textOrNull("status"),
                        RunPaths.asked(call, "run_id", PublicId.RUN),
                        cursor.place(),
                        limit + 1),
                limit,
                TicketView::id,
                RecordJson::escalation,
                AgentContract.of(true, RunActions.listEscalations().best(), RunActions.listRuns()));
    }

    private Answer escalation(Call call) {
        UUID id = RunPaths.id(call, "escalation_id", PublicId.TICKET);
        TicketView ticket = id == null ? null : reads.ticket(Callers.account(call), id);
        return ticket == null
                ? RunAnswers.error(call, RunError.ESCALATION_NOT_FOUND)
                : Pages.json(200, out -> RecordJson.escalation(out, ticket), guidance(ticket));
    }

    static AgentContract guidance(TicketView ticket) {
        NextAction check = RunGuidance.check(ticket.run());
        return ticket.status().equals("open")
                ? AgentContract.of(true, RunGuidance.resolve(ticket.id()).best(), check)
                : AgentContract.of(true, check.best(), RunActions.listEscalations());
    }

    private Answer approvals(Call call) {
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return RunAnswers.badCursor(call);
        }
        Values query = call.queryValues();
        int limit = query.int32("limit");
        return Pages.page(
                reads.approvals(
                        Callers.account(call),
                        query.textOrNull("status"),
                        RunPaths.asked(call, "run_id", PublicId.RUN),
                        cursor.place(),
                        limit + 1),
                limit,
                ApprovalView::id,
                RecordJson::approval,
                AgentContract.of(true, RunActions.listApprovals().best(), RunActions.listRuns()));
    }

    private Answer approval(Call call) {
        UUID id = Callers.id(call, "approval_id");
        ApprovalView approval = id == null ? null : reads.approval(Callers.account(call), id);
        return approval == null
                ? RunAnswers.error(call, RunError.APPROVAL_NOT_FOUND)
                : Pages.json(
                        200, out -> RecordJson.approval(out, approval), guidance(approval, true));
    }

    static AgentContract guidance(ApprovalView approval, boolean retryable) {
        NextAction check = RunGuidance.check(approval.run());
        if (!approval.status().equals("pending") || !retryable) {
            return AgentContract.of(retryable, check.best(), RunActions.listApprovals());
        }
        String path = RunReadEndpoints.APPROVALS + "/" + approval.id();
        return AgentContract.of(
                true,
                NextAction.call(APPROVE_STEP, "POST", path + "/approve").best(),
                NextAction.call(REJECT_STEP, "POST", path + "/reject"),
                check);
    }

    /// Pages go on after the last run: its account follows from it.
    private Answer stuck(Call call) {
        String sent = call.queryValues().textOrNull("cursor");
        StuckPlace after = sent == null ? null : StuckPlace.read(sent);
        if (sent != null && after == null) {
            return RunAnswers.badCursor(call);
        }
        int limit = call.queryValues().int32("limit");
        List<StuckRun> found =
                reads.stuck(
                        stuckAfter.silentMs(),
                        stuckAfter.runningMs(),
                        after == null ? null : after.account(),
                        after == null ? null : after.run(),
                        limit + 1);
        List<StuckRun> shown = Pages.first(found, limit);
        return Pages.json(
                200,
                out ->
                        out.objects("items", shown, RecordJson::stuck)
                                .text(
                                        "next_cursor",
                                        found.size() > limit
                                                ? StuckPlace.of(shown.getLast())
                                                : null),
                AgentContract.of(
                        true,
                        NextAction.call(
                                        RunAction.LIST_STUCK_RUNS,
                                        "GET",
                                        RunReadEndpoints.STUCK.path())
                                .best(),
                        shown.isEmpty()
                                ? RunActions.listRuns()
                                : NextAction.call(
                                        FORCE_FAIL_RUN,
                                        "POST",
                                        RunsDoor.ADMIN
                                                + "/runs/"
                                                + PublicId.RUN.of(shown.getFirst().id())
                                                + "/force-fail",
                                        "reason")));
    }

    /// Where a page of runs of all accounts ends.
    private record StuckPlace(UUID account, UUID run) {
        private static final char BETWEEN = '.';

        static String of(StuckRun run) {
            return PageCursor.of(run.account()) + BETWEEN + PageCursor.of(run.id());
        }

        static @Nullable StuckPlace read(String cursor) {
            int at = cursor.indexOf(BETWEEN);
            UUID account = at < 0 ? null : PageCursor.read(cursor.substring(0, at));
            UUID run = at < 0 ? null : PageCursor.read(cursor.substring(at + 1));
            return account == null || run == null ? null : new StuckPlace(account, run);
        }
    }
}
