package io.orchestrion.server.tasks;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.SchemaCheck;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/// Posts bytes that are no text, and bodies of no announced length.
final class Raw {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Raw() {}

    static byte[] bytes(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    static Reply post(TestServer server, TaskApi tasks, String path, byte[] body) {
        return send(server, tasks, path, BodyPublishers.ofByteArray(body));
    }

    static Reply postChunked(TestServer server, TaskApi tasks, String path, byte[] body) {
        return send(
                server,
                tasks,
                path,
                BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(body)));
    }

    private static Reply send(
            TestServer server, TaskApi tasks, String path, HttpRequest.BodyPublisher body) {
        var request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                        .header("Authorization", "Bearer " + tasks.key())
                        .header("Content-Type", "application/json")
                        .POST(body)
                        .build();
        try {
            HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
            var reply =
                    new Reply(
                            response.statusCode(),
                            response.headers(),
                            response.body(),
                            JsonMapper.shared().readTree(response.body()));
            if (reply.status() >= 400) {
                SchemaCheck.valid(TaskPublished.ERROR.toJsonSchema(), reply.body(), path);
            }
            return reply;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
