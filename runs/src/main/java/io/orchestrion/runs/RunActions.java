package io.orchestrion.runs;

import io.orchestrion.kernel.action.ActionCall;
import io.orchestrion.kernel.action.Actions;
import io.orchestrion.kernel.action.BadActionInput;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.engine.Ack;
import io.orchestrion.runs.engine.Request;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.sql.SQLException;
import java.util.UUID;

/// The functions by which steps of other engines start, pause, resume, cancel and retry runs of
/// their account. Each is the verb that a person's call goes through, so that the run's transitions
/// name the step, and a change that the run's status forbids fails the step.
final class RunActions {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Runs runs;

    RunActions(Runs runs) {
        this.runs = runs;
    }

    private interface Verb {
        Ack on(Tx tx, Request request) throws SQLException;
    }

    void addTo(Actions actions) {
        add(actions, "run.start", runs::start);
        add(actions, "run.pause", runs::pause);
        add(actions, "run.resume", runs::resume);
        add(actions, "run.cancel", runs::cancel);
        add(actions, "run.retry", runs::retry);
    }

    private void add(Actions actions, String name, Verb verb) {
        actions.add(name, call -> outcome(name, runs.inOne(tx -> verb.on(tx, request(call)))));
    }

    private static Request request(ActionCall call) {
        UUID run = PublicId.RUN.read(call.input().required("run_id"));
        if (run == null) {
            throw new BadActionInput("run_id must be the id of a run");
        }
        return new Request(
                call.account(), run, Requester.step(call.word()), call.input().optional("reason"));
    }

    private static Outcome outcome(String name, Ack ack) {
        return switch (ack) {
            case Ack.Done(var run, boolean changed) -> done(run, changed);
            case Ack.NotFound() -> failed("run_not_found", "there is no such run");
            case Ack.WrongStatus(var run, var status, boolean retryable) ->
                    failed(
                            // A run is resuming or retrying for a moment only.
                            retryable ? "unavailable" : "invalid_transition",
                            name
                                    + " does not fit run "
                                    + PublicId.RUN.of(run.id())
                                    + ", which is "
                                    + status);
            case Ack.MaxAttempts(var run) ->
                    failed(
                            "max_attempts_exceeded",
                            "run " + PublicId.RUN.of(run.id()) + " has used up its attempts");
            case Ack.InsufficientCredits(var _, var needed, var available) ->
                    failed(
                            "insufficient_credits",
                            "the run needs "
                                    + needed.toPlainString()
                                    + " credits, and there are "
                                    + available.toPlainString());
            case Ack.BadPlan _ -> failed("invalid_plan", "the plan of the run is not valid");
            case Ack.BlockedTool(var tool) ->
                    failed("tool_blocked", "the run's policy blocks the tool " + tool);
        };
    }

    private static Outcome done(Run run, boolean changed) {
        ObjectNode result = JSON.createObjectNode();
        result.put("run_id", PublicId.RUN.of(run.id()));
        result.put("status", run.status().word());
        result.put("changed", changed);
        return new Outcome.Completed(result.toString());
    }

    private static Outcome failed(String code, String message) {
        return new Outcome.Failed(WorkError.of(code, message));
    }
}
