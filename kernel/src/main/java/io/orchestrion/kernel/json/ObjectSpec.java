package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The declaration of a JSON object: what a request may hold or an answer will hold. It reads
/// bodies and query strings, and is printed as JSON Schema, so that what is documented is what is
/// enforced.
///
/// ```java
/// static final ObjectSpec CREATE = ObjectSpec.named("TaskCreate")
///         .required(text("type").length(1, 100).pattern("^[A-Za-z0-9_-]+$"))
///         .required(object("payload").maxBytes(65_536).maxDepth(5))
///         .optional(integer("priority").range(0, 100).orElse(0));
/// ```
///
/// It is built once into a constant; the methods that declare change it in place.
public final class ObjectSpec {
    /// What to do with fields that are not declared.
    public enum Unknown {
        REFUSE,
        IGNORE
    }

    record Declared(Field field, boolean required, List<String> aliases) {}

    private final String name;
    private final boolean request;
    private final Map<String, Declared> declared = new LinkedHashMap<>();
    private final Map<String, String> canonicalNames = new LinkedHashMap<>();
    private final Map<String, String> refused = new TreeMap<>();
    private String doc = "";
    private Unknown unknown = Unknown.REFUSE;
    private @Nullable String example;

    private ObjectSpec(String name, boolean request) {
        this.name = name;
        this.request = request;
    }

    /// A body that comes in: null for an optional field means absent unless the field is nullable.
    public static ObjectSpec named(String name) {
        return new ObjectSpec(name, true);
    }

    /// A body that goes out: only nullable fields may be null.
    public static ObjectSpec answer(String name) {
        return new ObjectSpec(name, false);
    }

    public ObjectSpec doc(String doc) {
        this.doc = doc;
        return this;
    }

    /// The example that the documents show, as compact JSON, where the examples of the fields do
    /// not fit together.
    public ObjectSpec example(String json) {
        this.example = json;
        return this;
    }

    public ObjectSpec required(Field field) {
        return declare(field, true);
    }

    public ObjectSpec optional(Field field) {
        return declare(field, false);
    }

    private ObjectSpec declare(Field field, boolean required) {
        claimName(field.name(), field.name());
        declared.put(field.name(), new Declared(field, required, List.of()));
        return this;
    }

    /// Lets a declared field come under another name too. Both at once are accepted when they hold
    /// the same value.
    public ObjectSpec alias(String field, String alias) {
        Declared known = declared.get(field);
        if (known == null) {
            throw new IllegalArgumentException(name + " declares no field " + field + " to alias");
        }
        claimName(alias, field);
        var aliases = new ArrayList<>(known.aliases());
        aliases.add(alias);
        declared.put(field, new Declared(known.field(), known.required(), List.copyOf(aliases)));
        return this;
    }

    /// Names that are known and may not be sent, with the reason: `status` + ` is set by the
    /// server`.
    public ObjectSpec refuse(List<String> names, String reason) {
        names.forEach(refusedName -> refused.put(refusedName, reason));
        return this;
    }

    public ObjectSpec unknown(Unknown unknown) {
        this.unknown = unknown;
        return this;
    }

    private void claimName(String taken, String field) {
        if (canonicalNames.put(taken, field) != null) {
            throw new IllegalArgumentException(name + " declares " + taken + " twice");
        }
    }

    public String name() {
        return name;
    }

    public String doc() {
        return doc;
    }

    public List<Field> fields() {
        return declared.values().stream().map(Declared::field).toList();
    }

    public boolean isRequired(String field) {
        Declared known = declared.get(field);
        return known != null && known.required();
    }

    /// The field that a name stands for, which may be an alias.
    @Nullable Field fieldSentAs(String sentName) {
        String canonical = canonicalNames.get(sentName);
        Declared known = canonical == null ? null : declared.get(canonical);
        return known == null ? null : known.field();
    }

    List<Declared> declared() {
        return List.copyOf(declared.values());
    }

    boolean isRequest() {
        return request;
    }

    boolean isOpen() {
        return unknown == Unknown.IGNORE;
    }

    /// Reads a body. Nothing at all is read as `{}` when no field is required.
    ///
    /// @throws InvalidBody with every fault, those of the declared fields first and in their order
    public Values read(byte[] body) {
        if (body.length == 0 && declared.values().stream().noneMatch(Declared::required)) {
            return finish(Map.of());
        }
        return finish(JsonScanner.object(body, this));
    }

    /// Reads the decoded parameters of a query string by the same declaration. A parameter given
    /// twice is a fault.
    public Values readQuery(Map<String, List<String>> parameters) {
        var fields = new LinkedHashMap<String, Captured>();
        var faults = new Faults();
        parameters.forEach(
                (parameter, texts) -> {
                    Field known = fieldSentAs(parameter);
                    String text = texts.getFirst();
                    if (known != null && texts.size() > 1) {
                        faults.add(parameter, "must be given once");
                    }
                    fields.put(
                            parameter, known == null ? Captured.string(text) : known.ofQuery(text));
                });
        faults.throwIfAny();
        return finish(fields);
    }

    /// Refuses query parameters that are not declared, by name.
    ///
    /// @throws InvalidBody when there is one, unless this ignores what it does not know
    public void refuseUnknownQuery(Set<String> parameters) {
        if (unknown == Unknown.IGNORE || canonicalNames.keySet().containsAll(parameters)) {
            return;
        }
        var faults = new Faults();
        for (String parameter : parameters) {
            if (!canonicalNames.containsKey(parameter)) {
                String shown = Texts.shown(parameter);
                faults.addSentence(
                        shown.substring(1, shown.length() - 1),
                        shown + " is not a known query parameter",
                        pointer("", parameter));
            }
        }
        faults.throwIfAny();
    }

    private Values finish(Map<String, Captured> sent) {
        var faults = new Faults();
        Values values = read(sent, "", faults);
        faults.throwIfAny();
        return values;
    }

    /// Reads the fields into values, adding what is wrong to `faults`; the values are of use only
    /// when nothing was.
    Values read(Map<String, Captured> sent, String prefix, Faults faults) {
        var values = new LinkedHashMap<String, Object>();
        var defaults = new LinkedHashMap<String, Object>();
        for (Declared each : declared.values()) {
            Field field = each.field();
            String path = prefix.isEmpty() ? field.name() : prefix + field.name();
            Captured value =
                    each.aliases().isEmpty()
                            ? sent.get(field.name())
                            : agreed(each, sent, prefix, faults);
            if (value != null && value.is(Captured.Kind.NULL) && field.isNullable()) {
                values.put(field.name(), Values.Null.NULL);
            } else if (value == null || value.is(Captured.Kind.NULL)) {
                Object orElse = field.defaultValue();
                if (orElse != null) {
                    defaults.put(field.name(), orElse);
                } else if (each.required()) {
                    faults.add(path, "is required");
                }
            } else {
                Object read = field.read(value, path, faults);
                if (read != null) {
                    values.put(field.name(), read);
                }
            }
        }
        undeclared(sent.keySet(), prefix, faults);
        return new Values(values, defaults);
    }

    private static @Nullable Captured agreed(
            Declared field, Map<String, Captured> sent, String prefix, Faults faults) {
        String takenFrom = field.field().name();
        Captured taken = sent.get(takenFrom);
        for (String alias : field.aliases()) {
            Captured other = sent.get(alias);
            if (other == null) {
                continue;
            }
            if (taken != null && !taken.equals(other)) {
                faults.add(
                        prefix + takenFrom,
                        "and " + prefix + alias + " must not hold different values");
                return taken;
            }
            taken = other;
            takenFrom = alias;
        }
        return taken;
    }

    private void undeclared(Set<String> sent, String prefix, Faults faults) {
        for (String sentName : sent) {
            if (canonicalNames.containsKey(sentName)) {
                continue;
            }
            String reason = refused.get(sentName);
            if (reason != null) {
                faults.add(prefix + sentName, reason);
            } else if (unknown == Unknown.REFUSE) {
                String shown = Texts.shown(sentName);
                String path = prefix + shown.substring(1, shown.length() - 1);
                faults.addSentence(
                        path,
                        prefix.isEmpty()
                                ? shown + " is not a known field"
                                : path + " is not a known field",
                        pointer(prefix, sentName));
            }
        }
    }

    /// A pointer to a name that the sender chose. A name that is too long to be shown is left out,
    /// and the pointer leads to the object around it.
    private static String pointer(String prefix, String sentName) {
        String object =
                BodyFault.pointer(
                        prefix.endsWith(".") ? prefix.substring(0, prefix.length() - 1) : prefix);
        return sentName.length() > Texts.SHOWN_NAME_MAX
                ? object
                : object + BodyFault.step(sentName);
    }

    /// An object that fits, as compact JSON: what must be there, and of a request also what has a
    /// default.
    public String toExample() {
        if (example != null) {
            return example;
        }
        return JsonWriter.objectText(
                out -> {
                    for (Declared each : declared.values()) {
                        Field field = each.field();
                        if (each.required() || field.defaultValue() != null) {
                            out.raw(field.name(), field.isNullable() ? null : field.example());
                        }
                    }
                });
    }

    /// This object as a JSON Schema document with nested objects described in place.
    public String toJsonSchema() {
        return JsonWriter.objectText(
                out -> {
                    out.text("$schema", "https://json-schema.org/draft/2020-12/schema");
                    Schemas.writeObject(out, this, SchemaRefs.IN_PLACE);
                });
    }

    /// Writes the schema's keywords into an object that is already open, for a larger document such
    /// as OpenAPI.
    public void writeSchema(JsonWriter out, SchemaRefs refs) {
        Schemas.writeObject(out, this, refs);
    }

    /// Writes the schema of one declared field into an object that is already open.
    public void writeFieldSchema(JsonWriter out, String field, SchemaRefs refs) {
        Declared known = declared.get(field);
        if (known == null) {
            throw new IllegalArgumentException(name + " declares no field " + field);
        }
        Schemas.writeField(out, known.field(), refs, false);
    }

    /// The objects nested in this one, each once, outermost first.
    public List<ObjectSpec> nested() {
        var found = new ArrayList<ObjectSpec>();
        for (Field field : fields()) {
            Field inner = field;
            while (inner instanceof ListField list) {
                inner = list.element();
            }
            if (inner instanceof ObjectField object && !found.contains(object.spec())) {
                found.add(object.spec());
                object.spec().nested().stream()
                        .filter(spec -> !found.contains(spec))
                        .forEach(found::add);
            }
        }
        return List.copyOf(found);
    }
}
