package io.orchestrion.server.tasks;

import static io.orchestrion.server.tasks.TaskSpecs.PROFILE;

import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.type.Types;
import io.orchestrion.kernel.type.WorkType.Defaults;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Ids;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Order;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.Work;
import io.orchestrion.kernel.work.WorkFilter;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.json.CanonicalJson;
import io.orchestrion.server.json.JsonWriter;
import io.orchestrion.server.json.Values;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// The task verbs: read the request, call one kernel verb, say what came of it.
public final class TaskHandlers {
    private final Work work;
    private final Ids ids;
    private final TypeRules rules;

    public TaskHandlers(Work work, Ids ids, Types types) {
        this.work = work;
        this.ids = ids;
        this.rules = new TypeRules(types, work);
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(TaskEndpoints.CREATE, this::create)
                .handle(TaskEndpoints.LIST, this::list)
                .handle(TaskEndpoints.GET, this::get)
                .handle(TaskEndpoints.CLAIM, this::claim)
                .handle(TaskEndpoints.CLAIM_THIS, this::claimThis)
                .handle(TaskEndpoints.HEARTBEAT, this::heartbeat)
                .handle(TaskEndpoints.COMPLETE, this::complete)
                .handle(TaskEndpoints.FAIL, this::fail)
                .handle(
                        TaskEndpoints.CANCEL,
                        call -> manage(call, new Command.Cancel(), "cancelled"))
                .handle(
                        TaskEndpoints.REQUEUE,
                        call -> manage(call, new Command.Reopen(), "requeued"));
    }

    private Answer create(Call call) {
        Values body = call.json();
        String header = call.header(TaskSpecs.KEY_HEADER).orElse(null);
        String inBody = body.textOrNull("idempotencyKey");
        if (header != null && inBody != null && !header.equals(inBody)) {
            return badRequest(
                    call, "Idempotency-Key and idempotencyKey must not hold different values");
        }
        if (header != null && !keyAllowed(header)) {
            return badRequest(
                    call,
                    TaskSpecs.KEY_HEADER
                            + " must be 1 to "
                            + TaskSpecs.KEY_MAX
                            + " printable ASCII characters");
        }
        Principal caller = caller(call);
        String key = header == null ? inBody : header;
        IdempotencyKey once = key == null ? null : idempotencyKey(caller, key, body);
        return switch (rules.check(caller.accountId(), body)) {
            case TypeRules.Ruling.Fits(var defaults) ->
                    answer(call, submit(caller, body, defaults, once));
            case TypeRules.Ruling.Refused(var error, var message) -> {
                // A repeated request is answered as the first one was, whatever the type says now.
                Submitted first = once == null ? null : work.replay(caller.accountId(), once);
                yield first == null ? TaskAnswers.error(call, error, message) : answer(call, first);
            }
        };
    }

    private Submitted submit(
            Principal caller, Values body, Defaults defaults, @Nullable IdempotencyKey once) {
        NewWork task = TaskDrafts.task(caller.accountId(), body, defaults);
        return work.submit(
                new Submission(
                        task,
                        once,
                        view -> CallerScopes.within(caller.scopes(), () -> createdAnswer(view))));
    }

    private static Answer answer(Call call, Submitted submitted) {
        return switch (submitted) {
            case Submitted.Created(var view) ->
                    Answer.json(201, createdBody(view)).with("Location", location(view));
            case Submitted.Replayed(var stored) ->
                    Answer.json(stored.status(), stored.body().getBytes(StandardCharsets.UTF_8))
                            .with("Idempotency-Replayed", "true");
            case Submitted.KeyConflict _ ->
                    TaskAnswers.error(
                            call,
                            TaskError.IDEMPOTENCY_CONFLICT,
                            "This idempotency key was used for another request.");
            case Submitted.KeyInFlight _ ->
                    TaskAnswers.error(
                            call,
                            TaskError.IDEMPOTENCY_IN_FLIGHT,
                            "The first request with this idempotency key is still under way.");
            case Submitted.OverQuota(var plan, var used, var planExpired) ->
                    TaskAnswers.error(
                            call,
                            planExpired ? TaskError.PLAN_EXPIRED : TaskError.QUOTA_EXCEEDED,
                            (planExpired ? "The paid plan has ended. " : "")
                                    + "The plan "
                                    + plan.name()
                                    + " allows "
                                    + plan.maxTasksPerMonth()
                                    + " tasks a month, and this month has "
                                    + used
                                    + ".");
            case Submitted.ScheduleRefused(var nowMs) ->
                    badRequest(
                            call,
                            "scheduledAt must be from now to "
                                    + PROFILE.schedule().ahead().toDays()
                                    + " days ahead; the server's time is "
                                    + Instant.ofEpochMilli(nowMs));
        };
    }

    private static boolean keyAllowed(String key) {
        return !key.isEmpty()
                && key.length() <= TaskSpecs.KEY_MAX
                && key.chars().allMatch(c -> c >= 0x20 && c <= 0x7e);
    }

    private static IdempotencyKey idempotencyKey(Principal caller, String key, Values body) {
        return new IdempotencyKey(
                TaskEndpoints.DOOR,
                caller.keyId(),
                "create",
                key,
                CanonicalJson.digest(body, Set.of("idempotencyKey")),
                TaskSpecs.ANSWER_KEPT,
                TaskSpecs.PLACEHOLDER_STALE);
    }

    private static StoredAnswer createdAnswer(WorkView view) {
        return new StoredAnswer(201, new String(createdBody(view), StandardCharsets.UTF_8));
    }

    private static byte[] createdBody(WorkView view) {
        return TaskAnswers.taskBody(
                view.item(), view.documents(), AgentContract.forCreated(view.item(), view.nowMs()));
    }

    private static String location(WorkView view) {
        return "/v1/tasks/" + view.item().id();
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        String cursor = query.textOrNull("cursor");
        UUID before = cursor == null ? null : TaskCursor.read(cursor);
        if (cursor != null && before == null) {
            return badRequest(call, "cursor must be the nextCursor of an earlier answer");
        }
        String status = query.textOrNull("status");
        Set<WorkState> states =
                status == null ? EnumSet.allOf(WorkState.class) : TaskStatus.of(status).states();
        int limit = query.int32("limit");
        List<WorkView> found =
                work.list(
                        new WorkFilter(
                                caller(call).accountId(),
                                PROFILE,
                                states,
                                query.textOrNull("type"),
                                before,
                                limit + 1));
        List<WorkView> page = found.subList(0, Math.min(limit, found.size()));
        String next = found.size() > limit ? TaskCursor.of(page.getLast().item().id()) : null;
        AgentContract contract = AgentContract.of(true, AgentContract.create().best());
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects("tasks", page, TaskHandlers::writeListed)
                                        .text("nextCursor", next)
                                        .object("agent_contract", contract::write)));
    }

    private static void writeListed(JsonWriter out, WorkView view) {
        TaskJson.write(out, view.item(), view.documents());
        out.object("agent_contract", contractOf(view)::write);
    }

    private static AgentContract contractOf(WorkView view) {
        return AgentContract.forTask(view.item(), view.documents().outputRef(), view.nowMs(), true);
    }

    private Answer get(Call call) {
        UUID id = taskId(call);
        WorkView view = id == null ? null : work.get(caller(call).accountId(), PROFILE, id);
        return view == null
                ? TaskAnswers.noSuchTask(call)
                : TaskAnswers.task(view.item(), view.documents(), contractOf(view));
    }

    private Answer claim(Call call) {
        Values body = call.json();
        Claimed claimed =
                work.claim(
                        new ClaimRequest(
                                caller(call).accountId(),
                                PROFILE.queue(),
                                body.text("type"),
                                1,
                                body.textOrNull("workerId"),
                                null),
                        Duration.ZERO);
        Refusal refusal = claimed.refusal();
        if (refusal != null) {
            return TaskAnswers.refused(call, refusal, "claimed", claimed.nowMs());
        }
        if (claimed.items().isEmpty()) {
            return TaskAnswers.nothingToClaim(
                    rules.paused(caller(call).accountId(), body.text("type")));
        }
        WorkView view = claimed.items().getFirst();
        return TaskAnswers.claimed(view.item(), view.documents(), view.nowMs());
    }

    private Answer claimThis(Call call) {
        Values body = call.json();
        var lease = new Command.Lease(ids.token(), body.textOrNull("workerId"), null);
        return order(
                call,
                lease,
                true,
                "claimed",
                applied ->
                        TaskAnswers.claimed(applied.item(), documents(applied), applied.nowMs()));
    }

    private Answer heartbeat(Call call) {
        return order(
                call,
                new Command.Heartbeat(fence(call.json())),
                false,
                "kept alive",
                applied -> brief(applied, null));
    }

    private Answer complete(Call call) {
        Values body = call.json();
        String result = body.jsonOrNull("result");
        String outputId = body.textOrNull("outputId");
        UUID id = taskId(call);
        TypeRules.Ruling.Refused refused =
                id == null ? null : rules.checkResult(caller(call).accountId(), id, result);
        if (refused != null) {
            return TaskAnswers.error(call, refused.error(), refused.message());
        }
        return order(
                call,
                new Command.Complete(fence(body), result, outputId),
                false,
                "completed",
                applied -> brief(applied, new Documents("{}", result, outputId)));
    }

    private Answer fail(Call call) {
        Values body = call.json();
        Long delaySeconds = body.integerOrNull("retry_after_seconds");
        return order(
                call,
                new Command.Fail(
                        fence(body),
                        body.textOrNull("lastFailureReason"),
                        delaySeconds == null ? null : delaySeconds * 1000,
                        true),
                false,
                "failed",
                applied -> brief(applied, null));
    }

    private Answer manage(Call call, Command command, String verb) {
        call.json();
        return order(
                call,
                command,
                true,
                verb,
                applied ->
                        TaskAnswers.task(
                                applied.item(),
                                documents(applied),
                                AgentContract.forTask(
                                        applied.item(), null, applied.nowMs(), false)));
    }

    private interface WhenApplied {
        Answer answer(Ack.Applied applied);
    }

    private Answer order(
            Call call, Command command, boolean documents, String verb, WhenApplied then) {
        UUID id = taskId(call);
        if (id == null) {
            return TaskAnswers.noSuchTask(call);
        }
        Ack ack =
                work.command(new Order(caller(call).accountId(), PROFILE, id, command, documents));
        return switch (ack) {
            case Ack.Applied applied -> then.answer(applied);
            case Ack.Refused(var refusal, var nowMs) ->
                    TaskAnswers.refused(call, refusal, verb, nowMs);
        };
    }

    private static Answer brief(Ack.Applied applied, @Nullable Documents written) {
        return TaskAnswers.brief(
                applied.item(),
                written,
                AgentContract.forTask(
                        applied.item(),
                        written == null ? null : written.outputRef(),
                        applied.nowMs(),
                        false));
    }

    private static Documents documents(Ack.Applied applied) {
        Documents documents = applied.documents();
        if (documents == null) {
            throw new IllegalStateException("documents were asked for");
        }
        return documents;
    }

    private static Fence fence(Values body) {
        String token = body.textOrNull("leaseToken");
        return token == null ? Fence.NONE : Fence.of(UUID.fromString(token));
    }

    /// Null for what cannot be an id of ours: such a task does not exist.
    private static @Nullable UUID taskId(Call call) {
        return uuidOrNull(call.pathParameter("id"));
    }

    static @Nullable UUID uuidOrNull(String text) {
        try {
            UUID id = UUID.fromString(text);
            return id.toString().equalsIgnoreCase(text) ? id : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Principal caller(Call call) {
        return call.attached(Principal.class).orElseThrow();
    }

    private static Answer badRequest(Call call, String message) {
        return TaskAnswers.error(call, TaskError.INVALID_REQUEST, message);
    }
}
