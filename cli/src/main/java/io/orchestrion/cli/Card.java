package io.orchestrion.cli;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// One thing, with a line for each of its fields.
final class Card {
    private static final int KEY_WIDTH = 11;
    private static final int ONE_LINE_MAX = 70;

    private final Screen screen;
    private final Times times;
    private final int keyWidth;
    private final List<String> lines = new ArrayList<>();

    Card(String title, Invocation run) {
        this(title, run, KEY_WIDTH);
    }

    Card(String title, Invocation run, int keyWidth) {
        this.keyWidth = keyWidth;
        screen = run.screen();
        times = run.times();
        lines.add(screen.strong(title));
    }

    @Override
    public String toString() {
        return String.join("\n", lines);
    }

    void row(String key, String value) {
        lines.add("  " + screen.faint(Screen.padded(key, keyWidth)) + value);
    }

    void text(String key, @Nullable String value) {
        if (value != null) {
            row(key, Screen.clean(value));
        }
    }

    void time(String key, @Nullable Instant at) {
        if (at != null) {
            row(key, times.full(at));
        }
    }

    void json(String key, JsonNode node) {
        if (node.isMissingNode()) {
            return;
        }
        String compact = Screen.clean(node.toString());
        if (compact.length() <= ONE_LINE_MAX) {
            row(key, compact);
            return;
        }
        String indent = "\n" + " ".repeat(keyWidth + 2);
        row(
                key,
                node.toPrettyString()
                        .lines()
                        .map(Screen::clean)
                        .collect(Collectors.joining(indent)));
    }
}
