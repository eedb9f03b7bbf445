package io.orchestrion.server.http;

import java.util.LinkedHashMap;
import java.util.Map;

/// What a call is answered with. Answers are values: the `with` methods return a changed copy.
public final class Answer {
    public static final String JSON = "application/json";
    private static final byte[] NOTHING = new byte[0];

    private final int status;
    private final String contentType;
    private final byte[] body;
    private final Map<String, String> headers;

    private Answer(int status, String contentType, byte[] body, Map<String, String> headers) {
        this.status = status;
        this.contentType = contentType;
        this.body = body;
        this.headers = headers;
    }

    public static Answer json(int status, byte[] body) {
        return new Answer(status, JSON, body, Map.of());
    }

    public static Answer of(int status, String contentType, byte[] body) {
        return new Answer(status, contentType, body, Map.of());
    }

    public static Answer empty(int status) {
        return new Answer(status, "", NOTHING, Map.of());
    }

    /// Sets a header, replacing one of the same spelling.
    public Answer with(String name, String value) {
        // Found here it fails the handler; found by Helidon it would fail the connection.
        if (!name.matches("[A-Za-z0-9-]+") || !value.matches("[\\x20-\\x7e]*")) {
            throw new IllegalArgumentException("The header " + name + " cannot be sent as given");
        }
        var changed = new LinkedHashMap<>(headers);
        changed.put(name, value);
        return new Answer(status, contentType, body, changed);
    }

    public int status() {
        return status;
    }

    /// The media type, empty when there is no body.
    public String contentType() {
        return contentType;
    }

    /// The bytes themselves, not a copy: an answer is written once and then dropped.
    public byte[] body() {
        return body;
    }

    public Map<String, String> headers() {
        return headers;
    }
}
