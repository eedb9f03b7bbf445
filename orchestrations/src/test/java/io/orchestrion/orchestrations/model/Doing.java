package io.orchestrion.orchestrations.model;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.orchestrations.execution.Approvals;
import io.orchestrion.orchestrations.execution.DeadLetters;
import io.orchestrion.orchestrations.execution.ExecutionVerbs;
import io.orchestrion.orchestrations.execution.Person;
import io.orchestrion.orchestrations.model.Nodes.Node;
import io.orchestrion.orchestrations.model.Rules.Failure;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;

/// Does a move for real.
final class Doing {
    private static final Person PERSON = new Person(new UUID(1, 1), "one");
    private static final Person OTHER = new Person(new UUID(1, 2), "other");

    private final Node node;
    private final UUID account;
    private final Stored stored;

    Doing(Node node, UUID account, Stored stored) {
        this.node = node;
        this.account = account;
        this.stored = stored;
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

    /// A busy machine makes somebody wait for a lock for too long, which changes nothing.
    static <T> T patiently(Supplier<T> what) {
        while (true) {
            try {
                return what.get();
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.LOCKED) {
                    throw e;
                }
            }
        }
    }

    private String answer(Player player, Move move) {
        UUID id = player.id;
        var request = new ExecutionVerbs.Request(account, id, PERSON, "why");
        return switch (move) {
            case Move.Pause _ -> word(node.engine().executions().pause(request));
            case Move.Resume _ -> word(node.engine().executions().resume(request));
            case Move.Cancel _ -> word(node.engine().executions().cancel(request));
            case Move.Retry(var step, boolean confirm) ->
                    word(node.engine().executions().retry(request, step, confirm));
            case Move.Decide(int ask, boolean approve, boolean other) ->
                    decided(
                            node.engine()
                                    .approvals()
                                    .decide(
                                            stored.ask(id, player.model().asks.get(ask)),
                                            new Approvals.Said(
                                                    account,
                                                    other ? OTHER : PERSON,
                                                    approve,
                                                    "note")));
            case Move.Complete(var name, var result) ->
                    command(
                            item(player, name),
                            new Command.Complete(
                                    fence(player, name), result, null, digest(result)));
            case Move.Fail(var name, var failure) ->
                    command(
                            item(player, name),
                            new Command.Fail(
                                    fence(player, name),
                                    null,
                                    null,
                                    true,
                                    Report.of(error(failure)),
                                    null));
            case Move.Beat(var name) ->
                    command(item(player, name), new Command.Heartbeat(fence(player, name)));
            case Move.Reprocess(int letter, boolean confirm) ->
                    handled(node.engine().deadLetters().reprocess(letter(player, letter), confirm));
            case Move.Compensate(int letter) ->
                    handled(node.engine().deadLetters().compensate(letter(player, letter)));
            case Move.Mark(int letter) ->
                    handled(node.engine().deadLetters().markCompensated(letter(player, letter)));
            case Move.Resolve(int letter) ->
                    handled(node.engine().deadLetters().resolve(letter(player, letter)));
            case Move.Close _ -> word(node.engine().deadLetters().closeExecution(request));
        };
    }

    private DeadLetters.Request letter(Player player, int place) {
        return new DeadLetters.Request(
                account,
                stored.letter(player.id, player.model().letters.get(place)),
                PERSON,
                "note");
    }

    private static WorkItem item(Player player, String name) {
        return Objects.requireNonNull(player.held.get(name));
    }

    private static Fence fence(Player player, String name) {
        return Fence.of(item(player, name).lease().token());
    }

    private static UUID digest(String result) {
        return UUID.nameUUIDFromBytes(result.getBytes(StandardCharsets.UTF_8));
    }

    private static WorkError error(Failure failure) {
        return new WorkError(
                failure.code(),
                failure.status(),
                "it did not work",
                failure.retryAfter(),
                failure.partial() ? true : null);
    }

    private String command(WorkItem item, Command command) {
        return switch (node.kernel()
                .work()
                .command(new CommandRequest(account, Profiles.TASKS, item.id(), command, false))) {
            case Ack.Applied _ -> Acts.DONE;
            case Ack.Repeated _ -> Acts.SAME;
            case Ack.Refused _ -> Acts.REFUSED;
        };
    }

    private static String word(io.orchestrion.orchestrations.execution.Ack ack) {
        return ack instanceof io.orchestrion.orchestrations.execution.Ack.Done done
                ? done.changed() ? Acts.DONE : Acts.SAME
                : Acts.REFUSED;
    }

    private static String decided(Approvals.Decided decided) {
        return decided instanceof Approvals.Decided.Done done
                ? done.repeated() ? Acts.SAME : Acts.DONE
                : Acts.REFUSED;
    }

    private static String handled(DeadLetters.Handled handled) {
        return handled instanceof DeadLetters.Handled.Done ? Acts.DONE : Acts.REFUSED;
    }
}
