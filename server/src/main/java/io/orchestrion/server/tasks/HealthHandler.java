package io.orchestrion.server.tasks;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.DatabaseProbe;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.limit.Latencies;
import io.orchestrion.kernel.pool.CrewStatus;
import io.orchestrion.kernel.sweep.SweepStatus;
import io.orchestrion.postgres.PostgresHost;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// How this node is, for machines that ask often. Health is about the node's own duties, the lease
/// job first: to restart a node because the database is away would help nobody, so that only shows.
/// Ready is about the next request, which needs the database and lanes that get on.
public final class HealthHandler {
    static final String LEASE_JOB = "lease-reaper";
    private static final int LOOK_AGAIN_SECONDS = 5;

    private final Supplier<List<SweepStatus>> sweeps;
    private final LaneHealth lanes;
    private final Supplier<List<CrewStatus>> pools;
    private final DatabaseProbe database;
    private final Latencies limiter;
    private final @Nullable PostgresHost host;
    private final String version;
    private final Supplier<List<String>> doorFaults;
    private final BooleanSupplier draining;
    private final long startedNanos = System.nanoTime();

    /// @param host of the embedded database; null for an outside one
    /// @param doorFaults a word for each door that cannot work as it is set up
    public HealthHandler(
            Kernel kernel,
            String version,
            @Nullable PostgresHost host,
            Supplier<List<String>> doorFaults,
            BooleanSupplier draining) {
        this.sweeps = kernel::sweeps;
        this.lanes = new LaneHealth(kernel::lanes);
        this.pools = kernel.pool()::statuses;
        this.database = kernel.probe();
        this.limiter = kernel.allowances().latencies();
        this.host = host;
        this.version = version;
        this.doorFaults = doorFaults;
        this.draining = draining;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(TaskEndpoints.HEALTH, this::health)
                .handle(TaskEndpoints.READY, this::ready);
    }

    private Answer health(Call call) {
        List<SweepStatus> statuses = sweeps.get();
        StoreCondition store = StoreCondition.read(database, host);
        LaneHealth.Reading laneNow = lanes.read();
        boolean healthy = statuses.stream().allMatch(SweepStatus::healthy) && !laneNow.anyStuck();
        List<CrewStatus> poolsNow = pools.get();
        boolean whole = store.whole() && !laneNow.anyLost() && !PoolHealth.anyStuck(poolsNow);
        String status = healthy ? whole ? "ok" : "degraded" : "unhealthy";
        SweepStatus lease =
                statuses.stream()
                        .filter(each -> each.name().equals(LEASE_JOB))
                        .findFirst()
                        .orElseThrow();
        return answer(
                call,
                healthy,
                out -> {
                    writeNode(out, status, store);
                    out.object("lease_expiry_job", job -> writeRun(job, lease))
                            .objects("jobs", statuses, HealthHandler::writeJob)
                            .objects("lanes", laneNow.lanes(), LaneHealth::write)
                            .objects("pools", poolsNow, PoolHealth::write)
                            .object("rate_limiter", this::writeLimiter);
                });
    }

    private void writeLimiter(JsonWriter out) {
        Latencies.Reading reading = limiter.read();
        out.integer("requests", reading.calls())
                .number("p50_ms", millis(reading.p50Nanos()))
                .number("p99_ms", millis(reading.p99Nanos()));
    }

    private static BigDecimal millis(long nanos) {
        return BigDecimal.valueOf(nanos / 1000, 3);
    }

    private Answer ready(Call call) {
        StoreCondition store = StoreCondition.read(database, host);
        var reasons = new ArrayList<String>();
        if (draining.getAsBoolean()) {
            reasons.add("draining");
        }
        reasons.addAll(doorFaults.get());
        reasons.addAll(store.reasons());
        if (lanes.read().anyStuck()) {
            reasons.add(LaneHealth.STUCK);
        }
        boolean ready = reasons.isEmpty();
        return answer(
                call,
                ready,
                out -> {
                    writeNode(out, ready ? "ready" : "not_ready", store);
                    out.texts("reasons", reasons);
                });
    }

    private interface Fields {
        void write(JsonWriter out);
    }

    private static Answer answer(Call call, boolean good, Fields fields) {
        AgentContract contract =
                good
                        ? AgentContract.of(true, AgentContract.create().best())
                        : AgentContract.of(
                                true,
                                NextAction.waitAndRepeat(
                                        LOOK_AGAIN_SECONDS, call.method(), call.path()));
        Answer answer =
                Answer.json(
                                good ? 200 : 503,
                                JsonWriter.object(
                                        out -> {
                                            fields.write(out);
                                            out.object("agent_contract", contract::write);
                                        }))
                        .with("Cache-Control", "no-store");
        return good ? answer : answer.with("Retry-After", String.valueOf(LOOK_AGAIN_SECONDS));
    }

    private void writeNode(JsonWriter out, String status, StoreCondition store) {
        out.text("status", status)
                .text("version", version)
                .integer(
                        "uptime_seconds",
                        Duration.ofNanos(System.nanoTime() - startedNanos).toSeconds());
        store.write(out);
    }

    private static void writeRun(JsonWriter out, SweepStatus status) {
        out.bool("healthy", status.healthy())
                .bool("ran", status.ranOnce())
                .integer("seconds_since_last_run", status.sinceLastRunMs() / 1000);
    }

    private static void writeJob(JsonWriter out, SweepStatus status) {
        out.text("name", status.name());
        writeRun(out, status);
        out.text("last_error", status.lastError() == null ? null : "see the server's log");
    }
}
