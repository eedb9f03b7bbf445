package io.orchestrion.server.http;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/// What a call is answered with. Answers are values: the `with` methods return a changed copy.
public final class Answer {
    public static final String JSON = "application/json";
    private static final byte[] NOTHING = new byte[0];

    private final int status;
    private final String contentType;
    private final byte[] body;
    private final AnswerStream.@Nullable Writer stream;
    private final Map<String, String> headers;

    private Answer(
            int status,
            String contentType,
            byte[] body,
            AnswerStream.@Nullable Writer stream,
            Map<String, String> headers) {
        this.status = status;
        this.contentType = contentType;
        this.body = body;
        this.stream = stream;
        this.headers = headers;
    }

    public static Answer json(int status, byte[] body) {
        return new Answer(status, JSON, body, null, Map.of());
    }

    public static Answer of(int status, String contentType, byte[] body) {
        return new Answer(status, contentType, body, null, Map.of());
    }

    public static Answer empty(int status) {
        return new Answer(status, "", NOTHING, null, Map.of());
    }

    /// An answer that is written piece by piece, for as long as the writer likes. It holds no place
    /// among the calls in flight, but counts against the bound of streams. Beyond that bound the
    /// caller is told to retry.
    public static Answer stream(int status, String contentType, AnswerStream.Writer writer) {
        return new Answer(status, contentType, NOTHING, writer, Map.of());
    }

    /// Sets a header, replacing one of the same spelling.
    public Answer with(String name, String value) {
        // Found here it fails the handler; found by Helidon it would fail the connection.
        if (!isName(name) || !isPrintable(value)) {
            throw new IllegalArgumentException("The header " + name + " cannot be sent as given");
        }
        var changed = new LinkedHashMap<>(headers);
        changed.put(name, value);
        return new Answer(status, contentType, body, stream, changed);
    }

    private static boolean isName(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!(c >= 'A' && c <= 'Z'
                    || c >= 'a' && c <= 'z'
                    || c >= '0' && c <= '9'
                    || c == '-')) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    private static boolean isPrintable(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < 0x20 || text.charAt(i) > 0x7e) {
                return false;
            }
        }
        return true;
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

    /// The writer of the body, null for a body that is there whole.
    AnswerStream.@Nullable Writer stream() {
        return stream;
    }

    public Map<String, String> headers() {
        return headers;
    }
}
