package io.orchestrion.kernel.json;

/// Writes declarations as JSON Schema 2020-12, the dialect of OpenAPI 3.1.
final class Schemas {
    private Schemas() {}

    static void writeObject(JsonWriter out, ObjectSpec spec, SchemaRefs refs) {
        out.text("title", spec.name());
        if (!spec.doc().isEmpty()) {
            out.text("description", spec.doc());
        }
        out.text("type", "object");
        writeFields(out, spec, refs);
    }

    static void writeFields(JsonWriter out, ObjectSpec spec, SchemaRefs refs) {
        out.object(
                "properties",
                properties -> {
                    for (ObjectSpec.Declared declared : spec.declared()) {
                        boolean takesNull =
                                declared.field().isNullable()
                                        || (spec.isRequest() && !declared.required());
                        properties.object(
                                declared.field().name(),
                                field -> writeField(field, declared.field(), refs, takesNull));
                        for (String alias : declared.aliases()) {
                            properties.object(
                                    alias,
                                    field -> {
                                        field.text(
                                                "description",
                                                "Another name of " + declared.field().name() + ".");
                                        writeField(field, declared.field(), refs, takesNull, false);
                                    });
                        }
                    }
                });
        // A required field with aliases may come under another name, which `required` cannot say
        // briefly.
        var required =
                spec.declared().stream()
                        .filter(declared -> declared.required() && declared.aliases().isEmpty())
                        .map(declared -> declared.field().name())
                        .toList();
        if (!required.isEmpty()) {
            out.texts("required", required);
        }
        if (!spec.isOpen()) {
            out.bool("additionalProperties", false);
        }
    }

    static void writeField(JsonWriter out, Field field, SchemaRefs refs, boolean takesNull) {
        writeField(out, field, refs, takesNull, true);
    }

    private static void writeField(
            JsonWriter out, Field field, SchemaRefs refs, boolean takesNull, boolean withDoc) {
        if (withDoc && !field.doc().isEmpty()) {
            out.text("description", field.doc());
        }
        boolean nullable = takesNull || field.isNullable();
        String ref = field instanceof ObjectField object ? refs.ref(object.spec()) : null;
        if (ref != null) {
            if (nullable) {
                out.array(
                        "anyOf",
                        either -> {
                            either.item(one -> one.text("$ref", ref));
                            either.item(none -> none.text("type", "null"));
                        });
            } else {
                out.text("$ref", ref);
            }
            return;
        }
        String type = field.schemaType();
        if (!type.isEmpty()) {
            if (nullable) {
                out.array(
                        "type",
                        types -> {
                            types.item(type);
                            types.item("null");
                        });
            } else {
                out.text("type", type);
            }
        }
        field.writeBounds(out, refs, nullable);
    }
}
