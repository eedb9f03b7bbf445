package io.orchestrion.server.jobs;

import io.orchestrion.jobs.registry.Availability;
import io.orchestrion.jobs.registry.Runners;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

/// Whether jobs are being done. This is asked apart from whether the server is ready: without
/// runners jobs wait, and everything else goes on.
public final class JobsReadiness {
    private final Runners runners;

    public JobsReadiness(Runners runners) {
        this.runners = runners;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(JobsEndpoints.READY, this::ready);
    }

    private Answer ready(Call call) {
        Availability there = runners.available();
        return there.any()
                ? Answer.json(
                                200,
                                JsonWriter.object(
                                        out ->
                                                out.bool("ready", true)
                                                        .integer("runners", there.runners())
                                                        .integer("capacity", there.capacity())
                                                        .integer("busy", there.busy())))
                        .with("Cache-Control", "no-store")
                : JobsHandlers.noRunners(call);
    }
}
