package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunApi.agent;
import static io.orchestrion.server.runs.RunApi.one;
import static io.orchestrion.server.runs.RunApi.path;
import static io.orchestrion.server.runs.RunApi.plan;
import static io.orchestrion.server.runs.RunApi.planned;
import static io.orchestrion.server.runs.RunApi.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.List;

/// Who did what to runs and credits, as the account's audit tells it.
class RunAuditTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final RunApi runs = RunApi.on(server);
    private final String me = runs.api().get("/v1/keys").text("/keys/0/id");

    private List<JsonNode> audited(String event, String subject) {
        Reply page =
                runs.api().get("/v1/audit-events?event=" + event + "&limit=100&subject=" + subject);
        assertThat(page.status()).as(page.text()).isEqualTo(200);
        return List.copyOf(page.at("/items").values());
    }

    private JsonNode only(String event, String run) {
        List<JsonNode> found = audited(event, RunApi.uuid(run).toString());
        assertThat(found).as(event).hasSize(1);
        return found.getFirst();
    }

    private void byMe(String event, String run, String reason) {
        by(me, only(event, run), reason);
    }

    private static void by(String key, JsonNode entry, String reason) {
        assertThat(entry.at("/actor/type").asString("")).isEqualTo("key");
        assertThat(entry.at("/actor/id").asString("")).isEqualTo(key);
        assertThat(entry.at("/detail/reason").asString("")).isEqualTo(reason);
    }

    private Reply say(String run, String verb) {
        Reply reply = runs.api().post(path(run) + "/" + verb, "{\"reason\":\"why " + verb + "\"}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    /// each with who it was and why.
    @Test
    void what_people_do_to_runs_is_audited() {
        String run = runs.create(planned(one("aud")));
        say(run, "start");
        runs.drive(run, "running");
        say(run, "pause");
        say(run, "resume");
        runs.drive(run, "running");
        runs.fail("aud", "ValueError");
        say(run, "retry");
        runs.drive(run, "running");
        say(run, "cancel");
        for (String verb : List.of("start", "pause", "resume", "retry", "cancel")) {
            byMe("run." + verb, run, "why " + verb);
        }
        String deleted = runs.create(planned(one("aud")));
        assertThat(runs.delete(deleted).status()).isEqualTo(204);
        assertThat(only("run.delete", deleted).at("/actor/id").asString("")).isEqualTo(me);
    }

    /// what changed nothing is nobody's act.
    @Test
    void what_changes_nothing_is_not_audited() {
        String run = runs.create(planned(one("none")));
        say(run, "start");
        say(run, "start");
        runs.verb(run, "pause");
        assertThat(audited("run.start", RunApi.uuid(run).toString())).hasSize(1);
        assertThat(audited("run.pause", RunApi.uuid(run).toString())).isEmpty();
    }

    /// an escalation is the server's own act, and its answer somebody's.
    @Test
    void escalations_and_their_answers_are_audited() {
        String run =
                runs.running(planned(plan(agent("a", "", step("esc", ",\"max_attempts\":20")))));
        runs.escalate(run, "esc");
        JsonNode escalated = only("run.escalated", run);
        assertThat(escalated.at("/actor/type").asString("")).isEqualTo("server");
        String ticket = runs.get(run).text("/escalation_ticket_id");
        Reply resolved =
                runs.api()
                        .post(
                                "/api/v1/escalations/" + ticket + "/resolve",
                                "{\"action\":\"cancel\",\"note\":\"too many\"}");
        assertThat(resolved.status()).as(resolved.text()).isEqualTo(200);
        byMe("run.ticket_resolve", run, "too many");
    }

    /// what the server's operator does is in the audit of the account that it is about.
    @Test
    void what_the_operator_does_is_audited() {
        Api operator = RunApi.operator(server);
        String run = runs.running(planned(one("op")));
        Reply forced =
                operator.post(
                        "/api/v1/admin/runs/" + run + "/force-fail", "{\"reason\":\"Timeout\"}");
        assertThat(forced.status()).as(forced.text()).isEqualTo(200);
        JsonNode entry = only("run.force_fail", run);
        assertThat(entry.at("/actor/type").asString("")).isEqualTo("key");
        assertThat(entry.at("/actor/id").asString("")).isNotEmpty().isNotEqualTo(me);
        assertThat(entry.at("/detail/reason").asString("")).isEqualTo("Timeout");

        Reply granted =
                operator.post(
                        "/api/v1/admin/credits/grants",
                        ("{\"org_id\":\"%s\",\"amount\":5,\"idempotency_key\":\"a\","
                                        + "\"reason\":\"a gift\"}")
                                .formatted(runs.tasks().accountId()));
        String entryId = granted.text("/id").replace("entry_", "");
        assertThat(audited("credits.granted", entryId))
                .singleElement()
                .satisfies(
                        each ->
                                assertThat(each.at("/detail/reason").asString(""))
                                        .isEqualTo("a gift"));

        String paid = runs.running(planned(one("paid")));
        runs.complete("paid");
        String charge =
                runs
                        .api()
                        .get("/api/v1/credits/ledger?run_id=" + paid)
                        .at("/items")
                        .values()
                        .stream()
                        .filter(each -> each.path("transaction_type").asString("").equals("charge"))
                        .map(each -> each.path("id").asString(""))
                        .findFirst()
                        .orElseThrow();
        Reply reversed =
                operator.post(
                        "/api/v1/admin/billing/reversals",
                        "{\"ledger_entry_id\":\"%s\",\"reason\":\"by mistake\"}".formatted(charge));
        assertThat(reversed.status()).as(reversed.text()).isEqualTo(201);
        assertThat(audited("credits.reversed", RunApi.uuid(paid).toString()))
                .singleElement()
                .satisfies(
                        each -> {
                            assertThat(each.at("/detail/reason").asString(""))
                                    .isEqualTo("by mistake");
                            assertThat(each.at("/actor/type").asString("")).isEqualTo("key");
                        });
    }
}
