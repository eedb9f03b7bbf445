package io.orchestrion.server.tasks;

import static io.orchestrion.server.taskdoor.TaskDoorSpecs.PROFILE;

import io.orchestrion.kernel.combine.Combiner.Each;
import io.orchestrion.kernel.idempotency.Reservation;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.json.CanonicalJson;
import io.orchestrion.kernel.json.InvalidBody;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.schema.CheckBudget;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.taskdoor.TaskErrorAnswers;
import io.orchestrion.server.taskdoor.TaskFault;
import io.orchestrion.server.types.TypeRules;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

/// The verbs on many tasks: read each item by itself, hand them to the kernel together, and report
/// the outcome of each.
public final class BatchHandlers {
    private final Work work;
    private final RateLimiter limiter;
    private final TypeRules rules;
    private final BatchCreates creates;

    public BatchHandlers(Work work, RateLimiter limiter, TypeRules rules) {
        this.work = work;
        this.limiter = limiter;
        this.rules = rules;
        this.creates = new BatchCreates(work, new TaskCreates(work, rules));
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(BatchEndpoints.CREATE, this::create)
                .handle(BatchEndpoints.CLAIM, this::claim)
                .handle(
                        BatchEndpoints.COMPLETE,
                        call -> hold(call, RateLimits.COMPLETE, Verb.COMPLETE))
                .handle(BatchEndpoints.FAIL, call -> hold(call, RateLimits.FAIL, Verb.FAIL))
                .handle(
                        BatchEndpoints.HEARTBEAT,
                        call -> hold(call, RateLimits.HEARTBEAT, Verb.HEARTBEAT));
    }

    private Answer create(Call call) {
        Principal caller = Callers.caller(call);
        String key = call.header(Once.KEY_HEADER).orElse(null);
        if (key != null && !Once.keyAllowed(key)) {
            return TaskErrorAnswers.error(call, TaskError.INVALID_REQUEST, Once.KEY_RULE);
        }
        String fault = Producer.fault(call);
        if (fault != null) {
            return TaskErrorAnswers.badRequest(call, fault);
        }
        Producer producer = Producer.of(call);
        if (BatchEndpoints.comesInLines(call)) {
            return new LineCreates(creates, limiter, producer, key).answer(call);
        }
        Values body = call.json(BatchSpecs.CREATE_UNREAD);
        List<byte[]> items =
                body.jsons("tasks").stream()
                        .map(item -> item.getBytes(StandardCharsets.UTF_8))
                        .toList();
        Answer full = counted(call, RateLimits.CREATE, items.size());
        if (full != null) {
            return full;
        }
        boolean replayed = false;
        if (key != null) {
            Reservation reservation =
                    work.reserve(
                            caller.accountId(),
                            TaskCreates.key(caller, "batch", key, CanonicalJson.digest(body)));
            switch (reservation) {
                case Reservation.Ours _ -> {}
                case Reservation.Replay _ -> replayed = true;
                case Reservation.Conflict _ -> {
                    return TaskErrorAnswers.error(
                            call,
                            TaskError.IDEMPOTENCY_CONFLICT,
                            "This idempotency key was used for another batch.");
                }
                case Reservation.InFlight _ -> {
                    return TaskErrorAnswers.error(
                            call,
                            TaskError.IDEMPOTENCY_IN_FLIGHT,
                            "The first batch with this idempotency key is still under way.");
                }
            }
        }
        List<BatchCreates.Result> results =
                creates.run(producer, BatchSpecs.CREATE_ITEM, items, key, 0);
        Answer away =
                TaskAnswers.troubled(
                        call,
                        results.stream()
                                .<@Nullable TaskFault>map(BatchCreates.Result::fault)
                                .toList());
        if (away != null) {
            return away;
        }
        long created = results.stream().filter(BatchCreates.Result::created).count();
        long failed = results.stream().filter(BatchCreates.Result::failed).count();
        Answer answer =
                Answer.json(
                        200,
                        JsonWriter.object(
                                out ->
                                        out.objects(
                                                        "results",
                                                        results,
                                                        (each, result) -> result.write(each))
                                                .integer("created", created)
                                                .integer("failed", failed)
                                                .object(
                                                        "agent_contract",
                                                        TaskGuidance.forCreatedBatch(
                                                                        created > 0
                                                                                ? null
                                                                                : firstError(
                                                                                        results))
                                                                ::write)));
        return replayed ? answer.with(Once.REPLAYED, "true") : answer;
    }

    private static @Nullable TaskError firstError(List<BatchCreates.Result> results) {
        return results.stream()
                .map(BatchCreates.Result::fault)
                .filter(Objects::nonNull)
                .map(TaskFault::error)
                .findFirst()
                .orElse(null);
    }

    /// Null when the items may go on. Otherwise the whole request is refused and nothing is done.
    private @Nullable Answer counted(Call call, String limitName, int items) {
        RateLimiter.Several several = limiter.countSeveral(limitName, Callers.caller(call), items);
        RateLimit full = several.refusedBy();
        if (full != null && items > several.max()) {
            return TaskErrorAnswers.error(
                    call,
                    TaskError.INVALID_REQUEST,
                    "A request may have at most "
                            + several.max()
                            + " items on this plan, as many as it allows in "
                            + full.window().toSeconds()
                            + " seconds for "
                            + full.endpoint());
        }
        return full == null
                ? null
                : TaskErrorAnswers.later(
                        call,
                        TaskError.RATE_LIMITED,
                        TaskAnswers.waitSeconds(several.waitMs()),
                        "At most "
                                + several.max()
                                + " in "
                                + full.window().toSeconds()
                                + " seconds for "
                                + full.endpoint()
                                + ", and "
                                + several.left()
                                + " are left: "
                                + items
                                + " are too many. Nothing was done.");
    }

    private Answer claim(Call call) throws Exception {
        Values body = call.json();
        int max = body.int32("max");
        Answer full = counted(call, RateLimits.CLAIM, max);
        if (full != null) {
            return full;
        }
        var request =
                new ClaimRequest(
                        Callers.caller(call).accountId(),
                        PROFILE.queue(),
                        body.text("type"),
                        max,
                        body.textOrNull("workerId"),
                        null,
                        TaskHandlers.claimKey("batch/claim", body));
        Claimed claimed =
                TaskHandlers.claimed(
                        work, call, request, Duration.ofSeconds(body.int32("waitSeconds")));
        Refusal refusal = claimed.refusal();
        if (refusal != null) {
            return TaskAnswers.refused(call, refusal, "claimed", claimed.nowMs());
        }
        boolean paused =
                claimed.items().isEmpty() && rules.paused(request.accountId(), request.kind());
        AgentContract contract =
                claimed.items().isEmpty()
                        ? TaskGuidance.forEmptyBatchClaim(paused)
                        : TaskGuidance.forBatchClaim();
        Answer answer =
                Answer.json(
                        200,
                        JsonWriter.object(
                                out -> {
                                    out.objects(
                                                    "claims",
                                                    claimed.items(),
                                                    (each, view) ->
                                                            writeClaimed(
                                                                    each,
                                                                    view.item(),
                                                                    view.documents()))
                                            .object("agent_contract", contract::write);
                                    if (paused) {
                                        out.bool("typePaused", true);
                                    }
                                }));
        return claimed.repeated() ? answer.with(Once.REPLAYED, "true") : answer;
    }

    private static void writeClaimed(JsonWriter out, WorkItem item, Documents documents) {
        out.object("task", task -> TaskJson.write(task, item, documents))
                .text("leaseToken", String.valueOf(item.lease().token()));
    }

    /// A holder's verb on one task.
    private enum Verb {
        COMPLETE(BatchSpecs.COMPLETE_ITEM, "completed"),
        FAIL(BatchSpecs.FAIL_ITEM, "failed"),
        HEARTBEAT(BatchSpecs.HEARTBEAT_ITEM, "kept alive");

        private final ObjectSpec item;
        private final String done;

        Verb(ObjectSpec item, String done) {
            this.item = item;
            this.done = done;
        }

        Command command(Values body) {
            return switch (this) {
                case COMPLETE -> TaskHandlers.complete(body, "leaseToken", "id");
                case FAIL -> TaskHandlers.fail(body, "leaseToken", "id");
                case HEARTBEAT -> new Command.Heartbeat(TaskHandlers.fence(body));
            };
        }
    }

    /// @param documents what was written with it
    /// @param renewed whether that was all that was asked for
    private record Held(
            int index,
            @Nullable WorkItem item,
            @Nullable Documents documents,
            boolean renewed,
            boolean replayed,
            @Nullable TaskFault fault) {

        static Held failed(int index, TaskFault fault) {
            return new Held(index, null, null, false, false, fault);
        }

        void write(JsonWriter out) {
            out.integer("index", index).text("status", fault == null ? "ok" : "error");
            if (item != null) {
                out.object("task", task -> TaskAnswers.writeBrief(task, item, documents));
            }
            if (renewed && item != null) {
                out.object("directives", told -> TaskAnswers.directives(told, item));
            }
            if (replayed) {
                out.bool("replayed", true);
            }
            if (fault != null) {
                out.object("error", fault::write);
            }
        }
    }

    private Answer hold(Call call, String limitName, Verb verb) {
        List<String> items = call.json(BatchSpecs.ITEMS_UNREAD).jsons("items");
        Answer full = counted(call, limitName, items.size());
        if (full != null) {
            return full;
        }
        UUID account = Callers.caller(call).accountId();
        var results = new TreeMap<Integer, Held>();
        var read = new LinkedHashMap<Integer, CommandRequest>();
        for (int i = 0; i < items.size(); i++) {
            try {
                Values body = verb.item.read(items.get(i).getBytes(StandardCharsets.UTF_8));
                UUID id = Callers.uuidOrNull(body.text("id"));
                if (id == null) {
                    results.put(i, Held.failed(i, TaskRefusals.NO_SUCH_TASK));
                } else {
                    read.put(
                            i, new CommandRequest(account, PROFILE, id, verb.command(body), false));
                }
            } catch (InvalidBody e) {
                results.put(
                        i,
                        Held.failed(
                                i, new TaskFault(TaskError.INVALID_REQUEST, e.first().message())));
            }
        }
        var places = new ArrayList<Integer>();
        var orders = new ArrayList<CommandRequest>();
        Map<UUID, String> checked =
                verb == Verb.COMPLETE
                        ? rules.typesToCheck(
                                account, read.values().stream().map(CommandRequest::id).toList())
                        : Map.of();
        var budget = new CheckBudget();
        read.forEach(
                (place, order) -> {
                    TaskFault fault =
                            order.command() instanceof Command.Complete complete
                                    ? rules.resultFault(
                                            account,
                                            checked.get(order.id()),
                                            complete.result(),
                                            budget)
                                    : null;
                    if (fault == null) {
                        places.add(place);
                        orders.add(order);
                    } else {
                        results.put(place, Held.failed(place, fault));
                    }
                });
        List<Each<Ack>> acks = work.commandAll(orders);
        for (int i = 0; i < places.size(); i++) {
            results.put(places.get(i), held(places.get(i), orders.get(i), acks.get(i), verb));
        }
        Answer away =
                TaskAnswers.troubled(
                        call,
                        results.values().stream().<@Nullable TaskFault>map(Held::fault).toList());
        if (away != null) {
            return away;
        }
        long done = results.values().stream().filter(held -> held.fault() == null).count();
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects(
                                                "results",
                                                List.copyOf(results.values()),
                                                (each, held) -> held.write(each))
                                        .integer("done", done)
                                        .integer("failed", results.size() - done)
                                        .object(
                                                "agent_contract",
                                                TaskGuidance.forHeldBatch(verb == Verb.HEARTBEAT)
                                                        ::write)));
    }

    private static Held held(int index, CommandRequest order, Each<Ack> each, Verb verb) {
        Ack ack = each.answer();
        if (ack == null) {
            return Held.failed(index, TaskFault.of(Objects.requireNonNull(each.failure())));
        }
        Documents written =
                order.command() instanceof Command.Complete complete
                        ? new Documents("{}", complete.result(), complete.outputRef())
                        : null;
        return switch (ack) {
            case Ack.Applied(var item, _, _) ->
                    new Held(index, item, written, verb == Verb.HEARTBEAT, false, null);
            case Ack.Repeated(var item, _, _) -> new Held(index, item, written, false, true, null);
            case Ack.Refused(var refusal, _) ->
                    Held.failed(index, TaskRefusals.of(refusal, verb.done));
        };
    }
}
