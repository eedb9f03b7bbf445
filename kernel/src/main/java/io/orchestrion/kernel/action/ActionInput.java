package io.orchestrion.kernel.action;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.UUID;

/// The input of a call, field by field. Each method refuses what does not fit with a sentence that
/// names the field.
public record ActionInput(JsonNode json) {
    private static final int WORD_MAX = 200;

    public UUID id(String name) {
        try {
            return UUID.fromString(required(name));
        } catch (IllegalArgumentException e) {
            throw new BadActionInput(name + " must be an id");
        }
    }

    public String required(String name) {
        String text = text(name, true);
        if (text == null || text.isBlank()) {
            throw new BadActionInput(name + " must not be empty");
        }
        return text;
    }

    public @Nullable String optional(String name) {
        return text(name, false);
    }

    public @Nullable Integer wholeNumber(String name) {
        JsonNode value = json.get(name);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isInt()) {
            throw new BadActionInput(name + " must be a whole number");
        }
        return value.asInt();
    }

    /// Any JSON, as text; null where there is none.
    public @Nullable String document(String name) {
        JsonNode value = json.get(name);
        return value == null || value.isNull() ? null : value.toString();
    }

    private @Nullable String text(String name, boolean required) {
        JsonNode value = json.get(name);
        boolean missing = value == null || value.isNull();
        if (missing && !required) {
            return null;
        }
        if (missing || !value.isString() || value.asString().length() > WORD_MAX) {
            throw new BadActionInput(name + " must be text of at most " + WORD_MAX + " characters");
        }
        return value.asString();
    }
}
