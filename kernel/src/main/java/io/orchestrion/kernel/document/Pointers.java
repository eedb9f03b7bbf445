package io.orchestrion.kernel.document;

/// JSON Pointers (RFC 6901).
public final class Pointers {
    private Pointers() {}

    public static String child(String pointer, String name) {
        return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    public static String child(String pointer, int index) {
        return pointer + "/" + index;
    }
}
