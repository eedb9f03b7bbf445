package io.orchestrion.tools;

import java.util.List;

/// A report as one file that a browser shows without anything beside it.
public final class Html {
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

    private Html() {}

    /// @param about a line under the title
    /// @param body HTML
    public static String page(String title, String about, String body) {
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>"
                + escaped(title)
                + "</title>\n<style>\n"
                + STYLE
                + "</style></head>\n<body>\n<h1>"
                + escaped(title)
                + "</h1>\n<p class=\"where\">"
                + escaped(about)
                + "</p>\n"
                + body
                + "</body></html>\n";
    }

    public static String heading(String text) {
        return "<h2>" + escaped(text) + "</h2>\n";
    }

    public static String paragraph(String text) {
        return "<p>" + escaped(text) + "</p>\n";
    }

    public static String table(List<String> heads, List<List<String>> rows) {
        var html = new StringBuilder("<table><tr>");
        heads.forEach(head -> html.append("<th>").append(escaped(head)).append("</th>"));
        html.append("</tr>\n");
        for (List<String> row : rows) {
            html.append("<tr>");
            for (String cell : row) {
                html.append(Columns.isNumber(cell) ? "<td class=\"n\">" : "<td>")
                        .append(escaped(cell))
                        .append("</td>");
            }
            html.append("</tr>\n");
        }
        return html.append("</table>\n").toString();
    }

    /// What others wrote, as text and nothing else.
    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
