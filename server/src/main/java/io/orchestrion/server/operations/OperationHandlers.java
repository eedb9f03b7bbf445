package io.orchestrion.server.operations;

import io.orchestrion.kernel.bulk.Bulk;
import io.orchestrion.kernel.bulk.BulkAction;
import io.orchestrion.kernel.bulk.BulkFilter;
import io.orchestrion.kernel.bulk.BulkMade;
import io.orchestrion.kernel.bulk.BulkOperation;
import io.orchestrion.kernel.bulk.BulkRequest;
import io.orchestrion.kernel.bulk.BulkStop;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.json.CanonicalJson;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.server.contract.CallerScopes;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.door.PageCursor;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.taskdoor.TaskErrorAnswers;
import io.orchestrion.server.taskdoor.TasksDoor;
import io.orchestrion.server.tasks.TaskStatus;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// Operations on many tasks: asked for, looked at, stopped.
public final class OperationHandlers {
    private final Bulk bulk;

    public OperationHandlers(Bulk bulk) {
        this.bulk = bulk;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(OperationEndpoints.CREATE, this::create)
                .handle(OperationEndpoints.LIST, this::list)
                .handle(OperationEndpoints.GET, this::get)
                .handle(OperationEndpoints.CANCEL, this::cancel);
    }

    private Answer create(Call call) {
        Values body = call.json();
        BulkAction action = BulkAction.of(body.text("action"));
        Values filter = body.object("filter");
        String wrong = contradiction(action, filter);
        if (wrong != null) {
            return TaskErrorAnswers.badRequest(call, wrong);
        }
        Principal caller = Callers.caller(call);
        var request =
                new BulkRequest(
                        caller,
                        TaskDoorSpecs.PROFILE,
                        action,
                        filter(action, filter),
                        body.int32("max"),
                        body.textOrNull("reason"));
        if (body.bool("dryRun")) {
            return OperationAnswers.preview(action, bulk.preview(request));
        }
        String header = call.header(Once.KEY_HEADER).orElse(null);
        if (header != null && !Once.keyAllowed(header)) {
            return TaskErrorAnswers.badRequest(call, Once.KEY_RULE);
        }
        IdempotencyKey key = header == null ? null : idempotencyKey(caller, header, body);
        BulkMade made =
                bulk.create(
                        request,
                        key,
                        operation -> CallerScopes.within(caller.scopes(), () -> stored(operation)));
        return answer(call, made);
    }

    private static Answer answer(Call call, BulkMade made) {
        return switch (made) {
            case BulkMade.Made(var operation) ->
                    Answer.json(202, OperationAnswers.made(operation))
                            .with("Location", OperationAnswers.path(operation));
            case BulkMade.Replayed(var stored) -> Once.replayed(stored);
            case BulkMade.TooMany(var max) ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.TOO_MANY_OPERATIONS,
                            "An account may have "
                                    + max
                                    + " running operations and has that many; wait for one to end"
                                    + " or cancel one.");
            case BulkMade.KeyConflict() ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.IDEMPOTENCY_CONFLICT,
                            "This idempotency key was used for another request.");
            case BulkMade.KeyInFlight() ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.IDEMPOTENCY_IN_FLIGHT,
                            "The first request with this idempotency key is still under way.");
        };
    }

    private static StoredAnswer stored(BulkOperation operation) {
        return Once.kept(202, OperationAnswers.made(operation));
    }

    private static IdempotencyKey idempotencyKey(Principal caller, String key, Values body) {
        return Once.key(TasksDoor.NAME, caller, "operation", key, CanonicalJson.digest(body));
    }

    /// A filter that no task could ever match, which is a mistake of the caller; null when there is
    /// none.
    private static @Nullable String contradiction(BulkAction action, Values filter) {
        boolean empty =
                OperationSpecs.FILTER.fields().stream()
                        .noneMatch(field -> filter.has(field.name()));
        if (empty) {
            return "filter must hold at least one condition: an operation on everything has to be"
                    + " asked for by its status";
        }
        Set<TaskStatus> allowed = OperationSpecs.statuses(action);
        String status = filter.textOrNull("status");
        if (status != null && !allowed.contains(TaskStatus.of(status))) {
            return "filter.status must be one that can be "
                    + past(action)
                    + ": "
                    + allowed.stream()
                            .sorted()
                            .map(TaskStatus::word)
                            .collect(Collectors.joining(", "));
        }
        if (filter.has("finishedBefore") && allowed.stream().noneMatch(TaskStatus::terminal)) {
            return "filter.finishedBefore fits no task that can be "
                    + past(action)
                    + ": those have not ended";
        }
        Instant after = filter.instantOrNull("createdAfter");
        Instant before = filter.instantOrNull("createdBefore");
        return after != null && before != null && !after.isBefore(before)
                ? "filter.createdAfter must be earlier than filter.createdBefore"
                : null;
    }

    private static String past(BulkAction action) {
        return switch (action) {
            case CANCEL -> "cancelled";
            case REQUEUE -> "requeued";
            case PURGE -> "purged";
        };
    }

    private static BulkFilter filter(BulkAction action, Values filter) {
        String status = filter.textOrNull("status");
        Set<TaskStatus> statuses =
                status == null
                        ? OperationSpecs.statuses(action)
                        : EnumSet.of(TaskStatus.of(status));
        Set<WorkState> states =
                statuses.stream()
                        .flatMap(each -> each.states().stream())
                        .collect(Collectors.toUnmodifiableSet());
        return new BulkFilter(
                states,
                filter.textOrNull("type"),
                millis(filter.instantOrNull("createdAfter")),
                millis(filter.instantOrNull("createdBefore")),
                millis(filter.instantOrNull("finishedBefore")),
                filter.textOrNull("reasonContains"),
                filter.texts("ids").stream().map(UUID::fromString).distinct().toList());
    }

    private static @Nullable Long millis(@Nullable Instant instant) {
        return instant == null ? null : instant.toEpochMilli();
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        String cursor = query.textOrNull("cursor");
        UUID before = cursor == null ? null : PageCursor.read(cursor);
        if (cursor != null && before == null) {
            return TaskErrorAnswers.badRequest(
                    call, "cursor must be the nextCursor of an earlier answer");
        }
        int limit = query.int32("limit");
        List<BulkOperation> found = bulk.list(Callers.caller(call).accountId(), before, limit + 1);
        List<BulkOperation> page = found.subList(0, Math.min(limit, found.size()));
        return OperationAnswers.list(
                page, found.size() > limit ? PageCursor.of(page.getLast().id()) : null);
    }

    private Answer get(Call call) {
        UUID id = Callers.id(call, "id");
        BulkOperation found = id == null ? null : bulk.get(Callers.caller(call).accountId(), id);
        return found == null ? noSuchOperation(call) : OperationAnswers.operation(found);
    }

    private Answer cancel(Call call) {
        call.json();
        UUID id = Callers.id(call, "id");
        if (id == null) {
            return noSuchOperation(call);
        }
        return switch (bulk.cancel(Callers.caller(call), id)) {
            case BulkStop.Stopped(var operation) -> OperationAnswers.operation(operation);
            case BulkStop.NotFound() -> noSuchOperation(call);
            case BulkStop.Ended(var operation) ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.INVALID_TRANSITION,
                            "An operation that is "
                                    + operation.state().word()
                                    + " cannot be cancelled.");
        };
    }

    private static Answer noSuchOperation(Call call) {
        return TaskErrorAnswers.error(
                call,
                TaskError.OPERATION_NOT_FOUND,
                "This account has no such operation; GET /v1/operations lists those it has.");
    }
}
