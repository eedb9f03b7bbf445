package io.orchestrion.server.observe;

import io.orchestrion.kernel.events.CountedKind;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.events.Subjects;
import io.orchestrion.kernel.totals.Total;
import io.orchestrion.kernel.totals.Totals;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.server.door.DoorItems;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/// What the totals of the event log say, as metrics. All of it is arithmetic on counts of "this
/// left that state for this one": what entered a state, less what left it, is in it.
public final class StoredTotals {
    /// The queue of the webhooks' deliveries.
    static final String DELIVERIES = "deliveries";

    /// More names than any catalogue has; beyond, they are all one.
    private static final int KINDS_MAX = 64;
    private static final String OTHER = "other";
    private static final Set<String> ENDED = Set.of("succeeded", "failed", "dead", "cancelled");

    /// The queues of work by the log and the word under which their items are counted. What waits
    /// for a time only, such as a timer, is no work.
    private static final Map<String, Map<String, String>> QUEUES = queuesByLog();

    private static Map<String, Map<String, String>> queuesByLog() {
        Map<String, Map<String, String>> queues = new TreeMap<>();
        for (Profile profile : Profiles.ALL) {
            if (!profile.equals(Profiles.TIMERS)) {
                queues.put(profile.log(), Map.of("", profile.log()));
            }
        }
        queues.put(Profiles.STEPS.log(), Map.of("", "steps", "agent_plan", "agents.work"));
        queues.put(
                Profiles.DRIVERS.log(),
                Map.of("", "runs.normal", Profiles.HIGH_PRIORITY, "runs.high_priority"));
        return queues;
    }

    private final List<Total> totals;
    private final Subjects subjects;
    private final Set<String> kinds;
    private final DoorWords words;
    private final List<String> doors;

    /// @param subjects whose events are shown also before the first of them
    StoredTotals(List<Total> totals, Subjects subjects, DoorWords words) {
        this.words = words;
        this.doors = words.counted();
        this.totals = totals;
        this.subjects = subjects;
        this.kinds =
                totals.stream()
                        .filter(total -> doors.contains(total.queue()))
                        .map(Total::kind)
                        .distinct()
                        .sorted()
                        .limit(KINDS_MAX)
                        .collect(java.util.stream.Collectors.toSet());
    }

    List<MetricSnapshot> snapshots() {
        var all = new ArrayList<MetricSnapshot>();
        all.add(byKind(Metric.JOBS_SUBMITTED, total -> total.from().isEmpty()));
        all.add(byKind(Metric.JOBS_QUEUED, total -> entered(total, this::queued)));
        all.add(
                byKind(
                        Metric.JOBS_RUNNING,
                        total -> entered(total, (_, word) -> word.equals("running"))));
        all.add(byKind(Metric.JOBS_SUCCEEDED, total -> ended(total, "succeeded")));
        all.add(
                byKind(
                        Metric.JOBS_FAILED,
                        total -> ended(total, "failed") || ended(total, "dead")));
        all.add(byKind(Metric.JOBS_CANCELED, total -> ended(total, "cancelled")));
        all.add(byDoor(Metric.JOB_RETRIES, StoredTotals::retried));
        all.add(
                byDoor(
                        Metric.JOB_RETRY_SUCCESSES,
                        total -> total.again() && ended(total, "succeeded")));
        all.add(depth());
        all.add(present());
        all.add(queues());
        all.add(histogram(Metric.JOB_QUEUE_WAIT_SECONDS, total -> total.event().equals("lease")));
        all.add(
                histogram(
                        Metric.JOB_ASSIGNED_SECONDS,
                        total -> total.from().equals("leased") && total.to().equals("running")));
        all.add(
                histogram(
                        Metric.JOB_EXECUTION_SECONDS,
                        total -> total.from().equals("running") && ENDED.contains(total.to())));
        all.add(subjectEvents());
        all.addAll(new ExecutionTotals(totals).snapshots());
        all.add(deliveries(Metric.WEBHOOK_DELIVERIES, total -> ended(total, "succeeded")));
        all.add(
                deliveries(
                        Metric.WEBHOOK_FAILURES,
                        total -> ended(total, "failed") || ended(total, "dead")));
        all.add(deliveries(Metric.WEBHOOK_RETRIES, StoredTotals::retried));
        all.add(
                gauge(Metric.WEBHOOKS_PENDING)
                        .dataPoint(
                                point(
                                        Labels.EMPTY,
                                        present(DELIVERIES, word -> !ENDED.contains(word))))
                        .build());
        return all;
    }

    private boolean queued(String queue, String word) {
        DoorItems items = words.items(queue);
        return items == null ? DoorItems.WAITS.contains(word) : items.queued(word);
    }

    private interface InState {
        boolean test(String queue, String word);
    }

    private static boolean entered(Total total, InState state) {
        return state.test(total.queue(), total.to()) && !state.test(total.queue(), total.from());
    }

    private static boolean ended(Total total, String how) {
        return total.to().equals(how) && !total.from().equals(how);
    }

    private static boolean retried(Total total) {
        return switch (total.event()) {
            case "retry", "reopen" -> true;
            case "fail", "expire", "time_out" -> DoorItems.WAITS.contains(total.to());
            default -> false;
        };
    }

    private MetricSnapshot byKind(Metric metric, Predicate<Total> wanted) {
        Map<String, Map<String, Long>> counts = new TreeMap<>();
        doors.forEach(door -> counts.put(door, new TreeMap<>()));
        for (Total total : totals) {
            Map<String, Long> ofDoor = counts.get(total.queue());
            if (ofDoor != null && wanted.test(total)) {
                ofDoor.merge(
                        kinds.contains(total.kind()) ? total.kind() : OTHER,
                        total.count(),
                        Long::sum);
            }
        }
        var snapshot = counter(metric);
        counts.forEach(
                (door, ofDoor) -> {
                    // A counter that is not there cannot be told from one that is broken.
                    if (ofDoor.isEmpty()) {
                        ofDoor.put("", 0L);
                    }
                    ofDoor.forEach(
                            (kind, count) ->
                                    snapshot.dataPoint(
                                            counted(
                                                    Labels.of("door", door, "work_kind", kind),
                                                    count)));
                });
        return snapshot.build();
    }

    private MetricSnapshot byDoor(Metric metric, Predicate<Total> wanted) {
        var snapshot = counter(metric);
        for (String door : doors) {
            snapshot.dataPoint(counted(Labels.of("door", door), sum(door, wanted)));
        }
        return snapshot.build();
    }

    /// Logs that no profile's items write to are those of subjects. What an engine told that this
    /// node does not have is shown as well: every node shows the same.
    private MetricSnapshot subjectEvents() {
        Map<String, Map<String, Long>> counts = new TreeMap<>();
        for (String log : subjects.logs()) {
            for (SubjectKind kind : subjects.of(log)) {
                var ofKind = counts.computeIfAbsent(kind.word(), _ -> new TreeMap<>());
                kind.events().forEach(event -> ofKind.put(event, 0L));
            }
        }
        for (Total total : totals) {
            if (!Profiles.LOGS.contains(total.queue()) && !total.event().equals(CountedKind.LEFT)) {
                counts.computeIfAbsent(CountedKind.read(total.kind()).kind(), _ -> new TreeMap<>())
                        .merge(total.event(), total.count(), Long::sum);
            }
        }
        var snapshot = counter(Metric.SUBJECT_EVENTS);
        counts.forEach(
                (kind, ofKind) ->
                        ofKind.forEach(
                                (event, count) ->
                                        snapshot.dataPoint(
                                                counted(
                                                        Labels.of("subject", kind, "event", event),
                                                        count))));
        return snapshot.build();
    }

    private MetricSnapshot deliveries(Metric metric, Predicate<Total> wanted) {
        return counter(metric).dataPoint(counted(Labels.EMPTY, sum(DELIVERIES, wanted))).build();
    }

    private long sum(String queue, Predicate<Total> wanted) {
        return totals.stream()
                .filter(total -> total.queue().equals(queue) && wanted.test(total))
                .mapToLong(Total::count)
                .sum();
    }

    private long present(String queue, Predicate<String> state) {
        long present = 0;
        for (Total total : totals) {
            if (total.queue().equals(queue)) {
                present += state.test(total.to()) ? total.count() : 0;
                present -= !total.from().isEmpty() && state.test(total.from()) ? total.count() : 0;
            }
        }
        return present;
    }

    private MetricSnapshot depth() {
        var snapshot = gauge(Metric.JOB_QUEUE_DEPTH);
        for (String door : doors) {
            snapshot.dataPoint(
                    point(Labels.of("door", door), present(door, word -> queued(door, word))));
        }
        return snapshot.build();
    }

    /// The names of all queues whose depth is shown.
    static List<String> queueNames() {
        return QUEUES.values().stream().flatMap(words -> words.values().stream()).toList();
    }

    /// What waits in each queue, in the words of the contract of runs where it has some.
    private MetricSnapshot queues() {
        Map<String, Long> waiting = new TreeMap<>();
        queueNames().forEach(queue -> waiting.put(queue, 0L));
        for (Total total : totals) {
            Map<String, String> ofLog = QUEUES.getOrDefault(total.queue(), Map.of());
            String queue = ofLog.getOrDefault(total.kind(), ofLog.get(""));
            if (queue != null) {
                long in = DoorItems.WAITS.contains(total.to()) ? total.count() : 0;
                long out = DoorItems.WAITS.contains(total.from()) ? total.count() : 0;
                waiting.merge(queue, in - out, Long::sum);
            }
        }
        var snapshot = gauge(Metric.WORK_QUEUE_DEPTH);
        waiting.forEach(
                (queue, depth) -> snapshot.dataPoint(point(Labels.of("queue", queue), depth)));
        return snapshot.build();
    }

    private MetricSnapshot present() {
        var snapshot = gauge(Metric.JOBS_PRESENT);
        for (String door : doors) {
            DoorItems items = words.items(door);
            Map<String, Predicate<String>> states = items == null ? Map.of() : items.open();
            states.forEach(
                    (name, state) ->
                            snapshot.dataPoint(
                                    point(
                                            Labels.of("door", door, "state", name),
                                            present(door, state))));
        }
        return snapshot.build();
    }

    private MetricSnapshot histogram(Metric metric, Predicate<Total> wanted) {
        var snapshot = HistogramSnapshot.builder().name(metric.family()).help(metric.help());
        List<Double> bounds = new ArrayList<>();
        Totals.BOUNDS_MS.forEach(bound -> bounds.add(bound / 1000.0));
        bounds.add(Double.POSITIVE_INFINITY);
        Map<String, Long[]> counts = new HashMap<>();
        Map<String, Long> millis = new HashMap<>();
        for (Total total : totals) {
            if (doors.contains(total.queue()) && total.bucket() >= 0 && wanted.test(total)) {
                Long[] ofDoor = counts.computeIfAbsent(total.queue(), _ -> zeros(bounds.size()));
                ofDoor[total.bucket()] += total.count();
                millis.merge(total.queue(), total.millis(), Long::sum);
            }
        }
        for (String door : doors) {
            List<Number> ofDoor =
                    new ArrayList<>(List.of(counts.getOrDefault(door, zeros(bounds.size()))));
            snapshot.dataPoint(
                    HistogramDataPointSnapshot.builder()
                            .labels(Labels.of("door", door))
                            .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, ofDoor))
                            .sum(millis.getOrDefault(door, 0L) / 1000.0)
                            .build());
        }
        return snapshot.build();
    }

    private static Long[] zeros(int many) {
        Long[] zeros = new Long[many];
        java.util.Arrays.fill(zeros, 0L);
        return zeros;
    }

    public static CounterSnapshot.Builder counter(Metric metric) {
        return CounterSnapshot.builder().name(metric.family()).help(metric.help());
    }

    public static GaugeSnapshot.Builder gauge(Metric metric) {
        return GaugeSnapshot.builder().name(metric.family()).help(metric.help());
    }

    public static CounterDataPointSnapshot counted(Labels labels, double value) {
        return CounterDataPointSnapshot.builder().labels(labels).value(value).build();
    }

    public static GaugeDataPointSnapshot point(Labels labels, double value) {
        return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
    }
}
