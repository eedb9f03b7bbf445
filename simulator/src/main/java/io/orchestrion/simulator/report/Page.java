package io.orchestrion.simulator.report;

import io.orchestrion.simulator.history.Observed.Downtime;
import io.orchestrion.simulator.history.Violation;
import io.orchestrion.simulator.report.Summary.Ends;
import io.orchestrion.simulator.report.Summary.Percentiles;
import io.orchestrion.tools.Bars;
import io.orchestrion.tools.Html;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A run as a page with charts.
final class Page {
    private static final String SUCCEEDED = "#3a9d5d";
    private static final String FAILED = "#cb4b16";
    private static final String CANCELED = "#9aa5b1";
    private static final int WIDTH = 880;
    private static final int HEIGHT = 160;
    private static final int SHOWN = 500;

    private final Summary summary;

    Page(Summary summary) {
        this.summary = summary;
    }

    String html() {
        int violations = summary.violations().size();
        return Html.page(
                violations == 0
                        ? "Simulation: everything was as it must be"
                        : "Simulation: " + Summary.number(violations) + " violations",
                summary.run().server() + ", " + summary.run().began() + ". " + summary.about(),
                violations()
                        + Html.heading("Jobs that ended, second by second")
                        + overTime()
                        + Html.heading("How jobs ended: succeeded, failed, canceled")
                        + ends()
                        + Html.heading("Milliseconds: p50, p95, p99")
                        + times()
                        + Html.heading("Kinds")
                        + Html.table(Summary.KIND_HEADS, summary.kindRows())
                        + Html.heading("Rules")
                        + Html.table(Summary.RULE_HEADS, summary.ruleRows()));
    }

    private String violations() {
        if (summary.violations().isEmpty()) {
            return "";
        }
        var rows = new ArrayList<List<String>>();
        for (Violation each : summary.violations().stream().limit(SHOWN).toList()) {
            rows.add(
                    List.of(
                            each.rule().name(),
                            each.job() == null ? "" : each.job().toString(),
                            each.what()));
        }
        return Html.heading("Violations")
                + Html.table(List.of("rule", "job", "what was seen"), rows);
    }

    /// With the times at which the server was down behind it.
    private String overTime() {
        List<Integer> counts = summary.endedEachSecond();
        double step = (double) WIDTH / counts.size();
        int most = Math.max(1, counts.stream().mapToInt(Integer::intValue).max().orElse(1));
        var svg =
                new StringBuilder(
                        String.format(
                                Locale.ROOT,
                                "<svg viewBox=\"0 0 %d %d\" role=\"img\">%n",
                                WIDTH,
                                HEIGHT + 20));
        for (Downtime down : summary.downtimes()) {
            double from = step * seconds(down.from());
            rect(svg, from, 0, step * seconds(down.until()) - from, HEIGHT, "#f6d5c8");
        }
        for (int i = 0; i < counts.size(); i++) {
            double height = (double) HEIGHT * counts.get(i) / most;
            rect(svg, i * step, HEIGHT - height, Math.max(0.5, step - 1), height, "#4292c6");
        }
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<text x=\"0\" y=\"%d\">0 s</text>%n"
                                + "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d s</text>%n"
                                + "<text x=\"0\" y=\"12\">%,d a second</text>%n",
                        HEIGHT + 16,
                        WIDTH,
                        HEIGHT + 16,
                        counts.size(),
                        most));
        return svg.append("</svg>\n").toString();
    }

    private double seconds(Instant at) {
        return Duration.between(summary.run().began(), at).toMillis() / 1000.0;
    }

    private static void rect(
            StringBuilder svg, double x, double y, double width, double height, String colour) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\""
                                + " fill=\"%s\"/>%n",
                        x,
                        y,
                        width,
                        height,
                        colour));
    }

    private String ends() {
        int most =
                Math.max(1, summary.kinds().values().stream().mapToInt(Ends::jobs).max().orElse(1));
        var bars = new Bars();
        summary.kinds()
                .forEach(
                        (kind, ends) -> {
                            double one = (double) Bars.WIDTH / most;
                            double succeeded = one * ends.succeeded();
                            double failed = one * ends.failed();
                            double canceled = one * ends.canceled();
                            bars.line(kind)
                                    .bar(0, succeeded, SUCCEEDED)
                                    .bar(succeeded, failed, FAILED)
                                    .bar(succeeded + failed, canceled, CANCELED)
                                    .figure(
                                            succeeded + failed + canceled,
                                            Summary.number(ends.jobs()));
                        });
        return bars.svg();
    }

    private String times() {
        var bars = new Bars();
        line(bars, "queued to assigned", summary.waits());
        line(bars, "a job's time to queued", summary.late());
        return bars.svg();
    }

    /// On a logarithmic scale, from a millisecond to a hundred seconds; the longest first, so that
    /// the shorter lie upon it.
    private static void line(Bars bars, String name, Percentiles times) {
        bars.line(name)
                .bar(0, logarithmic(times.p99()), "#08519c")
                .bar(0, logarithmic(times.p95()), "#4292c6")
                .bar(0, logarithmic(times.p50()), "#9ecae1")
                .figure(
                        logarithmic(times.p99()),
                        times.p50() + " / " + times.p95() + " / " + times.p99());
    }

    private static double logarithmic(long millis) {
        return Bars.WIDTH * Math.clamp(Math.log10(Math.max(millis, 1)) / 5, 0.005, 1);
    }
}
