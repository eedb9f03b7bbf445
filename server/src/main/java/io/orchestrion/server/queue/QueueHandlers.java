package io.orchestrion.server.queue;

import static io.orchestrion.server.queue.QueueSpecs.PROFILE;

import io.orchestrion.kernel.audit.Actor;
import io.orchestrion.kernel.bulk.BulkFilter;
import io.orchestrion.kernel.bulk.DeadLetters;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.kernel.json.CanonicalJson;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkFilter;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.door.PageCursor;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// What producers and operators do with jobs: read the request, call one kernel verb, write its
/// outcome.
public final class QueueHandlers {
    private final Work work;
    private final DeadLetters deadLetters;

    public QueueHandlers(Work work, DeadLetters deadLetters) {
        this.work = work;
        this.deadLetters = deadLetters;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(QueueEndpoints.ENQUEUE, this::enqueue)
                .handle(QueueEndpoints.LIST, this::list)
                .handle(QueueEndpoints.GET, this::get)
                .handle(QueueEndpoints.CANCEL, this::cancel)
                .handle(QueueEndpoints.REQUEUE, this::requeue)
                .handle(QueueEndpoints.DEAD_LETTER_REQUEUE, this::requeueMany)
                .handle(QueueEndpoints.DEAD_LETTER_LIST, this::deadLetters);
    }

    private Answer enqueue(Call call) {
        Values body = call.json();
        String header = call.header(Once.KEY_HEADER).orElse(null);
        if (header != null && !Once.keyAllowed(header)) {
            return QueueProblems.badField(
                    call, Once.KEY_HEADER, "1.." + Once.KEY_MAX, Once.KEY_RULE + ".");
        }
        Principal caller = Callers.caller(call);
        return switch (JobDrafts.of(caller.accountId(), body)) {
            case JobDrafts.Draft.Ready(var job) ->
                    answer(
                            call,
                            work.submit(
                                    new Submission(
                                            job,
                                            header == null ? null : once(caller, header, body),
                                            view -> Once.kept(201, body(view)))));
            case JobDrafts.Draft.Faulty(var faults) -> faulty(call, faults);
        };
    }

    private static IdempotencyKey once(Principal caller, String key, Values body) {
        return Once.key(QueueEndpoints.DOOR, caller, "enqueue", key, CanonicalJson.digest(body));
    }

    private static Answer faulty(Call call, List<BodyFault> faults) {
        String detail =
                faults.stream().map(BodyFault::message).collect(Collectors.joining("; ", "", "."));
        return QueueProblems.of(QueueError.INVALID_REQUEST, detail).with(faults).answer(call);
    }

    private static Answer answer(Call call, Submitted submitted) {
        return switch (submitted) {
            case Submitted.Created(var view) ->
                    Answer.json(201, body(view))
                            .with("Location", QueueEndpoints.JOBS + "/" + view.item().id());
            case Submitted.Replayed(var stored) -> Once.replayed(stored);
            case Submitted.KeyConflict() ->
                    QueueProblems.error(
                            call,
                            QueueError.IDEMPOTENCY_CONFLICT,
                            "This idempotency key was used for another request.");
            case Submitted.KeyInFlight() ->
                    QueueProblems.error(
                            call,
                            QueueError.IDEMPOTENCY_IN_FLIGHT,
                            "The first request with this idempotency key is still under way.");
            case Submitted.ScheduleRefused _,
                    Submitted.UnknownParent _,
                    Submitted.UniqueConflict _,
                    Submitted.Existing _,
                    Submitted.OverQuota _ ->
                    throw new IllegalStateException(
                            "a job has no schedule, parents, unique key or quota: " + submitted);
        };
    }

    private static byte[] body(WorkView view) {
        return JsonWriter.object(out -> JobJson.write(out, view.item(), view.documents()));
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        String status = query.textOrNull("status");
        return page(
                call,
                query,
                status == null ? EnumSet.allOf(WorkState.class) : JobStatus.of(status).states());
    }

    private Answer deadLetters(Call call) {
        return page(call, call.queryValues(), JobStatus.DEAD_LETTER.states());
    }

    private Answer page(Call call, Values query, Set<WorkState> states) {
        String cursor = query.textOrNull("cursor");
        UUID before = cursor == null ? null : PageCursor.read(cursor);
        if (cursor != null && before == null) {
            return QueueProblems.badField(
                    call, "cursor", null, "cursor must be the nextCursor of an earlier answer.");
        }
        int limit = query.int32("limit");
        List<WorkView> found =
                work.list(
                        new WorkFilter(
                                Callers.account(call),
                                List.of(PROFILE),
                                states,
                                query.textOrNull("type"),
                                before,
                                limit + 1));
        List<WorkView> page = found.subList(0, Math.min(limit, found.size()));
        String next = found.size() > limit ? PageCursor.of(page.getLast().item().id()) : null;
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects(
                                                "items",
                                                page,
                                                (each, view) ->
                                                        JobJson.write(
                                                                each,
                                                                view.item(),
                                                                view.documents()))
                                        .text("nextCursor", next)));
    }

    private Answer get(Call call) {
        UUID id = Callers.id(call, QueueEndpoints.ID);
        WorkView view = id == null ? null : work.get(Callers.account(call), PROFILE, id);
        return view == null ? QueueProblems.noSuchJob(call) : Answer.json(200, body(view));
    }

    private Answer cancel(Call call) {
        call.json();
        UUID id = Callers.id(call, QueueEndpoints.ID);
        if (id == null) {
            return QueueProblems.noSuchJob(call);
        }
        var order =
                new CommandRequest(
                        Callers.account(call), PROFILE, id, new Command.Cancel(false), true);
        return switch (work.command(order)) {
            case Ack.Applied(var item, var documents, _) ->
                    Answer.json(
                            200,
                            JsonWriter.object(out -> JobJson.write(out, item, asked(documents))));
            case Ack.Repeated _ -> throw new IllegalStateException("only holders say things twice");
            case Ack.Refused(var refusal, _) -> JobRefusals.answer(call, refusal, "cancelled");
        };
    }

    private static Documents asked(@Nullable Documents documents) {
        if (documents == null) {
            throw new IllegalStateException("documents were asked for");
        }
        return documents;
    }

    private Answer requeue(Call call) {
        call.json();
        Principal caller = Callers.caller(call);
        UUID id = Callers.id(call, QueueEndpoints.ID);
        if (id == null) {
            return QueueProblems.noSuchJob(call);
        }
        Ack ack =
                deadLetters.requeue(
                        caller.accountId(), Actor.key(caller.keyId()), PROFILE, id, null);
        return ack instanceof Ack.Refused refused
                ? JobRefusals.answer(call, refused.refusal(), "requeued")
                : get(call);
    }

    private Answer requeueMany(Call call) {
        Values body = call.json();
        Principal caller = Callers.caller(call);
        DeadLetters.Requeued done =
                deadLetters.requeue(
                        caller.accountId(),
                        Actor.key(caller.keyId()),
                        PROFILE,
                        filter(body.objectOrNull("filter")),
                        body.int32("limit"),
                        body.textOrNull("reason"));
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.integer("requeued", done.ids().size())
                                        .texts(
                                                "jobIds",
                                                done.ids().stream().map(UUID::toString).toList())
                                        .bool("hasMore", done.more())));
    }

    private static BulkFilter filter(@Nullable Values filter) {
        if (filter == null) {
            return DeadLetters.dead(null, null, List.of());
        }
        return new BulkFilter(
                JobStatus.DEAD_LETTER.states(),
                filter.textOrNull("type"),
                millis(filter.instantOrNull("createdAfter")),
                millis(filter.instantOrNull("createdBefore")),
                millis(filter.instantOrNull("finishedBefore")),
                filter.textOrNull("errorContains"),
                filter.texts("ids").stream().map(UUID::fromString).distinct().toList());
    }

    private static @Nullable Long millis(@Nullable Instant instant) {
        return instant == null ? null : instant.toEpochMilli();
    }
}
