package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/// A number, kept exactly as decimal.
public final class NumberField extends Field {
    private @Nullable BigDecimal min;
    private @Nullable BigDecimal max;
    private @Nullable BigDecimal orElse;

    NumberField(String name) {
        super(name);
    }

    /// Bounds as decimal text, such as `"0.5"`, so that nothing is rounded.
    public NumberField range(String min, String max) {
        this.min = new BigDecimal(min);
        this.max = new BigDecimal(max);
        return this;
    }

    public NumberField orElse(String value) {
        this.orElse = new BigDecimal(value);
        return this;
    }

    public NumberField doc(String doc) {
        setDoc(doc);
        return this;
    }

    public NumberField nullable() {
        setNullable();
        return this;
    }

    @Override
    @Nullable Object defaultValue() {
        return orElse;
    }

    @Override
    @Nullable Object read(Captured value, String path, Faults faults) {
        if (value.is(Captured.Kind.NUMBER)) {
            BigDecimal number = new BigDecimal(value.text());
            boolean fits =
                    (min == null || number.compareTo(min) >= 0)
                            && (max == null || number.compareTo(max) <= 0);
            if (fits) {
                return number;
            }
        }
        return min == null
                ? faults.add(path, "must be a number")
                : faults.add(path, "must be a number from " + min + " to " + max, min + ".." + max);
    }

    @Override
    Captured ofQuery(String text) {
        return Numbers.isJson(text)
                ? Captured.whole(Captured.Kind.NUMBER, text, 0)
                : Captured.string(text);
    }

    @Override
    String example() {
        BigDecimal shown = orElse == null ? min : orElse;
        return shown == null ? "1" : shown.toPlainString();
    }

    @Override
    String schemaType() {
        return "number";
    }

    @Override
    void writeBounds(JsonWriter out, SchemaRefs refs, boolean nullable) {
        if (min != null) {
            out.number("minimum", min);
        }
        if (max != null) {
            out.number("maximum", max);
        }
        if (orElse != null) {
            out.number("default", orElse);
        }
    }
}
