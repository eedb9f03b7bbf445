package io.orchestrion.bench.scenario;

import java.util.List;

/// All scenarios, in the order in which they run.
public final class Scenarios {
    public static final List<Scenario> ALL =
            List.of(
                    new ReferenceScenario(),
                    new SingleScenario(),
                    new BatchScenario(),
                    new LongPollScenario(),
                    new HeartbeatScenario(),
                    new MixedScenario(),
                    new TenantsScenario(),
                    new NodesScenario(),
                    new HistoryScenario(),
                    new SnapshotScenario());

    private Scenarios() {}
}
