package io.orchestrion.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// How long an answer is waited for.
@Timeout(180)
class TransportTest {
    private static final String HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";

    @Test
    void an_answer_that_stops_after_its_head_is_not_waited_for() throws Exception {
        List<Socket> open = new CopyOnWriteArrayList<>();
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> begin(server, open));
            URI address = URI.create("http://127.0.0.1:" + server.getLocalPort());
            try (var client =
                    OrchestrionClient.builder(address)
                            .key("orch_live_x")
                            .timeout(Duration.ofMillis(300))
                            .retries(RetryPolicy.none())
                            .build()) {
                OrchestrionException failure =
                        catchThrowableOfType(OrchestrionException.class, client::health);
                assertThat(failure.code()).isEqualTo(OrchestrionException.NO_ANSWER);
            }
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    /// Answers each with the beginning of an answer.
    private static void begin(ServerSocket server, List<Socket> open) {
        try {
            while (true) {
                Socket socket = server.accept();
                open.add(socket);
                socket.getOutputStream().write(HEAD.getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().flush();
            }
        } catch (IOException e) {
            // The test is over.
        }
    }
}
