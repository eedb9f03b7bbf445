package io.orchestrion.server.orchestrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import java.util.List;
import java.util.UUID;

/// One account's view of the orchestrations door, and of the workers that do its steps.
public record OrchestrationApi(TaskApi tasks) {
    public static final String ROOT = "/v1/orchestrations";
    static final String DEFINITIONS = ROOT + "/definitions";
    static final String EXECUTIONS = ROOT + "/executions";

    static final String RETRY =
            "{\"max_attempts\":2,\"backoff_strategy\":\"fixed\",\"initial_delay_ms\":0,"
                + "\"max_delay_ms\":0,\"timeout_ms\":30000,\"retry_on_classes\":[\"TRANSIENT\"]}";

    public static OrchestrationApi on(TestServer server) {
        return new OrchestrationApi(server.account());
    }

    Api api() {
        return tasks.api();
    }

    /// A definition of these steps, which are JSON objects.
    public static String document(String... steps) {
        return documentWith("", steps);
    }

    /// @param more further fields, each with a comma behind it
    public static String documentWith(String more, String... steps) {
        return "{\"name\":\"test\","
                + more
                + (more.contains("\"input_schema\"")
                        ? ""
                        : "\"input_schema\":{\"type\":\"object\"},")
                + (more.contains("\"policies\"") ? "" : "\"policies\":{\"retry\":" + RETRY + "},")
                + "\"steps\":["
                + String.join(",", steps)
                + "]}";
    }

    /// A step that a worker does.
    ///
    /// @param more further fields, each with a comma before it
    public static String task(String id, String more) {
        return step(id, "task", ",\"handler\":\"task:do_" + id + "\"" + more);
    }

    public static String step(String id, String type, String more) {
        return "{\"step_id\":\"%s\",\"name\":\"Step %s\",\"type\":\"%s\"".formatted(id, id, type)
                + (more.contains("\"timeout_ms\"") ? "" : ",\"timeout_ms\":600000")
                + (more.contains("\"idempotency_strategy\"")
                        ? ""
                        : ",\"idempotency_strategy\":\"SAFE_TO_RETRY\"")
                + more
                + "}";
    }

    Reply create(String document) {
        return api().post(DEFINITIONS, document);
    }

    /// The id of a draft.
    String draft(String document) {
        Reply reply = create(document);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.text("/orchestration_definition_id");
    }

    static String version(String id, int version) {
        return DEFINITIONS + "/" + id + "/versions/" + version;
    }

    Reply publish(String id, int version) {
        return api().post(version(id, version) + "/publish");
    }

    /// The id of a definition whose version 1 is published.
    public String published(String document) {
        String id = draft(document);
        Reply reply = publish(id, 1);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return id;
    }

    /// The body of a start.
    ///
    /// @param more further fields, each with a comma before it
    static String body(String definition, String more) {
        return "{\"definition_id\":\"%s\"".formatted(definition)
                + (more.contains("target_object_type") ? "" : ",\"target_object_type\":\"invoice\"")
                + (more.contains("target_object_id") ? "" : ",\"target_object_id\":\"17\"")
                + (more.contains("\"input\"") ? "" : ",\"input\":{}")
                + more
                + "}";
    }

    public Reply start(String definition, String more) {
        return api().post(EXECUTIONS, body(definition, more));
    }

    /// The id of a new execution.
    public String started(String definition, String more) {
        Reply reply = start(definition, more);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.text("/execution_id");
    }

    public String started(String definition) {
        return started(definition, "");
    }

    public Reply get(String execution) {
        return api().get(EXECUTIONS + "/" + execution);
    }

    public String status(String execution) {
        return get(execution).text("/status");
    }

    Reply verb(String execution, String verb, String body) {
        return api().post(EXECUTIONS + "/" + execution + "/" + verb, body);
    }

    Reply verb(String execution, String verb) {
        return api().post(EXECUTIONS + "/" + execution + "/" + verb);
    }

    /// The id of what a worker was given.
    public String claimed(String type) {
        Reply reply = tasks.claim(type);
        assertThat(reply.text("/task/id")).as(reply.text()).isNotEmpty();
        return reply.text("/task/id");
    }

    public Reply complete(String item, String result) {
        return tasks.verb(item, "complete", "{\"result\":" + result + "}");
    }

    /// Ends the step that a worker does well.
    public void done(String type) {
        Reply reply = complete(claimed(type), "{}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    }

    /// Ends it badly.
    public void failed(String type, String code) {
        Reply reply =
                tasks.verb(
                        claimed(type),
                        "fail",
                        "{\"reason\":\"no\",\"error\":{\"code\":\"%s\",\"message\":\"no\"}}"
                                .formatted(code));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    }

    static void refused(Reply reply, int status, String error, String... words) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.error()).as(reply.text()).isEqualTo(error);
        for (String word : words) {
            assertThat(reply.text()).contains(word);
        }
    }

    static List<String> codes(Reply reply, String list) {
        return reply.at(list).values().stream()
                .map(each -> each.path("code").asString(""))
                .toList();
    }

    static String someId() {
        return UUID.nameUUIDFromBytes(new byte[] {1}).toString();
    }
}
