package io.orchestrion.server;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.assertj.core.api.Assertions;

/// One account's view of the tasks door, in the verbs of the contract.
public record TaskApi(Api api, String key, String accountId) {

    /// Creates a task of the type and returns its id.
    public String create(String type) {
        return created("{\"type\":\"%s\",\"payload\":{}}".formatted(type));
    }

    /// Creates a task with more fields, given as JSON text without the braces.
    public String create(String type, String fields) {
        return created("{\"type\":\"%s\",\"payload\":{},%s}".formatted(type, fields));
    }

    private String created(String body) {
        Reply reply = api.post("/v1/tasks", body);
        Assertions.assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.text("/task/id");
    }

    public Reply claim(String type) {
        return api.post("/v1/tasks/claim", "{\"type\":\"%s\"}".formatted(type));
    }

    public Reply get(String id) {
        return api.get("/v1/tasks/" + id);
    }

    public String status(String id) {
        return get(id).text("/task/status");
    }

    /// A verb without a body.
    public Reply verb(String id, String verb) {
        return api.post("/v1/tasks/" + id + "/" + verb);
    }

    public Reply verb(String id, String verb, String body) {
        return api.post("/v1/tasks/" + id + "/" + verb, body);
    }
}
