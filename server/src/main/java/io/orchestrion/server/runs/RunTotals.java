package io.orchestrion.server.runs;

import io.orchestrion.runs.check.Patrol;
import io.orchestrion.runs.policy.EscalationTrigger;
import io.orchestrion.runs.policy.Failures;
import io.orchestrion.runs.policy.ReplanTrigger;
import io.orchestrion.runs.policy.StopReason;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.server.observe.Metric;
import io.orchestrion.server.observe.StoredTotals;
import io.orchestrion.server.observe.SubjectCounts;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What the totals of the log say of runs, their steps, credits and artifacts. It is arithmetic on
/// a few hundred counts, however many runs there were.
public final class RunTotals {
    private static final String RUN = "run";
    private static final String STEP = "run_step";
    private static final String CREDIT = "credit";
    private static final String ARTIFACT = "run_artifact";

    /// Amounts are counted in millionths of a credit.
    private static final double CREDITS = 1e6;

    private final Patrol patrol;

    public RunTotals(Patrol patrol) {
        this.patrol = patrol;
    }

    public List<MetricSnapshot> of(SubjectCounts counts) {
        return Stream.concat(counted(counts).stream(), found().stream()).toList();
    }

    private List<MetricSnapshot> found() {
        var stuck = StoredTotals.gauge(Metric.STUCK_RUNS);
        stuck.dataPoint(StoredTotals.point(Labels.EMPTY, patrol.stuck()));
        var broken = StoredTotals.gauge(Metric.INVARIANT_VIOLATIONS);
        patrol.violations()
                .forEach(
                        (invariant, rows) ->
                                broken.dataPoint(
                                        StoredTotals.point(
                                                Labels.of("invariant", String.valueOf(invariant)),
                                                rows)));
        var odd = StoredTotals.gauge(Metric.LEDGER_ANOMALIES);
        patrol.anomalies()
                .forEach(
                        (kind, attempts) ->
                                odd.dataPoint(
                                        StoredTotals.point(
                                                Labels.of("kind", kind.word()), attempts)));
        return List.of(stuck.build(), broken.build(), odd.build());
    }

    private static List<MetricSnapshot> counted(SubjectCounts counts) {
        return List.of(
                runs(counts),
                durations(counts),
                by(Metric.RUN_STEP_RETRIES, counts, STEP, "retried", errors()),
                plain(Metric.RUN_HEARTBEAT_TIMEOUTS, counts.count(RUN, "heartbeat_lost")),
                by(Metric.RUN_ESCALATIONS, counts, RUN, "escalated", EscalationTrigger.words()),
                by(Metric.RUN_ABORTS, counts, RUN, "aborted", StopReason.words()),
                by(Metric.RUN_REPLANS, counts, RUN, "replanned", ReplanTrigger.words()),
                plain(Metric.CREDITS_RESERVED, counts.amount(CREDIT, "reserved") / CREDITS),
                plain(Metric.CREDITS_CHARGED, counts.amount(CREDIT, "charged") / CREDITS),
                plain(
                        Metric.CREDITS_REFUNDED,
                        counts.amount(CREDIT, "refunded") / CREDITS
                                + counts.amount(CREDIT, "reversed") / CREDITS),
                plain(Metric.ARTIFACTS_EXPIRED, counts.count(ARTIFACT, "expired")));
    }

    private static List<String> errors() {
        return Failures.rows().stream().map(Failures.Row::code).distinct().toList();
    }

    private static MetricSnapshot runs(SubjectCounts counts) {
        var snapshot = StoredTotals.gauge(Metric.RUNS);
        for (String status : RunStatus.words()) {
            snapshot.dataPoint(
                    StoredTotals.point(
                            Labels.of("status", status), counts.present(RUN, _ -> true, status)));
        }
        return snapshot.build();
    }

    private static MetricSnapshot durations(SubjectCounts counts) {
        Metric metric = Metric.RUN_DURATION_SECONDS;
        return HistogramSnapshot.builder()
                .name(metric.family())
                .help(metric.help())
                .dataPoint(counts.durations(told -> told.kind().equals(RUN)).point(Labels.EMPTY))
                .build();
    }

    private static MetricSnapshot plain(Metric metric, double value) {
        return StoredTotals.counter(metric)
                .dataPoint(StoredTotals.counted(Labels.EMPTY, value))
                .build();
    }

    /// @param words all there are, which are shown also before the first of them
    private static MetricSnapshot by(
            Metric metric, SubjectCounts counts, String kind, String event, List<String> words) {
        Map<String, Long> found =
                counts.counts(told -> told.is(kind, event), SubjectCounts.Told::counted);
        var snapshot = StoredTotals.counter(metric);
        String label = metric.labels().getFirst();
        for (String word : words) {
            snapshot.dataPoint(
                    StoredTotals.counted(Labels.of(label, word), found.getOrDefault(word, 0L)));
        }
        return snapshot.build();
    }
}
