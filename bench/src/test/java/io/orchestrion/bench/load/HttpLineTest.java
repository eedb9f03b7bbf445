package io.orchestrion.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.EOFException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

class HttpLineTest {
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();

    @Test
    void answers_are_read_whole_one_after_the_other() throws Exception {
        String large = "x".repeat(100_000);
        List<List<String>> answers =
                List.of(
                        List.of(ScriptedServer.ok("{}")),
                        List.of(
                                "HTTP/1.1 2",
                                "00 OK\r\nContent-",
                                "Length: 3\r",
                                "\n\r\n",
                                "a",
                                "bc"),
                        List.of(ScriptedServer.ok(large)));
        try (var server =
                        new ScriptedServer(
                                (number, request) -> {
                                    asked.add(request);
                                    return answers.get(number);
                                });
                var line = new HttpLine(server.port())) {
            Request claim = new TaskRequests(server.port(), "the-key").claim("bench");
            assertThat(line.exchange(claim).body()).isEqualTo("{}");
            assertThat(line.exchange(claim).body()).isEqualTo("abc");
            assertThat(line.exchange(claim).body()).isEqualTo(large);
            assertThat(asked)
                    .hasSize(3)
                    .allMatch(request -> request.endsWith("{\"type\":\"bench\"}"));
        }
    }

    @Test
    void what_was_refused_is_said() throws Exception {
        try (var server =
                        new ScriptedServer(
                                (_, _) ->
                                        List.of("HTTP/1.1 503 No\r\nContent-Length: 2\r\n\r\nno"));
                var client = new TaskClient(server.port(), "the-key")) {
            assertThatThrownBy(() -> client.create("bench"))
                    .isInstanceOf(Refused.class)
                    .hasMessage("create was answered with 503: no");
        }
    }

    @Test
    void a_server_that_goes_away_is_no_answer() throws Exception {
        try (var server = new ScriptedServer((_, _) -> List.of());
                var client = new TaskClient(server.port(), "the-key")) {
            assertThatThrownBy(() -> client.create("bench")).isInstanceOf(EOFException.class);
        }
    }
}
