package io.orchestrion.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.orchestrion.tools.ClientExit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/// Runs the commands that people run most against a server that answers the same to everybody, so
/// that what they load and link is in the start-up cache of the client commands.
final class ClientTraining {
    private static final String ID = "0195f2b4-0000-7000-8000-000000000001";
    private static final String TASK =
            """
            {"id":"%s","type":"t","status":"claimed","priority":0,"attemptCount":1,"maxAttempts":3,\
            "leaseDurationSeconds":300,"claimedBy":"w","claimedAt":"2030-01-31T08:30:00Z",\
            "leaseExpiresAt":"2030-01-31T08:35:00Z","createdAt":"2030-01-31T08:29:00Z",\
            "updatedAt":"2030-01-31T08:30:00Z","payload":{"a":[1,2.5,true]}}\
            """
                    .formatted(ID);
    private static final String CONTRACT =
            """
            "agent_contract":{"retryable":false,"next_actions":[{"action":"complete_task",\
            "available":true,"recommended":true,"endpoint":"/v1/tasks/%s/complete"}]}\
            """
                    .formatted(ID);

    /// One command of each kind: a card, a table, a page, a body, a refusal, help and a mistake.
    private static final List<String> LINES =
            List.of(
                    "health",
                    "tasks list",
                    "tasks create --type t --payload {\"a\":1} --priority 3",
                    "tasks get " + ID,
                    "tasks claim --type t",
                    "tasks complete " + ID + " --token " + ID + " --result {}",
                    "tasks list --json",
                    "queue list",
                    "events",
                    "schedules list",
                    "tasks --help",
                    "tasks list --lmit 3");

    private ClientTraining() {}

    static int run() {
        try {
            HttpServer server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", ClientTraining::answer);
            server.start();
            try {
                String url = "http://127.0.0.1:" + server.getAddress().getPort();
                int worst = ClientExit.OK.number();
                for (String line : LINES) {
                    int code = ClientProgram.run(around(url), line.split(" "));
                    worst = code == ClientExit.INTERNAL.number() ? code : worst;
                }
                return worst;
            } finally {
                server.stop(0);
            }
        } catch (IOException e) {
            System.err.println("orchestrion: the client commands cannot be trained: " + e);
            return ClientExit.INTERNAL.number();
        }
    }

    private static Surroundings around(String url) {
        var nowhere =
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        return new Surroundings(
                nowhere,
                nowhere,
                InputStream.nullInputStream(),
                Map.of(ClientCommand.URL_VARIABLE, url, KeySource.VARIABLE, "training"),
                Path.of("."),
                true,
                ZoneId.systemDefault(),
                InstantSource.system());
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            boolean list = exchange.getRequestMethod().equals("GET") && path.equals("/v1/tasks");
            boolean known = path.startsWith("/v1/tasks") || path.equals("/health");
            String body =
                    path.equals("/health")
                            ? "{\"status\":\"ok\",\"version\":\"1\",\"jobs\":[]}"
                            : list
                                    ? "{\"tasks\":[" + TASK + "],\"nextCursor\":null}"
                                    : known
                                            ? "{\"task\":"
                                                    + TASK
                                                    + ",\"leaseToken\":\""
                                                    + ID
                                                    + "\","
                                                    + CONTRACT
                                                    + "}"
                                            : "{\"error\":\"not_found\",\"message\":\"Not here.\","
                                                    + "\"request_id\":\"r\","
                                                    + CONTRACT
                                                    + "}";
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(known ? 200 : 404, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
