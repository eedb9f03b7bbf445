package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// One declared field: its kind, its bounds and its meaning, read and described from this one
/// place.
///
/// A field is made by the factories below, bounded by the methods of its kind, and handed to an
/// [ObjectSpec]; after that it is not changed.
public abstract sealed class Field
        permits TextField,
                IntegerField,
                NumberField,
                BoolField,
                InstantField,
                JsonField,
                ObjectField,
                ListField {
    private final String name;
    private String doc = "";
    private boolean nullable;

    Field(String name) {
        this.name = name;
    }

    public static TextField text(String name) {
        return new TextField(name);
    }

    /// A string out of a closed list.
    public static TextField oneOf(String name, String... choices) {
        return new TextField(name).choices(List.of(choices));
    }

    public static TextField oneOf(String name, List<String> choices) {
        return new TextField(name).choices(choices);
    }

    /// A whole number written as one: `5.0`, `5e0` and `"5"` are refused.
    public static IntegerField integer(String name) {
        return new IntegerField(name);
    }

    public static NumberField number(String name) {
        return new NumberField(name);
    }

    public static BoolField bool(String name) {
        return new BoolField(name);
    }

    /// An ISO 8601 date and time with `Z` or a numeric offset.
    public static InstantField instant(String name) {
        return new InstantField(name);
    }

    /// Any JSON object, passed through as compact text.
    public static JsonField object(String name) {
        return new JsonField(name, true);
    }

    /// Any JSON value, passed through as compact text.
    public static JsonField any(String name) {
        return new JsonField(name, false);
    }

    /// An object with declared fields.
    public static ObjectField object(String name, ObjectSpec spec) {
        return new ObjectField(name, spec);
    }

    /// A list whose elements each fit `element`; the element's own name is not used.
    public static ListField array(String name, Field element) {
        return new ListField(name, element);
    }

    public static ListField objects(String name, ObjectSpec spec) {
        return new ListField(name, new ObjectField(name, spec));
    }

    public final String name() {
        return name;
    }

    public final String doc() {
        return doc;
    }

    /// True when null is a value of its own, in answers and in bodies; without it a null in a body
    /// means absent.
    public final boolean isNullable() {
        return nullable;
    }

    final void setDoc(String doc) {
        this.doc = doc;
    }

    final void setNullable() {
        this.nullable = true;
    }

    /// The value to take when the field is absent, null when there is none.
    @Nullable Object defaultValue() {
        return null;
    }

    /// The Java value of what was sent, or null after adding to `faults`.
    abstract @Nullable Object read(Captured value, String path, Faults faults);

    /// The value that a query parameter's text has in this field's kind.
    Captured ofQuery(String text) {
        return Captured.string(text);
    }

    /// A value that fits, as compact JSON, for the documents.
    abstract String example();

    /// The JSON Schema type, such as `string`; empty when any type fits.
    abstract String schemaType();

    /// Writes the keywords that follow the type.
    abstract void writeBounds(JsonWriter out, SchemaRefs refs, boolean nullable);
}
