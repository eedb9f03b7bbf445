package io.orchestrion.server.types;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

/// One account's view of the type endpoints.
public record TypeApi(Api api) {
    public static TypeApi of(TaskApi tasks) {
        return new TypeApi(tasks.api());
    }

    public Reply put(String type, String body) {
        return api.send("PUT", "/v1/types/" + type, body);
    }

    /// Registers or replaces, which must succeed.
    public Reply register(String type, String body) {
        Reply reply = put(type, body);
        assertThat(reply.status()).as(reply.text()).isIn(200, 201);
        return reply;
    }

    public Reply get(String type) {
        return api.get("/v1/types/" + type);
    }

    public Reply delete(String type) {
        return api.send("DELETE", "/v1/types/" + type, null);
    }

    public Reply verb(String type, String verb) {
        return api.post("/v1/types/" + type + "/" + verb);
    }

    void strict(boolean strict) {
        Reply reply = api.send("PATCH", "/v1/settings", "{\"strictTypes\":%s}".formatted(strict));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    }

    static void refused(Reply reply, int status, String error, String... words) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.error()).isEqualTo(error);
        for (String word : words) {
            assertThat(reply.text("/message")).contains(word);
        }
    }
}
