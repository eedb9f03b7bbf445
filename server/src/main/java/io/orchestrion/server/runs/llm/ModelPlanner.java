package io.orchestrion.server.runs.llm;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.runs.llm.LlmOptions;
import io.orchestrion.runs.llm.LlmPlanner;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.plan.PlanReader;
import io.orchestrion.server.egress.GuardedEgress;

/// The worker inside this server that has a model plan runs, with connections of its own: the
/// operator has set their address, so it may be in any network.
public final class ModelPlanner implements AutoCloseable {
    private final GuardedEgress egress;

    private ModelPlanner(GuardedEgress egress) {
        this.egress = egress;
    }

    /// Before the kernel starts.
    public static ModelPlanner open(
            Kernel kernel, JsonSchemas schemas, LlmOptions options, PlanLimits limits) {
        GuardedEgress egress = GuardedEgress.ofOperator(options.times().connect());
        new LlmPlanner(egress, options, new PlanReader(schemas), limits, System::nanoTime)
                .addTo(kernel.pool());
        return new ModelPlanner(egress);
    }

    @Override
    public void close() {
        egress.close();
    }
}
