package io.orchestrion.bench.report;

import io.orchestrion.bench.load.Latencies.Percentiles;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/// A report as one file that a browser shows without anything beside it.
final class Page {
    private static final String STYLE =
            """
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem;
                   padding: 0 1rem; color: #1d2733; background: #fff; }
            h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
            table { border-collapse: collapse; font-size: 13px; width: 100%; }
            th, td { padding: .25rem .6rem; border-bottom: 1px solid #dde3ea; text-align: left; }
            td.n { text-align: right; font-variant-numeric: tabular-nums; }
            p.where { color: #5b6876; } svg { max-width: 100%; height: auto; }
            svg text { font: 12px system-ui, sans-serif; fill: #1d2733; }
            """;

    private static final List<String> SHADES = List.of("#9ecae1", "#4292c6", "#08519c", "#cb4b16");
    private static final int LABELS = 300;
    private static final int BARS = 460;
    private static final int LINE = 24;

    private final Report report;

    Page(Report report) {
        this.report = report;
    }

    String html() {
        Surroundings where = report.surroundings();
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<title>Orchestrion, measured</title>\n<style>\n"
                + STYLE
                + "</style></head>\n<body>\n<h1>Orchestrion, measured</h1>\n<p class=\"where\">"
                + escaped(
                        String.format(
                                Locale.ROOT,
                                "Version %s on %s, %d processors, %,d MB; Java %s; PostgreSQL %s,"
                                        + " %s; %s. Load generator, servers and database share the"
                                        + " machine.",
                                where.version(),
                                where.system(),
                                where.processors(),
                                where.memoryMegabytes(),
                                where.java(),
                                where.postgres(),
                                where.durable(),
                                where.at()))
                + "</p>\n<h2>Life cycles a second</h2>\n"
                + paces()
                + "<h2>Pace</h2>\n"
                + table(Table.paces(report))
                + "<h2>Milliseconds until the answer: p50, p95, p99, p99.9</h2>\n"
                + latencies()
                + table(Table.latencies(report))
                + "<h2>What one takes: processor time, log, memory</h2>\n"
                + table(Table.costs(report))
                + "</body></html>\n";
    }

    private String paces() {
        List<Result> lives =
                report.results().stream()
                        .filter(each -> each.unit().equals(Result.LIFE_CYCLES))
                        .toList();
        double most = lives.stream().mapToDouble(Result::perSecond).max().orElse(1);
        var svg = new StringBuilder(opening(lives.size()));
        for (int i = 0; i < lives.size(); i++) {
            Result each = lives.get(i);
            boolean reference = each.scenario().equals(Table.REFERENCE);
            svg.append(label(i, each.scenario() + ": " + each.row()))
                    .append(
                            bar(
                                    i * LINE + 4,
                                    LINE - 8,
                                    BARS * each.perSecond() / most,
                                    reference ? "#b8c2cc" : SHADES.get(1)))
                    .append(
                            String.format(
                                    Locale.ROOT,
                                    "<text x=\"%.0f\" y=\"%d\">%,.0f</text>%n",
                                    LABELS + 8 + BARS * each.perSecond() / most,
                                    i * LINE + 16,
                                    each.perSecond()));
        }
        return svg.append("</svg>\n").toString();
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
        var svg = new StringBuilder(opening(lines.size()));
        int i = 0;
        for (var line : lines.entrySet()) {
            Percentiles times = line.getValue();
            svg.append(label(i, line.getKey()));
            // The longest first, so that the shorter lie upon it.
            for (int part = parts.size() - 1; part >= 0; part--) {
                svg.append(
                        bar(
                                i * LINE + 4,
                                LINE - 8,
                                logarithmic(parts.get(part).applyAsDouble(times)),
                                SHADES.get(part)));
            }
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<text x=\"%.0f\" y=\"%d\">%.1f / %.1f</text>%n",
                            LABELS + 8 + logarithmic(times.p999()),
                            i * LINE + 16,
                            times.p50(),
                            times.p99()));
            i++;
        }
        return svg.append("</svg>\n").toString();
    }

    /// From a tenth of a millisecond to ten seconds.
    private static double logarithmic(double millis) {
        return BARS * Math.clamp((Math.log10(Math.max(millis, 0.1)) + 1) / 5, 0.005, 1);
    }

    private static String opening(int lines) {
        return String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\">%n",
                LABELS + BARS + 120,
                lines * LINE + 4);
    }

    private static String label(int line, String text) {
        return String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
                LABELS - 6,
                line * LINE + 16,
                escaped(text));
    }

    private static String bar(int y, int height, double width, String colour) {
        return String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                LABELS,
                y,
                width,
                height,
                colour);
    }

    private static String table(Table table) {
        var html = new StringBuilder("<table><tr>");
        table.heads().forEach(head -> html.append("<th>").append(escaped(head)).append("</th>"));
        html.append("</tr>\n");
        for (List<String> row : table.rows()) {
            html.append("<tr>");
            for (String cell : row) {
                html.append(Table.isNumber(cell) ? "<td class=\"n\">" : "<td>")
                        .append(escaped(cell))
                        .append("</td>");
            }
            html.append("</tr>\n");
        }
        return html.append("</table>\n").toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
