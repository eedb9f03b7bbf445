package io.orchestrion.kernel.progress;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/// All lanes of a node.
public final class Lanes {
    private final List<Supplier<LaneStatus>> lanes = new CopyOnWriteArrayList<>();

    public void add(Supplier<LaneStatus> lane) {
        lanes.add(lane);
    }

    public void remove(Supplier<LaneStatus> lane) {
        lanes.remove(lane);
    }

    public List<LaneStatus> statuses() {
        return lanes.stream().map(Supplier::get).toList();
    }
}
