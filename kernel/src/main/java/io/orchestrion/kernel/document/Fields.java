package io.orchestrion.kernel.document;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// The fields of one object of a document. What does not fit becomes a finding, and the caller gets
/// something harmless in its place.
public final class Fields {
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
    private static final Pattern PLAIN = Pattern.compile("[a-z_]{1,40}");
    private static final int SHOWN_MAX = 40;

    private final JsonNode object;
    private final String pointer;
    private final Findings findings;

    public Fields(JsonNode object, String pointer, Findings findings) {
        this.object = object.isObject() ? object : JsonNodeFactory.instance.objectNode();
        this.pointer = pointer;
        this.findings = findings;
        if (!object.isObject()) {
            findings.add(
                    DocumentCode.WRONG_TYPE, pointer, "It is not an object.", "Write an object.");
        }
    }

    public Findings findings() {
        return findings;
    }

    public String pointer() {
        return pointer;
    }

    public String at(String name) {
        return Pointers.child(pointer, name);
    }

    public boolean has(String name) {
        return object.has(name);
    }

    public @Nullable JsonNode get(String name) {
        return object.get(name);
    }

    public Collection<String> names() {
        return object.propertyNames();
    }

    public void only(Set<String> known) {
        for (String name : object.propertyNames()) {
            if (!known.contains(name)) {
                unknown(name, known);
            }
        }
    }

    public void unknown(String name, Collection<String> known) {
        findings.add(
                DocumentCode.UNKNOWN_FIELD,
                at(name),
                "There is no field " + shown(name) + " here.",
                "Use one of " + String.join(", ", known.stream().sorted().toList()) + ".");
    }

    public void missing(String name, String hint) {
        findings.add(
                DocumentCode.MISSING_FIELD, at(name), "The field " + name + " is missing.", hint);
    }

    /// In one line, not blank.
    public @Nullable String line(String name, int max) {
        String text = text(name, max);
        if (text == null) {
            return null;
        }
        if (text.isBlank()) {
            bounds(name, "is blank", "Write at least one character that can be seen.");
            return null;
        }
        if (CONTROL.matcher(text).find()) {
            invalid(name, "has a control character", "Remove it.");
            return null;
        }
        return text;
    }

    public String requiredLine(String name, int max) {
        if (!has(name)) {
            missing(name, "Add a text of 1 to " + max + " characters.");
        }
        String text = line(name, max);
        return text == null ? "" : text;
    }

    public @Nullable String text(String name, int max) {
        JsonNode node = object.get(name);
        if (node == null) {
            return null;
        }
        if (!node.isString()) {
            wrongType(name, "a text");
            return null;
        }
        String text = node.stringValue();
        if (text.codePointCount(0, text.length()) > max) {
            bounds(name, "has more than " + max + " characters", "Shorten it.");
            return null;
        }
        return text;
    }

    /// In any number of lines, not blank.
    public String requiredText(String name, int max) {
        if (!has(name)) {
            missing(name, "Add a text of 1 to " + max + " characters.");
        }
        String text = text(name, max);
        if (text != null && text.isBlank()) {
            bounds(name, "is blank", "Write at least one character that can be seen.");
        }
        return text == null ? "" : text;
    }

    public @Nullable Boolean flag(String name) {
        JsonNode node = object.get(name);
        if (node != null && !node.isBoolean()) {
            wrongType(name, "true or false");
            return null;
        }
        return node == null ? null : node.booleanValue();
    }

    public @Nullable Long whole(String name, long min, long max) {
        JsonNode node = object.get(name);
        if (node == null) {
            return null;
        }
        if (!node.isIntegralNumber()) {
            wrongType(name, "a whole number");
            return null;
        }
        if (!node.canConvertToLong() || node.longValue() < min || node.longValue() > max) {
            bounds(
                    name,
                    "is not between " + min + " and " + max,
                    "Use a whole number from " + min + " to " + max + ".");
            return null;
        }
        return node.longValue();
    }

    public long requiredWhole(String name, long min, long max) {
        if (!has(name)) {
            missing(name, "Add a whole number from " + min + " to " + max + ".");
        }
        Long value = whole(name, min, max);
        return value == null ? min : value;
    }

    public @Nullable Integer wholeInt(String name, int min, int max) {
        Long value = whole(name, min, max);
        return value == null ? null : value.intValue();
    }

    /// One of the words; null after a finding, or without the field.
    public @Nullable String word(String name, List<String> words) {
        JsonNode node = object.get(name);
        if (node == null) {
            return null;
        }
        if (!node.isString()) {
            wrongType(name, "a text");
            return null;
        }
        if (!words.contains(node.stringValue())) {
            invalid(
                    name,
                    "is " + shown(node.stringValue()) + ", which it cannot be",
                    "Use one of " + String.join(", ", words) + ".");
            return null;
        }
        return node.stringValue();
    }

    public @Nullable Fields object(String name) {
        JsonNode node = object.get(name);
        return node == null ? null : new Fields(node, at(name), findings);
    }

    /// Empty after a finding.
    public JsonNode list(String name, int min, int max) {
        JsonNode node = object.get(name);
        if (node == null) {
            missing(name, "Add a list of " + min + " to " + max + " entries.");
        } else if (!node.isArray()) {
            wrongType(name, "a list");
        } else if (node.size() < min || node.size() > max) {
            bounds(
                    name,
                    "has " + node.size() + " entries",
                    "Give it " + min + " to " + max + " entries.");
        } else {
            return node;
        }
        return JsonNodeFactory.instance.arrayNode();
    }

    public void wrongType(String name, String wanted) {
        findings.add(
                DocumentCode.WRONG_TYPE,
                at(name),
                "The field " + shortName(name) + " is not " + wanted + ".",
                "Write " + wanted + ", or leave out a field that is not required.");
    }

    public void bounds(String name, String what, String hint) {
        findings.add(
                DocumentCode.OUT_OF_BOUNDS,
                at(name),
                "The field " + shortName(name) + " " + what + ".",
                hint);
    }

    public void invalid(String name, String what, String hint) {
        findings.add(
                DocumentCode.INVALID_VALUE,
                at(name),
                "The field " + shortName(name) + " " + what + ".",
                hint);
    }

    /// Names of fields of our own are plain; others are somebody's text.
    private static String shortName(String name) {
        return PLAIN.matcher(name).matches() ? name : shown(name);
    }

    /// What somebody wrote, quoted, in one line and cut short.
    public static String shown(String text) {
        String line = CONTROL.matcher(text).replaceAll(" ");
        return "\""
                + (line.codePointCount(0, line.length()) <= SHOWN_MAX
                        ? line
                        : line.substring(0, line.offsetByCodePoints(0, SHOWN_MAX)) + "…")
                + "\"";
    }
}
