package io.orchestrion.kernel.schema;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Looks at every subschema of a schema for what its grammar allows and we do not: references that
/// lead out of it or nowhere, patterns that cannot be used, other dialects, and what would take too
/// much memory.
final class SchemaWalk {
    private static final Set<String> ONE =
            Set.of(
                    "additionalProperties",
                    "unevaluatedProperties",
                    "items",
                    "unevaluatedItems",
                    "contains",
                    "propertyNames",
                    "not",
                    "if",
                    "then",
                    "else",
                    "contentSchema");
    private static final Set<String> LISTS = Set.of("allOf", "anyOf", "oneOf", "prefixItems");
    private static final Set<String> MAPS =
            Set.of(
                    "properties",
                    "patternProperties",
                    "$defs",
                    "definitions",
                    "dependentSchemas",
                    "dependencies");

    private static final Set<String> COUNTS =
            Set.of(
                    "minLength",
                    "maxLength",
                    "minItems",
                    "maxItems",
                    "minContains",
                    "maxContains",
                    "minProperties",
                    "maxProperties");

    /// Others have no schema in them, and can be as many as they like.
    private static final Set<String> KNOWN =
            Stream.of(
                            ONE,
                            LISTS,
                            MAPS,
                            COUNTS,
                            Set.of(
                                    "$schema",
                                    "$id",
                                    "$ref",
                                    "$dynamicRef",
                                    "$recursiveRef",
                                    "$anchor",
                                    "$dynamicAnchor",
                                    "pattern"))
                    .flatMap(Set::stream)
                    .collect(Collectors.toUnmodifiableSet());

    /// Characters of a pattern in a message.
    private static final int SHOWN_MAX = 100;

    private record Reference(String path, String target) {}

    private final Set<String> places = new HashSet<>();
    private final Set<String> anchors = new HashSet<>();
    private final List<Reference> references = new ArrayList<>();
    private @Nullable SchemaFault first;
    private int parts;
    private long placesCharacters;

    private SchemaWalk() {}

    /// The first thing that is not allowed; null when all is.
    static @Nullable SchemaFault fault(JsonNode schema) {
        return of(schema).first;
    }

    static SchemaWalk of(JsonNode schema) {
        var walk = new SchemaWalk();
        walk.look(schema, "", "");
        for (Reference reference : walk.references) {
            walk.follow(reference);
        }
        return walk;
    }

    @Nullable SchemaFault fault() {
        return first;
    }

    /// How large its patterns are together.
    int parts() {
        return parts;
    }

    /// How many schemas it has, itself included.
    int subschemas() {
        return places.size();
    }

    private void look(JsonNode schema, String path, String pointer) {
        placesCharacters += pointer.length();
        if (placesCharacters > SchemaLimit.ADDRESSES.max()) {
            add(
                    "",
                    "is too large: the addresses of its subschemas have more than "
                            + SchemaLimit.ADDRESSES.said()
                            + " characters together; use shorter names or nest less");
            return;
        }
        places.add(pointer);
        for (var member : schema.properties()) {
            String keyword = member.getKey();
            if (!KNOWN.contains(keyword)) {
                continue;
            }
            JsonNode value = member.getValue();
            String at = path + SchemaFault.child(keyword);
            String to = pointer + "/" + escaped(keyword);
            switch (keyword) {
                case "$schema" -> dialect(value, at, pointer.isEmpty());
                case "$id" -> {
                    if (!pointer.isEmpty()) {
                        add(at, "only the whole schema may have an $id");
                    }
                }
                case "$ref", "$dynamicRef", "$recursiveRef" ->
                        references.add(new Reference(at, value.asString("")));
                case "$anchor", "$dynamicAnchor" -> anchors.add(value.asString(""));
                case "pattern" -> pattern(value.asString(""), at);
                default -> lookBelow(keyword, value, at, to);
            }
        }
    }

    private void lookBelow(String keyword, JsonNode value, String at, String to) {
        if (COUNTS.contains(keyword)) {
            if (!value.canConvertToInt()) {
                add(at, "must be at most " + Integer.MAX_VALUE);
            }
        } else if (ONE.contains(keyword)) {
            look(value, at, to);
        } else if (LISTS.contains(keyword)) {
            for (int i = 0; i < value.size(); i++) {
                look(value.get(i), at + SchemaFault.child(i), to + "/" + i);
            }
        } else if (MAPS.contains(keyword)) {
            for (var member : value.properties()) {
                String name = member.getKey();
                if (keyword.equals("patternProperties")) {
                    pattern(name, at + SchemaFault.child(name));
                }
                look(member.getValue(), at + SchemaFault.child(name), to + "/" + escaped(name));
            }
        }
    }

    private void dialect(JsonNode value, String at, boolean whole) {
        String said = value.asString("").replaceAll("#$", "");
        if (!whole || !said.equals(JsonSchemas.DIALECT)) {
            add(at, "must be " + JsonSchemas.DIALECT + ", at the top only, or be left out");
        }
    }

    private void pattern(String regex, String at) {
        try {
            parts += new LinearRegex(regex).parts();
        } catch (PatternRefused e) {
            add(at, "the pattern " + SchemaFault.quote(shown(regex)) + " " + e.reason());
            return;
        }
        if (parts > SchemaLimit.PATTERNS_PARTS.max()) {
            add(
                    at,
                    "the patterns of a schema may have "
                            + SchemaLimit.PATTERNS_PARTS.said()
                            + " parts together, with their repeats written out");
        }
    }

    private static String shown(String regex) {
        return regex.length() <= SHOWN_MAX ? regex : regex.substring(0, SHOWN_MAX) + "…";
    }

    private void follow(Reference reference) {
        String target = reference.target();
        if (!target.startsWith("#")) {
            add(
                    reference.path(),
                    "must lead to a place in this schema, such as #/$defs/name; nothing is fetched"
                            + " from elsewhere");
            return;
        }
        String fragment = target.substring(1);
        boolean found =
                fragment.isEmpty() || fragment.startsWith("/")
                        ? places.contains(decoded(fragment))
                        : anchors.contains(fragment);
        if (!found) {
            add(reference.path(), "leads to no schema within this one");
        }
    }

    private static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }

    private static String decoded(String fragment) {
        try {
            return URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return fragment;
        }
    }

    private void add(String path, String message) {
        if (first == null) {
            first = new SchemaFault(path, message);
        }
    }
}
