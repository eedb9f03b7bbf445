package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunApi.agent;
import static io.orchestrion.server.runs.RunApi.one;
import static io.orchestrion.server.runs.RunApi.plan;
import static io.orchestrion.server.runs.RunApi.planned;
import static io.orchestrion.server.runs.RunApi.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.runs.Runs;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.egress.AddressGuard;
import io.orchestrion.server.http.AddressRanges;
import io.orchestrion.server.webhooks.WebhookOptions;
import io.orchestrion.testkit.HookReceiver;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What the account's log tells of runs and all that belongs to them, and what receivers hear.
@Timeout(180)
class RunEventsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final WebhookOptions OPTIONS =
            WebhookOptions.DEFAULT
                    .withTimeout(Duration.ofSeconds(20))
                    .withAddresses(AddressRanges.of("127.0.0.0/8"), AddressGuard.Resolver.SYSTEM);

    private final HookReceiver receiver = new HookReceiver();
    private final TestServer server =
            new TestServer(options -> options, options -> options.withWebhooks(OPTIONS));
    private final RunApi mine = RunApi.on(server);

    @AfterEach
    void close() {
        receiver.close();
        server.close();
    }

    /// The whole log, page by page.
    private List<JsonNode> events() {
        var all = new ArrayList<JsonNode>();
        Until.isTrue(
                "the log is at its end",
                PATIENCE,
                () -> {
                    all.clear();
                    String cursor = "";
                    while (true) {
                        Reply page =
                                mine.api().get("/v1/events?include=subjects&limit=100" + cursor);
                        assertThat(page.status()).as(page.text()).isEqualTo(200);
                        page.at("/subjectEvents").forEach(all::add);
                        if (page.at("/subjectEvents").isEmpty() && page.at("/events").isEmpty()) {
                            break;
                        }
                        cursor = "&after=" + page.text("/nextCursor");
                    }
                    long stored = server.database().value("select count(*) from subject_event");
                    return all.size() == stored;
                });
        return all;
    }

    private static List<String> of(List<JsonNode> events, String kind) {
        return events.stream()
                .filter(each -> each.at("/subject/kind").asString("").equals(kind))
                .map(each -> each.path("event").asString(""))
                .toList();
    }

    /// All four levels, the credits, and the artifacts.
    @Test
    void the_log_of_the_account_tells_of_every_level_of_credits_and_of_artifacts() {
        String run = mine.running(planned(plan(agent("all", "", step("a", "")))));
        mine.fail("a", "ConnectionError");
        server.clock().advance(Duration.ofSeconds(1));
        String item = mine.claim("a");
        assertThat(
                        mine.api()
                                .with("Content-Type", "text/plain")
                                .post(RunApi.path(run) + "/artifacts?name=x", "hello")
                                .status())
                .isEqualTo(201);
        mine.tasks().verb(item, "complete", "{\"result\":{}}");
        server.clock().advance(Duration.ofDays(31));
        server.kernel().kernel().sweepOnce("artifact-sweeper");

        List<JsonNode> events = events();

        assertThat(of(events, "run"))
                .containsExactly("created", "pending", "running", "planned", "completed");
        assertThat(of(events, "run_agent")).containsExactly("running", "completed");
        assertThat(of(events, "run_task")).containsExactly("running", "completed");
        assertThat(of(events, "run_step")).contains("running", "retried", "completed");
        // Subjects that one transaction tells of have no order among themselves.
        assertThat(of(events, "credit"))
                .containsExactlyInAnyOrder("reserved", "charged", "refunded");
        assertThat(of(events, "run_artifact")).containsExactly("stored", "expired");
        assertThat(events)
                .allMatch(each -> each.at("/data/run_id").asString("").equals(run))
                .allMatch(each -> each.path("correlationId").asString(run).equals(run));
        JsonNode charged =
                events.stream()
                        .filter(each -> each.path("event").asString("").equals("charged"))
                        .findFirst()
                        .orElseThrow();
        assertThat(charged.at("/data/amount").decimalValue()).isEqualByComparingTo("0.01");
        assertThat(charged.at("/data/attempt_number").asInt()).isEqualTo(1);
    }

    @Test
    void tickets_and_approvals_are_in_the_log_of_the_account() {
        String asking =
                mine.running(
                        RunApi.body(",\"tool_policies\":{\"a\":\"confirm\"},\"plan\":" + one("a")));
        Reply waiting = mine.api().get("/api/v1/approvals?status=pending");
        String approval = waiting.text("/items/0/id");
        Reply approved = mine.api().post("/api/v1/approvals/" + approval + "/approve", "{}");
        assertThat(approved.status()).as(approved.text()).isEqualTo(200);
        for (int i = 0; i < 3; i++) {
            mine.fail("a", "ConnectionError");
            server.clock().advance(Duration.ofSeconds(2));
        }
        assertThat(mine.status(asking)).isEqualTo("failed");

        List<JsonNode> events = events();

        assertThat(of(events, "run_approval")).containsExactly("requested", "approved");
        assertThat(of(events, "run_ticket")).containsExactly("opened");
        assertThat(of(events, "run")).contains("aborted", "escalated", "failed");
    }

    /// Every kind of event is one that a receiver may ask for by its name.
    @Test
    void receivers_hear_of_what_they_asked_for_by_name() {
        List<String> names = Runs.SUBJECTS.stream().flatMap(kind -> kind.names().stream()).toList();
        assertThat(names)
                .contains(
                        "run.completed",
                        "run_agent.failed",
                        "run_task.skipped",
                        "run_step.retried",
                        "run_ticket.opened",
                        "run_approval.requested",
                        "credit.charged",
                        "run_artifact.stored");
        webhook("/all", names.toArray(String[]::new));
        webhook("/some", "credit.charged", "run.completed");
        String run = mine.running(planned(one("a")));
        mine.complete("a");

        List<JsonNode> some = got("/some", 2);

        assertThat(some)
                .extracting(each -> each.path("event_name").asString())
                .containsExactlyInAnyOrder("credit.charged", "run.completed");
        assertThat(some).allMatch(each -> each.at("/data/run_id").asString("").equals(run));
        Until.isTrue(
                "the last one of all",
                PATIENCE,
                () -> {
                    pump();
                    return receiver.got("/all").stream()
                            .map(each -> each.json().path("event_name").asString())
                            .toList()
                            .containsAll(
                                    List.of(
                                            "run.created",
                                            "run_agent.completed",
                                            "run_task.completed",
                                            "run_step.completed",
                                            "credit.refunded",
                                            "run.completed"));
                });
    }

    private void webhook(String path, String... events) {
        Reply reply =
                mine.api()
                        .post(
                                "/v1/webhooks",
                                "{\"url\":\"%s\",\"events\":[\"%s\"]}"
                                        .formatted(
                                                receiver.url(path), String.join("\",\"", events)));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    /// Everything that can be delivered now.
    private void pump() {
        server.kernel().kernel().sweepOnce("webhook-fan-out");
        int begun;
        do {
            begun = server.kernel().kernel().sweepOnce("webhook-deliverer");
            Until.isTrue("calls have ended", PATIENCE, () -> server.webhooks().underWay() == 0);
        } while (begun > 0);
    }

    private List<JsonNode> got(String path, int count) {
        Until.isTrue(
                count + " events at " + path,
                PATIENCE,
                () -> {
                    pump();
                    return receiver.got(path).size() >= count;
                });
        return receiver.got(path).stream().map(HookReceiver.Got::json).toList();
    }
}
