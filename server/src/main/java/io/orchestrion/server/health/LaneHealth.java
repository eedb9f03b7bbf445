package io.orchestrion.server.health;

import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.IntegerField;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.progress.LaneStatus;

import java.util.List;
import java.util.function.Supplier;

/// Whether the lanes of this node get on: one that does not keeps everybody waiting who needs it,
/// while all else looks well.
final class LaneHealth {
    /// Why a node is not ready.
    static final String STUCK = "lane_stuck";

    static final ObjectSpec SPEC =
            ObjectSpec.answer("HealthLane")
                    .doc(
                            "A lane gathers requests of one kind into transactions. It is stuck"
                                    + " when a transaction takes longer than it may; such a one is"
                                    + " ended.")
                    .required(text("name"))
                    .required(bool("stuck"))
                    .required(natural("waiting").doc("Requests that wait to be started."))
                    .required(natural("in_hand").doc("Requests that are being processed."))
                    .required(
                            natural("seconds_without_progress")
                                    .doc("0 when no request is being processed."))
                    .required(
                            natural("transactions_ended")
                                    .doc("Requests that took too long since the node started."))
                    .required(
                            natural("threads_lost")
                                    .doc(
                                            "Threads that did not return after that. Other threads"
                                                    + " replace them. A restart removes them."));

    private final Supplier<List<LaneStatus>> lanes;

    LaneHealth(Supplier<List<LaneStatus>> lanes) {
        this.lanes = lanes;
    }

    record Reading(List<LaneStatus> lanes) {
        boolean anyStuck() {
            return lanes.stream().anyMatch(LaneStatus::stuck);
        }

        boolean anyLost() {
            return lanes.stream().anyMatch(lane -> lane.threadsLost() > 0);
        }
    }

    Reading read() {
        return new Reading(lanes.get());
    }

    static void write(JsonWriter out, LaneStatus lane) {
        out.text("name", lane.name())
                .bool("stuck", lane.stuck())
                .integer("waiting", lane.waiting())
                .integer("in_hand", lane.inHand())
                .integer("seconds_without_progress", lane.sinceProgressMs() / 1000)
                .integer("transactions_ended", lane.transactionsEnded())
                .integer("threads_lost", lane.threadsLost());
    }

    private static IntegerField natural(String name) {
        return integer(name).range(0, Long.MAX_VALUE);
    }
}
