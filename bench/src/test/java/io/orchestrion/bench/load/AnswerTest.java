package io.orchestrion.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

class AnswerTest {
    private static final String ID = "01890a5d-ac96-774b-bcce-b302099a8057";
    private static final String TOKEN = "6f1f9e0e-3c55-4a9a-8d8e-0e8f7a3a2b1c";
    private static final String OTHER_ID = "01890a5d-ac97-7000-8000-000000000001";
    private static final String OTHER_TOKEN = "00000000-1111-4222-8333-444444444444";

    private final Answer answer = new Answer();

    private void read(String... pieces) throws IOException {
        var channel = new Pieces(pieces);
        answer.clear();
        for (int i = 1; i < pieces.length; i++) {
            assertThat(answer.readFrom(channel)).as("whole after %s of %s", i, pieces).isFalse();
        }
        assertThat(answer.readFrom(channel)).isTrue();
    }

    @Test
    void an_answer_is_whole_with_its_last_byte_wherever_it_is_split() throws Exception {
        String text = "HTTP/1.1 409 Conflict\r\nDate: now\r\ncontent-Length:  3\r\nX: y\r\n\r\nabc";
        for (int i = 1; i < text.length(); i++) {
            read(text.substring(0, i), text.substring(i));
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.body()).isEqualTo("abc");
        }
        read(text.split(""));
        assertThat(answer.body()).isEqualTo("abc");
    }

    @Test
    void a_large_answer_makes_room_for_itself() throws Exception {
        String large = "x".repeat(100_000);
        var channel = new Pieces(ScriptedServer.ok(large));
        int reads = 1;
        while (!answer.readFrom(channel)) {
            reads++;
        }
        assertThat(reads).isGreaterThan(2);
        assertThat(answer.body()).isEqualTo(large);
        read(ScriptedServer.ok("{}"));
        assertThat(answer.body()).isEqualTo("{}");
    }

    @Test
    void a_server_that_goes_away_is_no_answer() throws Exception {
        var channel = new Pieces("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab");
        assertThat(answer.readFrom(channel)).isFalse();
        assertThatThrownBy(() -> answer.readFrom(channel)).isInstanceOf(EOFException.class);
    }

    @Test
    void an_answer_without_its_length_is_not_understood() {
        assertThatThrownBy(() -> read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"))
                .hasMessageContaining("Content-Length");
    }

    @Test
    void a_claim_got_a_task_or_none() throws Exception {
        read(ScriptedServer.ok("{\"task\":null,\"more\":{}}"));
        assertThat(answer.held()).isNull();
        read(
                ScriptedServer.ok(
                        "{\"task\":{\"id\":\"" + ID + "\",\"leaseToken\":\"" + TOKEN + "\"}}"));
        assertThat(answer.held()).satisfies(held -> is(held, ID, TOKEN));
        read(ScriptedServer.ok("{\"task\":{\"id\":\"" + ID + "\"}}"));
        assertThatThrownBy(answer::held)
                .hasMessageContaining("leaseToken")
                .hasMessageContaining(ID);
    }

    @Test
    void a_claim_of_many_got_each_with_its_token() throws Exception {
        read(
                ScriptedServer.ok(
                        "{\"items\":[{\"task\":{\"id\":\""
                                + ID
                                + "\",\"leaseToken\":\""
                                + TOKEN
                                + "\"}},{\"task\":{\"id\":\""
                                + OTHER_ID
                                + "\"},\"leaseToken\":\""
                                + OTHER_TOKEN
                                + "\"}]}"));
        assertThat(answer.allHeld())
                .satisfiesExactly(
                        held -> is(held, ID, TOKEN), held -> is(held, OTHER_ID, OTHER_TOKEN));
        read(ScriptedServer.ok("{\"items\":[]}"));
        assertThat(answer.allHeld()).isEmpty();
    }

    private static void is(Held held, String id, String token) {
        assertThat(new String(held.id(), StandardCharsets.US_ASCII)).isEqualTo(id);
        assertThat(new String(held.leaseToken(), StandardCharsets.US_ASCII)).isEqualTo(token);
    }

    @Test
    void text_is_looked_for_in_the_body_of_this_answer_only() throws Exception {
        read(ScriptedServer.ok("\"done\":100,"));
        assertThat(answer.contains(ascii("\"done\":100,"))).isTrue();
        assertThat(answer.contains(ascii("200 OK"))).isFalse();
        read(ScriptedServer.ok("\"done\""));
        assertThat(answer.contains(ascii("\"done\":100,"))).isFalse();
        assertThat(answer.contains(ascii(""))).isTrue();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
