package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.retry.FailureDecision.Reason;
import io.orchestrion.orchestrations.execution.DeadLetter;
import io.orchestrion.orchestrations.execution.DeadLetterQuery;
import io.orchestrion.orchestrations.execution.DeadLetters;
import io.orchestrion.orchestrations.execution.DeadLetters.Handled;
import io.orchestrion.orchestrations.execution.DeadLetters.Seen;
import io.orchestrion.orchestrations.execution.Orchestrations;
import io.orchestrion.orchestrations.execution.StepAttempt;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.contract.Pages.Cursor;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// Steps that failed for good, and what is done about them.
public final class DeadLetterHandlers {
    private final Orchestrations engine;
    private final DeadLetters letters;

    public DeadLetterHandlers(Orchestrations engine) {
        this.engine = engine;
        letters = engine.deadLetters();
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(ReviewEndpoints.LIST_LETTERS, this::list)
                .handle(ReviewEndpoints.GET_LETTER, this::get)
                .handle(ReviewEndpoints.REPROCESS, this::reprocess)
                .handle(ReviewEndpoints.REPROCESS_MANY, this::reprocessMany)
                .handle(ReviewEndpoints.RESOLVE_LETTER, this::resolve);
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return OrchestrationAnswers.badCursor(call);
        }
        int limit = query.int32("limit");
        String status = query.textOrNull("status");
        String reason = query.textOrNull("reason");
        UUID account = Callers.account(call);
        List<DeadLetter> found =
                letters.list(
                        new DeadLetterQuery(
                                account,
                                status == null
                                        ? null
                                        : DeadLetter.Status.named(status).orElseThrow(),
                                reason == null ? null : reason(reason),
                                uuid(query.textOrNull("definition_id")),
                                uuid(query.textOrNull("execution_id")),
                                millis(query.instantOrNull("from")),
                                millis(query.instantOrNull("to")),
                                false,
                                cursor.place(),
                                limit + 1));
        String next = Pages.next(found, limit, DeadLetter::id);
        List<Seen> page = letters.see(account, Pages.first(found, limit));
        return Pages.json(
                200,
                out ->
                        out.objects("items", page, DeadLetterHandlers::write)
                                .text("next_cursor", next),
                ReviewGuidance.listed());
    }

    private static Reason reason(String word) {
        for (Reason each : Reason.values()) {
            if (each.word().equals(word)) {
                return each;
            }
        }
        throw new IllegalArgumentException("no reason " + word);
    }

    private static @Nullable UUID uuid(@Nullable String text) {
        return text == null ? null : UUID.fromString(text);
    }

    private static @Nullable Long millis(@Nullable Instant time) {
        return time == null ? null : Long.valueOf(time.toEpochMilli());
    }

    private Answer get(Call call) {
        UUID id = Callers.id(call, "dlq_id");
        Seen seen = id == null ? null : letters.get(Callers.account(call), id);
        return seen == null
                ? notFound(call)
                : Pages.json(200, out -> write(out, seen), ReviewGuidance.of(seen, true));
    }

    private Answer reprocess(Call call) {
        Values body = call.json();
        UUID id = Callers.id(call, "dlq_id");
        return id == null
                ? notFound(call)
                : answer(call, id, reprocess(call, id, body.text("reason"), body));
    }

    private Handled reprocess(Call call, UUID id, String reason, Values body) {
        return letters.reprocess(
                new DeadLetters.Request(
                        Callers.account(call), id, OrchestrationAnswers.person(call), reason),
                Boolean.TRUE.equals(body.boolOrNull("confirm_unsafe")));
    }

    /// What became of one of several.
    private record Result(UUID id, String result, @Nullable String message) {}

    private Answer reprocessMany(Call call) {
        Values body = call.json();
        var results = new ArrayList<Result>();
        for (String text : body.texts("ids")) {
            UUID id = UUID.fromString(text);
            results.add(result(id, reprocess(call, id, body.text("reason"), body)));
        }
        return Pages.json(
                200,
                out ->
                        out.objects(
                                "items",
                                results,
                                (each, result) ->
                                        each.text("dlq_id", result.id().toString())
                                                .text("result", result.result())
                                                .text("message", result.message())),
                ReviewGuidance.listed());
    }

    private static Result result(UUID id, Handled handled) {
        return handled instanceof Handled.Done
                ? new Result(id, "reprocessed", null)
                : new Result(
                        id,
                        ReviewGuidance.error(handled, OrchestrationError.DLQ_ITEM_NOT_FOUND).code(),
                        ReviewGuidance.words(handled));
    }

    private Answer resolve(Call call) {
        UUID id = Callers.id(call, "dlq_id");
        return id == null
                ? notFound(call)
                : answer(
                        call,
                        id,
                        letters.resolve(
                                new DeadLetters.Request(
                                        Callers.account(call),
                                        id,
                                        OrchestrationAnswers.person(call),
                                        call.json().text("note"))));
    }

    private Answer answer(Call call, UUID id, Handled handled) {
        if (!(handled instanceof Handled.Done done)) {
            return ReviewGuidance.refused(call, handled, OrchestrationError.DLQ_ITEM_NOT_FOUND);
        }
        Seen seen = Objects.requireNonNull(letters.get(Callers.account(call), id));
        StepAttempt step = done.step();
        return Pages.json(
                200,
                out -> {
                    write(out, seen);
                    if (step == null) {
                        out.nil("step_execution");
                    } else {
                        out.object("step_execution", each -> step(each, done, step));
                    }
                    out.text("execution_status", done.execution().status().word());
                },
                ReviewGuidance.of(seen, false));
    }

    private void step(JsonWriter out, Handled.Done done, StepAttempt step) {
        String id = step.place().stepId();
        ExecutionJson.step(
                out,
                step,
                engine.reads()
                        .stepNames(done.execution().account(), done.execution().definition())
                        .getOrDefault(id, id));
    }

    private static Answer notFound(Call call) {
        return ReviewGuidance.refused(
                call, new Handled.NotFound(), OrchestrationError.DLQ_ITEM_NOT_FOUND);
    }

    private static void write(JsonWriter out, Seen seen) {
        DeadLetter letter = seen.letter();
        DeadLetter.Handling handling = letter.handling();
        out.text("dlq_id", letter.id().toString())
                .text("execution_id", letter.origin().execution().toString())
                .text("definition_id", letter.origin().definition().id().toString())
                .integer("definition_version", letter.origin().definition().version())
                .text("step_id", letter.stepId())
                .text("step_execution_id", letter.stepExecution().toString())
                .text("reason", letter.reason().word())
                .text("status", letter.status().word())
                .text("error_class", letter.error().errorClass().name())
                .text("error_code", letter.error().code())
                .text("error_summary", letter.error().summary())
                .text("correlation_id", letter.origin().correlationId())
                .text("action_required", handling.action())
                .text(
                        "compensation",
                        handling.compensation() == null ? null : handling.compensation().word())
                .text("approval_id", ReviewSpecs.approval(seen))
                .instant("created_at", handling.createdMs());
        out.instantOrNull("closed_at", handling.closedMs());
        out.text("closed_by", handling.closedBy())
                .text("note", handling.note())
                .texts("actions", seen.actions().stream().map(ReviewSpecs::word).toList());
    }
}
