package io.orchestrion.bench.report;

import io.orchestrion.bench.load.Latencies.Percentiles;
import io.orchestrion.tools.Bars;
import io.orchestrion.tools.Html;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/// A report as one file that a browser shows without anything beside it.
final class Page {
    private static final List<String> SHADES = List.of("#9ecae1", "#4292c6", "#08519c", "#cb4b16");

    private final Report report;

    Page(Report report) {
        this.report = report;
    }

    String html() {
        Surroundings where = report.surroundings();
        return Html.page(
                "Orchestrion, measured",
                String.format(
                        Locale.ROOT,
                        "Version %s on %s, %d processors, %,d MB; Java %s; PostgreSQL %s, %s; %s."
                                + " Load generator, servers and database share the machine.",
                        where.version(),
                        where.system(),
                        where.processors(),
                        where.memoryMegabytes(),
                        where.java(),
                        where.postgres(),
                        where.durable(),
                        where.at()),
                Html.heading("Life cycles a second")
                        + paces()
                        + Html.heading("Pace")
                        + table(Table.paces(report))
                        + Html.heading("Milliseconds until the answer: p50, p95, p99, p99.9")
                        + latencies()
                        + table(Table.latencies(report))
                        + Html.heading("What one takes: processor time, log, memory")
                        + table(Table.costs(report)));
    }

    private static String table(Table table) {
        return Html.table(table.heads(), table.rows());
    }

    private String paces() {
        List<Result> lives =
                report.results().stream()
                        .filter(each -> each.unit().equals(Result.LIFE_CYCLES))
                        .toList();
        double most = lives.stream().mapToDouble(Result::perSecond).max().orElse(1);
        var bars = new Bars();
        for (Result each : lives) {
            boolean reference = each.scenario().equals(Table.REFERENCE);
            double width = Bars.WIDTH * each.perSecond() / most;
            bars.line(each.scenario() + ": " + each.row())
                    .bar(0, width, reference ? "#b8c2cc" : SHADES.get(1))
                    .figure(width, String.format(Locale.ROOT, "%,.0f", each.perSecond()));
        }
        return bars.svg();
    }

    /// On a logarithmic scale, as the slowest thousandth is far from the middle.
    private String latencies() {
        Map<String, Percentiles> lines = new TreeMap<>();
        for (Result each : report.results()) {
            each.latencies()
                    .forEach(
                            (verb, times) ->
                                    lines.put(
                                            each.scenario() + ": " + each.row() + ", " + verb,
                                            times));
        }
        List<ToDoubleFunction<Percentiles>> parts =
                List.of(Percentiles::p50, Percentiles::p95, Percentiles::p99, Percentiles::p999);
        var bars = new Bars();
        lines.forEach(
                (name, times) -> {
                    bars.line(name);
                    // The longest first, so that the shorter lie upon it.
                    for (int part = parts.size() - 1; part >= 0; part--) {
                        double millis = parts.get(part).applyAsDouble(times);
                        bars.bar(0, logarithmic(millis), SHADES.get(part));
                    }
                    bars.figure(
                            logarithmic(times.p999()),
                            String.format(Locale.ROOT, "%.1f / %.1f", times.p50(), times.p99()));
                });
        return bars.svg();
    }

    /// From a tenth of a millisecond to ten seconds.
    private static double logarithmic(double millis) {
        return Bars.WIDTH * Math.clamp((Math.log10(Math.max(millis, 0.1)) + 1) / 5, 0.005, 1);
    }
}
