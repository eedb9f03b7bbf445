package io.orchestrion.bench.load;

import java.util.Collections;

/// The verbs of the tasks door as requests of one account to one server.
public final class TaskRequests {
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final String ANYTHING = "";
    private static final String NAMED_TOKEN = "\"leaseToken\":\"" + Request.BLANK + "\"";

    private final Messages messages;

    public TaskRequests(int port, String key) {
        messages = new Messages(port, key);
    }

    public int port() {
        return messages.port();
    }

    public Request create(String type) {
        return create(type, "");
    }

    /// @param more fields, each with a comma before it
    public Request create(String type, String more) {
        return post("create", CREATED, ANYTHING, "/v1/tasks", task(type, more));
    }

    private static String task(String type, String more) {
        return "{\"type\":\"" + type + "\",\"payload\":" + Sample.PAYLOAD + more + "}";
    }

    public Request claim(String type) {
        return post("claim", OK, ANYTHING, "/v1/tasks/claim", "{\"type\":\"" + type + "\"}");
    }

    public Request claim(String type, int waitSeconds) {
        return post(
                "claim",
                OK,
                ANYTHING,
                "/v1/tasks/claim",
                "{\"type\":\"" + type + "\",\"waitSeconds\":" + waitSeconds + "}");
    }

    public Request complete() {
        return ofOne("complete", ",\"result\":" + Sample.RESULT);
    }

    public Request fail() {
        return ofOne("fail", ",\"lastFailureReason\":\"the model was overloaded\"");
    }

    /// A failure that another attempt may mend.
    public Request failForNow() {
        return ofOne("fail", ",\"error\":{\"code\":\"unavailable\",\"message\":\"away\"}");
    }

    public Request heartbeat() {
        return ofOne("heartbeat", "");
    }

    private Request ofOne(String verb, String more) {
        return post(
                verb,
                OK,
                ANYTHING,
                "/v1/tasks/" + Request.BLANK + "/" + verb,
                "{" + NAMED_TOKEN + more + "}");
    }

    public Request createMany(String type, int count) {
        return createMany(type, count, "");
    }

    /// @param more fields of each, each with a comma before it
    public Request createMany(String type, int count, String more) {
        return post(
                "create",
                OK,
                "\"created\":" + count + ",",
                "/v1/tasks/batch",
                "{\"tasks\":[" + times(count, task(type, more)) + "]}");
    }

    public Request claimMany(String type, int most) {
        return post(
                "claim",
                OK,
                ANYTHING,
                "/v1/tasks/batch/claim",
                "{\"type\":\"" + type + "\",\"max\":" + most + "}");
    }

    public Request completeMany(int count) {
        return ofMany("complete", count, ",\"result\":" + Sample.RESULT);
    }

    public Request heartbeatMany(int count) {
        return ofMany("heartbeat", count, "");
    }

    private Request ofMany(String verb, int count, String more) {
        String item = "{\"id\":\"" + Request.BLANK + "\"," + NAMED_TOKEN + more + "}";
        return post(
                verb,
                OK,
                "\"done\":" + count + ",",
                "/v1/tasks/batch/" + verb,
                "{\"items\":[" + times(count, item) + "]}");
    }

    private static String times(int count, String item) {
        return String.join(",", Collections.nCopies(count, item));
    }

    /// Of an account of its own.
    Request register(String name) {
        return post(
                "register",
                CREATED,
                "\"apiKey\":\"",
                "/v1/keys/register",
                "{\"name\":\"" + name + "\"}");
    }

    private Request post(
            String verb, int expectedStatus, String expectedText, String path, String body) {
        return messages.post(verb, expectedStatus, expectedText, path, body);
    }
}
