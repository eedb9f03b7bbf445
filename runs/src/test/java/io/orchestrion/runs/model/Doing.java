package io.orchestrion.runs.model;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.work.Ack.Applied;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.runs.Runs;
import io.orchestrion.runs.engine.Ack;
import io.orchestrion.runs.engine.Request;
import io.orchestrion.runs.model.Nodes.Node;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.ticket.Ticket;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// Does a move for real.
final class Doing {
    static final Requester PERSON = Requester.key(new UUID(1, 1));

    private final Node node;

    Doing(Node node) {
        this.node = node;
    }

    /// Null where nobody knows whether it was done.
    @Nullable String make(Player player, Move move) {
        try {
            return patiently(() -> answer(player, move));
        } catch (Failpoints.Injected e) {
            return null;
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.OUTCOME_UNKNOWN) {
                return null;
            }
            throw e;
        }
    }

    private static final Set<StoreException.Kind> BUSY =
            Set.of(
                    StoreException.Kind.UNAVAILABLE,
                    StoreException.Kind.CONFLICT,
                    StoreException.Kind.LOCKED,
                    StoreException.Kind.TIMED_OUT,
                    StoreException.Kind.OVERLOADED);

    /// A busy machine makes somebody wait for a lock or a connection for too long, which changes
    /// nothing.
    static <T> T patiently(Supplier<T> what) {
        for (int tries = 1; ; tries++) {
            try {
                return what.get();
            } catch (StoreException e) {
                if (!BUSY.contains(e.kind()) || tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static final int TRIES = 60;

    private String answer(Player player, Move move) {
        UUID id = player.id;
        Stored stored = Objects.requireNonNull(player.stored);
        Runs runs = node.runs();
        var request = new Request(player.account, id, PERSON, "why");
        return switch (move) {
            case Move.OfRun(var verb) ->
                    word(
                            runs.inOne(
                                    tx ->
                                            switch (verb) {
                                                case START -> runs.start(tx, request);
                                                case PAUSE -> runs.pause(tx, request);
                                                case RESUME -> runs.resume(tx, request);
                                                case CANCEL -> runs.cancel(tx, request);
                                                case RETRY -> runs.retry(tx, request);
                                                case DELETE -> runs.delete(tx, request);
                                                case FORCE_FAIL -> runs.forceFail(tx, request);
                                            }));
            case Move.CancelAgent(var name) ->
                    word(runs.inOne(tx -> runs.cancelAgent(tx, request, stored.id(id, name))));
            case Move.CancelTask(var name, int task) ->
                    word(
                            runs.inOne(
                                    tx ->
                                            runs.cancelTask(
                                                    tx,
                                                    request,
                                                    stored.id(id, name + "/" + task))));
            case Move.PlanByHand(var plan) ->
                    word(runs.inOne(tx -> runs.planByHand(tx, request, plan.document())));
            case Move.Resolve(boolean resume) ->
                    word(
                            runs.inOne(
                                    tx ->
                                            runs.resolveTicket(
                                                    tx,
                                                    stored.ticket(id),
                                                    request,
                                                    resume
                                                            ? Ticket.Resolution.RESUME
                                                            : Ticket.Resolution.CANCEL,
                                                    "note")));
            case Move.Decide(var step, boolean approve) ->
                    word(
                            runs.inOne(
                                    tx ->
                                            runs.decideApproval(
                                                    tx,
                                                    stored.id(id, step),
                                                    request,
                                                    approve,
                                                    "note")));
            case Move.Complete(var step, var attempt, int tokens, var result, _, _) -> {
                WorkItem item = item(player, step, attempt);
                yield command(
                        item,
                        new Command.Complete(
                                Fence.of(item.lease().token()),
                                result,
                                null,
                                new Report(null, usage(tokens), null),
                                null));
            }
            case Move.Fail(var step, var attempt, int tokens, var failure) -> {
                WorkItem item = item(player, step, attempt);
                yield command(
                        item,
                        new Command.Fail(
                                Fence.of(item.lease().token()),
                                null,
                                null,
                                true,
                                new Report(error(failure), usage(tokens), null),
                                null));
            }
            case Move.Beat(var step, var attempt) -> {
                WorkItem item = item(player, step, attempt);
                yield command(item, new Command.Heartbeat(Fence.of(item.lease().token())));
            }
        };
    }

    private static WorkItem item(Player player, String step, String attempt) {
        return Objects.requireNonNull(player.held.get(step + attempt));
    }

    private static @Nullable String usage(int tokens) {
        return tokens == 0 ? null : "{\"tokens\":" + tokens + "}";
    }

    private static WorkError error(Failure failure) {
        return new WorkError(
                failure.code(),
                failure.status(),
                "it did not work",
                failure.retryAfter() == 0 ? null : failure.retryAfter(),
                failure.partial() ? true : null);
    }

    /// What is said once more is not done once more.
    private String command(WorkItem item, Command command) {
        return node.kernel()
                                .work()
                                .command(
                                        new CommandRequest(
                                                item.accountId(),
                                                Profiles.TASKS,
                                                item.id(),
                                                command,
                                                false))
                        instanceof Applied
                ? Acts.DONE
                : Acts.REFUSED;
    }

    private static String word(Ack ack) {
        return ack instanceof Ack.Done done ? done.changed() ? Acts.DONE : Acts.SAME : Acts.REFUSED;
    }

    /// All that workers of the type can get.
    static List<WorkItem> claimAll(Node node, UUID account, String type) {
        var all = new ArrayList<WorkItem>();
        List<WorkView> some;
        do {
            some =
                    Doing.patiently(
                                    () ->
                                            node.kernel()
                                                    .work()
                                                    .claim(
                                                            new ClaimRequest(
                                                                    account, "tasks", type, 50,
                                                                    "worker", null),
                                                            Duration.ZERO))
                            .items();
            some.forEach(each -> all.add(each.item()));
        } while (!some.isEmpty());
        return all;
    }

    /// Every third transaction that comes to the place breaks off there.
    static void breakSome(List<Node> at, String place) {
        var hits = new AtomicInteger();
        at.forEach(
                node ->
                        node.failpoints()
                                .arm(
                                        place,
                                        () -> {
                                            if (hits.incrementAndGet() % 3 == 0) {
                                                throw new Failpoints.Injected(place);
                                            }
                                        }));
    }
}
