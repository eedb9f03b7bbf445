package io.orchestrion.server.observe;

import io.orchestrion.kernel.events.CountedKind;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.FailureDecision.Reason;
import io.orchestrion.kernel.totals.Total;
import io.orchestrion.kernel.totals.Totals;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/// What the totals of the log say of executions, their steps and dead letters.
final class ExecutionTotals {
    /// More definitions than one graph shows; beyond, they are all one.
    private static final int DEFINITIONS_MAX = 64;

    private static final String OTHER = "other";
    private static final String EXECUTION = "execution";
    private static final String STEP = "execution_step";
    private static final String LETTER = "dead_letter";
    private static final List<String> STEP_TYPES =
            List.of("task", "decision", "wait", "external_call", "notify", "human_approval");
    private static final List<String> LETTER_STATUSES =
            List.of("open", "handled", "reprocessed", "resolved");
    private static final double MILLIS = 1000.0;

    /// @param counted the word beside the kind
    private record Told(String kind, String counted, Total total) {
        static Told of(Total total) {
            CountedKind kind = CountedKind.read(total.kind());
            return new Told(kind.kind(), kind.word(), total);
        }
    }

    private final List<Told> all;

    ExecutionTotals(List<Total> totals) {
        all = totals.stream().map(Told::of).toList();
    }

    List<MetricSnapshot> snapshots() {
        var metrics = new ArrayList<MetricSnapshot>();
        metrics.add(executions(Metric.ORCHESTRATION_EXECUTIONS_STARTED, "started"));
        metrics.add(executions(Metric.ORCHESTRATION_EXECUTIONS_SUCCEEDED, "succeeded"));
        metrics.add(executions(Metric.ORCHESTRATION_EXECUTIONS_FAILED, "failed"));
        metrics.add(executions(Metric.ORCHESTRATION_EXECUTIONS_CANCELED, "canceled"));
        metrics.add(retries());
        metrics.add(letters());
        metrics.addAll(durations());
        return metrics;
    }

    private Map<String, Long> counts(Predicate<Told> wanted, Function<Told, String> by) {
        var counts = new TreeMap<String, Long>();
        for (Told told : all) {
            if (wanted.test(told)) {
                counts.merge(by.apply(told), told.total().count(), Long::sum);
            }
        }
        return counts;
    }

    private MetricSnapshot executions(Metric metric, String event) {
        Map<String, Long> found =
                counts(
                        told -> told.kind().equals(EXECUTION) && told.total().event().equals(event),
                        Told::counted);
        var shown = new TreeMap<String, Long>();
        found.forEach(
                (definition, count) ->
                        shown.merge(
                                shown.size() < DEFINITIONS_MAX ? definition : OTHER,
                                count,
                                Long::sum));
        // A counter that is not there cannot be told from one that is broken.
        if (shown.isEmpty()) {
            shown.put("", 0L);
        }
        var snapshot = StoredTotals.counter(metric);
        shown.forEach(
                (definition, count) ->
                        snapshot.dataPoint(
                                StoredTotals.counted(Labels.of("definition", definition), count)));
        return snapshot.build();
    }

    /// A retry is counted under the type of its step and the class of the error before.
    private MetricSnapshot retries() {
        Map<String, Long> found =
                counts(
                        told -> told.kind().equals(STEP) && told.counted().indexOf('/') > 0,
                        told -> told.counted().substring(told.counted().indexOf('/') + 1));
        var snapshot = StoredTotals.counter(Metric.ORCHESTRATION_STEP_RETRIES);
        for (ErrorClass each : ErrorClass.values()) {
            snapshot.dataPoint(
                    StoredTotals.counted(
                            Labels.of("error_class", each.name()),
                            found.getOrDefault(each.name(), 0L)));
        }
        return snapshot.build();
    }

    private MetricSnapshot letters() {
        var snapshot = StoredTotals.gauge(Metric.ORCHESTRATION_DLQ_ITEMS);
        for (String status : LETTER_STATUSES) {
            for (Reason reason : Reason.values()) {
                snapshot.dataPoint(
                        StoredTotals.point(
                                Labels.of("status", status, "reason", reason.word()),
                                present(status, reason.word())));
            }
        }
        return snapshot.build();
    }

    private long present(String status, String reason) {
        long present = 0;
        for (Told told : all) {
            if (told.kind().equals(LETTER) && told.counted().equals(reason)) {
                present += told.total().to().equals(status) ? told.total().count() : 0;
                present -= told.total().from().equals(status) ? told.total().count() : 0;
            }
        }
        return present;
    }

    private List<MetricSnapshot> durations() {
        var quantiles = StoredTotals.gauge(Metric.ORCHESTRATION_STEP_DURATION_SECONDS);
        Metric metric = Metric.ORCHESTRATION_STEP_DURATION_HISTOGRAM_SECONDS;
        var histogram = HistogramSnapshot.builder().name(metric.family()).help(metric.help());
        List<Double> bounds = new ArrayList<>();
        Totals.BOUNDS_MS.forEach(bound -> bounds.add(bound / MILLIS));
        bounds.add(Double.POSITIVE_INFINITY);
        for (String type : STEP_TYPES) {
            long[] counts = new long[bounds.size()];
            long millis = 0;
            for (Told told : all) {
                Total total = told.total();
                if (told.kind().equals(STEP)
                        && told.counted().equals(type)
                        && total.from().equals("running")
                        && total.bucket() >= 0) {
                    counts[total.bucket()] += total.count();
                    millis += total.millis();
                }
            }
            List<Number> numbers = new ArrayList<>();
            for (long count : counts) {
                numbers.add(count);
            }
            histogram.dataPoint(
                    HistogramDataPointSnapshot.builder()
                            .labels(Labels.of("step_type", type))
                            .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, numbers))
                            .sum(millis / MILLIS)
                            .build());
            for (String quantile : List.of("0.5", "0.95")) {
                quantiles.dataPoint(
                        StoredTotals.point(
                                Labels.of("step_type", type, "quantile", quantile),
                                quantile(counts, bounds, Double.parseDouble(quantile))));
            }
        }
        return List.of(quantiles.build(), histogram.build());
    }

    /// Within the bucket that it falls into, by proportion; beyond the last bound, that bound.
    private static double quantile(long[] counts, List<Double> bounds, double part) {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        if (sum == 0) {
            return Double.NaN;
        }
        double wanted = part * sum;
        double seen = 0;
        double below = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0 && seen + counts[i] >= wanted) {
                return Double.isInfinite(bounds.get(i))
                        ? below
                        : below + (bounds.get(i) - below) * (wanted - seen) / counts[i];
            }
            seen += counts[i];
            below = Double.isInfinite(bounds.get(i)) ? below : bounds.get(i);
        }
        return below;
    }
}
