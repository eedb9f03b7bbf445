package io.orchestrion.server.observe;

import io.orchestrion.kernel.events.CountedKind;
import io.orchestrion.kernel.totals.Total;
import io.orchestrion.kernel.totals.Totals;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/// The totals of what engines told of their subjects, with the word that each is counted under.
public final class SubjectCounts {
    /// @param counted the word beside the kind
    public record Told(String kind, String counted, Total total) {
        static Told of(Total total) {
            CountedKind kind = CountedKind.read(total.kind());
            return new Told(kind.kind(), kind.word(), total);
        }

        public boolean is(String kindOfSubject, String event) {
            return kind.equals(kindOfSubject) && total.event().equals(event);
        }
    }

    private final List<Told> all;

    public SubjectCounts(List<Total> totals) {
        all = totals.stream().map(Told::of).toList();
    }

    /// Those that are wanted.
    public List<Told> of(Predicate<Told> wanted) {
        return all.stream().filter(wanted).toList();
    }

    /// How often that happened to subjects of the kind.
    public long count(String kind, String event) {
        return of(told -> told.is(kind, event)).stream()
                .mapToLong(told -> told.total().count())
                .sum();
    }

    /// The sum of the amounts of these events.
    public long amount(String kind, String event) {
        return of(told -> told.is(kind, event)).stream()
                .mapToLong(told -> told.total().millis())
                .reduce(0, SubjectCounts::bounded);
    }

    private static long bounded(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    public Map<String, Long> counts(Predicate<Told> wanted, Function<Told, String> by) {
        var counts = new TreeMap<String, Long>();
        for (Told told : of(wanted)) {
            counts.merge(by.apply(told), told.total().count(), Long::sum);
        }
        return counts;
    }

    /// How many subjects of the kind are in the state: what entered it less what left it.
    ///
    /// @param wanted which of them
    public long present(String kind, Predicate<Told> wanted, String state) {
        long present = 0;
        for (Told told : of(each -> each.kind().equals(kind) && wanted.test(each))) {
            present += told.total().to().equals(state) ? told.total().count() : 0;
            present -= told.total().from().equals(state) ? told.total().count() : 0;
        }
        return present;
    }

    /// How long the states that ended had lasted.
    ///
    /// @param bounds in seconds, the last one endless
    /// @param counts for each of the bounds
    public record Durations(List<Double> bounds, List<Long> counts, double seconds) {
        /// As a scrape has it.
        public HistogramDataPointSnapshot point(Labels labels) {
            return HistogramDataPointSnapshot.builder()
                    .labels(labels)
                    .classicHistogramBuckets(
                            ClassicHistogramBuckets.of(bounds, List.<Number>copyOf(counts)))
                    .sum(seconds)
                    .build();
        }
    }

    public Durations durations(Predicate<Told> wanted) {
        List<Double> bounds = new ArrayList<>();
        Totals.BOUNDS_MS.forEach(bound -> bounds.add(bound / MILLIS));
        bounds.add(Double.POSITIVE_INFINITY);
        List<Long> counts = new ArrayList<>(Collections.nCopies(bounds.size(), 0L));
        long millis = 0;
        for (Told told : of(each -> each.total().bucket() >= 0 && wanted.test(each))) {
            int bucket = told.total().bucket();
            counts.set(bucket, counts.get(bucket) + told.total().count());
            millis += told.total().millis();
        }
        return new Durations(bounds, counts, millis / MILLIS);
    }

    private static final double MILLIS = 1000.0;
}
