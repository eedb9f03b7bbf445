import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * A stand-in for a language model: it speaks as much of OpenAI's protocol as a planner needs, and
 * answers every request with the same plan. It listens on this machine alone and prints its
 * address. Any Java from 11 on runs it: {@code java FakeModel.java}.
 */
public final class FakeModel {
    private static final String PLAN =
            "{\"agents\":[{\"subtask\":\"Look it up\",\"tasks\":[{\"name\":\"look\",\"steps\":["
                    + "{\"name\":\"search\",\"tool\":\"search\",\"input\":{\"in\":\"web\"}}]}]}]}";

    private FakeModel() {}

    public static void main(String[] args) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/chat/completions", FakeModel::answer);
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/v1");
    }

    private static void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        String content = PLAN.replace("\"", "\\\"");
        byte[] body =
                ("{\"choices\":[{\"index\":0,\"finish_reason\":\"stop\",\"message\":{\"role\":\"assistant\",\"content\":\""
                                + content
                                + "\"}}],\"usage\":{\"prompt_tokens\":900,\"completion_tokens\":120,\"total_tokens\":1020}}")
                        .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
