package io.orchestrion.cli;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/// An option whose value goes into the body of a request. A command is a table of these.
///
/// @param path the field's name; with dots for a field of an object within
record Field(String option, String label, Kind kind, String path, String description) {
    /// Gives a whole body, which the other options then change.
    static final String FROM = "--from";

    /// How the value is written on the line.
    enum Kind {
        TEXT(String.class),
        NUMBER(Integer.class),
        /// With commas between them.
        WORDS(String.class),
        /// In the form in which all commands take times.
        TIME(String.class),
        /// JSON itself, `@FILE`, or `-` for standard input.
        JSON(String.class),
        /// Its being there says true.
        FLAG(Boolean.class);

        private final Class<?> type;

        Kind(Class<?> type) {
            this.type = type;
        }
    }

    static Field text(String option, String label, String path, String description) {
        return new Field(option, label, Kind.TEXT, path, description);
    }

    static Field number(String option, String path, String description) {
        return new Field(option, "N", Kind.NUMBER, path, description);
    }

    static Field words(String option, String label, String path, String description) {
        return new Field(option, label, Kind.WORDS, path, description);
    }

    static Field time(String option, String path, String description) {
        return new Field(option, "TIME", Kind.TIME, path, description);
    }

    static Field json(String option, String path, String description) {
        return new Field(option, "JSON", Kind.JSON, path, description);
    }

    static Field flag(String option, String path, String description) {
        return new Field(option, "", Kind.FLAG, path, description);
    }

    static ClientCommand addTo(ClientCommand command, List<Field> fields) {
        for (Field field : fields) {
            if (field.kind == Kind.FLAG) {
                command.flag(field.option, field.description);
            } else {
                command.option(field.option, field.label, field.kind.type, field.description);
            }
        }
        return command;
    }

    static ClientCommand addWithDocument(ClientCommand command, List<Field> fields) {
        return addTo(command, fields)
                .option(
                        FROM,
                        "JSON",
                        String.class,
                        "The whole of it as the API takes it: as it stands, @FILE, or - for"
                                + " standard input; what else is written here goes before it.");
    }

    /// The values that were given, as one object.
    static ObjectNode body(Invocation run, List<Field> fields) {
        boolean whole = run.spec().findOption(FROM) != null;
        String document = whole ? run.document(FROM) : null;
        ObjectNode body = document == null ? empty() : object(run, FROM, document);
        for (Field field : fields) {
            if (run.has(field.option)) {
                field.put(body, run);
            }
        }
        return body;
    }

    private static ObjectNode empty() {
        return JsonMapper.shared().createObjectNode();
    }

    static ObjectNode object(Invocation run, String option, String text) {
        if (json(run, option, text) instanceof ObjectNode object) {
            return object;
        }
        throw run.misused(option + " must be a JSON object");
    }

    static JsonNode json(Invocation run, String option, String text) {
        try {
            return JsonMapper.shared().readTree(text);
        } catch (JacksonException e) {
            throw run.misused(option + " is not JSON: " + e.getOriginalMessage());
        }
    }

    private void put(ObjectNode body, Invocation run) {
        String[] names = path.split("\\.");
        ObjectNode place = body;
        for (int i = 0; i < names.length - 1; i++) {
            place =
                    place.get(names[i]) instanceof ObjectNode there
                            ? there
                            : place.putObject(names[i]);
        }
        place.set(names[names.length - 1], value(run));
    }

    private @Nullable JsonNode value(Invocation run) {
        var nodes = JsonMapper.shared().getNodeFactory();
        return switch (kind) {
            case TEXT -> nodes.stringNode(run.text(option));
            case NUMBER -> nodes.numberNode(run.number(option, 0));
            case TIME -> nodes.stringNode(run.time(option, run.text(option)).toString());
            case FLAG -> nodes.booleanNode(true);
            case JSON -> {
                String text = run.document(option);
                yield json(run, option, text == null ? "" : text);
            }
            case WORDS -> {
                var list = nodes.arrayNode();
                List<String> words = run.words(option);
                (words == null ? List.<String>of() : words).forEach(list::add);
                yield list;
            }
        };
    }
}
