package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.ErrorMatrix;
import io.orchestrion.orchestrations.execution.Ack;
import io.orchestrion.orchestrations.execution.DeadLetter;
import io.orchestrion.orchestrations.execution.DeadLetterQuery;
import io.orchestrion.orchestrations.execution.DeadLetters;
import io.orchestrion.orchestrations.execution.DeadLetters.Handled;
import io.orchestrion.orchestrations.execution.DeadLetters.Seen;
import io.orchestrion.orchestrations.execution.Execution;
import io.orchestrion.orchestrations.execution.ExecutionVerbs;
import io.orchestrion.orchestrations.execution.Orchestrations;
import io.orchestrion.orchestrations.execution.StepError;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.contract.Pages.Cursor;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/// What a person has to look at: executions that failed, steps that failed for good, and among them
/// those that are to be undone. And which error is of which class.
public final class ReviewHandlers {
    private final Orchestrations engine;
    private final DeadLetters letters;

    public ReviewHandlers(Orchestrations engine) {
        this.engine = engine;
        this.letters = engine.deadLetters();
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(ReviewEndpoints.LIST_REVIEW, this::list)
                .handle(ReviewEndpoints.COMPENSATE, call -> act(call, letters::compensate))
                .handle(
                        ReviewEndpoints.MARK_COMPENSATED,
                        call -> act(call, letters::markCompensated))
                .handle(ReviewEndpoints.RESOLVE_ENTRY, this::resolve)
                .handle(ReviewEndpoints.MATRIX, _ -> matrix());
    }

    /// Either an execution that failed, or a dead letter with its execution.
    private record Entry(Execution execution, @Nullable Seen seen) {
        UUID id() {
            return seen == null ? execution.id() : seen.letter().id();
        }

        String kind() {
            return seen == null
                    ? ReviewSpecs.FAILED_EXECUTION
                    : asksForMore(seen.letter()) ? ReviewSpecs.COMPENSATION : ReviewSpecs.DLQ;
        }

        private static boolean asksForMore(DeadLetter letter) {
            return letter.handling().action() != null || letter.handling().compensation() != null;
        }

        Set<DeadLetters.Action> actions() {
            if (seen != null) {
                return seen.actions();
            }
            return execution.ending().reviewed()
                    ? Set.of()
                    : Set.of(DeadLetters.Action.RETRY, DeadLetters.Action.RESOLVE);
        }
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return OrchestrationAnswers.badCursor(call);
        }
        int limit = query.int32("limit");
        UUID account = Callers.account(call);
        String kind = query.textOrNull("kind");
        var found = new ArrayList<Entry>();
        if (kind == null || kind.equals(ReviewSpecs.FAILED_EXECUTION)) {
            letters.failedExecutions(account, cursor.place(), limit + 1)
                    .forEach(execution -> found.add(new Entry(execution, null)));
        }
        if (kind == null || !kind.equals(ReviewSpecs.FAILED_EXECUTION)) {
            boolean acting = kind != null && kind.equals(ReviewSpecs.COMPENSATION);
            letters.see(account, letters.list(open(account, acting, cursor.place(), limit + 1)))
                    .forEach(seen -> found.add(new Entry(seen.execution(), seen)));
        }
        // As text they are in the order of the database.
        found.sort(Comparator.comparing((Entry entry) -> entry.id().toString()).reversed());
        return Pages.page(found, limit, Entry::id, ReviewHandlers::write, ReviewGuidance.listed());
    }

    private static DeadLetterQuery open(
            UUID account, boolean acting, @Nullable UUID before, int most) {
        return new DeadLetterQuery(
                account,
                DeadLetter.Status.OPEN,
                null,
                null,
                null,
                null,
                null,
                acting,
                before,
                most);
    }

    private Answer act(Call call, Function<DeadLetters.Request, Handled> verb) {
        UUID id = Callers.id(call, "review_id");
        return id == null ? notFound(call) : answer(call, id, verb.apply(request(call, id)));
    }

    private static DeadLetters.Request request(Call call, UUID id) {
        return new DeadLetters.Request(
                Callers.account(call),
                id,
                OrchestrationAnswers.person(call),
                call.json().text("note"));
    }

    private Answer answer(Call call, UUID id, Handled handled) {
        if (!(handled instanceof Handled.Done)) {
            return ReviewGuidance.refused(call, handled, OrchestrationError.REVIEW_ENTRY_NOT_FOUND);
        }
        Seen seen = Objects.requireNonNull(letters.get(Callers.account(call), id));
        return Pages.json(
                200,
                out -> write(out, new Entry(seen.execution(), seen)),
                ReviewGuidance.of(seen, false));
    }

    /// A dead letter, or an execution.
    private Answer resolve(Call call) {
        UUID id = Callers.id(call, "review_id");
        if (id == null) {
            return notFound(call);
        }
        DeadLetters.Request request = request(call, id);
        Handled handled = letters.resolve(request);
        if (!(handled instanceof Handled.NotFound)) {
            return answer(call, id, handled);
        }
        Ack ack =
                letters.closeExecution(
                        new ExecutionVerbs.Request(
                                request.account(), id, request.by(), request.note()));
        return switch (ack) {
            case Ack.Done done ->
                    Pages.json(
                            200,
                            out -> write(out, new Entry(done.execution(), null)),
                            ReviewGuidance.of(done.execution()));
            case Ack.WrongStatus(var execution) -> notFailed(call, execution);
            case Ack.NotFailed(var execution, var _) -> notFailed(call, execution);
            case Ack.Unsafe(var execution, var _) -> notFailed(call, execution);
            case Ack.TooMany(var execution, var _, int _) -> notFailed(call, execution);
            case Ack.NotFound() -> notFound(call);
        };
    }

    private static Answer notFailed(Call call, Execution execution) {
        return OrchestrationAnswers.error(
                call,
                OrchestrationError.INVALID_TRANSITION,
                "The execution is " + execution.status().word() + ", so there is nothing to close.",
                ReviewGuidance.of(execution));
    }

    private static Answer notFound(Call call) {
        return ReviewGuidance.refused(
                call, new Handled.NotFound(), OrchestrationError.REVIEW_ENTRY_NOT_FOUND);
    }

    private static void write(JsonWriter out, Entry entry) {
        Execution execution = entry.execution();
        DeadLetter letter = entry.seen() == null ? null : entry.seen().letter();
        StepError error = letter == null ? execution.ending().error() : letter.error();
        out.text("review_id", entry.id().toString())
                .text("kind", entry.kind())
                .text("execution_id", execution.id().toString())
                .text("definition_id", execution.definition().id().toString())
                .integer("definition_version", execution.definition().version())
                .text("step_id", letter == null ? null : letter.stepId())
                .text("reason", letter == null ? null : letter.reason().word())
                .text("error_class", error == null ? null : error.errorClass().name())
                .text("error_code", error == null ? null : error.code())
                .text("error_summary", error == null ? null : error.summary())
                .text("correlation_id", execution.asked().correlationId())
                .text("action_required", letter == null ? null : letter.handling().action())
                .text(
                        "compensation",
                        letter == null || letter.handling().compensation() == null
                                ? null
                                : letter.handling().compensation().word())
                .text("approval_id", ReviewSpecs.approval(entry.seen()))
                .instant(
                        "created_at",
                        letter == null
                                ? Objects.requireNonNullElse(
                                        execution.times().completedMs(),
                                        execution.times().startedMs())
                                : letter.handling().createdMs())
                .texts(
                        "actions",
                        entry.actions().stream().sorted().map(ReviewSpecs::word).toList());
    }

    private Answer matrix() {
        return Pages.json(
                200,
                out ->
                        out.objects("rows", ErrorMatrix.rows(), ReviewHandlers::row)
                                .objects(
                                        "classes",
                                        List.of(ErrorClass.values()),
                                        (each, one) ->
                                                each.text("error_class", one.name())
                                                        .bool("retried", one.isRetried())
                                                        .integer(
                                                                "delay_factor",
                                                                one.delayFactor(
                                                                        engine.dependencyFactor()))
                                                        .text("behaviour", one.behaviour()))
                                .text("otherwise", ErrorClass.NON_RETRYABLE.name()),
                AgentContract.of(true, OrchestrationActions.listDefinitions().best()));
    }

    private static void row(JsonWriter out, ErrorMatrix.Row row) {
        ErrorClass notSafe =
                row.unknownResult() ? ErrorClass.COMPENSATION_REQUIRED : row.errorClass();
        out.text("code", row.code())
                .integer(
                        "http_status",
                        row.httpStatus() == null ? null : Long.valueOf(row.httpStatus()))
                .text("error_class", row.errorClass().name())
                .text("error_class_when_not_safe", notSafe.name())
                .bool("retried", row.errorClass().isRetried())
                .text("meaning", row.meaning());
    }
}
