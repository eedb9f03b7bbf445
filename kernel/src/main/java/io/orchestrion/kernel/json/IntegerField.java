package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

/// A whole number that fits 64 bits.
public final class IntegerField extends Field {
    private long min = Long.MIN_VALUE;
    private long max = Long.MAX_VALUE;
    private @Nullable Long orElse;
    private @Nullable Long example;

    IntegerField(String name) {
        super(name);
    }

    public IntegerField range(long min, long max) {
        this.min = min;
        this.max = max;
        return this;
    }

    public IntegerField orElse(long value) {
        this.orElse = value;
        return this;
    }

    /// The example that the documents show, where the bounds alone lead to an odd one.
    public IntegerField example(long value) {
        this.example = value;
        return this;
    }

    public IntegerField doc(String doc) {
        setDoc(doc);
        return this;
    }

    public IntegerField nullable() {
        setNullable();
        return this;
    }

    @Override
    @Nullable Object defaultValue() {
        return orElse;
    }

    @Override
    @Nullable Object read(Captured value, String path, Faults faults) {
        if (value.is(Captured.Kind.NUMBER) && isWhole(value.text())) {
            try {
                long number = Long.parseLong(value.text());
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Past 64 bits is past every range; the sentence below says so.
            }
        }
        return faults.add(path, "must be " + described(), min + ".." + max);
    }

    private static boolean isWhole(String number) {
        return number.indexOf('.') < 0 && number.indexOf('e') < 0 && number.indexOf('E') < 0;
    }

    private String described() {
        if (min == Long.MIN_VALUE && max == Long.MAX_VALUE) {
            return "an integer of at most 64 bits";
        }
        return max == Long.MAX_VALUE
                ? "an integer of at least " + min
                : "an integer from " + min + " to " + max;
    }

    @Override
    Captured ofQuery(String text) {
        return Numbers.isJson(text)
                ? Captured.whole(Captured.Kind.NUMBER, text, 0)
                : Captured.string(text);
    }

    @Override
    String example() {
        Long given = example == null ? orElse : example;
        return String.valueOf(given == null ? Math.clamp(1, min, max) : given);
    }

    @Override
    String schemaType() {
        return "integer";
    }

    @Override
    void writeBounds(JsonWriter out, SchemaRefs refs, boolean nullable) {
        if (min > Long.MIN_VALUE) {
            out.integer("minimum", min);
        }
        if (max < Long.MAX_VALUE) {
            out.integer("maximum", max);
        }
        if (orElse != null) {
            out.integer("default", orElse);
        }
    }
}
