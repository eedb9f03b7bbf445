package io.orchestrion.bench.load;

/// The verbs of the orchestrations door as requests of one account to one server.
public final class ExecutionRequests {
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final String ROOT = "/v1/orchestrations";

    private final Messages messages;

    public ExecutionRequests(int port, String key) {
        messages = new Messages(port, key);
    }

    int port() {
        return messages.port();
    }

    /// An execution of the newest published version, with the payload of a task as its input.
    public Request start(String definition) {
        return start(definition, "\"status\":\"running\"");
    }

    /// @param expectedText part of every good answer's body
    public Request start(String definition, String expectedText) {
        return messages.post(
                "start",
                CREATED,
                expectedText,
                ROOT + "/executions",
                "{\"definition_id\":\""
                        + definition
                        + "\",\"target_object_type\":\"report\",\"target_object_id\":\"17\",\"input\":"
                        + Sample.PAYLOAD
                        + "}");
    }

    Request define(String document) {
        return messages.post("define", CREATED, "\"version\":1,", ROOT + "/definitions", document);
    }

    Request publish(String definition) {
        return messages.post(
                "publish",
                OK,
                "\"status\":\"published\"",
                ROOT + "/definitions/" + definition + "/versions/1/publish",
                "{}");
    }

    Request get(String execution) {
        return messages.get("get", ROOT + "/executions/" + execution);
    }

    /// @param cursor of the page before; empty for the first
    Request steps(String execution, int limit, String cursor) {
        return messages.get(
                "steps",
                ROOT
                        + "/executions/"
                        + execution
                        + "/steps?limit="
                        + limit
                        + (cursor.isEmpty() ? "" : "&cursor=" + cursor));
    }
}
