package io.orchestrion.bench.load;

import org.HdrHistogram.Histogram;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// How long answers took, verb by verb. Not for several threads at once: each worker has its own.
public final class Latencies {
    private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(5);
    private static final int DIGITS = 3;

    private final Map<String, Histogram> byVerb = new TreeMap<>();

    /// Notes an answer that has just come.
    ///
    /// @param sinceNanos when the request went out, or when it should have
    public void record(String verb, long sinceNanos) {
        long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - sinceNanos);
        histogram(verb).recordValue(Math.clamp(micros, 0, HIGHEST_MICROS));
    }

    void add(Latencies other) {
        other.byVerb.forEach((verb, histogram) -> histogram(verb).add(histogram));
    }

    void forget() {
        byVerb.values().forEach(Histogram::reset);
    }

    private Histogram histogram(String verb) {
        return byVerb.computeIfAbsent(verb, _ -> new Histogram(HIGHEST_MICROS, DIGITS));
    }

    /// Milliseconds, by verb.
    public Map<String, Percentiles> percentiles() {
        var all = new TreeMap<String, Percentiles>();
        byVerb.forEach(
                (verb, histogram) -> {
                    if (histogram.getTotalCount() > 0) {
                        all.put(verb, Percentiles.of(histogram));
                    }
                });
        return all;
    }

    /// Of a verb of which there was at least one answer.
    public Percentiles of(String verb) {
        Percentiles times = percentiles().get(verb);
        if (times == null) {
            throw new IllegalStateException("no " + verb + " was answered in the window");
        }
        return times;
    }

    /// In milliseconds.
    public record Percentiles(
            long count, double p50, double p95, double p99, double p999, double max) {
        static Percentiles of(Histogram micros) {
            return new Percentiles(
                    micros.getTotalCount(),
                    micros.getValueAtPercentile(50) / 1000.0,
                    micros.getValueAtPercentile(95) / 1000.0,
                    micros.getValueAtPercentile(99) / 1000.0,
                    micros.getValueAtPercentile(99.9) / 1000.0,
                    micros.getMaxValue() / 1000.0);
        }
    }
}
