package io.orchestrion.server.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.runs.id.PublicId;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// One account's view of the runs door, in the verbs of the contract, with workers for its steps.
record RunApi(TestServer server, TaskApi tasks) {
    static final String RUNS = "/api/v1/runs";
    static final List<String> VERBS = List.of("start", "pause", "resume", "cancel", "retry");

    /// A new account.
    static RunApi on(TestServer server) {
        return new RunApi(server, server.account());
    }

    static Api operator(TestServer server) {
        return server.anonymous()
                .withKey(
                        server.kernel()
                                .kernel()
                                .identity()
                                .registerLocal("operator")
                                .key()
                                .reveal());
    }

    Api api() {
        return tasks.api();
    }

    static String step(String name, String more) {
        return "{\"name\":\"%s\",\"tool\":\"%s\"%s}".formatted(name, name, more);
    }

    static String plan(String... agents) {
        return "{\"agents\":[" + String.join(",", agents) + "]}";
    }

    static String agent(String subtask, String more, String... steps) {
        return "{\"subtask\":\"%s\"%s,\"tasks\":[{\"name\":\"t\",\"steps\":[%s]}]}"
                .formatted(subtask, more, String.join(",", steps));
    }

    /// One agent with one step.
    static String one(String tool) {
        return plan(agent("all", "", step(tool, "")));
    }

    /// @param more further fields, with a comma in front
    static String body(String more) {
        return "{\"name\":\"a run\",\"task\":\"do it\"" + more + "}";
    }

    static String planned(String plan) {
        return body(",\"plan\":" + plan);
    }

    static String path(String run) {
        return RUNS + "/" + run;
    }

    Reply asked(String body) {
        return api().post(RUNS, body);
    }

    String create(String body) {
        Reply reply = asked(body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.text("/id");
    }

    Reply get(String run) {
        return api().get(path(run));
    }

    String status(String run) {
        return get(run).text("/status");
    }

    Reply verb(String run, String verb) {
        return api().post(path(run) + "/" + verb);
    }

    /// A verb that is done.
    Reply done(String run, String verb) {
        Reply reply = verb(run, verb);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    Reply delete(String run) {
        return api().send("DELETE", path(run), null);
    }

    /// Started and picked up.
    String running(String body) {
        String run = create(body);
        done(run, "start");
        drive(run, "running");
        return run;
    }

    /// The drivers of this node work until the run is there.
    void drive(String run, String wanted) {
        Until.isTrue(
                "the run is " + wanted,
                Duration.ofSeconds(30),
                () -> {
                    server.kernel().kernel().sweepOnce("run-drivers");
                    return status(run).equals(wanted);
                });
    }

    /// The id of an item of the tool, which is held now.
    String claim(String tool) {
        Reply reply = tasks.claim(tool);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.at("/task").isObject()).as(reply.text()).isTrue();
        return reply.text("/task/id");
    }

    /// Claims a step of the tool and completes it.
    void complete(String tool) {
        Reply reply = tasks.verb(claim(tool), "complete", "{\"result\":{\"ok\":true}}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    }

    /// Claims a step of the tool and fails it.
    void fail(String tool, String code) {
        Reply reply =
                tasks.verb(
                        claim(tool),
                        "fail",
                        "{\"reason\":\"no\",\"error\":{\"code\":\"%s\",\"message\":\"it did not work\"}}"
                                .formatted(code));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    }

    /// Fails a step of the tool, which has many attempts, until people are called.
    void escalate(String run, String tool) {
        for (int i = 0; i < ESCALATES_WITHIN && !status(run).equals("paused"); i++) {
            fail(tool, "ConnectionError");
            server.clock().advance(Duration.ofSeconds(2));
            server.kernel().kernel().sweepOnce("due-promoter");
        }
        assertThat(get(run).at("/escalated").asBoolean()).isTrue();
    }

    private static final int ESCALATES_WITHIN = 6;

    BigDecimal credits(String which) {
        return api().get("/api/v1/credits").at("/" + which).decimalValue();
    }

    /// `type amount` of each entry of the run, in order.
    List<String> ledger(String run) {
        return api().get("/api/v1/credits/ledger?run_id=" + run).at("/items").values().stream()
                .map(
                        each ->
                                each.path("transaction_type").asString("")
                                        + " "
                                        + each.path("amount").decimalValue().toPlainString())
                .toList();
    }

    /// `from -> to` of each change of the run.
    List<String> transitions(String run) {
        return api().get(path(run) + "/transitions").at("/items").values().stream()
                .map(
                        each ->
                                (each.path("from").isNull()
                                                ? ""
                                                : each.path("from").asString("") + " -> ")
                                        + each.path("to").asString(""))
                .toList();
    }

    /// How many rows of the table are of the run.
    long rows(String table, String run) {
        return (long)
                Objects.requireNonNull(
                        server.database()
                                .value(
                                        "select count(*) from "
                                                + table
                                                + " where "
                                                + (table.equals("run") ? "id" : "run_id")
                                                + " = ?",
                                        uuid(run)));
    }

    static UUID uuid(String run) {
        return Objects.requireNonNull(PublicId.RUN.read(run));
    }
}
