package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

/// True or false.
public final class BoolField extends Field {
    private @Nullable Boolean orElse;

    BoolField(String name) {
        super(name);
    }

    public BoolField orElse(boolean value) {
        this.orElse = value;
        return this;
    }

    public BoolField doc(String doc) {
        setDoc(doc);
        return this;
    }

    public BoolField nullable() {
        setNullable();
        return this;
    }

    @Override
    @Nullable Object defaultValue() {
        return orElse;
    }

    @Override
    @Nullable Object read(Captured value, String path, Faults faults) {
        return value.is(Captured.Kind.BOOLEAN)
                ? (Object) value.text().equals("true")
                : faults.add(path, "must be true or false");
    }

    @Override
    Captured ofQuery(String text) {
        return text.equals("true") || text.equals("false")
                ? Captured.whole(Captured.Kind.BOOLEAN, text, 0)
                : Captured.string(text);
    }

    @Override
    String example() {
        return String.valueOf(orElse == null || orElse);
    }

    @Override
    String schemaType() {
        return "boolean";
    }

    @Override
    void writeBounds(JsonWriter out, SchemaRefs refs, boolean nullable) {
        if (orElse != null) {
            out.bool("default", orElse);
        }
    }
}
