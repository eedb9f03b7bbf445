package io.orchestrion.tools;

import java.util.List;

/// Rows in columns of equal width for a terminal, numbers to the right.
///
/// @param leading how many columns stand to the left whatever is in them
public record Columns(List<String> heads, List<List<String>> rows, int leading) {
    public Columns {
        heads = List.copyOf(heads);
        rows = List.copyOf(rows);
    }

    public String text() {
        int[] widths = new int[heads.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] =
                    Math.max(
                            heads.get(i).length(),
                            rows.stream()
                                    .mapToInt(row -> row.get(column).length())
                                    .max()
                                    .orElse(0));
        }
        var text = new StringBuilder();
        line(text, heads, widths);
        rows.forEach(row -> line(text, row, widths));
        return text.toString();
    }

    private void line(StringBuilder text, List<String> cells, int[] widths) {
        var line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            String pad = " ".repeat(widths[i] - cell.length());
            boolean left = i < leading || !isNumber(cell);
            line.append(i == 0 ? "" : "  ").append(left ? cell + pad : pad + cell);
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    static boolean isNumber(String cell) {
        return cell.matches("[0-9][0-9.,]*");
    }
}
