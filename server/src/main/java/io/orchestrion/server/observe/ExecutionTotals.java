package io.orchestrion.server.observe;

import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.FailureDecision.Reason;
import io.orchestrion.kernel.totals.Total;
import io.orchestrion.server.observe.SubjectCounts.Told;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

    private final SubjectCounts all;

    ExecutionTotals(List<Total> totals) {
        all = new SubjectCounts(totals);
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

    private MetricSnapshot executions(Metric metric, String event) {
        Map<String, Long> found = all.counts(told -> told.is(EXECUTION, event), Told::counted);
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
                all.counts(
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
                                all.present(
                                        LETTER,
                                        told -> told.counted().equals(reason.word()),
                                        status)));
            }
        }
        return snapshot.build();
    }

    private List<MetricSnapshot> durations() {
        var quantiles = StoredTotals.gauge(Metric.ORCHESTRATION_STEP_DURATION_SECONDS);
        Metric metric = Metric.ORCHESTRATION_STEP_DURATION_HISTOGRAM_SECONDS;
        var histogram = HistogramSnapshot.builder().name(metric.family()).help(metric.help());
        for (String type : STEP_TYPES) {
            SubjectCounts.Durations found =
                    all.durations(
                            told ->
                                    told.kind().equals(STEP)
                                            && told.counted().equals(type)
                                            && told.total().from().equals("running"));
            histogram.dataPoint(found.point(Labels.of("step_type", type)));
            for (String quantile : List.of("0.5", "0.95")) {
                quantiles.dataPoint(
                        StoredTotals.point(
                                Labels.of("step_type", type, "quantile", quantile),
                                quantile(
                                        found.counts(),
                                        found.bounds(),
                                        Double.parseDouble(quantile))));
            }
        }
        return List.of(quantiles.build(), histogram.build());
    }

    /// Within the bucket that it falls into, by proportion; beyond the last bound, that bound.
    private static double quantile(List<Long> counts, List<Double> bounds, double part) {
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
        for (int i = 0; i < counts.size(); i++) {
            if (counts.get(i) > 0 && seen + counts.get(i) >= wanted) {
                return Double.isInfinite(bounds.get(i))
                        ? below
                        : below + (bounds.get(i) - below) * (wanted - seen) / counts.get(i);
            }
            seen += counts.get(i);
            below = Double.isInfinite(bounds.get(i)) ? below : bounds.get(i);
        }
        return below;
    }
}
