package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.Fields;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/// Reads ids of steps, and where ways lead.
final class RouteReader {
    static final Pattern STEP_ID =
            Pattern.compile(
                    "[A-Za-z][A-Za-z0-9_-]{0," + (DefinitionLimits.STEP_ID_CHARACTERS - 1) + "}");

    private static final String HINT = "Use a letter, and then up to 99 letters, digits, _ or -.";

    private RouteReader() {}

    /// Null after a finding, or without the field.
    static @Nullable Route read(Fields fields, String name) {
        String target = fields.text(name, DefinitionLimits.STEP_ID_CHARACTERS);
        if (target == null) {
            return null;
        }
        if (!STEP_ID.matcher(target).matches()) {
            fields.invalid(name, "is no id of a step", HINT);
            return null;
        }
        return Route.to(target);
    }

    static Route orTerminal(Fields fields, String name) {
        Route route = read(fields, name);
        return route == null ? Route.TERMINAL : route;
    }

    /// The id of a step that is declared or named.
    static @Nullable String stepId(Fields fields, String name) {
        String id = fields.text(name, DefinitionLimits.STEP_ID_CHARACTERS);
        if (id == null) {
            return null;
        }
        if (!STEP_ID.matcher(id).matches()) {
            fields.invalid(name, "is no id of a step", HINT);
            return null;
        }
        if (id.equals(Route.TERMINAL_WORD)) {
            fields.invalid(name, "is the word for the end", "Use another id.");
            return null;
        }
        return id;
    }
}
