package io.orchestrion.kernel.egress;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// A request to be made, with its bounds.
///
/// ```java
/// Call.of("POST", url)
///         .header("Idempotency-Key", key)
///         .json(payload)
///         .within(Duration.ofSeconds(2), Duration.ofSeconds(30))
///         .answerAtMost(65_536)
/// ```
///
/// @param body null for none
/// @param connectWithin the time for a connection
/// @param within the time for all of it, the body of the answer included; looking its name up has
///     a bound of its own
/// @param quietWithin the longest time in which nothing more of the answer comes
/// @param answerMost bytes of the answer's body
/// @param startOnly whether the first bytes of a larger answer are enough, and those that came of
///     one that broke off
public record Call(
        String method,
        String url,
        Map<String, String> headers,
        byte @Nullable [] body,
        Duration connectWithin,
        Duration within,
        Duration quietWithin,
        int answerMost,
        boolean startOnly) {

    public static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");

    private static final Set<String> WITHOUT_BODY = Set.of("GET", "HEAD");
    private static final Duration USUAL_CONNECT = Duration.ofSeconds(5);
    private static final Duration USUAL_TIME = Duration.ofSeconds(30);
    private static final int USUAL_ANSWER = 64 * 1024;

    /// Headers that separate the requests on a connection, and headers that we set ourselves.
    private static final Set<String> OURS =
            Set.of(
                    "accept-encoding",
                    "connection",
                    "content-length",
                    "expect",
                    "host",
                    "keep-alive",
                    "proxy-authorization",
                    "proxy-connection",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}");
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e\\t]{0,8192}");

    public Call {
        if (!METHODS.contains(method)) {
            throw new IllegalArgumentException("no method of a call: " + method);
        }
        if (body != null && WITHOUT_BODY.contains(method)) {
            throw new IllegalArgumentException(method + " has no body");
        }
        if (connectWithin.toMillis() < 1
                || within.toMillis() < 1
                || quietWithin.toMillis() < 1
                || answerMost < 0) {
            throw new IllegalArgumentException("a call needs time, and its answer room");
        }
        headers = Map.copyOf(headers);
        headers.forEach(
                (name, value) -> {
                    String fault = headerFault(name, value);
                    if (fault != null) {
                        throw new IllegalArgumentException("a header " + fault);
                    }
                });
    }

    public static Call of(String method, String url) {
        return new Call(
                method,
                url,
                Map.of(),
                null,
                USUAL_CONNECT,
                USUAL_TIME,
                USUAL_TIME,
                USUAL_ANSWER,
                false);
    }

    /// Why a header may not be sent, as the end of a sentence that begins with its field; null when
    /// it may.
    public static @Nullable String headerFault(String name, String value) {
        if (!NAME.matcher(name).matches()) {
            return "must have a name that HTTP allows";
        }
        if (OURS.contains(name.toLowerCase(Locale.ROOT))) {
            return "must not be " + name + ", which is set by the server";
        }
        return VALUE.matcher(value).matches()
                ? null
                : "must have a value of at most 8192 printable ASCII characters";
    }

    /// A later value of a name takes the place of an earlier one.
    public Call header(String name, String value) {
        var all = new LinkedHashMap<>(headers);
        all.keySet().removeIf(name::equalsIgnoreCase);
        all.put(name, value);
        return with(all, body, connectWithin, within, quietWithin, answerMost, startOnly);
    }

    public Call body(byte[] bytes, String contentType) {
        return with(headers, bytes, connectWithin, within, quietWithin, answerMost, startOnly)
                .header("Content-Type", contentType);
    }

    public Call json(byte[] bytes) {
        return body(bytes, "application/json");
    }

    public Call within(Duration connect, Duration whole) {
        return with(headers, body, connect, whole, whole, answerMost, startOnly);
    }

    /// The same, but a stream that says nothing for so long is given up before its time is over.
    public Call quietAtMost(Duration silence) {
        return with(headers, body, connectWithin, within, silence, answerMost, startOnly);
    }

    public Call answerAtMost(int bytes) {
        return with(headers, body, connectWithin, within, quietWithin, bytes, false);
    }

    /// The same, but a larger answer is cut off there, and of an answer that breaks off the
    /// beginning counts as the answer.
    public Call startOfAnswer(int bytes) {
        return with(headers, body, connectWithin, within, quietWithin, bytes, true);
    }

    private Call with(
            Map<String, String> allHeaders,
            byte @Nullable [] bytes,
            Duration connect,
            Duration whole,
            Duration silence,
            int most,
            boolean start) {
        return new Call(method, url, allHeaders, bytes, connect, whole, silence, most, start);
    }
}
