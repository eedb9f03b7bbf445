package io.orchestrion.server.tasks;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Everything that a door can be asked, well and badly, with a key in every place where one can be
/// put.
final class KeyTour {
    private static final String UNKNOWN_ID = Requests.NO_TASK;

    private final TestServer server;
    private final TaskApi tasks;
    private final String key;
    private final List<Reply> replies = new ArrayList<>();
    private final List<String> rawReplies = new ArrayList<>();
    private final List<String> secrets = new ArrayList<>();

    KeyTour(TestServer server) {
        this.server = server;
        this.tasks = server.account();
        this.key = tasks.key();
        secrets.add(key);
    }

    List<Reply> replies() {
        return replies;
    }

    /// What came back for bytes that are no HTTP.
    List<String> rawReplies() {
        return rawReplies;
    }

    /// Every key that was in use.
    List<String> secrets() {
        return secrets;
    }

    void run() {
        for (TaskStatus status : TaskStatus.values()) {
            String id = Requests.task(tasks, status);
            Requests.all(id).forEach(request -> asked(request.by(tasks.api())));
        }
        for (Requests request : Requests.all(Requests.task(tasks, TaskStatus.PENDING))) {
            withBadCredentials(request);
            inTheAddress(request);
            inHeaders(request);
            inTheBody(request);
        }
        manageKeys();
        repeatedly();
        unknownPaths();
        failingInside();
        noHttp();
    }

    private void asked(Reply reply) {
        replies.add(reply);
        String made = reply.text("/apiKey");
        if (!made.isEmpty()) {
            secrets.add(made);
        }
    }

    private void withBadCredentials(Requests request) {
        Api nobody = server.anonymous();
        for (String header :
                List.of(
                        key,
                        "Basic " + key,
                        "Bearer" + key,
                        "Bearer " + key + "0",
                        "Bearer " + key + " " + key,
                        "Bearer x" + key)) {
            asked(request.by(nobody.with("Authorization", header)));
        }
    }

    private void inTheAddress(Requests request) {
        for (String query :
                List.of(
                        "token=" + key,
                        "api_key=" + encoded(key),
                        "q=Bearer%20" + key,
                        key,
                        key + "=1",
                        "limit=" + key,
                        "cursor=x" + key,
                        "status=%ff" + key)) {
            asked(request.with(tasks.api(), query));
            asked(request.with(server.anonymous(), query));
        }
        for (String parameter : request.endpoint().pathParameters()) {
            for (String id : List.of(key, encoded(key), key.substring(10))) {
                String path = request.endpoint().path().replace("{" + parameter + "}", id);
                asked(request.at(server.anonymous(), path));
                if (!isOwnText(request)) {
                    asked(request.at(tasks.api(), path));
                }
            }
        }
    }

    private void inHeaders(Requests request) {
        for (String header :
                List.of(
                        "Idempotency-Key",
                        "X-Api-Key",
                        "X-Request-Id",
                        "X-Forwarded-For",
                        "Forwarded",
                        "Cookie",
                        "User-Agent",
                        "Referer",
                        "Accept",
                        "Content-Type",
                        key)) {
            asked(request.by(tasks.api().with(header, key)));
        }
    }

    private void inTheBody(Requests request) {
        Endpoint endpoint = request.endpoint();
        if (endpoint.request() == null) {
            return;
        }
        var bodies =
                new ArrayList<>(
                        List.of(
                                key,
                                "{" + key,
                                "{\"a\":" + key + "}",
                                "{\"" + key + "\":1}",
                                "{\"a\":\"" + key,
                                "[\"" + key + "\"]",
                                "{\"a\":{\"b\":[\"" + key + "\"]}}"));
        String good = request.body() == null ? "{}" : request.body();
        for (Field field : endpoint.request().fields()) {
            String inside = good.equals("{}") ? "{" : good.substring(0, good.length() - 1) + ",";
            bodies.add("{\"%s\":\"%s\"}".formatted(field.name(), key));
            bodies.add(inside + "\"%s\":\"%s\"}".formatted(field.name(), key));
            bodies.add(inside + "\"%s\":{\"k\":\"%s\"}}".formatted(field.name(), key));
        }
        bodies.add(good.replace("\"made\"", "\"" + key + "\""));
        bodies.add(good.replace("{}", "{\"k\":\"\\u006f" + key.substring(1) + "\"}"));
        bodies.forEach(body -> asked(request.by(tasks.api(), body)));
    }

    private void manageKeys() {
        Reply made = tasks.api().post("/v1/keys", "{\"name\":\"another\"}");
        asked(made);
        Api other = server.anonymous().withKey(made.text("/apiKey"));
        String path = "/v1/keys/" + made.text("/key/id");
        asked(other.get("/v1/keys"));
        asked(other.get(path));
        asked(other.send("PATCH", path, "{\"name\":\"renamed\"}"));
        asked(other.send("DELETE", path, null));
        asked(other.get("/v1/keys"));
        asked(tasks.api().send("DELETE", path, null));
        asked(Provoked.reply(server, server.account(), "last_key"));
        asked(Provoked.reply(server, server.account(), "insufficient_scope"));
        server.kernel().kernel().sweepOnce("key-use");
        server.kernel().kernel().sweepOnce("key-purger");
    }

    /// Answers that are stored, and given again.
    private void repeatedly() {
        Api keyed = tasks.api().with("Idempotency-Key", "k");
        for (String path : List.of("/v1/tasks", "/v1/keys", "/v1/keys/register")) {
            String body =
                    path.equals("/v1/tasks")
                            ? "{\"type\":\"t\",\"payload\":{}}"
                            : "{\"name\":\"n\"}";
            asked(keyed.post(path, body));
            asked(keyed.post(path, body));
        }
    }

    private void unknownPaths() {
        for (String path :
                List.of(
                        "/" + key,
                        "/v1/" + key,
                        "/v1/" + encoded(key),
                        "/v1/tasks/" + key + "/" + key,
                        "/v1/keys/register/" + key,
                        "/v1/" + "x/".repeat(20) + "y".repeat(19) + "/" + key,
                        "/v1/unknown?token=" + key,
                        "/v1/unknown?" + encoded(key))) {
            for (String method : List.of("GET", "POST", "DELETE")) {
                asked(tasks.api().send(method, path, null));
                asked(server.anonymous().send(method, path, null));
            }
        }
        asked(tasks.api().send("PUT", "/v1/tasks/" + key, null));
        asked(tasks.api().send("PUT", "/v1/tasks?token=" + key, null));
    }

    /// The name of a type is the account's own text: whatever it is, it is stored and answered.
    private static boolean isOwnText(Requests request) {
        return request.endpoint().pathParameters().contains("type");
    }

    /// The store fails where the path holds a key.
    private void failingInside() {
        var failpoints = server.kernel().failpoints();
        for (String lane : List.of("submit", "claim", "holder", "settle", "command", "pool")) {
            failpoints.arm(
                    lane + ".before-commit",
                    () -> {
                        throw new IllegalStateException("broken on purpose");
                    });
            try {
                for (Requests request : Requests.all(UNKNOWN_ID)) {
                    asked(request.by(tasks.api()));
                    if (isOwnText(request)) {
                        continue;
                    }
                    String path = request.path().replace(UNKNOWN_ID, key);
                    asked(request.at(tasks.api(), path));
                    String hidden = request.path().replace(UNKNOWN_ID, encoded(key));
                    asked(request.at(tasks.api(), hidden));
                }
            } finally {
                failpoints.disarm(lane + ".before-commit");
            }
        }
    }

    private void noHttp() {
        for (String text :
                List.of(
                        key + "\r\n\r\n",
                        "GET /" + key + "\r\n\r\n",
                        "GET /?token=" + key + " HTTP/9.9\r\nHost: h\r\n\r\n",
                        key + " / HTTP/1.1\r\nHost: h\r\n\r\n",
                        "GET / HTTP/1.1\r\nHost: h\r\n" + key + "\r\n\r\n",
                        "GET / HTTP/1.1\r\nHost: h\r\nX:" + key + "\nY: 1\r\n\r\n",
                        "GET / HTTP/1.1\r\nHost: " + key + ":x\r\n\r\n",
                        "GET /" + "x".repeat(9000) + key + " HTTP/1.1\r\nHost: h\r\n\r\n",
                        "GET / HTTP/1.1\r\nHost: h\r\nX: " + key.repeat(300) + "\r\n\r\n",
                        "POST /v1/tasks HTTP/1.1\r\nHost: h\r\nContent-Length: " + key + "\r\n\r\n",
                        "POST /v1/tasks HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + key
                                + "\r\n")) {
            rawReplies.add(raw(text));
        }
    }

    private String raw(String text) {
        try (var socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (java.net.SocketException e) {
            // Reset instead of answered; there is nothing to search.
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Every character of it percent-encoded.
    static String encoded(String key) {
        return key.chars().mapToObj("%%%02x"::formatted).collect(Collectors.joining());
    }
}
