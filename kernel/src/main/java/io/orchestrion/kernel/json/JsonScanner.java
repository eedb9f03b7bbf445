package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Function;

/// Reads JSON strictly and in one pass. What the declaration of the body looks into is taken apart
/// on the way, anything else becomes compact text without a tree.
///
/// Jackson does the grammar. What it would let through is refused here: duplicate names, U+0000,
/// lone surrogates, numbers that PostgreSQL's numeric cannot hold, anything after the value. Bytes
/// are decoded before Jackson sees them because its own UTF-8 reader accepts overlong forms and
/// encoded surrogates, guesses UTF-16, and skips a BOM.
final class JsonScanner {
    static final int DEPTH_MAX = 64;
    static final int NUMBER_CHARACTERS_MAX = 1000;

    /// The largest exponent of a double: most clients read numbers as doubles.
    static final int EXPONENT_MAX = 308;

    /// PostgreSQL writes exponents out in full, so a number of a few bytes could become kilobytes.
    /// All exponents of a body together may add so many digits.
    static final int EXPANSION_MAX = 65_536;

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    // The scanner's own bounds answer first; bodies are bounded before they get
                    // here.
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(DEPTH_MAX + 8)
                                    .maxNumberLength(Integer.MAX_VALUE)
                                    .maxStringLength(Integer.MAX_VALUE)
                                    .maxNameLength(Integer.MAX_VALUE)
                                    .build())
                    // Names come from strangers: a shared symbol table would only be something to
                    // flood.
                    .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                    .build();

    private final JsonParser parser;
    private int expansion;

    private JsonScanner(JsonParser parser) {
        this.parser = parser;
    }

    /// The fields of a body that must be one JSON object, in the order they came.
    static Map<String, Captured> object(byte[] body, ObjectSpec spec) {
        return scan(decode(body), scanner -> scanner.readBody(spec));
    }

    /// The canonical text of JSON captured before: names sorted at every depth, numbers by value.
    static String canonical(String json) {
        return scan(
                CharBuffer.wrap(json.toCharArray()),
                scanner -> scanner.canonical(scanner.parser.nextToken()));
    }

    private static <T> T scan(CharBuffer json, Function<JsonScanner, T> read) {
        try (JsonParser parser =
                FACTORY.createParser(
                        ObjectReadContext.empty(), json.array(), 0, json.remaining())) {
            var scanner = new JsonScanner(parser);
            T value = read.apply(scanner);
            if (parser.nextToken() != null) {
                throw InvalidBody.whole("The body has content after its JSON object.");
            }
            return value;
        } catch (JacksonException e) {
            // Jackson's message quotes the input and names its own classes; the place is what
            // helps.
            var at = e.getLocation();
            throw InvalidBody.whole(
                    at == null || at.getLineNr() < 1
                            ? "The body is not valid JSON."
                            : "The body is not valid JSON: see line "
                                    + at.getLineNr()
                                    + ", column "
                                    + at.getColumnNr()
                                    + ".");
        }
    }

    private static CharBuffer decode(byte[] body) {
        if (body.length >= 3
                && body[0] == (byte) 0xEF
                && body[1] == (byte) 0xBB
                && body[2] == (byte) 0xBF) {
            throw InvalidBody.whole("The body must not begin with a byte order mark.");
        }
        // UTF-8 has never more characters than bytes.
        CharBuffer json = CharBuffer.allocate(body.length);
        CoderResult result =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT)
                        .decode(ByteBuffer.wrap(body), json, true);
        if (result.isError()) {
            throw InvalidBody.whole("The body is not valid UTF-8.");
        }
        return json.flip();
    }

    private Map<String, Captured> readBody(ObjectSpec spec) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw InvalidBody.whole("The body must be a JSON object.");
        }
        return members(spec, 1);
    }

    private Map<String, Captured> members(ObjectSpec spec, int depth) {
        var members = new LinkedHashMap<String, Captured>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = name();
            Captured value = capture(parser.nextToken(), spec.fieldSentAs(name), depth);
            if (members.put(name, value) != null) {
                throw duplicate(name);
            }
        }
        return members;
    }

    private List<Captured> elements(Field declared, int depth) {
        var elements = new ArrayList<Captured>();
        for (JsonToken token = parser.nextToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            elements.add(capture(token, declared, depth));
        }
        return elements;
    }

    /// @param declared null for a value that nothing is known of
    private Captured capture(JsonToken token, @Nullable Field declared, int depth) {
        return switch (token) {
            case VALUE_STRING -> Captured.string(string());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                    Captured.whole(Captured.Kind.NUMBER, number(), 0);
            case VALUE_TRUE -> Captured.whole(Captured.Kind.BOOLEAN, "true", 0);
            case VALUE_FALSE -> Captured.whole(Captured.Kind.BOOLEAN, "false", 0);
            case VALUE_NULL -> Captured.NULL;
            case START_ARRAY ->
                    declared instanceof ListField list
                            ? Captured.list(elements(list.element(), deeper(depth)))
                            : whole(token, Captured.Kind.ARRAY, depth);
            case START_OBJECT ->
                    declared instanceof ObjectField object
                            ? Captured.object(members(object.spec(), deeper(depth)))
                            : whole(token, Captured.Kind.OBJECT, depth);
            default -> throw InvalidBody.whole("The body is not valid JSON.");
        };
    }

    private Captured whole(JsonToken token, Captured.Kind kind, int outerDepth) {
        var out = new StringBuilder();
        int depth = copy(token, out, outerDepth) - outerDepth;
        return Captured.whole(kind, out.toString(), depth);
    }

    /// Appends the value at the parser compactly and returns the deepest level it reached.
    private int copy(JsonToken token, StringBuilder out, int depth) {
        switch (token) {
            case START_OBJECT -> {
                return copyObject(out, deeper(depth));
            }
            case START_ARRAY -> {
                return copyArray(out, deeper(depth));
            }
            case VALUE_STRING -> Texts.appendQuoted(out, string());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.append(number());
            case VALUE_TRUE -> out.append("true");
            case VALUE_FALSE -> out.append("false");
            case VALUE_NULL -> out.append("null");
            default -> throw InvalidBody.whole("The body is not valid JSON.");
        }
        return depth;
    }

    private int copyObject(StringBuilder out, int depth) {
        int deepest = depth;
        Set<String> names = new HashSet<>();
        out.append('{');
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = name();
            if (!names.add(name)) {
                throw duplicate(name);
            }
            if (names.size() > 1) {
                out.append(',');
            }
            Texts.appendQuoted(out, name);
            out.append(':');
            deepest = Math.max(deepest, copy(parser.nextToken(), out, depth));
        }
        out.append('}');
        return deepest;
    }

    private int copyArray(StringBuilder out, int depth) {
        int deepest = depth;
        boolean first = true;
        out.append('[');
        for (JsonToken token = parser.nextToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            if (!first) {
                out.append(',');
            }
            first = false;
            deepest = Math.max(deepest, copy(token, out, depth));
        }
        out.append(']');
        return deepest;
    }

    private String canonical(JsonToken token) {
        return switch (token) {
            case START_OBJECT -> {
                var members = new TreeMap<String, String>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    members.put(Texts.quoted(parser.currentName()), canonical(parser.nextToken()));
                }
                var joined = new StringJoiner(",", "{", "}");
                members.forEach((name, value) -> joined.add(name + ":" + value));
                yield joined.toString();
            }
            case START_ARRAY -> {
                var joined = new StringJoiner(",", "[", "]");
                for (JsonToken next = parser.nextToken();
                        next != JsonToken.END_ARRAY;
                        next = parser.nextToken()) {
                    joined.add(canonical(next));
                }
                yield joined.toString();
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Numbers.canonical(parser.getString());
            case VALUE_STRING -> Texts.quoted(parser.getString());
            default -> parser.getString();
        };
    }

    private static int deeper(int depth) {
        if (depth >= DEPTH_MAX) {
            throw InvalidBody.whole(
                    "The body must be nested at most " + DEPTH_MAX + " levels deep.",
                    String.valueOf(DEPTH_MAX));
        }
        return depth + 1;
    }

    private String name() {
        return storable(parser.currentName(), "A field name");
    }

    private String string() {
        return storable(parser.getString(), "A string");
    }

    private static String storable(String text, String what) {
        if (!Texts.storable(text)) {
            throw InvalidBody.whole(
                    what + " in the body holds U+0000 or half of a surrogate pair.");
        }
        return text;
    }

    private String number() {
        String number = parser.getString();
        if (number.length() > NUMBER_CHARACTERS_MAX) {
            throw InvalidBody.whole(
                    "A number in the body has more than " + NUMBER_CHARACTERS_MAX + " characters.",
                    String.valueOf(NUMBER_CHARACTERS_MAX));
        }
        int e = Math.max(number.indexOf('e'), number.indexOf('E'));
        if (e >= 0) {
            int exponent = exponent(number, e + 1);
            if (exponent > EXPONENT_MAX) {
                throw InvalidBody.whole(
                        "A number in the body has an exponent beyond " + EXPONENT_MAX + ".",
                        String.valueOf(EXPONENT_MAX));
            }
            expansion += exponent;
            if (expansion > EXPANSION_MAX) {
                throw InvalidBody.whole(
                        "The numbers of the body are longer than "
                                + EXPANSION_MAX
                                + " digits when written out in full.",
                        String.valueOf(EXPANSION_MAX));
            }
        }
        return number;
    }

    /// Its size without its sign, and no more than is worth knowing.
    private static int exponent(String number, int from) {
        int exponent = 0;
        for (int i = from; i < number.length() && exponent <= EXPONENT_MAX; i++) {
            char c = number.charAt(i);
            if (c >= '0' && c <= '9') {
                exponent = exponent * 10 + (c - '0');
            }
        }
        return exponent;
    }

    private static InvalidBody duplicate(String name) {
        return InvalidBody.whole(
                "The body has the field " + Texts.shown(name) + " twice in one object.");
    }
}
