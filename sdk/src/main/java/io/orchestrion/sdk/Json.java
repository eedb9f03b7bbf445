package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.POJONode;
import tools.jackson.databind.util.RawValue;

/// JSON as the client reads and writes it. Numbers keep every digit.
final class Json {
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                    .build();

    private Json() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /// Parses the caller's text, which must be a JSON object.
    ///
    /// @param what the name of the text in the exception's message
    static ObjectNode object(String text, String what) {
        try {
            if (MAPPER.readTree(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException(what + " is not JSON: " + e.getOriginalMessage(), e);
        }
        throw new IllegalArgumentException(what + " must be a JSON object");
    }

    /// The caller's text as it stands, whatever it is: the server says better what is wrong with
    /// it, and reading it here would lose a field that is there twice.
    static JsonNode raw(String text) {
        return new POJONode(new RawValue(text));
    }

    static JsonNode tree(@Nullable String text) {
        return text == null ? MissingNode.getInstance() : MAPPER.readTree(text);
    }

    static String text(JsonNode node) {
        return MAPPER.writeValueAsString(node);
    }

    /// Whether both have the same content. Numbers are compared by value, because a database may
    /// write them in another form.
    static boolean same(JsonNode one, JsonNode other) {
        return one.equals(
                (a, b) ->
                        a.isNumber() && b.isNumber()
                                ? a.decimalValue().compareTo(b.decimalValue())
                                : a.equals(b) ? 0 : 1,
                other);
    }

    /// Puts the caller's text there unchanged, after checking that it is one JSON value. Whether it
    /// is an object is left to the server, whose error message is better.
    static void putRaw(ObjectNode into, String name, String text) {
        try {
            if (MAPPER.readTree(text).isMissingNode()) {
                throw new IllegalArgumentException(name + " is empty; it must be a JSON object");
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException(name + " is not JSON: " + e.getOriginalMessage(), e);
        }
        into.putRawValue(name, new RawValue(text));
    }
}
