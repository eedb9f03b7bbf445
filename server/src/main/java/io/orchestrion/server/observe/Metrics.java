package io.orchestrion.server.observe;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.limit.Latencies;
import io.orchestrion.kernel.pool.CrewStatus;
import io.orchestrion.kernel.progress.LaneStatus;
import io.orchestrion.kernel.sweep.SweepStatus;
import io.orchestrion.kernel.totals.Total;
import io.orchestrion.server.http.Endpoint;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/// The metrics of this node and of the cluster. What happens often is one add to a counter that is
/// looked up by name and number; what is read is worked out when somebody reads it.
public final class Metrics {
    private static final Duration[] HTTP_BOUNDS =
            List.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000)
                    .stream()
                    .map(Duration::ofMillis)
                    .toArray(Duration[]::new);
    private static final Logger log = LoggerFactory.getLogger(Metrics.class);
    private static final int STATUSES = 600;

    /// How long one who reads waits for the totals to be brought up to date, and for how long one
    /// reading does for all who come.
    private static final Duration COUNTING = Duration.ofSeconds(2);
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final DoorWords words;
    private final PrometheusMeterRegistry registry;
    private final Map<String, AtomicReferenceArray<@Nullable Timer>> requests =
            new ConcurrentHashMap<>();
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();
    private final Map<String, Timer> attempts = new ConcurrentHashMap<>();
    private final List<Counted> ofDoors = new CopyOnWriteArrayList<>();
    private volatile @Nullable Read lastRead;
    private boolean machineShown;

    private record Read(List<Total> totals, long atNanos) {}

    Metrics(DoorWords words) {
        this.words = words;
        registry =
                new PrometheusMeterRegistry(
                        PrometheusConfig.DEFAULT, new PrometheusRegistry(), Clock.SYSTEM);
        for (String door : words.counted()) {
            for (Metric metric :
                    List.of(
                            Metric.IDEMPOTENCY_HITS,
                            Metric.IDEMPOTENCY_NEW,
                            Metric.WORKER_HEARTBEATS)) {
                counter(metric, "door", door);
            }
        }
        counter(Metric.DATABASE_ERRORS, "kind", "unavailable");
        counter(Metric.SPANS_DROPPED);
    }

    /// What only a running server has to show.
    ///
    /// @param version of the product
    /// @param inFlight how many requests are being served
    public void show(Kernel kernel, String version, IntSupplier inFlight) {
        registry.getPrometheusRegistry().register(collector(() -> stored(kernel)));
        registry.getPrometheusRegistry().register(collector(() -> ofNode(kernel, version)));
        gauge(Metric.HTTP_REQUESTS_IN_FLIGHT, inFlight);
    }

    private interface Snapshots {
        List<MetricSnapshot> take();
    }

    private static MultiCollector collector(Snapshots snapshots) {
        return () -> new MetricSnapshots(snapshots.take());
    }

    /// Everything, as text in the Prometheus format that the reader asks for.
    ///
    /// @param accept what it says it reads; null for the plain text
    public String scrape(@Nullable String accept) {
        showMachine();
        return registry.scrape(contentType(accept));
    }

    /// The form in which such a reader is answered.
    public static String contentType(@Nullable String accept) {
        return accept != null && accept.contains("application/openmetrics-text")
                ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                : "text/plain; version=0.0.4; charset=utf-8";
    }

    /// Only when somebody reads the metrics, because collecting what there is takes a while.
    private synchronized void showMachine() {
        if (!machineShown) {
            machineShown = true;
            new JvmMemoryMetrics().bindTo(registry);
            new JvmThreadMetrics().bindTo(registry);
            new ClassLoaderMetrics().bindTo(registry);
            new ProcessorMetrics().bindTo(registry);
            new UptimeMetrics().bindTo(registry);
            new FileDescriptorMetrics().bindTo(registry);
        }
    }

    private List<MetricSnapshot> stored(Kernel kernel) {
        Read read = lastRead;
        if (read == null || System.nanoTime() - read.atNanos() > FRESH.toNanos()) {
            try {
                read = new Read(kernel.totals().read(COUNTING), System.nanoTime());
                lastRead = read;
            } catch (StoreException e) {
                // The rest is wanted most when the database is away.
                log.debug("the totals are not known now", e);
            }
        }
        if (read == null) {
            return List.of();
        }
        List<Total> totals = read.totals();
        var all =
                new ArrayList<>(
                        new StoredTotals(totals, kernel.subjects().kinds(), words).snapshots());
        ofDoors.forEach(each -> all.addAll(each.of(new SubjectCounts(totals))));
        return all;
    }

    /// What a door makes of the counts that are in storage.
    @FunctionalInterface
    public interface Counted {
        List<MetricSnapshot> of(SubjectCounts counts);
    }

    /// Shows what a door counts in storage.
    public void add(Counted counted) {
        ofDoors.add(counted);
    }

    private static List<MetricSnapshot> ofNode(Kernel kernel, String version) {
        var since = StoredTotals.gauge(Metric.DUTY_SINCE_LAST_RUN_SECONDS);
        var late = StoredTotals.gauge(Metric.DUTY_LATE);
        var changes = StoredTotals.counter(Metric.DUTY_CHANGES);
        for (SweepStatus duty : kernel.sweeps()) {
            Labels labels = Labels.of("duty", duty.name());
            since.dataPoint(StoredTotals.point(labels, duty.sinceLastRunMs() / 1000.0));
            late.dataPoint(StoredTotals.point(labels, duty.healthy() ? 0 : 1));
            changes.dataPoint(StoredTotals.counted(labels, duty.changed()));
        }
        Latencies.Reading limiter = kernel.allowances().latencies().read();
        var all = new ArrayList<MetricSnapshot>();
        all.add(since.build());
        all.add(late.build());
        all.add(changes.build());
        all.addAll(ofLanes(kernel));
        all.addAll(ofPools(kernel));
        all.add(
                StoredTotals.counter(Metric.RATE_LIMITER_CALLS)
                        .dataPoint(StoredTotals.counted(Labels.EMPTY, limiter.calls()))
                        .build());
        all.add(
                StoredTotals.gauge(Metric.RATE_LIMITER_LATENCY_SECONDS)
                        .dataPoint(quantile("0.5", limiter.p50Nanos()))
                        .dataPoint(quantile("0.99", limiter.p99Nanos()))
                        .build());
        all.add(
                StoredTotals.gauge(Metric.EVENT_STREAMS)
                        .dataPoint(StoredTotals.point(Labels.EMPTY, kernel.events().following()))
                        .build());
        all.add(
                StoredTotals.gauge(Metric.ORCHESTRION_BUILD_INFO)
                        .dataPoint(StoredTotals.point(Labels.of("version", version), 1))
                        .build());
        return all;
    }

    private static List<MetricSnapshot> ofLanes(Kernel kernel) {
        var stuck = StoredTotals.gauge(Metric.LANE_STUCK);
        var waiting = StoredTotals.gauge(Metric.LANE_WAITING);
        var ended = StoredTotals.counter(Metric.LANE_TRANSACTIONS_ENDED);
        for (LaneStatus lane : kernel.lanes()) {
            Labels labels = Labels.of("lane", lane.name());
            stuck.dataPoint(StoredTotals.point(labels, lane.stuck() ? 1 : 0));
            waiting.dataPoint(StoredTotals.point(labels, lane.waiting()));
            ended.dataPoint(StoredTotals.counted(labels, lane.transactionsEnded()));
        }
        return List.of(stuck.build(), waiting.build(), ended.build());
    }

    private static List<MetricSnapshot> ofPools(Kernel kernel) {
        var places = StoredTotals.gauge(Metric.POOL_PLACES);
        var busy = StoredTotals.gauge(Metric.POOL_BUSY);
        var stuck = StoredTotals.gauge(Metric.POOL_STUCK);
        var longest = StoredTotals.gauge(Metric.POOL_LONGEST_SECONDS);
        for (CrewStatus pool : kernel.pool().statuses()) {
            Labels labels = Labels.of("pool", pool.name());
            places.dataPoint(StoredTotals.point(labels, pool.places()));
            busy.dataPoint(StoredTotals.point(labels, pool.busy()));
            stuck.dataPoint(StoredTotals.point(labels, pool.stuck()));
            longest.dataPoint(StoredTotals.point(labels, pool.longestMs() / 1000.0));
        }
        return List.of(places.build(), busy.build(), stuck.build(), longest.build());
    }

    private static io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot
            quantile(String quantile, long nanos) {
        return StoredTotals.point(Labels.of("quantile", quantile), nanos / 1e9);
    }

    /// @param endpoint null for a request that matched none
    void request(@Nullable Endpoint endpoint, int status, long tookNanos) {
        AtomicReferenceArray<@Nullable Timer> byStatus =
                requests.computeIfAbsent(
                        endpoint == null ? "" : endpoint.name(),
                        _ -> new AtomicReferenceArray<>(STATUSES));
        int place = status >= 0 && status < STATUSES ? status : 0;
        Timer timer = byStatus.get(place);
        if (timer == null) {
            // The registry gives everybody the same one.
            timer = timer(endpoint, status);
            byStatus.set(place, timer);
        }
        timer.record(tookNanos, java.util.concurrent.TimeUnit.NANOSECONDS);
    }

    private Timer timer(@Nullable Endpoint endpoint, int status) {
        return Timer.builder("http.server.requests")
                .description(Metric.HTTP_SERVER_REQUESTS_SECONDS.help())
                .tag("door", endpoint == null ? "none" : endpoint.door())
                .tag("route", endpoint == null ? "unmatched" : endpoint.path())
                .tag("method", endpoint == null ? "any" : endpoint.method())
                .tag("status", String.valueOf(status))
                .serviceLevelObjectives(HTTP_BOUNDS)
                .register(registry);
    }

    void authFailure(String door, String reason) {
        counter(Metric.AUTH_FAILURES, "door", door, "reason", reason).increment();
    }

    void deduplicated(String door, int hits, int created) {
        counter(Metric.IDEMPOTENCY_HITS, "door", door).increment(hits);
        counter(Metric.IDEMPOTENCY_NEW, "door", door).increment(created);
    }

    void heartbeats(String door, int count) {
        counter(Metric.WORKER_HEARTBEATS, "door", door).increment(count);
    }

    void databaseError(String kind) {
        counter(Metric.DATABASE_ERRORS, "kind", kind).increment();
    }

    void delivery(String outcome, long millis) {
        attempts.computeIfAbsent(
                        outcome,
                        name ->
                                Timer.builder("webhook.attempt")
                                        .description(Metric.WEBHOOK_ATTEMPT_SECONDS.help())
                                        .tag("outcome", name)
                                        .serviceLevelObjectives(HTTP_BOUNDS)
                                        .register(registry))
                .record(Duration.ofMillis(millis));
    }

    void spansDropped(long count) {
        counter(Metric.SPANS_DROPPED).increment(count);
    }

    private Counter counter(Metric metric, String... labels) {
        String name = labels.length == 0 ? metric.name() : metric.name() + String.join("/", labels);
        Counter known = counters.get(name);
        return known != null
                ? known
                : counters.computeIfAbsent(
                        name,
                        _ ->
                                Counter.builder(metric.family())
                                        .description(metric.help())
                                        .tags(labels)
                                        .register(registry));
    }

    /// Shows a sum of a door's own, which only grows.
    public void counter(Metric metric, LongSupplier sum) {
        FunctionCounter.builder(metric.family(), sum, each -> (double) each.getAsLong())
                .description(metric.help())
                .register(registry);
    }

    /// Shows a number of a door's own. It is read whenever somebody reads the metrics.
    public void gauge(Metric metric, IntSupplier value) {
        Gauge.builder(metric.family(), value::getAsInt)
                .description(metric.help())
                .strongReference(true)
                .register(registry);
    }
}
