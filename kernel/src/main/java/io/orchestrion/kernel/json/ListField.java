package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// A list whose elements are all of one declared kind.
public final class ListField extends Field {
    private final Field element;
    private int min = 0;
    private int max = Integer.MAX_VALUE;
    private boolean unique;

    ListField(String name, Field element) {
        super(name);
        this.element = element;
    }

    public ListField items(int min, int max) {
        this.min = min;
        this.max = max;
        return this;
    }

    /// Refuses a list that holds one value twice.
    public ListField unique() {
        this.unique = true;
        return this;
    }

    public ListField doc(String doc) {
        setDoc(doc);
        return this;
    }

    public ListField nullable() {
        setNullable();
        return this;
    }

    public Field element() {
        return element;
    }

    @Override
    @Nullable Object read(Captured value, String path, Faults faults) {
        if (!value.is(Captured.Kind.ARRAY)) {
            return faults.add(path, "must be a JSON array");
        }
        List<Captured> captured = value.elements();
        if (captured.size() < min || captured.size() > max) {
            return faults.add(
                    path, "must have " + counts() + ", had " + captured.size(), min + ".." + max);
        }
        var elements = new ArrayList<Object>(captured.size());
        for (int i = 0; i < captured.size(); i++) {
            Object read = element.read(captured.get(i), path + "[" + i + "]", faults);
            if (read != null) {
                elements.add(read);
            }
        }
        if (unique && new HashSet<>(elements).size() < elements.size()) {
            return faults.add(path, "must not hold one value twice");
        }
        return elements;
    }

    private String counts() {
        return max == Integer.MAX_VALUE
                ? "at least " + min + " elements"
                : min + " to " + max + " elements";
    }

    @Override
    String example() {
        return "[" + element.example() + "]";
    }

    @Override
    String schemaType() {
        return "array";
    }

    @Override
    void writeBounds(JsonWriter out, SchemaRefs refs, boolean nullable) {
        out.object("items", item -> Schemas.writeField(item, element, refs, false));
        if (min > 0) {
            out.integer("minItems", min);
        }
        if (max < Integer.MAX_VALUE) {
            out.integer("maxItems", max);
        }
        if (unique) {
            out.bool("uniqueItems", true);
        }
    }
}
