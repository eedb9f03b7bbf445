package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationApi.EXECUTIONS;
import static io.orchestrion.server.orchestrations.OrchestrationApi.document;
import static io.orchestrion.server.orchestrations.OrchestrationApi.step;
import static io.orchestrion.server.orchestrations.OrchestrationApi.task;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Comparator;
import java.util.List;

/// Receivers hear of executions, steps, approvals and dead letters.
@Timeout(180)
class OrchestrationHooksTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final WebhookOptions OPTIONS =
            WebhookOptions.DEFAULT
                    .withTimeout(Duration.ofSeconds(20))
                    .withAddresses(AddressRanges.of("127.0.0.0/8"), AddressGuard.Resolver.SYSTEM);

    private final HookReceiver receiver = new HookReceiver();
    private final TestServer server =
            new TestServer(options -> options, options -> options.withWebhooks(OPTIONS));
    private final OrchestrationApi mine = OrchestrationApi.on(server);

    @AfterEach
    void close() {
        receiver.close();
        server.close();
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

    /// The log is passed on up to the oldest transaction in the cluster, which may be another's.
    private List<JsonNode> got(String path, int count) {
        Until.isTrue(
                count + " events at " + path,
                PATIENCE,
                () -> {
                    pump();
                    return receiver.got(path).size() >= count;
                });
        pump();
        List<JsonNode> all = receiver.got(path).stream().map(HookReceiver.Got::json).toList();
        assertThat(all).as(path).hasSize(count);
        assertThat(receiver.got(path))
                .extracting(each -> each.header("webhook-id"))
                .doesNotHaveDuplicates();
        return all;
    }

    /// A receiver has several calls under way at a time and orders events of a subject by their
    /// number.
    private static List<String> inOrder(List<JsonNode> events) {
        return events.stream()
                .sorted(Comparator.comparingInt(each -> each.path("sequence").asInt()))
                .map(each -> each.path("event_name").asString(""))
                .toList();
    }

    private static void of(String execution, List<JsonNode> events) {
        assertThat(events)
                .allMatch(each -> each.at("/data/execution_id").asString("").equals(execution))
                .allMatch(each -> each.path("correlation_id").asString("").equals("basket-7"));
    }

    private String started(String... steps) {
        return mine.started(mine.published(document(steps)), ",\"correlation_id\":\"basket-7\"");
    }

    @Test
    void a_receiver_hears_of_an_execution_its_step_and_its_approval_in_order() {
        webhook(
                "/executions",
                "execution.started",
                "execution.waiting_approval",
                "execution.resumed",
                "execution.succeeded",
                "execution.failed");
        webhook("/steps", "execution_step.running", "execution_step.succeeded");
        webhook("/approvals", "approval.requested", "approval.approved", "approval.rejected");
        String execution =
                started(step("ask", "human_approval", ",\"on_success\":\"a\""), task("a", ""));
        Reply approved = mine.api().post(EXECUTIONS + "/" + execution + "/steps/ask/approve");
        assertThat(approved.status()).as(approved.text()).isEqualTo(200);
        mine.done("do_a");

        List<JsonNode> executions = got("/executions", 4);
        of(execution, executions);
        assertThat(inOrder(executions))
                .containsExactly(
                        "execution.started",
                        "execution.waiting_approval",
                        "execution.resumed",
                        "execution.succeeded");
        assertThat(executions)
                .allMatch(each -> each.path("subject_id").asString("").equals(execution));

        List<JsonNode> approvals = got("/approvals", 2);
        of(execution, approvals);
        assertThat(inOrder(approvals)).containsExactly("approval.requested", "approval.approved");

        List<JsonNode> steps = got("/steps", 3);
        of(execution, steps);
        List<JsonNode> ofTask =
                steps.stream()
                        .filter(each -> each.at("/data/step_id").asString("").equals("a"))
                        .toList();
        assertThat(inOrder(ofTask))
                .containsExactly("execution_step.running", "execution_step.succeeded");
        assertThat(ofTask)
                .allMatch(
                        each ->
                                each.at("/data/idempotency_key")
                                        .asString("")
                                        .matches("[0-9a-f]{64}"));
    }

    @Test
    void a_receiver_hears_of_a_dead_letter_and_of_what_became_of_it() {
        webhook("/letters", "dead_letter.opened", "dead_letter.reprocessed");
        webhook("/executions", "execution.failed", "execution.retried", "execution.succeeded");
        String execution = started(task("a", ""));
        mine.failed("do_a", "validation_failed");
        Reply retried = mine.verb(execution, "retry", "{\"reason\":\"mended\"}");
        assertThat(retried.status()).as(retried.text()).isEqualTo(200);
        mine.done("do_a");

        List<JsonNode> letters = got("/letters", 2);
        of(execution, letters);
        assertThat(inOrder(letters))
                .containsExactly("dead_letter.opened", "dead_letter.reprocessed");
        assertThat(letters)
                .allMatch(
                        each -> each.at("/data/error_class").asString("").equals("NON_RETRYABLE"));

        List<JsonNode> executions = got("/executions", 3);
        of(execution, executions);
        assertThat(inOrder(executions))
                .containsExactly("execution.failed", "execution.retried", "execution.succeeded");
    }
}
