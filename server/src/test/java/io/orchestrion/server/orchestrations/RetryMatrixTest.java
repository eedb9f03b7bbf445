package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationApi.ROOT;
import static io.orchestrion.server.orchestrations.OrchestrationApi.document;
import static io.orchestrion.server.orchestrations.OrchestrationApi.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.ErrorMatrix;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.util.HashMap;
import java.util.Map;

/// The matrix of errors, over HTTP.
@Timeout(180)
class RetryMatrixTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final OrchestrationApi mine = OrchestrationApi.on(server);

    /// E-107: what is published is what the engine does with each code and status.
    @Test
    void the_matrix_is_what_the_engine_does() {
        Reply matrix = mine.api().get(ROOT + "/retry-matrix");
        assertThat(matrix.status()).as(matrix.text()).isEqualTo(200);
        assertThat(matrix.at("/rows")).hasSize(ErrorMatrix.rows().size());
        assertThat(matrix.at("/classes")).hasSize(ErrorClass.values().length);
        assertThat(matrix.text("/otherwise")).isEqualTo("NON_RETRYABLE");
        assertThat(factors(matrix)).containsEntry("DEPENDENCY_FAILED", 4);
        String definition = mine.published(document(task("a", "")));
        String notSafe =
                mine.published(
                        document(task("a", ",\"idempotency_strategy\":\"NOT_SAFE_TO_RETRY\"")));
        for (JsonNode row : matrix.at("/rows").values()) {
            String error =
                    row.get("code").isNull()
                            ? "{\"code\":\"other\",\"http_status\":%s,\"message\":\"m\"}"
                                    .formatted(row.get("http_status"))
                            : "{\"code\":\"%s\",\"message\":\"m\"}"
                                    .formatted(row.get("code").asString());
            assertThat(classOf(definition, error))
                    .as(error)
                    .isEqualTo(row.get("error_class").asString());
            assertThat(classOf(notSafe, error))
                    .as(error)
                    .isEqualTo(row.get("error_class_when_not_safe").asString());
        }
        assertThat(classOf(definition, "{\"code\":\"never_heard_of\",\"message\":\"m\"}"))
                .isEqualTo("NON_RETRYABLE");
    }

    private static Map<String, Integer> factors(Reply matrix) {
        var factors = new HashMap<String, Integer>();
        for (JsonNode each : matrix.at("/classes").values()) {
            factors.put(each.get("error_class").asString(), each.get("delay_factor").asInt());
        }
        return factors;
    }

    /// E-107, E-122: as somebody has set it.
    @Test
    void the_matrix_shows_the_factor_that_is_set() {
        var settings = new OrchestrationSettings(4, 2, 9, null, null);
        try (var other =
                new TestServer(options -> options, options -> options.withDoor(settings))) {
            Reply matrix = OrchestrationApi.on(other).api().get(ROOT + "/retry-matrix");
            assertThat(factors(matrix))
                    .containsEntry("DEPENDENCY_FAILED", 9)
                    .containsEntry("TRANSIENT", 1);
        }
    }

    /// As the history has it after a worker said so.
    private String classOf(String definition, String error) {
        String execution = mine.started(definition);
        String item = mine.claimed("do_a");
        Reply said = mine.tasks().verb(item, "fail", "{\"reason\":\"r\",\"error\":" + error + "}");
        assertThat(said.status()).as(said.text()).isEqualTo(200);
        Reply seen = mine.get(execution);
        if (seen.text("/status").equals("running")) {
            mine.verb(execution, "cancel");
        }
        return seen.text("/steps/0/error_class");
    }
}
