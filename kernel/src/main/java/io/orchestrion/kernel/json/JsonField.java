package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

/// Open JSON that is passed through: kept as compact text with its numbers as received, never as a
/// tree.
public final class JsonField extends Field {
    private final boolean objectOnly;
    private long maxBytes = Long.MAX_VALUE;
    private int maxDepth = JsonScanner.DEPTH_MAX;
    private @Nullable String orElse;
    private @Nullable String example;

    JsonField(String name, boolean objectOnly) {
        super(name);
        this.objectOnly = objectOnly;
    }

    /// Bound on the UTF-8 bytes of the compact form.
    public JsonField maxBytes(long bytes) {
        this.maxBytes = bytes;
        return this;
    }

    /// Bound on nesting, the value itself being level 1.
    public JsonField maxDepth(int levels) {
        this.maxDepth = levels;
        return this;
    }

    /// A default, as compact JSON.
    public JsonField orElse(String json) {
        this.orElse = json;
        return this;
    }

    /// The example that the documents show, as compact JSON.
    public JsonField example(String json) {
        this.example = json;
        return this;
    }

    public JsonField doc(String doc) {
        setDoc(doc);
        return this;
    }

    public JsonField nullable() {
        setNullable();
        return this;
    }

    @Override
    @Nullable Object defaultValue() {
        return orElse == null ? null : new RawJson(orElse);
    }

    @Override
    @Nullable Object read(Captured value, String path, Faults faults) {
        if (objectOnly && !value.is(Captured.Kind.OBJECT)) {
            return faults.add(path, "must be a JSON object");
        }
        if (value.depth() > maxDepth) {
            return faults.add(
                    path,
                    "must be nested at most " + maxDepth + " levels deep, was " + value.depth(),
                    String.valueOf(maxDepth));
        }
        String json = value.compact();
        long bytes = Texts.utf8Length(json);
        if (bytes > maxBytes) {
            return faults.add(
                    path,
                    "must be at most " + maxBytes + " bytes as compact JSON, was " + bytes,
                    String.valueOf(maxBytes));
        }
        return new RawJson(json);
    }

    @Override
    String example() {
        return example == null ? orElse == null ? "{}" : orElse : example;
    }

    @Override
    String schemaType() {
        return objectOnly ? "object" : "";
    }

    @Override
    void writeBounds(JsonWriter out, SchemaRefs refs, boolean nullable) {
        // JSON Schema has no words for these two; validators skip keywords that begin with x-.
        if (maxBytes < Long.MAX_VALUE) {
            out.integer("x-maxBytes", maxBytes);
        }
        if (maxDepth < JsonScanner.DEPTH_MAX) {
            out.integer("x-maxDepth", maxDepth);
        }
        if (orElse != null) {
            out.raw("default", orElse);
        }
    }
}
