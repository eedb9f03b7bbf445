package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunAction.CLAIM_TASK;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.output.Outputs;
import io.orchestrion.runs.output.Outputs.Writer;
import io.orchestrion.runs.output.Written;
import io.orchestrion.runs.read.RunReads;
import io.orchestrion.runs.run.Run;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.EventFollow;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.UUID;

/// What steps write while they are under way: from their workers, and to whoever watches.
public final class OutputHandlers {
    private final Outputs outputs;
    private final RunReads reads;
    private final RunOnce once;
    private final Identity identity;

    public OutputHandlers(Outputs outputs, RunReads reads, RunOnce once, Identity identity) {
        this.outputs = outputs;
        this.reads = reads;
        this.once = once;
        this.identity = identity;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(OutputEndpoints.WRITE, this::write)
                .handle(OutputEndpoints.STREAM, this::stream);
    }

    private Answer write(Call call) {
        Values body = call.json();
        String text = body.text("text");
        if (text.getBytes(StandardCharsets.UTF_8).length > Outputs.PIECE_BYTES_MAX) {
            return RunAnswers.badRequest(
                    call, "text must have at most " + Outputs.PIECE_BYTES_MAX + " bytes of UTF-8.");
        }
        if (text.indexOf('\0') >= 0) {
            return RunAnswers.badRequest(call, "text must not hold U+0000.");
        }
        UUID step = RunPaths.id(call, "step_id", PublicId.STEP);
        UUID attempt = PublicId.ATTEMPT.read(body.text("attempt_id"));
        String sent = body.textOrNull("lease_token");
        UUID token = sent == null ? null : Callers.uuidOrNull(sent);
        if (sent != null && token == null) {
            return RunAnswers.badRequest(call, "lease_token must be a UUID.");
        }
        if (step == null || attempt == null) {
            return RunAnswers.error(call, RunError.STEP_NOT_FOUND);
        }
        var writer = new Writer(Callers.account(call), step, attempt, token);
        return once.once(call, tx -> write(tx, call, writer, body.text("channel"), text));
    }

    private Answer write(Tx tx, Call call, Writer writer, String channel, String text)
            throws SQLException {
        return switch (outputs.append(tx, writer, channel, text)) {
            case Written.Kept(long seq, long left) ->
                    Pages.json(
                            200,
                            out -> out.integer("seq", seq).integer("bytes_left", left),
                            AgentContract.of(
                                    true,
                                    NextAction.call(
                                                    RunAction.WRITE_OUTPUT,
                                                    "POST",
                                                    call.path(),
                                                    "attempt_id",
                                                    "text")
                                            .best()));
            case Written.NoStep() -> RunAnswers.error(call, RunError.STEP_NOT_FOUND);
            case Written.OtherAttempt() -> lost(call, "The step has no such attempt under way.");
            case Written.NotHeld(_) -> lost(call, RunError.LEASE_LOST.meaning());
            case Written.Full(long most, long left) ->
                    RunAnswers.error(
                            call,
                            RunError.OUTPUT_LIMIT,
                            "A step may write "
                                    + most
                                    + " bytes of output, and "
                                    + left
                                    + " are left.");
        };
    }

    private static Answer lost(Call call, String message) {
        return RunAnswers.error(
                call,
                RunError.LEASE_LOST,
                message,
                AgentContract.of(
                        false,
                        NextAction.call(CLAIM_TASK, "POST", "/v1/tasks/claim", "type").best()));
    }

    private Answer stream(Call call) {
        Values query = call.queryValues();
        String lastId = call.header(EventFollow.LAST_ID).orElse(null);
        Long after = place(lastId == null ? query.textOrNull("after") : lastId);
        if (after == null) {
            return RunAnswers.badRequest(
                    call,
                    (lastId == null ? "after" : EventFollow.LAST_ID)
                            + " must be the id of a piece of output, or now.");
        }
        UUID id = RunPaths.run(call);
        Run run = id == null ? null : reads.find(Callers.account(call), id);
        if (run == null) {
            return RunAnswers.error(call, RunError.RUN_NOT_FOUND);
        }
        // Read before the stream begins, because a store that is away can only be reported while
        // there is a status to send.
        long from = after == NOW ? outputs.end(run) : after;
        outputs.read(run.account(), run.id(), null, from, 1);
        return EventFollow.stream(
                OutputPlace.opening(
                        outputs, run, RunPaths.asked(call, "step_id", PublicId.STEP), from),
                query.int32("seconds"),
                () -> Callers.stillGood(identity, call));
    }

    private static final long NOW = -1;

    /// Null for what is no place in an output.
    private static @Nullable Long place(@Nullable String text) {
        if (text == null) {
            return 0L;
        }
        if (text.equals(OutputEndpoints.NOW)) {
            return NOW;
        }
        return text.matches("[0-9]{1,18}") ? Long.valueOf(text) : null;
    }
}
