package io.orchestrion.testkit;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// A client of server-sent events: reads block by block, and remembers the last id as a browser
/// does.
public final class Sse implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /// One block; empty strings for what it lacks.
    public record Block(String id, String event, String data, String retry, String comment) {
        public JsonNode json() {
            return JSON.readTree(data);
        }
    }

    private final HttpResponse<InputStream> response;
    private final BufferedReader reader;
    private String lastId = "";

    private Sse(HttpResponse<InputStream> response) {
        this.response = response;
        this.reader =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    public static Sse open(int port, String path, Map<String, String> headers) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        headers.forEach(request::header);
        try {
            return new Sse(CLIENT.send(request.build(), BodyHandlers.ofInputStream()));
        } catch (IOException e) {
            throw new Api.Unanswered(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Api.Unanswered(e);
        }
    }

    public int status() {
        return response.statusCode();
    }

    public HttpHeaders headers() {
        return response.headers();
    }

    public String lastId() {
        return lastId;
    }

    /// The next block of any kind, null at the end of the stream.
    ///
    /// @throws UncheckedIOException when the connection broke
    public @Nullable Block next() {
        String id = "";
        String event = "";
        String data = "";
        String retry = "";
        String comment = "";
        try {
            String line = reader.readLine();
            if (line == null) {
                return null;
            }
            for (; line != null && !line.isEmpty(); line = reader.readLine()) {
                int colon = line.indexOf(':');
                String value = line.substring(colon + 1).strip();
                switch (line.substring(0, colon)) {
                    case "id" -> id = value;
                    case "event" -> event = value;
                    case "data" -> data = value;
                    case "retry" -> retry = value;
                    case "" -> comment = value;
                    default -> throw new AssertionError("not of an event stream: " + line);
                }
            }
            if (line == null) {
                // A block without its empty line does not count.
                return null;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!id.isEmpty()) {
            lastId = id;
        }
        return new Block(id, event, data, retry, comment);
    }

    /// The next block with an event in it, null at the end of the stream.
    public @Nullable Block nextEvent() {
        Block block = next();
        while (block != null && block.data().isEmpty()) {
            block = next();
        }
        return block;
    }

    @Override
    public void close() {
        try {
            reader.close();
        } catch (IOException e) {
            // Gone already.
            return;
        }
    }
}
