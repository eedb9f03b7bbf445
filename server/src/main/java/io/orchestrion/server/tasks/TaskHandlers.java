package io.orchestrion.server.tasks;

import static io.orchestrion.server.taskdoor.TaskDoorSpecs.PROFILE;
import static io.orchestrion.server.taskdoor.TaskDoorSpecs.STEPS;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.schema.CheckBudget;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.ClaimKey;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Ids;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkFilter;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.door.PageCursor;
import io.orchestrion.server.door.RequestDigest;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.taskdoor.TaskActions;
import io.orchestrion.server.taskdoor.TaskErrorAnswers;
import io.orchestrion.server.taskdoor.TaskFault;
import io.orchestrion.server.types.TypeRules;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// The task verbs: read the request, call one kernel verb, write its outcome.
public final class TaskHandlers {
    private final Work work;
    private final Ids ids;
    private final TypeRules rules;
    private final TaskCreates creates;

    public TaskHandlers(Work work, Ids ids, TypeRules rules) {
        this.work = work;
        this.ids = ids;
        this.rules = rules;
        this.creates = new TaskCreates(work, rules);
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
                .handle(TaskEndpoints.CANCEL, this::cancel)
                .handle(TaskEndpoints.REQUEUE, this::requeue)
                .handle(TermsEndpoints.RELEASE, this::release);
    }

    private Answer create(Call call) {
        Values body = call.json();
        String header = call.header(Once.KEY_HEADER).orElse(null);
        String inBody = body.textOrNull("idempotencyKey");
        if (header != null && inBody != null && !header.equals(inBody)) {
            return TaskErrorAnswers.badRequest(
                    call, "Idempotency-Key and idempotencyKey must not hold different values");
        }
        if (header != null && !Once.keyAllowed(header)) {
            return TaskErrorAnswers.badRequest(call, Once.KEY_RULE);
        }
        String fault = Producer.fault(call);
        if (fault != null) {
            return TaskErrorAnswers.badRequest(call, fault);
        }
        return switch (creates.draft(
                Producer.of(call),
                body,
                "create",
                header == null ? inBody : header,
                List.of(),
                new CheckBudget())) {
            case TaskCreates.Draft.Ready(var submission) -> answer(call, work.submit(submission));
            case TaskCreates.Draft.Known(var first) -> answer(call, first);
            case TaskCreates.Draft.Faulty(var why) ->
                    TaskErrorAnswers.error(call, why.error(), why.message());
        };
    }

    private static Answer answer(Call call, Submitted submitted) {
        TaskFault fault = TaskRefusals.of(submitted);
        if (fault != null) {
            return submitted instanceof Submitted.UniqueConflict conflict
                    ? TermsAnswers.uniqueConflict(call, conflict, fault)
                    : TaskErrorAnswers.error(call, fault.error(), fault.message());
        }
        return switch (submitted) {
            case Submitted.Created(var view) ->
                    Answer.json(201, TaskCreates.body(view)).with("Location", location(view));
            case Submitted.Replayed(var stored) -> Once.replayed(stored);
            case Submitted.Existing(var view) -> TermsAnswers.existing(view);
            default -> throw new IllegalStateException("refused: " + submitted);
        };
    }

    private static String location(WorkView view) {
        return "/v1/tasks/" + view.item().id();
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        String cursor = query.textOrNull("cursor");
        UUID before = cursor == null ? null : PageCursor.read(cursor);
        if (cursor != null && before == null) {
            return TaskErrorAnswers.badRequest(
                    call, "cursor must be the nextCursor of an earlier answer");
        }
        String status = query.textOrNull("status");
        Set<WorkState> states =
                status == null ? EnumSet.allOf(WorkState.class) : TaskStatus.states(status);
        int limit = query.int32("limit");
        List<WorkView> found =
                work.list(
                        new WorkFilter(
                                Callers.caller(call).accountId(),
                                query.has("include") ? List.of(PROFILE, STEPS) : List.of(PROFILE),
                                states,
                                query.textOrNull("type"),
                                before,
                                limit + 1));
        List<WorkView> page = found.subList(0, Math.min(limit, found.size()));
        String next = found.size() > limit ? PageCursor.of(page.getLast().item().id()) : null;
        AgentContract contract = AgentContract.of(true, TaskActions.create().best());
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
        return TaskGuidance.forTask(view.item(), view.documents().outputRef(), view.nowMs(), true);
    }

    private Answer get(Call call) {
        UUID id = Callers.id(call, "id");
        WorkView view = id == null ? null : work.get(Callers.caller(call).accountId(), PROFILE, id);
        return view == null
                ? TaskAnswers.noSuchTask(call)
                : TaskAnswers.task(view.item(), view.documents(), contractOf(view));
    }

    private Answer claim(Call call) throws Exception {
        Values body = call.json();
        var request =
                new ClaimRequest(
                        Callers.caller(call).accountId(),
                        PROFILE.queue(),
                        body.text("type"),
                        1,
                        body.textOrNull("workerId"),
                        null,
                        claimKey("claim", body));
        Claimed claimed =
                claimed(work, call, request, Duration.ofSeconds(body.int32("waitSeconds")));
        Refusal refusal = claimed.refusal();
        if (refusal != null) {
            return TaskAnswers.refused(call, refusal, "claimed", claimed.nowMs());
        }
        if (claimed.items().isEmpty()) {
            return TaskAnswers.nothingToClaim(
                    rules.paused(Callers.caller(call).accountId(), body.text("type")));
        }
        WorkView view = claimed.items().getFirst();
        Answer answer = TaskAnswers.claimed(view.item(), view.documents(), view.nowMs());
        return claimed.repeated() ? answer.with(Once.REPLAYED, "true") : answer;
    }

    /// A claim that waits leaves its place to others meanwhile.
    static Claimed claimed(Work work, Call call, ClaimRequest request, Duration wait)
            throws Exception {
        return wait.isZero()
                ? work.claim(request, wait)
                : call.waiting(() -> work.claim(request, wait), work::closeClaims);
    }

    /// @param verb what is claimed, beside the fields of the body
    static @Nullable ClaimKey claimKey(String verb, Values body) {
        String id = body.textOrNull("claimId");
        return id == null
                ? null
                : new ClaimKey(
                        UUID.fromString(id),
                        RequestDigest.of(verb, body, "claimId", "waitSeconds"));
    }

    private Answer claimThis(Call call) {
        Values body = call.json();
        var lease =
                new Command.Lease(
                        ids.token(),
                        body.textOrNull("workerId"),
                        null,
                        claimKey("claim " + call.pathParameter("id"), body));
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
                applied ->
                        TaskAnswers.renewed(
                                applied.item(),
                                TaskGuidance.forTask(
                                        applied.item(), null, applied.nowMs(), false)));
    }

    private Answer complete(Call call) {
        Command.Complete complete = complete(call.json(), "leaseToken");
        UUID id = Callers.id(call, "id");
        TaskFault fault =
                id == null
                        ? null
                        : rules.resultFault(
                                Callers.caller(call).accountId(), id, complete.result());
        if (fault != null) {
            return TaskErrorAnswers.error(call, fault.error(), fault.message());
        }
        return order(
                call,
                complete,
                false,
                "completed",
                applied ->
                        brief(
                                applied,
                                new Documents("{}", complete.result(), complete.outputRef())));
    }

    /// @param unsaid the fields that do not count for whether two say the same
    static Command.Complete complete(Values body, String... unsaid) {
        return new Command.Complete(
                fence(body),
                body.jsonOrNull("result"),
                body.textOrNull("outputId"),
                ReportSpecs.read(body),
                RequestDigest.of("complete", body, unsaid));
    }

    private Answer fail(Call call) {
        return order(
                call,
                fail(call.json(), "leaseToken"),
                false,
                "failed",
                applied -> brief(applied, null));
    }

    static Command.Fail fail(Values body, String... unsaid) {
        Report report = ReportSpecs.readFailure(body);
        return new Command.Fail(
                fence(body),
                body.textOrNull("lastFailureReason"),
                ReportSpecs.delayMs(body, report),
                true,
                report,
                RequestDigest.of("fail", body, unsaid));
    }

    private Answer cancel(Call call) {
        return manage(call, new Command.Cancel(call.json().bool("force")), "cancelled");
    }

    private Answer requeue(Call call) {
        call.json();
        return manage(call, new Command.Reopen(), "requeued");
    }

    private Answer release(Call call) {
        call.json();
        return manage(call, new Command.Release(), "released");
    }

    private Answer manage(Call call, Command command, String verb) {
        return order(
                call,
                command,
                true,
                verb,
                applied ->
                        TaskAnswers.task(
                                applied.item(),
                                documents(applied),
                                TaskGuidance.forTask(
                                        applied.item(), null, applied.nowMs(), false)));
    }

    private interface WhenApplied {
        Answer answer(Ack.Applied applied);
    }

    private Answer order(
            Call call, Command command, boolean documents, String verb, WhenApplied then) {
        UUID id = Callers.id(call, "id");
        if (id == null) {
            return TaskAnswers.noSuchTask(call);
        }
        Ack ack =
                work.command(
                        new CommandRequest(
                                Callers.caller(call).accountId(), PROFILE, id, command, documents));
        return switch (ack) {
            case Ack.Applied applied -> then.answer(applied);
            case Ack.Repeated(var item, var written, var nowMs) ->
                    then.answer(new Ack.Applied(item, written, nowMs)).with(Once.REPLAYED, "true");
            case Ack.Refused(var refusal, var nowMs) ->
                    TaskAnswers.refused(call, refusal, verb, nowMs);
        };
    }

    private static Answer brief(Ack.Applied applied, @Nullable Documents written) {
        return TaskAnswers.brief(
                applied.item(),
                written,
                TaskGuidance.forTask(
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

    static Fence fence(Values body) {
        String token = body.textOrNull("leaseToken");
        return token == null ? Fence.NONE : Fence.of(UUID.fromString(token));
    }
}
