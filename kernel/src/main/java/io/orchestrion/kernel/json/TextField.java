package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.regex.Pattern;

/// A string. Lengths count Unicode code points, as JSON Schema and PostgreSQL do.
public final class TextField extends Field {
    /// Texts that are tried as examples, the plainest first.
    private static final List<String> EXAMPLES =
            List.of(
                    "example",
                    "01970000-0000-7000-8000-000000000000",
                    "orch_live_" + "0123456789abcdef".repeat(4),
                    "https://example.com/",
                    "1");

    private int min = 0;
    private int max = Integer.MAX_VALUE;
    private List<String> choices = List.of();
    private String pattern = "";
    private @Nullable Pattern compiled;
    private @Nullable String orElse;
    private boolean printableAscii;
    private @Nullable String example;

    TextField(String name) {
        super(name);
    }

    public TextField length(int min, int max) {
        this.min = min;
        this.max = max;
        return this;
    }

    /// The example that the documents show, where the bounds alone do not lead to one.
    public TextField example(String value) {
        this.example = value;
        return this;
    }

    /// A regular expression that both Java and JSON Schema read alike. It must be anchored: the
    /// anchors are taken off and the whole text matched, because `$` in Java also matches before a
    /// line break at the end.
    public TextField pattern(String regex) {
        if (!regex.startsWith("^") || !regex.endsWith("$") || regex.endsWith("\\$")) {
            throw new IllegalArgumentException(
                    "A pattern must begin with ^ and end with $: " + regex);
        }
        this.pattern = regex;
        this.compiled = Pattern.compile(regex.substring(1, regex.length() - 1));
        return this;
    }

    /// Only U+0020 to U+007E.
    public TextField printableAscii() {
        this.printableAscii = true;
        return pattern("^[ -~]*$");
    }

    TextField choices(List<String> choices) {
        this.choices = List.copyOf(choices);
        return this;
    }

    public TextField orElse(String value) {
        this.orElse = value;
        return this;
    }

    public TextField doc(String doc) {
        setDoc(doc);
        return this;
    }

    public TextField nullable() {
        setNullable();
        return this;
    }

    @Override
    @Nullable Object defaultValue() {
        return orElse;
    }

    @Override
    @Nullable Object read(Captured value, String path, Faults faults) {
        String text = value.text();
        if (!value.is(Captured.Kind.STRING)) {
            return choices.isEmpty()
                    ? faults.add(path, "must be a string")
                    : notAChoice(path, faults);
        }
        if (!choices.isEmpty()) {
            return choices.contains(text) ? text : notAChoice(path, faults);
        }
        int length = text.codePointCount(0, text.length());
        if (length < min || length > max) {
            return faults.add(path, "must be " + lengths() + ", was " + length, min + ".." + max);
        }
        if (compiled != null && !compiled.matcher(text).matches()) {
            return printableAscii
                    ? faults.add(path, "must hold only printable ASCII characters", pattern)
                    : faults.add(path, "must match " + pattern, pattern);
        }
        return text;
    }

    private @Nullable Object notAChoice(String path, Faults faults) {
        return faults.add(
                path, "must be one of " + String.join(", ", choices), String.join("|", choices));
    }

    private String lengths() {
        if (max == Integer.MAX_VALUE) {
            return "at least " + min + " characters long";
        }
        return min == 0
                ? "at most " + max + " characters long"
                : min + " to " + max + " characters long";
    }

    @Override
    String example() {
        String given = example == null ? orElse : example;
        if (given != null || !choices.isEmpty()) {
            return Texts.quoted(given == null ? choices.getFirst() : given);
        }
        return EXAMPLES.stream()
                .filter(text -> text.length() >= min && text.length() <= max)
                .filter(text -> compiled == null || compiled.matcher(text).matches())
                .findFirst()
                .map(Texts::quoted)
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "Give " + name() + " an example of its own"));
    }

    @Override
    String schemaType() {
        return "string";
    }

    @Override
    void writeBounds(JsonWriter out, SchemaRefs refs, boolean nullable) {
        if (!choices.isEmpty()) {
            out.array(
                    "enum",
                    items -> {
                        choices.forEach(items::item);
                        if (nullable) {
                            items.nullItem();
                        }
                    });
        }
        if (min > 0) {
            out.integer("minLength", min);
        }
        if (max < Integer.MAX_VALUE) {
            out.integer("maxLength", max);
        }
        if (!pattern.isEmpty()) {
            out.text("pattern", pattern);
        }
        if (orElse != null) {
            out.text("default", orElse);
        }
    }
}
