package io.orchestrion.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.List;

class TaskRequestsTest {
    private final TaskRequests requests = new TaskRequests(8080, "the-key");

    private static Held held(char letter) {
        byte[] id = String.valueOf(letter).repeat(36).getBytes(StandardCharsets.US_ASCII);
        byte[] token =
                String.valueOf(Character.toUpperCase(letter))
                        .repeat(36)
                        .getBytes(StandardCharsets.US_ASCII);
        return new Held(id, token);
    }

    private static String text(Request request) throws IOException {
        var out = new ByteArrayOutputStream();
        request.rewind();
        assertThat(request.writeTo(Channels.newChannel(out))).isTrue();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_request_is_whole_and_says_its_length() throws Exception {
        String text = text(requests.claim("bench"));
        assertThat(text)
                .startsWith("POST /v1/tasks/claim HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n")
                .contains("Authorization: Bearer the-key\r\n")
                .endsWith("Content-Length: 16\r\n\r\n{\"type\":\"bench\"}");
    }

    @Test
    void the_same_request_names_one_task_after_the_other() throws Exception {
        Request complete = requests.complete();
        for (char letter : new char[] {'a', 'b'}) {
            assertThat(text(complete.name(0, held(letter))))
                    .contains("/v1/tasks/" + String.valueOf(letter).repeat(36) + "/complete ")
                    .contains(
                            "\"leaseToken\":\""
                                    + String.valueOf(Character.toUpperCase(letter)).repeat(36)
                                    + "\"")
                    .doesNotContain(Request.BLANK);
        }
    }

    @Test
    void a_request_of_many_names_each() throws Exception {
        Request renewal = requests.heartbeatMany(2);
        assertThat(renewal.names()).isEqualTo(2);
        assertThat(text(renewal.name(List.of(held('a'), held('b')))))
                .endsWith(
                        "{\"items\":[{\"id\":\""
                                + "a".repeat(36)
                                + "\",\"leaseToken\":\""
                                + "A".repeat(36)
                                + "\"},{\"id\":\""
                                + "b".repeat(36)
                                + "\",\"leaseToken\":\""
                                + "B".repeat(36)
                                + "\"}]}");
    }

    @Test
    void an_answer_that_is_not_all_that_was_asked_for_is_refused() throws Exception {
        var answer = new Answer();
        answer.readFrom(new Pieces(ScriptedServer.ok("{\"done\":2,\"failed\":0}")));
        requests.heartbeatMany(2).check(answer);
        assertThatThrownBy(() -> requests.heartbeatMany(3).check(answer))
                .isInstanceOf(Refused.class)
                .hasMessage("heartbeat was answered with 200: {\"done\":2,\"failed\":0}");
        assertThatThrownBy(() -> requests.create("bench").check(answer))
                .isInstanceOf(Refused.class);
    }
}
