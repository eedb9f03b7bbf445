package io.orchestrion.server.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// One account's view of its schedules, and the duty that fires them.
record ScheduleApi(TestServer server, TaskApi account) {
    static final String PATH = "/v1/schedules";
    static final String TASK = "\"task\":{\"type\":\"tick\",\"payload\":{\"n\":1}}";

    static ScheduleApi on(TestServer server) {
        return new ScheduleApi(server, server.account());
    }

    Api api() {
        return account.api();
    }

    static String body(String name, String fields) {
        return "{\"name\":\"%s\",%s,%s}".formatted(name, fields, TASK);
    }

    Reply tryCreate(String name, String fields) {
        return api().post(PATH, body(name, fields));
    }

    /// Its id.
    String create(String name, String fields) {
        Reply reply = tryCreate(name, fields);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.text("/schedule/id");
    }

    /// Every hour from now, with more fields.
    String hourly(String fields) {
        return create("hourly", "\"everySeconds\":3600" + fields);
    }

    Reply get(String id) {
        return api().get(PATH + "/" + id);
    }

    Reply replace(String id, String body) {
        return api().send("PUT", PATH + "/" + id, body);
    }

    Reply verb(String id, String verb) {
        return api().post(PATH + "/" + id + "/" + verb);
    }

    Reply delete(String id) {
        return api().send("DELETE", PATH + "/" + id, null);
    }

    /// Until nothing is due; how many schedules were dealt with.
    int sweep() {
        int all = 0;
        int some;
        do {
            some = server.kernel().kernel().sweepOnce("schedule-firer");
            all += some;
        } while (some > 0);
        return all;
    }

    void after(Duration time) {
        server.clock().advance(time);
        sweep();
    }

    List<JsonNode> fires(String id) {
        Reply reply = api().get(PATH + "/" + id + "/fires?limit=100");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return List.copyOf(reply.at("/fires").values());
    }

    /// `fired fired missed`, newest first.
    String results(String id) {
        var words = new ArrayList<String>();
        fires(id).forEach(fire -> words.add(fire.get("result").asString()));
        return String.join(" ", words);
    }

    /// The tasks of the account, newest first.
    List<JsonNode> tasks() {
        return List.copyOf(api().get("/v1/tasks?limit=100").at("/tasks").values());
    }

    int count(String id, String what) {
        return get(id).number("/schedule/" + what);
    }
}
