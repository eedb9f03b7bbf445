package io.orchestrion.kernel.schema;

/// One fault and its place.
///
/// @param path within the document: empty for the whole of it, else such as `.items[2].name`
public record SchemaFault(String path, String message) {
    /// Names come from strangers; a path is for reading.
    private static final int PATH_MAX = 300;

    private static final int MESSAGE_MAX = 500;

    public SchemaFault {
        path = shortened(path, PATH_MAX);
        message = shortened(message, MESSAGE_MAX);
    }

    /// With what the document is called, as a sentence of a message.
    public String of(String document) {
        return document + path + ": " + message;
    }

    private static String shortened(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.substring(0, end) + "…";
    }

    /// A step down by name, in dots where the name is plain.
    static String child(String name) {
        return name.matches("[A-Za-z_$][A-Za-z0-9_$-]*") ? "." + name : "[" + quote(name) + "]";
    }

    static String quote(String name) {
        return "\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    static String child(int index) {
        return "[" + index + "]";
    }
}
