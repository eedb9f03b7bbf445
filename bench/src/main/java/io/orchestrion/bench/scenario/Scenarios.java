package io.orchestrion.bench.scenario;

import java.util.List;
import java.util.stream.Stream;

/// All scenarios, in the order in which they run.
public final class Scenarios {
    /// What says something within seconds.
    public static final List<Scenario> QUICK =
            List.of(
                    new ReferenceScenario(),
                    new SingleScenario(),
                    new BatchScenario(),
                    new LongPollScenario(),
                    new HeartbeatScenario(),
                    new MixedScenario(),
                    new TenantsScenario(),
                    new LimitsScenario(),
                    new WorkflowScenario(),
                    new RunsScenario(),
                    new LedgerScenario());

    /// What takes many rows, many minutes or many servers to say anything.
    public static final List<Scenario> LONG =
            List.of(
                    new NodesScenario(),
                    new HistoryScenario(),
                    new SnapshotScenario(),
                    new OverloadScenario(),
                    new TroubleScenario());

    public static final List<Scenario> ALL = Stream.concat(QUICK.stream(), LONG.stream()).toList();

    private Scenarios() {}
}
