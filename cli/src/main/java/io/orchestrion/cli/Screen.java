package io.orchestrion.cli;

import io.orchestrion.sdk.JobEventLevel;
import io.orchestrion.sdk.JobState;
import io.orchestrion.sdk.JobStatus;
import io.orchestrion.sdk.TaskStatus;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Text for people: colours where they show, columns in line, nothing that could steer a terminal.
record Screen(boolean colour) {
    String strong(String text) {
        return coded("1", text);
    }

    String faint(String text) {
        return coded("2", text);
    }

    String status(TaskStatus status, String text) {
        return coded(
                switch (status) {
                    case PENDING -> "33";
                    case CLAIMED -> "36";
                    case COMPLETED -> "32";
                    case DEAD_LETTER, FAILED -> "31";
                    case CANCELLED, UNKNOWN -> "2";
                },
                text);
    }

    String status(JobStatus status, String text) {
        return coded(
                switch (status) {
                    case QUEUED -> "33";
                    case RUNNING -> "36";
                    case SUCCEEDED -> "32";
                    case FAILED, DEAD_LETTER -> "31";
                    case CANCELLED, UNKNOWN -> "2";
                },
                text);
    }

    String state(JobState state, String text) {
        return coded(
                switch (state) {
                    case CREATED, QUEUED -> "33";
                    case ASSIGNED, RUNNING -> "36";
                    case SUCCEEDED -> "32";
                    case FAILED -> "31";
                    case CANCELED, UNKNOWN -> "2";
                },
                text);
    }

    /// How something stands, in the server's word for it; other words stay as they are.
    String ending(String state, String text) {
        return switch (state) {
            case "delivered",
                    "active",
                    "finished",
                    "fired",
                    "created",
                    "completed",
                    "ok",
                    "succeeded",
                    "approved",
                    "published" ->
                    coded("32", text);
            case "failed",
                    "error",
                    "dead_letter",
                    "dead_lettered",
                    "lease_expired",
                    "timed_out",
                    "rejected",
                    "open" ->
                    coded("31", text);
            case "paused",
                    "pending",
                    "running",
                    "skipped",
                    "missed",
                    "retry_scheduled",
                    "waiting_approval",
                    "awaiting_approval",
                    "retrying",
                    "draft" ->
                    coded("33", text);
            case "claimed" -> coded("36", text);
            case "cancelled", "canceled", "ended", "delivering", "deprecated", "expired" ->
                    coded("2", text);
            default -> text;
        };
    }

    String level(JobEventLevel level, String text) {
        return switch (level) {
            case DEBUG -> faint(text);
            case INFO -> text;
            case WARN -> coded("33", text);
            case ERROR -> coded("31", text);
        };
    }

    private String coded(String code, String text) {
        return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    /// Text of others on one line, without control and direction characters.
    static String clean(String text) {
        var clean = new StringBuilder();
        text.codePoints()
                .map(
                        c ->
                                switch (Character.getType(c)) {
                                    case Character.CONTROL,
                                            Character.FORMAT,
                                            Character.SURROGATE,
                                            Character.LINE_SEPARATOR,
                                            Character.PARAGRAPH_SEPARATOR ->
                                            c == '\n' || c == '\t' ? ' ' : 0xFFFD;
                                    default -> c;
                                })
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    static String shortened(String text, int max) {
        return text.codePointCount(0, text.length()) <= max
                ? text
                : text.substring(0, text.offsetByCodePoints(0, max - 1)) + "…";
    }

    static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.codePointCount(0, text.length())));
    }

    /// Rows below each other in columns, the first as their heads.
    String table(List<List<String>> rows) {
        List<Integer> widths = widths(List.of(), rows);
        var lines = new ArrayList<String>();
        for (List<String> row : rows) {
            String line = line(row, widths);
            lines.add(lines.isEmpty() ? strong(line) : line);
        }
        return String.join("\n", lines);
    }

    /// Names and values below each other, a little to the right.
    static String indented(List<List<String>> rows) {
        List<Integer> widths = widths(List.of(), rows);
        return rows.stream().map(row -> "  " + line(row, widths)).collect(Collectors.joining("\n"));
    }

    /// One row in its columns.
    static String line(List<String> row, List<Integer> widths) {
        var line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            line.append(i == 0 ? "" : "  ").append(padded(row.get(i), widths.get(i)));
        }
        return line.toString().stripTrailing();
    }

    /// The width each column needs, given what it already has.
    static List<Integer> widths(List<Integer> before, List<List<String>> rows) {
        var widths = new ArrayList<>(before);
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                int needed = row.get(i).codePointCount(0, row.get(i).length());
                if (i == widths.size()) {
                    widths.add(needed);
                } else {
                    widths.set(i, Math.max(widths.get(i), needed));
                }
            }
        }
        return widths;
    }
}
