package io.orchestrion.kernel.document;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Makes a tree of the text of a document, strictly and within bounds.
public final class DocumentParser {
    private static final JsonMapper JSON =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(DocumentBounds.DEPTH)
                                                    .maxNumberLength(
                                                            DocumentBounds.NUMBER_CHARACTERS)
                                                    .maxNameLength(DocumentBounds.FIELD_CHARACTERS)
                                                    .maxStringLength(Integer.MAX_VALUE)
                                                    .build())
                                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                                    // Names come from strangers, who could flood a shared table.
                                    .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                                    .build())
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private final DocumentBounds bounds;
    private final Findings findings;

    public DocumentParser(DocumentBounds bounds, Findings findings) {
        this.bounds = bounds;
        this.findings = findings;
    }

    /// Null after a finding that leaves nothing to go on with.
    public @Nullable JsonNode parse(String json) {
        if (json.length() > bounds.bytes()
                || json.getBytes(StandardCharsets.UTF_8).length > bounds.bytes()) {
            findings.add(
                    DocumentCode.DOCUMENT_TOO_LARGE,
                    "",
                    "The document has more than " + bounds.bytes() + " bytes.",
                    bounds.tooLarge());
            return null;
        }
        try (JsonParser parser = JSON.createParser(json)) {
            return tree(parser);
        }
    }

    private @Nullable JsonNode tree(JsonParser parser) {
        try {
            JsonNode document = JSON.readTree(parser);
            if (document == null || !document.isObject()) {
                invalid("The document is not a JSON object.");
                return null;
            }
            look(document, "");
            return document;
        } catch (StreamConstraintsException e) {
            bound(e, pointer(parser));
        } catch (JacksonException e) {
            if (String.valueOf(e.getMessage()).startsWith("Duplicate")) {
                findings.add(
                        DocumentCode.DUPLICATE_FIELD,
                        pointer(parser),
                        "The field stands twice in one object.",
                        "Remove one of them.");
            } else {
                var at = e.getLocation();
                invalid(
                        at == null || at.getLineNr() < 1
                                ? "The document is not valid JSON."
                                : "The document is not valid JSON: see line "
                                        + at.getLineNr()
                                        + ", column "
                                        + at.getColumnNr()
                                        + ".");
            }
        }
        return null;
    }

    private static String pointer(JsonParser parser) {
        return String.valueOf(parser.streamReadContext().pathAsPointer());
    }

    private void invalid(String message) {
        findings.add(DocumentCode.INVALID_JSON, "", message, "Send one JSON object.");
    }

    private void bound(StreamConstraintsException e, String pointer) {
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        if (message.contains("depth")) {
            findings.add(
                    DocumentCode.DOCUMENT_TOO_DEEP,
                    "",
                    "The document is nested more than " + DocumentBounds.DEPTH + " levels deep.",
                    "Nest less.");
        } else if (message.contains("number")) {
            longNumber(pointer);
        } else {
            findings.add(
                    DocumentCode.OUT_OF_BOUNDS,
                    "",
                    "The name of a field has more than "
                            + DocumentBounds.FIELD_CHARACTERS
                            + " characters.",
                    "Use a shorter name.");
        }
    }

    private void longNumber(String pointer) {
        findings.add(
                DocumentCode.NUMBER_TOO_LONG,
                pointer,
                "The number has more than "
                        + DocumentBounds.NUMBER_CHARACTERS
                        + " characters or an exponent beyond "
                        + DocumentBounds.EXPONENT
                        + ".",
                "Use a shorter number, or a text.");
    }

    /// What the grammar allows and we cannot keep.
    private void look(JsonNode node, String pointer) {
        if (node.isObject()) {
            for (var member : node.properties()) {
                String at = Pointers.child(pointer, member.getKey());
                storable(member.getKey(), pointer);
                look(member.getValue(), at);
            }
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                look(node.get(i), Pointers.child(pointer, i));
            }
        } else if (node.isString()) {
            storable(node.stringValue(), pointer);
        } else if (node.isBigDecimal()) {
            BigDecimal number = node.decimalValue();
            if (Math.abs((long) number.scale())
                    > DocumentBounds.EXPONENT + DocumentBounds.NUMBER_CHARACTERS) {
                longNumber(pointer);
            }
        }
    }

    private void storable(String text, String pointer) {
        boolean pair = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean begins =
                    Character.isHighSurrogate(c)
                            && i + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(i + 1));
            if (c == 0 || (Character.isSurrogate(c) && !begins && !pair)) {
                findings.add(
                        DocumentCode.UNSTORABLE_TEXT,
                        pointer,
                        "The text holds U+0000 or half of a surrogate pair.",
                        "Remove the character.");
                return;
            }
            pair = begins;
        }
    }
}
