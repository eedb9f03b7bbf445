package io.orchestrion.testkit;

import org.hawkular.agent.prometheus.text.TextPrometheusMetricsProcessor;
import org.hawkular.agent.prometheus.types.Counter;
import org.hawkular.agent.prometheus.types.Gauge;
import org.hawkular.agent.prometheus.types.Histogram;
import org.hawkular.agent.prometheus.types.Metric;
import org.hawkular.agent.prometheus.types.MetricFamily;
import org.hawkular.agent.prometheus.walkers.CollectorPrometheusMetricsWalker;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// What a scraper reads, by a parser that is not ours.
public final class Scrape {
    private final Map<String, MetricFamily> families = new TreeMap<>();

    public Scrape(String text) {
        var walker = new CollectorPrometheusMetricsWalker();
        new TextPrometheusMetricsProcessor(
                        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), walker)
                .walk();
        walker.getAllMetricFamilies().forEach(family -> families.put(family.getName(), family));
    }

    public Map<String, MetricFamily> families() {
        return families;
    }

    public MetricFamily family(String name) {
        MetricFamily family = families.get(name);
        if (family == null) {
            throw new AssertionError("no " + name + " in " + families.keySet());
        }
        return family;
    }

    /// The sum of what has these labels.
    public double value(String name, Map<String, String> labels) {
        double sum = 0;
        for (Metric metric : family(name).getMetrics()) {
            if (metric.getLabels().entrySet().containsAll(labels.entrySet())) {
                sum +=
                        switch (metric) {
                            case Counter counter -> counter.getValue();
                            case Gauge gauge -> gauge.getValue();
                            case Histogram histogram -> histogram.getSampleCount();
                            default -> throw new AssertionError(metric);
                        };
            }
        }
        return sum;
    }

    public double value(String name, String door) {
        return value(name, Map.of("door", door));
    }
}
