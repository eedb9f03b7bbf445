package io.orchestrion.bench.report;

import io.orchestrion.bench.load.Latencies.Percentiles;
import io.orchestrion.tools.Columns;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A report as columns, for a terminal and for a page.
public final class Table {
    /// By which other figures are divided, when it was measured.
    public static final String REFERENCE = "sql";

    public static final String ONE_ROW = "one row a statement";
    public static final String MANY_ROWS = "500 rows a statement";

    private final List<String> heads;
    private final List<List<String>> rows;

    private Table(List<String> heads, List<List<String>> rows) {
        this.heads = heads;
        this.rows = rows;
    }

    public List<String> heads() {
        return heads;
    }

    public List<List<String>> rows() {
        return rows;
    }

    /// How fast, and how that compares with plain SQL.
    public static Table paces(Report report) {
        Double one = report.pace(REFERENCE, ONE_ROW);
        Double many = report.pace(REFERENCE, MANY_ROWS);
        var rows = new ArrayList<List<String>>();
        for (Result each : report.results()) {
            boolean lives = each.unit().equals(Result.LIFE_CYCLES);
            rows.add(
                    List.of(
                            each.scenario(),
                            each.row(),
                            pace(each.perSecond()),
                            each.unit(),
                            lives ? ratio(each.perSecond(), one) : "",
                            lives ? ratio(each.perSecond(), many) : "",
                            figures(each)));
        }
        return new Table(
                List.of(
                        "scenario",
                        "of it",
                        "pace",
                        "unit",
                        "x 1-row SQL",
                        "x 500-row SQL",
                        "also"),
                rows);
    }

    /// Milliseconds until the answer, verb by verb.
    public static Table latencies(Report report) {
        var rows = new ArrayList<List<String>>();
        for (Result each : report.results()) {
            each.latencies().forEach((verb, times) -> rows.add(latency(each, verb, times)));
        }
        return new Table(
                List.of("scenario", "of it", "verb", "p50 ms", "p95", "p99", "p99.9", "max"), rows);
    }

    private static List<String> latency(Result result, String verb, Percentiles times) {
        return List.of(
                result.scenario(),
                result.row(),
                verb,
                millis(times.p50()),
                millis(times.p95()),
                millis(times.p99()),
                millis(times.p999()),
                millis(times.max()));
    }

    /// What one life cycle, renewal or whatever is counted takes of the machine.
    public static Table costs(Report report) {
        var rows = new ArrayList<List<String>>();
        for (Result each : report.results()) {
            if (each.cost() != null) {
                rows.add(
                        List.of(
                                each.scenario(),
                                each.row(),
                                whole(each.cost().serverMicros()),
                                whole(each.cost().databaseMicros()),
                                whole(each.cost().clientMicros()),
                                whole(each.cost().walBytes()),
                                whole(each.cost().serverMegabytes()),
                                whole(each.cost().databaseMegabytes())));
            }
        }
        return new Table(
                List.of(
                        "scenario",
                        "of it",
                        "server us",
                        "database us",
                        "client us",
                        "log bytes",
                        "server MB",
                        "database MB"),
                rows);
    }

    private static String figures(Result result) {
        var text = new StringBuilder();
        result.figures()
                .forEach(
                        (name, value) ->
                                text.append(text.isEmpty() ? "" : ", ")
                                        .append(name)
                                        .append(' ')
                                        .append(String.format(Locale.ROOT, "%.2f", value)));
        return text.toString();
    }

    private static String pace(double perSecond) {
        return perSecond < 10 ? String.format(Locale.ROOT, "%.2f", perSecond) : whole(perSecond);
    }

    private static String whole(double number) {
        return Double.isNaN(number) ? "?" : String.format(Locale.ROOT, "%,.0f", number);
    }

    private static String millis(double time) {
        return String.format(Locale.ROOT, time < 10 ? "%.2f" : "%.1f", time);
    }

    private static String ratio(double pace, @Nullable Double reference) {
        return reference == null ? "" : String.format(Locale.ROOT, "%.2f", pace / reference);
    }

    public String text() {
        return new Columns(heads, rows, 2).text();
    }
}
