package io.orchestrion.server.billing;

import io.orchestrion.server.egress.ServiceClient;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Calls PayPal with an access token, which is kept until shortly before it ends and replaced once
/// when PayPal no longer takes it. Nothing that it throws or says holds a credential.
final class PayPalClient implements AutoCloseable {
    static final JsonMapper JSON = JsonMapper.shared();

    /// Far above any answer; a stranger at that address must not fill our memory.
    private static final long ANSWER_BYTES_MAX = 256 * 1024;

    /// A token is not used in its last minute, so that it does not end on the way.
    private static final Duration TOKEN_MARGIN = Duration.ofMinutes(1);

    private record Token(String text, long endNanos) {
        boolean good() {
            return System.nanoTime() - endNanos < 0;
        }
    }

    /// What PayPal answered.
    record Answer(int status, JsonNode body) {
        boolean good() {
            return status / 100 == 2;
        }

        /// The first issue of an error in PayPal's words, or its name; empty for none.
        String issue() {
            String issue = body.at("/details/0/issue").asString("");
            String named = issue.isEmpty() ? body.path("name").asString("") : issue;
            return named.matches("[A-Z0-9_]{1,80}") ? named : "";
        }

        String shown() {
            return issue().isEmpty() ? "status " + status : issue() + ", status " + status;
        }
    }

    /// There was no answer, or none that could be read.
    static final class NoAnswer extends Exception {
        private static final long serialVersionUID = 1;

        NoAnswer(String message) {
            super(message);
        }
    }

    private final PayPalOptions options;
    private final String base;
    private final ServiceClient service;
    private final ReentrantLock renewal = new ReentrantLock();
    private volatile @Nullable Token token;

    PayPalClient(PayPalOptions options) {
        this.options = options;
        this.base = options.url().toString().replaceFirst("/+$", "");
        this.service =
                new ServiceClient(
                        options.connectTimeout(), options.requestTimeout(), ANSWER_BYTES_MAX);
    }

    Answer get(String path) throws NoAnswer {
        return send(path, null, null);
    }

    /// @param requestId what makes PayPal do it once, however often it is sent
    Answer post(String path, ObjectNode body, String requestId) throws NoAnswer {
        return send(path, body, requestId);
    }

    /// A request with a refused token had no effect, so it is sent again with a new token.
    private Answer send(String path, @Nullable ObjectNode body, @Nullable String requestId)
            throws NoAnswer {
        Token used = token(null);
        Answer answer = exchange(request(path, body, requestId, used));
        return answer.status() == 401
                ? exchange(request(path, body, requestId, token(used)))
                : answer;
    }

    private HttpRequest.Builder request(
            String path, @Nullable ObjectNode body, @Nullable String requestId, Token with) {
        var request =
                HttpRequest.newBuilder(URI.create(base + path))
                        .header("Accept", "application/json")
                        .header("Authorization", "Bearer " + with.text());
        if (requestId != null) {
            request.header("PayPal-Request-Id", requestId);
        }
        return body == null
                ? request.GET()
                : request.header("Content-Type", "application/json")
                        .header("Prefer", "return=representation")
                        .POST(BodyPublishers.ofString(JSON.writeValueAsString(body)));
    }

    /// One caller fetches the token; the others wait and use the same one.
    private Token token(@Nullable Token refused) throws NoAnswer {
        Token known = token;
        if (known != null && known != refused && known.good()) {
            return known;
        }
        renewal.lock();
        try {
            Token newer = token;
            if (newer != null && newer != refused && newer.good()) {
                return newer;
            }
            Token fetched = fetchToken();
            token = fetched;
            return fetched;
        } finally {
            renewal.unlock();
        }
    }

    private Token fetchToken() throws NoAnswer {
        String credentials = options.clientId() + ":" + options.clientSecret();
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + "/v1/oauth2/token"))
                        .header("Accept", "application/json")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header(
                                "Authorization",
                                "Basic "
                                        + Base64.getEncoder()
                                                .encodeToString(
                                                        credentials.getBytes(
                                                                StandardCharsets.UTF_8)))
                        .POST(BodyPublishers.ofString("grant_type=client_credentials"));
        Answer answer = exchange(request);
        String text = answer.body().path("access_token").asString("");
        if (answer.status() == 401) {
            throw new NoAnswer("PayPal does not take paypal-client-id and paypal-client-secret");
        }
        if (!answer.good() || !text.matches("[!-~]+")) {
            throw new NoAnswer("PayPal gave no access token: " + answer.shown());
        }
        long seconds = answer.body().path("expires_in").asLong(0);
        long useful = Math.max(0, seconds - TOKEN_MARGIN.toSeconds());
        return new Token(text, System.nanoTime() + TimeUnit.SECONDS.toNanos(useful));
    }

    private Answer exchange(HttpRequest.Builder request) throws NoAnswer {
        try {
            HttpResponse<String> response = service.exchange(request);
            return new Answer(response.statusCode(), parsed(response));
        } catch (ServiceClient.NoAnswer e) {
            throw new NoAnswer(e.by("PayPal"));
        }
    }

    /// A body that is no JSON says nothing, as from a proxy on the way; the status still does.
    private static JsonNode parsed(HttpResponse<String> response) {
        try {
            return response.body().isBlank()
                    ? MissingNode.getInstance()
                    : JSON.readTree(response.body());
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }

    /// Cuts off what is under way: the outcome of a capture is found at the next look.
    @Override
    public void close() {
        service.close();
    }
}
