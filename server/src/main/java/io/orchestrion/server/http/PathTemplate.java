package io.orchestrion.server.http;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// A path of an endpoint, split into literal and parameter segments.
record PathTemplate(List<Segment> segments) {
    /// @param parameter true when the text is the name of a parameter and not a literal
    record Segment(String text, boolean parameter) {}

    static PathTemplate parse(String path) {
        if (!path.startsWith("/") || (path.length() > 1 && path.endsWith("/"))) {
            throw new IllegalArgumentException(
                    "A path begins with a slash and does not end with one: " + path);
        }
        var segments = new ArrayList<Segment>();
        var names = new HashSet<String>();
        if (path.length() > 1) {
            for (String text : path.substring(1).split("/", -1)) {
                boolean parameter = text.startsWith("{") && text.endsWith("}");
                String name = parameter ? text.substring(1, text.length() - 1) : text;
                if (!name.matches("[A-Za-z0-9._~-]+") || (parameter && !names.add(name))) {
                    throw new IllegalArgumentException(
                            "Bad segment " + text + " in the path " + path);
                }
                segments.add(new Segment(name, parameter));
            }
        }
        return new PathTemplate(List.copyOf(segments));
    }

    List<String> parameters() {
        return segments.stream().filter(Segment::parameter).map(Segment::text).toList();
    }

    /// The decoded segments of a requested path, or null when no endpoint can have it: an empty
    /// segment, a dot segment, a trailing slash, a malformed escape, or an escape that decodes to a
    /// slash.
    static @Nullable List<String> split(String rawPath) {
        if (!rawPath.startsWith("/")) {
            return null;
        }
        var segments = new ArrayList<String>();
        if (rawPath.length() == 1) {
            return segments;
        }
        for (int from = 1, end; from <= rawPath.length(); from = end + 1) {
            int slash = rawPath.indexOf('/', from);
            end = slash < 0 ? rawPath.length() : slash;
            String segment = Percent.decode(rawPath.substring(from, end), false);
            if (segment == null
                    || segment.isEmpty()
                    || segment.equals(".")
                    || segment.equals("..")
                    || segment.indexOf('/') >= 0) {
                return null;
            }
            segments.add(segment);
        }
        return segments;
    }
}
