package io.orchestrion.kernel.lanes;

import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.combine.Combiner.Each;
import io.orchestrion.kernel.combine.Gate;
import io.orchestrion.kernel.combine.Returning;
import io.orchestrion.kernel.combine.Rounds;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.verbs.WorkBatches;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.CommandRequest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/// The lanes of what lease holders send. In the first lane, heartbeats and completions are one
/// guarded statement each, which waits for no row. So no heartbeat waits for another session. A
/// request that such a statement does not match, or that has no such statement, goes to the second
/// lane. That one locks owners before their items, and finds out why. It leaves a request undone if
/// another session holds its owner; then the caller's thread sends the request again a moment later
/// (decision 152).
final class HolderLanes implements AutoCloseable {
    private final Database database;
    private final WorkBatches batches;
    private final Combiner<CommandRequest, Optional<Ack>> fast;
    private final Combiner<CommandRequest, Optional<Ack>> settling;

    HolderLanes(Database database, WorkBatches batches, Gate gate, Work.Options options) {
        this.database = database;
        this.batches = batches;
        this.fast =
                Combiner.urgent(
                        Work.lane("holder", options.committers(), options),
                        database,
                        batches::hold,
                        gate);
        this.settling =
                Combiner.urgent(
                        Work.lane("settle", options.committers(), options),
                        database,
                        batches::settle,
                        gate);
    }

    Ack command(CommandRequest request) {
        Optional<Ack> ack = batches.holds(request) ? fast.call(request) : Optional.empty();
        return ack.orElseGet(() -> untilDone(database, settling, request));
    }

    /// Sends the request to the lane until it has been carried out.
    static Ack untilDone(
            Database database,
            Combiner<CommandRequest, Optional<Ack>> lane,
            CommandRequest request) {
        Optional<Ack> ack = lane.call(request);
        Returning returning = returning(database);
        while (ack.isEmpty()) {
            returning.pause();
            ack = lane.call(request);
        }
        return ack.get();
    }

    private static Returning returning(Database database) {
        return new Returning(database.options().lockTimeout(), "the owner of this item");
    }

    /// The answers are in the order of the requests. Those for one item are done one after the
    /// other, whichever lane each takes.
    List<Each<Ack>> commandAll(List<CommandRequest> requests) {
        return Rounds.run(requests, request -> List.of(request.id()), this::together);
    }

    private List<Each<Ack>> together(List<CommandRequest> requests) {
        var answers = new HashMap<UUID, Each<Ack>>();
        keep(fast, requests.stream().filter(batches::holds).toList(), answers);
        Returning returning = returning(database);
        List<CommandRequest> left = without(requests, answers);
        while (!left.isEmpty()) {
            keep(settling, left, answers);
            left = without(left, answers);
            if (!left.isEmpty()) {
                try {
                    returning.pause();
                } catch (RuntimeException e) {
                    left.forEach(request -> answers.put(request.id(), new Each<>(null, e)));
                    left = List.of();
                }
            }
        }
        return requests.stream()
                .map(request -> Objects.requireNonNull(answers.get(request.id())))
                .toList();
    }

    private static void keep(
            Combiner<CommandRequest, Optional<Ack>> lane,
            List<CommandRequest> requests,
            Map<UUID, Each<Ack>> answers) {
        List<Each<Optional<Ack>>> given = lane.callAll(requests);
        for (int i = 0; i < requests.size(); i++) {
            Optional<Ack> ack = given.get(i).answer();
            RuntimeException failure = given.get(i).failure();
            if (ack == null || ack.isPresent()) {
                answers.put(
                        requests.get(i).id(), new Each<>(ack == null ? null : ack.get(), failure));
            }
        }
    }

    private static List<CommandRequest> without(
            List<CommandRequest> requests, Map<UUID, Each<Ack>> answers) {
        return requests.stream().filter(request -> !answers.containsKey(request.id())).toList();
    }

    @Override
    public void close() {
        fast.close();
        settling.close();
    }
}
