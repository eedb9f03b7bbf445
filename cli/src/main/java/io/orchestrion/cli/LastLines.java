package io.orchestrion.cli;

import java.util.ArrayDeque;

/// The last lines of a program's output, which show why it failed.
final class LastLines {
    private static final int MOST = 20;

    private final ArrayDeque<String> lines = new ArrayDeque<>();

    synchronized void add(String line) {
        if (line.isBlank()) {
            return;
        }
        if (lines.size() == MOST) {
            lines.removeFirst();
        }
        lines.add(line);
    }

    synchronized boolean isEmpty() {
        return lines.isEmpty();
    }

    /// The last characters of it, from the beginning of a line where that is possible.
    synchronized String within(int characters) {
        var text = new StringBuilder();
        for (String line : (Iterable<String>) lines::descendingIterator) {
            if (text.isEmpty()) {
                text.append(Screen.shortened(line, characters));
            } else if (text.length() + line.length() < characters) {
                text.insert(0, line + "\n");
            } else {
                break;
            }
        }
        return text.toString();
    }
}
