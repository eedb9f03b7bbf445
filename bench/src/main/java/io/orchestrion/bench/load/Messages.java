package io.orchestrion.bench.load;

/// Requests of one account to one server, as they go over the wire.
final class Messages {
    private final int port;
    private final String head;

    Messages(int port, String key) {
        this.port = port;
        head =
                " HTTP/1.1\r\nHost: 127.0.0.1:"
                        + port
                        + "\r\nAuthorization: Bearer "
                        + key
                        + "\r\nContent-Type: application/json\r\nContent-Length: ";
    }

    int port() {
        return port;
    }

    /// @param verb under which its answers are timed
    /// @param expectedText part of every good answer's body
    /// @param body in ASCII
    Request post(String verb, int expectedStatus, String expectedText, String path, String body) {
        return request(verb, expectedStatus, expectedText, "POST " + path, body);
    }

    Request get(String verb, String path) {
        return request(verb, 200, "", "GET " + path, "");
    }

    private Request request(
            String verb, int expectedStatus, String expectedText, String start, String body) {
        return new Request(
                verb,
                expectedStatus,
                expectedText,
                start + head + body.length() + "\r\n\r\n" + body);
    }
}
