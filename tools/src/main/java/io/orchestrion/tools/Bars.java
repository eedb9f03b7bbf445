package io.orchestrion.tools;

import java.util.Locale;

/// Horizontal bars below each other with their names to the left, as an SVG.
public final class Bars {
    private static final int LABELS = 300;
    private static final int LINE = 24;

    /// The room that the longest bar has.
    public static final int WIDTH = 460;

    private final StringBuilder svg = new StringBuilder();
    private int lines;

    /// Begins a line.
    public Bars line(String name) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
                        LABELS - 6,
                        lines * LINE + 16,
                        Html.escaped(name)));
        lines++;
        return this;
    }

    /// A bar in the line that was begun last, over what is there already.
    public Bars bar(double from, double width, String colour) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                        LABELS + from,
                        (lines - 1) * LINE + 4,
                        width,
                        LINE - 8,
                        colour));
        return this;
    }

    /// Words behind a bar of that width.
    public Bars figure(double behind, String text) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<text x=\"%.0f\" y=\"%d\">%s</text>%n",
                        LABELS + 8 + behind,
                        (lines - 1) * LINE + 16,
                        Html.escaped(text)));
        return this;
    }

    public String svg() {
        return String.format(
                        Locale.ROOT,
                        "<svg viewBox=\"0 0 %d %d\" role=\"img\">%n",
                        LABELS + WIDTH + 120,
                        lines * LINE + 4)
                + svg
                + "</svg>\n";
    }
}
