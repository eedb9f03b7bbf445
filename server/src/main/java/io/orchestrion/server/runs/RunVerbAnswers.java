package io.orchestrion.server.runs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.document.Finding;
import io.orchestrion.runs.engine.Ack;
import io.orchestrion.runs.run.PlanVersion;
import io.orchestrion.runs.run.RecordSql;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;

/// The answers to what people ask of runs and their parts.
final class RunVerbAnswers {
    private RunVerbAnswers() {}

    static Requester person(Call call) {
        return Requester.key(Callers.caller(call).keyId());
    }

    /// A new run, which has no plan yet.
    ///
    /// @param retryable whether the same request may be sent again
    static Answer made(Run run, boolean retryable) {
        return Pages.json(
                201, out -> RunJson.whole(out, run, null), RunGuidance.of(run, retryable));
    }

    /// The run as it is now, with the plan that it follows.
    ///
    /// @param retryable whether the same request may be sent again
    static Answer run(Tx tx, int status, Run run, boolean retryable) throws SQLException {
        int version = run.progress().planVersion();
        PlanVersion plan =
                version == 0
                        ? null
                        : RecordSql.plan(tx, run.account(), run.id(), run.attempt(), version);
        return Pages.json(
                status,
                out -> RunJson.whole(out, run, plan == null ? null : plan.document()),
                RunGuidance.of(run, retryable));
    }

    /// @param none what is said where there is no such thing
    static Answer refused(Call call, Ack ack, RunError none) {
        return switch (ack) {
            case Ack.Done _ -> throw new IllegalStateException("nothing was refused");
            case Ack.NotFound() -> RunAnswers.error(call, none);
            case Ack.WrongStatus(var run, var status, boolean retryable) ->
                    wrong(call, run, status, RunGuidance.of(run, retryable));
            case Ack.MaxAttempts(var run) ->
                    RunAnswers.error(
                            call,
                            RunError.MAX_ATTEMPTS_EXCEEDED,
                            "The run has had "
                                    + run.attempt()
                                    + " of "
                                    + run.bounds().attempts()
                                    + " attempts.",
                            RunGuidance.of(run, false),
                            out -> out.integer("attempt_number", run.attempt()));
            case Ack.InsufficientCredits(var run, var needed, var available) ->
                    insufficient(call, needed, available, RunGuidance.unpaid(run));
            case Ack.BadPlan(var findings) -> badPlan(call, RunError.INVALID_PLAN, findings, "");
            case Ack.BlockedTool(var tool) -> blocked(call, RunError.INVALID_PLAN, tool, "");
        };
    }

    /// @param status of the run, or of the part of it that this is about
    static Answer wrong(Call call, Run run, String status, AgentContract contract) {
        String about =
                status.equals(run.status().word())
                        ? "The run is " + status
                        : "It is " + status + ", in a run that is " + run.status().word();
        return RunAnswers.error(
                call,
                RunError.INVALID_TRANSITION,
                about + ", which does not allow this. Its attempt is " + run.attempt() + ".",
                contract,
                out -> out.integer("attempt_number", run.attempt()));
    }

    static Answer insufficient(
            Call call, BigDecimal needed, BigDecimal available, AgentContract contract) {
        return RunAnswers.error(
                call,
                RunError.INSUFFICIENT_CREDITS,
                "This needs "
                        + shown(needed)
                        + " credits, and "
                        + shown(available)
                        + " are available.",
                contract,
                out ->
                        out.number("needed", Amounts.plain(needed))
                                .number("available", Amounts.plain(available)));
    }

    private static String shown(BigDecimal amount) {
        return amount.stripTrailingZeros().toPlainString();
    }

    /// @param prefix where the plan is in the body
    static Answer badPlan(Call call, RunError error, List<Finding> findings, String prefix) {
        return RunAnswers.detailed(
                call,
                error,
                findings.getFirst().message(),
                findings.stream().map(each -> RunDetail.of(each, prefix)).toList());
    }

    static Answer blocked(Call call, RunError error, String tool, String prefix) {
        String message = "The plan calls " + tool + ", which the run's tool_policies block.";
        return RunAnswers.detailed(call, error, message, List.of(new RunDetail(message, prefix)));
    }
}
