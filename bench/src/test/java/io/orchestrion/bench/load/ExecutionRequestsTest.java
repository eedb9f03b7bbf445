package io.orchestrion.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;

class ExecutionRequestsTest {
    private final ExecutionRequests requests = new ExecutionRequests(8080, "the-key");

    private static String text(Request request) throws IOException {
        var out = new ByteArrayOutputStream();
        assertThat(request.writeTo(Channels.newChannel(out))).isTrue();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_start_names_its_definition_and_carries_the_payload_of_a_task() throws Exception {
        String text = text(requests.start("the-definition"));
        String body = text.substring(text.indexOf("\r\n\r\n") + 4);
        assertThat(text)
                .startsWith("POST /v1/orchestrations/executions HTTP/1.1\r\n")
                .contains("Content-Length: " + body.length() + "\r\n");
        assertThat(body)
                .contains("\"definition_id\":\"the-definition\"")
                .contains("\"input\":" + Sample.PAYLOAD);
    }

    @Test
    void a_page_of_a_history_is_asked_for_by_its_cursor() throws Exception {
        assertThat(text(requests.steps("one", 50, "next")))
                .startsWith("GET /v1/orchestrations/executions/one/steps?limit=50&cursor=next HTTP")
                .endsWith("Content-Length: 0\r\n\r\n");
        assertThat(text(requests.steps("one", 50, "")))
                .startsWith("GET /v1/orchestrations/executions/one/steps?limit=50 HTTP");
    }
}
