package io.orchestrion.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

class HttpLineTest {
    private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
    private final BlockingQueue<String> heads = new LinkedBlockingQueue<>();

    HttpLineTest() throws IOException {}

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    /// Answers each request with the next of these, piece by piece.
    private HttpLine answering(List<List<String>> answers) throws IOException {
        Thread.ofVirtual().start(() -> serve(answers));
        return new HttpLine(server.getLocalPort(), "the-key");
    }

    private void serve(List<List<String>> answers) {
        try (Socket socket = server.accept()) {
            var in =
                    new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            for (List<String> pieces : answers) {
                heads.add(request(in));
                for (String piece : pieces) {
                    socket.getOutputStream().write(piece.getBytes(StandardCharsets.UTF_8));
                    socket.getOutputStream().flush();
                }
            }
        } catch (IOException e) {
            heads.add("broken: " + e);
        }
    }

    private static String request(BufferedReader in) throws IOException {
        var head = new StringBuilder();
        int length = 0;
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            head.append(line).append('\n');
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring("Content-Length: ".length()));
            }
        }
        var body = new char[length];
        assertThat(in.read(body)).isEqualTo(length);
        return head + new String(body);
    }

    @Test
    void answers_are_read_whole_however_they_come() throws Exception {
        String large = "x".repeat(100_000);
        try (HttpLine line =
                answering(
                        List.of(
                                List.of("HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\n{}"),
                                List.of(
                                        "HTTP/1.1 4",
                                        "09 Conflict\r\nContent-",
                                        "Length: 3\r",
                                        "\n\r\n",
                                        "a",
                                        "bc"),
                                List.of(
                                        "HTTP/1.1 200 OK\r\n"
                                                + "Date: now\r\n"
                                                + "CONTENT-LENGTH:100000\r\n\r\n",
                                        large)))) {
            assertThat(line.post("/v1/tasks", "{\"a\":1}")).isEqualTo(201);
            assertThat(line.body()).isEqualTo("{}");
            assertThat(heads.take())
                    .startsWith("POST /v1/tasks HTTP/1.1\n")
                    .contains("Authorization: Bearer the-key\n")
                    .endsWith("{\"a\":1}");
            assertThat(line.post("/", "")).isEqualTo(409);
            assertThat(line.body()).isEqualTo("abc");
            assertThat(line.send("GET", "/", "")).isEqualTo(200);
            assertThat(line.body()).isEqualTo(large);
        }
    }

    @Test
    void a_server_that_goes_away_is_no_answer() throws Exception {
        try (HttpLine line = answering(List.of(List.of("HTTP/1.1 200 OK\r\n")))) {
            assertThatThrownBy(() -> line.post("/", "")).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void an_answer_without_its_length_is_not_understood() throws Exception {
        try (HttpLine line =
                answering(
                        List.of(
                                List.of(
                                        "HTTP/1.1 200 OK\r\n"
                                                + "Transfer-Encoding: chunked\r\n\r\n")))) {
            assertThatThrownBy(() -> line.post("/", "")).hasMessageContaining("Content-Length");
        }
    }
}
