package io.orchestrion.testkit;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A client as a test needs it: plain HTTP, every answer looked at. Immutable; `with` makes
/// another.
public final class Api {
    private static final JsonMapper JSON = JsonMapper.shared();

    /// The client's own time-out ends with the headers; a stream that never ends would hold a test
    /// for ever.
    private static final int WHOLE_ANSWER_SECONDS = 60;

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI base;
    private final ResponseCheck check;
    private final Map<String, String> headers;

    private Api(URI base, ResponseCheck check, Map<String, String> headers) {
        this.base = base;
        this.check = check;
        this.headers = headers;
    }

    public static Api on(int port, ResponseCheck check) {
        return new Api(URI.create("http://127.0.0.1:" + port), check, Map.of());
    }

    public Api withKey(String key) {
        return with("Authorization", "Bearer " + key);
    }

    public Api with(String header, String value) {
        var more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Api(base, check, more);
    }

    public Reply get(String path) {
        return send("GET", path, null);
    }

    /// Without a body.
    public Reply post(String path) {
        return send("POST", path, null);
    }

    public Reply post(String path, String json) {
        return send("POST", path, json);
    }

    public Reply send(String method, String path, @Nullable String body) {
        var request =
                HttpRequest.newBuilder(base.resolve(path))
                        .method(
                                method,
                                body == null
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body));
        if (body != null && !headers.containsKey("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        headers.forEach(request::header);
        return reply(method, path, request.build());
    }

    private Reply reply(String method, String path, HttpRequest request) {
        var answer = CLIENT.sendAsync(request, BodyHandlers.ofString());
        try {
            HttpResponse<String> response = answer.get(WHOLE_ANSWER_SECONDS, TimeUnit.SECONDS);
            var reply =
                    new Reply(
                            response.statusCode(),
                            response.headers(),
                            response.body(),
                            parsed(response));
            check.check(method, path, reply);
            return reply;
        } catch (ExecutionException | TimeoutException e) {
            answer.cancel(true);
            throw new Unanswered(e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new Unanswered(e);
        }
    }

    /// The request went out and no answer came: what became of it is not known.
    public static final class Unanswered extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unanswered(Exception cause) {
            super(cause);
        }
    }

    /// Nothing for what is no JSON, such as a page of text.
    private static JsonNode parsed(HttpResponse<String> response) {
        String type = response.headers().firstValue("Content-Type").orElse("");
        return response.body().isEmpty() || !type.contains("json")
                ? MissingNode.getInstance()
                : JSON.readTree(response.body());
    }
}
