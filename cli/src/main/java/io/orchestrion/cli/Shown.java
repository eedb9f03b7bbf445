package io.orchestrion.cli;

import io.orchestrion.sdk.Page;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Shows an answer of the server to people, whatever it is about: as a card with all its fields, or
/// as a line of a table.
final class Shown {
    private static final int CELL_MAX = 60;

    private Shown() {}

    /// Everything that is not null, a line each.
    static String card(String title, JsonNode thing, Invocation run) {
        int width = 0;
        for (Map.Entry<String, JsonNode> field : thing.properties()) {
            width = Math.max(width, words(field.getKey()).length() + 2);
        }
        var card = new Card(title, run, width);
        for (Map.Entry<String, JsonNode> field : thing.properties()) {
            row(card, words(field.getKey()), field.getValue(), run);
        }
        return card.toString();
    }

    private static void row(Card card, String key, JsonNode value, Invocation run) {
        Instant time = time(value);
        if (time != null) {
            card.time(key, time);
        } else if (value.isString()) {
            card.row(key, run.screen().ending(value.asString(), cell(value, run)));
        } else if (value.isArray() || value.isObject()) {
            if (!value.isEmpty()) {
                card.json(key, value);
            }
        } else if (!value.isNull()) {
            card.row(key, value.toString());
        }
    }

    /// `nextFireAt` and `next_fire_at` are `next fire at`.
    private static String words(String name) {
        return name.replaceAll("([a-z])([A-Z])", "$1 $2")
                .replace('_', ' ')
                .toLowerCase(Locale.ROOT);
    }

    /// @param columns each a head, and the field that is below it: `TASK=task.type`
    static PagedTable<JsonNode> table(Invocation run, String... columns) {
        var heads = new ArrayList<String>();
        var paths = new ArrayList<String>();
        for (String column : columns) {
            int middle = column.indexOf('=');
            heads.add(column.substring(0, middle));
            paths.add("/" + column.substring(middle + 1).replace('.', '/'));
        }
        Screen screen = run.screen();
        return new PagedTable<>(
                run,
                heads,
                thing -> {
                    var cells = new ArrayList<String>();
                    for (String path : paths) {
                        cells.add(Screen.shortened(cell(thing.at(path), run), CELL_MAX));
                    }
                    return cells;
                },
                (thing, text) -> screen.ending(text.strip(), text));
    }

    private static String cell(JsonNode value, Invocation run) {
        if (value.isNull() || value.isMissingNode()) {
            return "";
        }
        Instant time = time(value);
        if (time != null) {
            return run.times().relative(time);
        }
        return Screen.clean(value.isString() ? value.asString() : value.toString());
    }

    private static @Nullable Instant time(JsonNode value) {
        if (!value.isString() || !value.asString().endsWith("Z")) {
            return null;
        }
        try {
            return Instant.parse(value.asString());
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /// The options that every list has.
    static ClientCommand paged(ClientCommand command) {
        return command.option("--limit", "N", Integer.class, "How many on a page.")
                .flag("--all", "Every page, not only the first.");
    }

    /// The pages of a list, one or all of them.
    ///
    /// @param fetch the page of this length at a cursor; both may be null
    static <T> void pages(
            Invocation run,
            PagedTable<JsonNode> table,
            BiFunction<@Nullable Integer, @Nullable String, Page<T>> fetch,
            Function<T, JsonNode> json,
            String none) {
        Integer limit = run.value("--limit");
        table.pages(
                cursor -> fetch.apply(limit, cursor),
                page -> page.items().stream().map(json).toList(),
                Page::nextCursor,
                none);
    }

    /// All things of one answer.
    static void all(
            Invocation run, PagedTable<JsonNode> table, List<JsonNode> things, String none) {
        table.print(things);
        table.end(false, none);
    }
}
