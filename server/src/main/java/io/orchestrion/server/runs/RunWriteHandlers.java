package io.orchestrion.server.runs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.schema.ChecksBusy;
import io.orchestrion.runs.Runs;
import io.orchestrion.runs.engine.Ack;
import io.orchestrion.runs.engine.Created;
import io.orchestrion.runs.engine.Request;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Handler;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.UUID;
import java.util.function.Function;

/// Makes runs and changes them. Each change and its answer are one transaction.
public final class RunWriteHandlers {
    private final Runs engine;
    private final RunOnce once;
    private final RunCreation creation;

    /// @param usual the bounds of a run that names none
    /// @param model whether the server has a model that plans runs
    public RunWriteHandlers(Runs engine, RunOnce once, Bounds usual, boolean model) {
        this.engine = engine;
        this.once = once;
        this.creation = new RunCreation(usual, model);
    }

    private interface Verb {
        Ack on(Tx tx, Request request) throws SQLException;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(RunWriteEndpoints.CREATE, reading(this::create))
                .handle(RunWriteEndpoints.DELETE, this::delete)
                .handle(RunWriteEndpoints.START, call -> verb(call, engine::start))
                .handle(RunWriteEndpoints.PAUSE, call -> verb(call, engine::pause))
                .handle(RunWriteEndpoints.RESUME, call -> verb(call, engine::resume))
                .handle(RunWriteEndpoints.CANCEL, call -> verb(call, engine::cancel))
                .handle(RunWriteEndpoints.RETRY, call -> verb(call, engine::retry))
                .handle(RunWriteEndpoints.PLAN, reading(this::plan));
    }

    /// Long checks of schemas take turns, and there is an end to how many may wait.
    private static Handler reading(Function<Call, Answer> handler) {
        return call -> {
            try {
                return handler.apply(call);
            } catch (ChecksBusy e) {
                return RunAnswers.error(call, RunError.OVERLOADED, e.said());
            }
        };
    }

    private Answer create(Call call) {
        Values body = call.json();
        return switch (creation.read(Callers.account(call), RunVerbAnswers.person(call), body)) {
            case RunCreation.Read.Bad(var details) ->
                    RunAnswers.badRequest(call, details.getFirst().message(), details);
            case RunCreation.Read.Good(var asked) -> {
                Created refused = engine.refused(asked);
                yield refused == null
                        ? once.once(call, tx -> created(call, engine.create(tx, asked)))
                        : created(call, refused);
            }
        };
    }

    private static Answer created(Call call, Created created) {
        return switch (created) {
            case Created.Made(var run) -> {
                call.about("run_id", run.id());
                yield RunVerbAnswers.made(run, !call.headers(Once.KEY_HEADER).isEmpty());
            }
            case Created.InsufficientCredits(var needed, var available) ->
                    RunVerbAnswers.insufficient(
                            call,
                            needed,
                            available,
                            RunAnswers.guidance(call, RunError.INSUFFICIENT_CREDITS));
            case Created.BadPlan(var findings) ->
                    RunVerbAnswers.badPlan(call, RunError.INVALID_REQUEST, findings, "/plan");
            case Created.BlockedTool(var tool) ->
                    RunVerbAnswers.blocked(call, RunError.INVALID_REQUEST, tool, "/plan");
        };
    }

    private static Request request(Call call, UUID run, @Nullable String reason) {
        return new Request(Callers.account(call), run, RunVerbAnswers.person(call), reason);
    }

    private Answer verb(Call call, Verb verb) {
        String reason = call.json().textOrNull("reason");
        UUID id = RunPaths.run(call);
        return id == null
                ? RunAnswers.error(call, RunError.RUN_NOT_FOUND)
                : once.once(
                        call, tx -> answer(call, tx, 200, verb.on(tx, request(call, id, reason))));
    }

    private static Answer answer(Call call, Tx tx, int status, Ack ack) throws SQLException {
        return ack instanceof Ack.Done(var run, boolean _)
                ? RunVerbAnswers.run(tx, status, run, true)
                : RunVerbAnswers.refused(call, ack, RunError.RUN_NOT_FOUND);
    }

    private Answer delete(Call call) {
        UUID id = RunPaths.run(call);
        return id == null
                ? RunAnswers.error(call, RunError.RUN_NOT_FOUND)
                : once.once(
                        call,
                        tx -> {
                            Ack ack = engine.delete(tx, request(call, id, null));
                            return ack instanceof Ack.Done
                                    ? Answer.empty(204)
                                    : RunVerbAnswers.refused(call, ack, RunError.RUN_NOT_FOUND);
                        });
    }

    private Answer plan(Call call) {
        String document = document(call.jsonBytes());
        if (document == null) {
            return RunAnswers.badRequest(call, "The body is not valid UTF-8.");
        }
        UUID id = RunPaths.run(call);
        if (id == null) {
            return RunAnswers.error(call, RunError.RUN_NOT_FOUND);
        }
        Request request = request(call, id, null);
        Ack refused = engine.refusedPlan(request, document);
        return refused == null
                ? once.once(
                        call, tx -> answer(call, tx, 201, engine.planByHand(tx, request, document)))
                : RunVerbAnswers.refused(call, refused, RunError.RUN_NOT_FOUND);
    }

    /// Null for what is no UTF-8.
    private static @Nullable String document(byte[] body) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
