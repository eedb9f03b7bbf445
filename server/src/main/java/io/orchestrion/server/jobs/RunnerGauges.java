package io.orchestrion.server.jobs;

import io.orchestrion.jobs.registry.Availability;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.server.observe.Metric;
import io.orchestrion.server.observe.Metrics;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.function.Supplier;

/// The runners of all processes, as metrics.
public final class RunnerGauges {
    private static final Logger LOG = LoggerFactory.getLogger(RunnerGauges.class);

    private final Supplier<Availability> registry;
    private volatile Availability last = Availability.NONE;

    /// @param registry who knows the runners
    public RunnerGauges(Supplier<Availability> registry) {
        this.registry = registry;
    }

    public void addTo(Metrics metrics) {
        metrics.gauge(Metric.RUNNERS_PRESENT, () -> now().runners());
        metrics.gauge(Metric.RUNNERS_AVAILABLE, () -> now().capacity() - now().busy());
        metrics.gauge(Metric.RUNNERS_BUSY, () -> now().busy());
    }

    /// The present number, or the last known one where the database does not answer.
    private Availability now() {
        try {
            last = registry.get();
        } catch (StoreException e) {
            LOG.debug("the runners are not known now", e);
        }
        return last;
    }
}
