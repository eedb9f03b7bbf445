package io.orchestrion.server.tasks;

import io.orchestrion.kernel.sweep.SweepStatus;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.json.JsonWriter;

import java.util.List;
import java.util.function.Supplier;

/// Whether this node does its duties; the lease job first, as the contract asks.
public final class HealthHandler {
    static final String LEASE_JOB = "lease-reaper";

    private final Supplier<List<SweepStatus>> sweeps;
    private final String version;

    public HealthHandler(Supplier<List<SweepStatus>> sweeps, String version) {
        this.sweeps = sweeps;
        this.version = version;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(TaskEndpoints.HEALTH, this::health);
    }

    private Answer health(Call call) {
        List<SweepStatus> statuses = sweeps.get();
        boolean healthy = statuses.stream().allMatch(SweepStatus::healthy);
        SweepStatus lease =
                statuses.stream()
                        .filter(status -> status.name().equals(LEASE_JOB))
                        .findFirst()
                        .orElseThrow();
        AgentContract contract =
                healthy
                        ? AgentContract.of(true, AgentContract.create().best())
                        : AgentContract.of(
                                true, NextAction.waitAndRepeat(5, call.method(), call.path()));
        return Answer.json(
                healthy ? 200 : 503,
                JsonWriter.object(
                        out ->
                                out.text("status", healthy ? "ok" : "unhealthy")
                                        .text("version", version)
                                        .object(
                                                "lease_expiry_job",
                                                job ->
                                                        job.bool("healthy", lease.healthy())
                                                                .bool("ran", lease.ranOnce())
                                                                .integer(
                                                                        "seconds_since_last_run",
                                                                        lease.sinceLastRunMs()
                                                                                / 1000))
                                        .objects("jobs", statuses, HealthHandler::writeJob)
                                        .object("agent_contract", contract::write)));
    }

    private static void writeJob(JsonWriter out, SweepStatus status) {
        out.text("name", status.name())
                .bool("healthy", status.healthy())
                .bool("ran", status.ranOnce())
                .integer("seconds_since_last_run", status.sinceLastRunMs() / 1000)
                .text("last_error", status.lastError() == null ? null : "see the server's log");
    }
}
