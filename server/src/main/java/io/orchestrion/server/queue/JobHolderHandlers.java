package io.orchestrion.server.queue;

import static io.orchestrion.server.queue.QueueSpecs.PROFILE;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.policy.Policy;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.PolicyClaim;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.door.RequestDigest;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/// What workers do: claim within their policy, and report on the jobs that they hold.
public final class JobHolderHandlers {
    private final Work work;
    private final Function<Call, @Nullable WorkerCaller> again;

    /// @param again who a call that has gone on for a while speaks for by now; null when its
    ///     credential is no longer good
    public JobHolderHandlers(Work work, Function<Call, @Nullable WorkerCaller> again) {
        this.work = work;
        this.again = again;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(QueueEndpoints.CLAIM, this::claim)
                .handle(QueueEndpoints.HEARTBEAT, this::heartbeat)
                .handle(QueueEndpoints.COMPLETE, this::complete)
                .handle(QueueEndpoints.FAIL, this::fail);
    }

    /// The credential of a claim that waited is no longer good.
    private static final class NoLongerGood extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoLongerGood() {
            super(null, null, false, false);
        }
    }

    private Answer claim(Call call) throws Exception {
        Values body = call.json();
        Answer foreign = refuseForeignName(call, body);
        if (foreign != null) {
            return foreign;
        }
        WorkerCaller caller = caller(call);
        Long count = body.integerOrNull("count");
        Duration wait = Duration.ofSeconds(body.int32("waitSeconds"));
        Claimed claimed;
        try {
            claimed =
                    wait.isZero()
                            ? work.claimWithPolicy(caller.account(), wish(caller, body))
                            : call.waiting(
                                    () ->
                                            work.claimWithPolicy(
                                                    caller.account(),
                                                    wishes(call, caller, body),
                                                    wait),
                                    work::closeClaims);
        } catch (NoLongerGood e) {
            return QueueProblems.error(
                    call,
                    QueueError.INVALID_CREDENTIAL,
                    "The credential was good when the claim began to wait, and is not any more.");
        }
        Refusal refusal = claimed.refusal();
        if (refusal != null) {
            return JobRefusals.answer(call, refusal, "claimed");
        }
        return count == null ? one(claimed.items()) : several(claimed.items());
    }

    /// The first look is with what the gate has just read; each later one reads anew.
    private Supplier<PolicyClaim> wishes(Call call, WorkerCaller first, Values body) {
        return new Supplier<>() {
            private boolean asked;

            @Override
            public PolicyClaim get() {
                WorkerCaller now = asked ? again.apply(call) : first;
                asked = true;
                if (now == null) {
                    throw new NoLongerGood();
                }
                return wish(now, body);
            }
        };
    }

    private static PolicyClaim wish(WorkerCaller caller, Values body) {
        Policy policy =
                caller.policy()
                        .narrowedTo(said(body, "allowedTypes"), said(body, "workerCapabilities"));
        Long count = body.integerOrNull("count");
        return new PolicyClaim(
                policy,
                body.text("workerId"),
                body.int32("leaseSeconds"),
                count == null ? 1 : Math.toIntExact(count));
    }

    /// Null where the field was not sent, which means something else than an empty list.
    private static @Nullable Set<String> said(Values body, String field) {
        return body.has(field) ? Set.copyOf(body.texts(field)) : null;
    }

    private static Answer one(List<WorkView> items) {
        return Answer.json(
                200,
                JsonWriter.object(
                        out -> {
                            if (items.isEmpty()) {
                                out.nil("job");
                            } else {
                                WorkView view = items.getFirst();
                                out.object(
                                        "job",
                                        job ->
                                                JobJson.writeClaimed(
                                                        job, view.item(), view.documents()));
                            }
                        }));
    }

    private static Answer several(List<WorkView> items) {
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.objects(
                                        QueueSpecs.JOBS,
                                        items,
                                        (job, view) ->
                                                JobJson.writeClaimed(
                                                        job, view.item(), view.documents()))));
    }

    private Answer heartbeat(Call call) {
        Values body = call.json();
        Integer seconds =
                body.has("leaseSeconds") ? Integer.valueOf(body.int32("leaseSeconds")) : null;
        return hold(call, body, new Command.Heartbeat(fence(body), seconds), "kept alive", null);
    }

    private Answer complete(Call call) {
        Values body = call.json();
        String summary = body.textOrNull("resultSummary");
        String result = summary == null ? null : JsonWriter.quoted(summary);
        return hold(
                call,
                body,
                new Command.Complete(fence(body), result, null, said("complete", body)),
                "completed",
                result);
    }

    private Answer fail(Call call) {
        Values body = call.json();
        return hold(
                call,
                body,
                new Command.Fail(
                        fence(body),
                        body.text("errorMessage"),
                        null,
                        body.bool("retryable"),
                        said("fail", body)),
                "failed",
                null);
    }

    /// A digest by which the same report is known when it is sent again.
    private static UUID said(String verb, Values body) {
        return RequestDigest.of(verb, body, "leaseToken", "workerId");
    }

    private Answer hold(
            Call call, Values body, Command command, String verb, @Nullable String result) {
        Answer foreign = refuseForeignName(call, body);
        if (foreign != null) {
            return foreign;
        }
        UUID id = Callers.id(call, QueueEndpoints.ID);
        if (id == null) {
            return QueueProblems.noSuchJob(call);
        }
        Ack ack =
                work.command(
                        new CommandRequest(caller(call).account(), PROFILE, id, command, false));
        return switch (ack) {
            case Ack.Applied(var item, _, _) ->
                    Answer.json(
                            200, JsonWriter.object(out -> JobJson.writeBrief(out, item, result)));
            case Ack.Repeated(var item, _, _) ->
                    Answer.json(
                                    200,
                                    JsonWriter.object(out -> JobJson.writeBrief(out, item, result)))
                            .with(Once.REPLAYED, "true");
            case Ack.Refused(var refusal, _) -> JobRefusals.answer(call, refusal, verb);
        };
    }

    static WorkerCaller caller(Call call) {
        return call.attached(WorkerCaller.class)
                .orElseThrow(() -> new IllegalStateException("no worker was authenticated"));
    }

    /// Null when the worker may go by the name that the body says.
    static @Nullable Answer refuseForeignName(Call call, Values body) {
        return caller(call).bound(body.text("workerId"))
                ? null
                : QueueProblems.error(
                        call,
                        QueueError.WRONG_WORKER,
                        "This credential is bound to another workerId.");
    }

    static Fence fence(Values body) {
        String token = body.textOrNull("leaseToken");
        return Fence.ofHolder(body.text("workerId"), token == null ? null : UUID.fromString(token));
    }
}
