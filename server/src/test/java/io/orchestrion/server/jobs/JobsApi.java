package io.orchestrion.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// One client's view of the jobs door, in the verbs of the contract.
///
/// @param keyed with the client's key
/// @param plain without a credential
public record JobsApi(Api keyed, Api plain, String client, String key, String keyId) {
    public static final String JOBS = "/v1/jobs";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// A client as anybody can be one: made over HTTP, with its first key.
    public static JobsApi of(TestServer server) {
        return of(server.anonymous());
    }

    public static JobsApi of(Api plain) {
        Reply made = plain.post("/v1/clients");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String client = made.text("/client_id");
        Reply first = plain.post("/v1/clients/" + client + "/keys", "{}");
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        String key = first.text("/api_key");
        return new JobsApi(plain.withKey(key), plain, client, key, first.text("/key_id"));
    }

    /// The same client with another of its keys.
    public JobsApi withKey(String other, String otherId) {
        return new JobsApi(plain.withKey(other), plain, client, other, otherId);
    }

    String keys() {
        return "/v1/clients/" + client + "/keys";
    }

    /// @param fields as JSON without the braces
    public Reply submit(String fields) {
        return keyed.post(JOBS, "{" + fields + "}");
    }

    public String submitted(String fields) {
        Reply reply = submit(fields);
        assertThat(reply.status()).as(reply.text()).isEqualTo(202);
        return reply.text("/job_id");
    }

    public String execute(String kind) {
        return submitted("\"type\":\"EXECUTE\",\"work_kind\":\"" + kind + "\"");
    }

    public Reply get(String id) {
        return keyed.get(JOBS + "/" + id);
    }

    public String state(String id) {
        return get(id).text("/state");
    }

    public Reply report(String id) {
        return keyed.get(JOBS + "/" + id + "/report");
    }

    public Reply verb(String id, String verb) {
        return keyed.post(JOBS + "/" + id + "/" + verb);
    }

    public void await(String id, String state) {
        Until.isTrue("job is " + state, PATIENCE, () -> state(id).equals(state));
    }

    /// The names of a final job's events, in their order.
    public List<String> events(String id) {
        var names = new ArrayList<String>();
        for (JsonNode event : report(id).at("/events")) {
            names.add(event.get("event_name").asString());
        }
        return names;
    }
}
