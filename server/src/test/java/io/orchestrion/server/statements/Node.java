package io.orchestrion.server.statements;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A node of the tree that PostgreSQL makes of a statement, read from the text in which it prints
/// its trees: `{NAME :field value …}`. A value is another node, a list or a word.
record Node(String name, Map<String, Object> fields) {
    private static final Pattern TOKEN =
            Pattern.compile(
                    "\\s+|\\{([A-Z_0-9]+)|\"(?:\\\\.|[^\"\\\\])*\"|[{}()\\[\\]]|[^\\s(){}]+");

    static Node parse(String text) {
        return (Node) new Parser(text).value();
    }

    /// One of the fields of the node that is a node; null where there is none.
    @Nullable Node node(String field) {
        return fields.get(field) instanceof Node node ? node : null;
    }

    List<Node> nodes(String field) {
        return fields.get(field) instanceof List<?> list
                ? list.stream().filter(Node.class::isInstance).map(Node.class::cast).toList()
                : List.of();
    }

    boolean has(String field) {
        return node(field) != null || !nodes(field).isEmpty();
    }

    String word(String field) {
        return fields.get(field) instanceof String word ? word : "";
    }

    long number(String field) {
        return word(field).isEmpty() ? -1 : Long.parseLong(word(field));
    }

    boolean is(String wanted) {
        return name.equals(wanted);
    }

    Stream<Node> children() {
        return fields.values().stream().flatMap(Node::in);
    }

    private static Stream<Node> in(Object value) {
        return switch (value) {
            case Node node -> Stream.of(node);
            case List<?> list -> list.stream().flatMap(Node::in);
            default -> Stream.empty();
        };
    }

    /// Itself and all below it.
    Stream<Node> all() {
        return Stream.concat(Stream.of(this), children().flatMap(Node::all));
    }

    /// The same without going into queries inside of it.
    Stream<Node> allOfOneQuery() {
        return Stream.concat(
                Stream.of(this),
                children().filter(child -> !child.is("QUERY")).flatMap(Node::allOfOneQuery));
    }

    private static final class Parser {
        private final List<String> tokens = new ArrayList<>();
        private int at;

        Parser(String text) {
            Matcher matcher = TOKEN.matcher(text);
            while (matcher.find()) {
                if (!matcher.group().isBlank()) {
                    tokens.add(matcher.group());
                }
            }
        }

        Object value() {
            String token = tokens.get(at++);
            if (token.startsWith("{")) {
                return node(token.substring(1));
            }
            if (token.equals("(")) {
                return list(")");
            }
            return token;
        }

        private Node node(String name) {
            var fields = new LinkedHashMap<String, Object>();
            String field = "";
            while (!tokens.get(at).equals("}")) {
                if (tokens.get(at).startsWith(":")) {
                    field = tokens.get(at++).substring(1);
                } else {
                    // Of a value in several words, such as the bytes of a constant, the first.
                    fields.putIfAbsent(field, value());
                }
            }
            at++;
            return new Node(name, fields);
        }

        private List<Object> list(String end) {
            var values = new ArrayList<Object>();
            while (!tokens.get(at).equals(end)) {
                values.add(value());
            }
            at++;
            return values;
        }
    }
}
