package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

/// An object with declared fields inside another.
public final class ObjectField extends Field {
    private final ObjectSpec spec;

    ObjectField(String name, ObjectSpec spec) {
        super(name);
        this.spec = spec;
    }

    public ObjectField doc(String doc) {
        setDoc(doc);
        return this;
    }

    public ObjectField nullable() {
        setNullable();
        return this;
    }

    public ObjectSpec spec() {
        return spec;
    }

    @Override
    @Nullable Object read(Captured value, String path, Faults faults) {
        if (!value.is(Captured.Kind.OBJECT)) {
            return faults.add(path, "must be a JSON object");
        }
        return spec.read(value.members(), path + ".", faults);
    }

    @Override
    String example() {
        return spec.toExample();
    }

    @Override
    String schemaType() {
        return "object";
    }

    @Override
    void writeBounds(JsonWriter out, SchemaRefs refs, boolean nullable) {
        if (doc().isEmpty() && !spec.doc().isEmpty()) {
            out.text("description", spec.doc());
        }
        Schemas.writeFields(out, spec, refs);
    }
}
