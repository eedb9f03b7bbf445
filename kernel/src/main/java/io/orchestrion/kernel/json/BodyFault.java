package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

/// One thing wrong with a body or a query string.
///
/// @param field path of the field, such as `payload` or `items[2].name`; empty when the body as a
///     whole is at fault
/// @param message a whole sentence for the caller, naming the field and its bound
/// @param bound the bound that was missed in a short form, such as `0..100` or `65536`; null when
///     there is none
/// @param pointer the same place as a JSON Pointer (RFC 6901), such as `/items/2/name`
public record BodyFault(String field, String message, @Nullable String bound, String pointer) {

    /// The pointer follows from the path, in which no declared name has a dot or a bracket.
    public BodyFault(String field, String message, @Nullable String bound) {
        this(field, message, bound, pointer(field));
    }

    static String pointer(String path) {
        if (path.isEmpty()) {
            return "";
        }
        var pointer = new StringBuilder();
        for (String part : path.replace("]", "").split("[.\\[]")) {
            pointer.append(step(part));
        }
        return pointer.toString();
    }

    static String step(String name) {
        return "/" + name.replace("~", "~0").replace("/", "~1");
    }
}
