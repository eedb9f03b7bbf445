package io.orchestrion.server.runs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.runs.Runs;
import io.orchestrion.runs.engine.Ack;
import io.orchestrion.runs.engine.Request;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.read.ApprovalView;
import io.orchestrion.runs.read.RunReads;
import io.orchestrion.runs.read.TicketView;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.ticket.Ticket;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;

/// Changes parts of runs, takes what people say who were asked about one, and ends runs for the
/// server's operator.
public final class PartHandlers {
    private final Runs engine;
    private final RunOnce once;

    public PartHandlers(Runs engine, RunOnce once) {
        this.engine = engine;
        this.once = once;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(RunWriteEndpoints.CANCEL_AGENT, this::cancelAgent)
                .handle(RunWriteEndpoints.CANCEL_TASK, this::cancelTask)
                .handle(RunWriteEndpoints.RESOLVE, this::resolve)
                .handle(RunWriteEndpoints.APPROVE, call -> decide(call, true))
                .handle(RunWriteEndpoints.REJECT, call -> decide(call, false))
                .handle(RunWriteEndpoints.FORCE_FAIL, this::forceFail);
    }

    /// Part of what a person asks in the transaction of the answer.
    private interface OfPart {
        Ack on(Tx tx, Request request, UUID part) throws SQLException;
    }

    private interface Shown {
        Answer of(Tx tx, Run run, UUID part) throws SQLException;
    }

    private Answer cancelAgent(Call call) {
        return part(
                call,
                RunPaths.id(call, "agent_id", PublicId.AGENT),
                RunError.AGENT_NOT_FOUND,
                engine::cancelAgent,
                (tx, run, id) -> {
                    var agent = Objects.requireNonNull(RunReads.agent(id).read(tx, run));
                    return Pages.json(
                            200,
                            out -> TreeJson.agent(out, agent),
                            TreeHandlers.guidance(run, agent));
                });
    }

    private Answer cancelTask(Call call) {
        return part(
                call,
                RunPaths.id(call, "task_id", PublicId.TASK),
                RunError.TASK_NOT_FOUND,
                engine::cancelTask,
                (tx, run, id) -> {
                    var task = Objects.requireNonNull(RunReads.task(id).read(tx, run));
                    return Pages.json(
                            200, out -> TreeJson.task(out, task), TreeHandlers.guidance(run, task));
                });
    }

    private Answer part(Call call, @Nullable UUID part, RunError none, OfPart verb, Shown shown) {
        String reason = call.json().textOrNull("reason");
        UUID id = RunPaths.run(call);
        if (id == null) {
            return RunAnswers.error(call, RunError.RUN_NOT_FOUND);
        }
        UUID account = Callers.account(call);
        var request = new Request(account, id, RunVerbAnswers.person(call), reason);
        return once.once(
                call,
                tx -> {
                    Ack ack = part == null ? new Ack.NotFound() : verb.on(tx, request, part);
                    if (ack instanceof Ack.Done(var run, boolean _) && part != null) {
                        return shown.of(tx, run, part);
                    }
                    boolean noRun =
                            ack instanceof Ack.NotFound && RunReads.find(tx, account, id) == null;
                    return RunVerbAnswers.refused(call, ack, noRun ? RunError.RUN_NOT_FOUND : none);
                });
    }

    /// Who says something about what a ticket or an approval says the run of.
    private static Request request(Call call) {
        return new Request(
                Callers.account(call), new UUID(0, 0), RunVerbAnswers.person(call), null);
    }

    private Answer resolve(Call call) {
        Values body = call.json();
        var how = Ticket.Resolution.valueOf(body.text("action").toUpperCase(Locale.ROOT));
        String note = body.text("note");
        UUID id = RunPaths.id(call, "escalation_id", PublicId.TICKET);
        if (id == null) {
            return RunAnswers.error(call, RunError.ESCALATION_NOT_FOUND);
        }
        return once.once(
                call,
                tx -> {
                    Ack ack = engine.resolveTicket(tx, id, request(call), how, note);
                    return ack instanceof Ack.Done(var run, boolean _)
                            ? resolved(tx, run, id)
                            : unresolved(call, tx, ack, id);
                });
    }

    private static Answer resolved(Tx tx, Run run, UUID id) throws SQLException {
        TicketView ticket = Objects.requireNonNull(RunReads.ticket(tx, run.account(), id));
        return Pages.json(
                200,
                out -> {
                    RecordJson.escalation(out, ticket);
                    out.text("run_status", run.status().word());
                },
                AskedHandlers.guidance(ticket));
    }

    /// A ticket that is not open any more is what is wrong; else the run is, for a moment.
    private static Answer unresolved(Call call, Tx tx, Ack ack, UUID id) throws SQLException {
        if (!(ack instanceof Ack.WrongStatus(var run, var _, boolean retryable)) || retryable) {
            return RunVerbAnswers.refused(call, ack, RunError.ESCALATION_NOT_FOUND);
        }
        TicketView ticket = Objects.requireNonNull(RunReads.ticket(tx, run.account(), id));
        return RunAnswers.error(
                call,
                RunError.ALREADY_RESOLVED,
                "The escalation is " + ticket.status() + " already.",
                AgentContract.of(
                        false, RunGuidance.check(run).best(), RunActions.listEscalations()));
    }

    private Answer decide(Call call, boolean approve) {
        String note = call.json().textOrNull("note");
        UUID id = Callers.id(call, "approval_id");
        if (id == null) {
            return RunAnswers.error(call, RunError.APPROVAL_NOT_FOUND);
        }
        return once.once(
                call,
                tx -> {
                    Ack ack = engine.decideApproval(tx, id, request(call), approve, note);
                    return ack instanceof Ack.Done(var run, boolean _)
                            ? decided(tx, run, id)
                            : undecided(call, tx, ack, id, approve);
                });
    }

    private static Answer decided(Tx tx, Run run, UUID id) throws SQLException {
        return decided(Objects.requireNonNull(RunReads.approval(tx, run.account(), id)), run);
    }

    private static Answer decided(ApprovalView approval, Run run) {
        return Pages.json(
                200,
                out -> {
                    RecordJson.approval(out, approval);
                    out.text("run_status", run.status().word());
                },
                AskedHandlers.guidance(approval, true));
    }

    /// Whoever says the same once more is told what was decided.
    private static Answer undecided(Call call, Tx tx, Ack ack, UUID id, boolean approve)
            throws SQLException {
        if (!(ack instanceof Ack.WrongStatus(var run, var _, boolean retryable)) || retryable) {
            return RunVerbAnswers.refused(call, ack, RunError.APPROVAL_NOT_FOUND);
        }
        ApprovalView approval = Objects.requireNonNull(RunReads.approval(tx, run.account(), id));
        return approval.status().equals(approve ? "approved" : "rejected")
                ? decided(approval, run)
                : RunAnswers.error(
                        call,
                        RunError.ALREADY_DECIDED,
                        "The approval is " + approval.status() + " already.",
                        AskedHandlers.guidance(approval, false));
    }

    private Answer forceFail(Call call) {
        String reason = call.json().text("reason");
        UUID id = RunPaths.run(call);
        if (id == null) {
            return RunAnswers.error(call, RunError.RUN_NOT_FOUND);
        }
        Requester operator = Requester.operator(Callers.caller(call).keyId());
        return once.once(
                call,
                tx -> {
                    UUID account = RunReads.owner(tx, id);
                    Ack ack =
                            account == null
                                    ? new Ack.NotFound()
                                    : engine.forceFail(
                                            tx, new Request(account, id, operator, reason));
                    return switch (ack) {
                        case Ack.Done(var run, boolean _) -> forced(run);
                        case Ack.WrongStatus(var run, var status, boolean _) ->
                                RunVerbAnswers.wrong(
                                        call, run, status, AgentContract.of(false, stuck()));
                        default -> RunVerbAnswers.refused(call, ack, RunError.RUN_NOT_FOUND);
                    };
                });
    }

    private static NextAction stuck() {
        return NextAction.call(RunAction.LIST_STUCK_RUNS, "GET", RunReadEndpoints.STUCK.path())
                .best();
    }

    private static Answer forced(Run run) {
        return Pages.json(
                200,
                out ->
                        out.text("org_id", run.account().toString())
                                .text("run_id", PublicId.RUN.of(run.id()))
                                .text("status", run.status().word())
                                .integer("attempt_number", run.attempt())
                                .text("last_error_code", run.note().errorCode())
                                .text("last_error", run.note().error())
                                .number("credits_reserved", Amounts.plain(run.credits().reserved()))
                                .number("credits_charged", Amounts.plain(run.credits().charged()))
                                .number("credits_refunded", Amounts.plain(run.credits().refunded()))
                                .instantOrNull("completed_at", run.times().ends().completedMs())
                                .instantOrNull("cancelled_at", run.times().ends().cancelledMs()),
                AgentContract.of(false, stuck()));
    }
}
