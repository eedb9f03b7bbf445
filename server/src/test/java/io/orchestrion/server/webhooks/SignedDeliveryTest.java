package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;

import io.orchestrion.testkit.HookReceiver.Got;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Deliveries as a receiver verifies them. Apart, because a verifier looks at the time of day, and
/// so the clock must not be moved far.
class SignedDeliveryTest extends HooksFixture {
    private static Map<String, List<String>> headers(Got got) {
        return Map.of(
                "webhook-id", List.of(got.header("webhook-id")),
                "webhook-timestamp", List.of(got.header("webhook-timestamp")),
                "webhook-signature", List.of(got.header("webhook-signature")));
    }

    /// L-008, J-289, J-295: task events reach whoever asked for them, signed so that the published
    /// library verifies them, and nobody else.
    @Test
    void each_change_of_a_task_is_delivered_signed_to_those_who_asked() throws Exception {
        Reply all = registered("/all", "task.created", "task.claimed", "task.completed");
        registered("/ends", "task.completed");
        var stranger = server.account();
        stranger.create("mail");
        String id = tasks.create("mail");
        tasks.claim("mail");
        tasks.verb(id, "complete", "{\"result\":{}}");
        until("all came", () -> receiver.got("/all").size() == 3);
        assertThat(names("/all")).containsExactly("task.created", "task.claimed", "task.completed");
        assertThat(names("/ends")).containsExactly("task.completed");
        var verifier = new Webhook(all.text("/secret"));
        for (Got got : receiver.got("/all")) {
            verifier.verify(got.body(), headers(got));
            assertThat(got.json().get("task_id").asString()).isEqualTo(id);
            assertThat(got.header("webhook-id")).isEqualTo(got.json().get("event_id").asString());
            assertThat(got.header("content-type")).startsWith("application/json");
        }
        pump();
        assertThat(receiver.got()).hasSize(4);
        List<JsonNode> deliveries = deliveries(all.text("/webhook_id"));
        assertThat(deliveries).allMatch(each -> each.get("state").asString().equals("delivered"));
        assertThat(deliveries.getFirst().at("/attempts/0/status").asInt()).isEqualTo(200);
    }

    /// L-032: while a secret is rotated both sign, and the receiver can tell which is which.
    @Test
    void both_secrets_sign_during_a_rotation() throws Exception {
        Reply made = registered("/in", "task.created");
        String webhook = "/v1/webhooks/" + made.text("/webhook_id");
        Reply rotated = api.post(webhook + "/rotate-secret", "{\"overlap_seconds\":60}");
        assertThat(rotated.status()).isEqualTo(200);
        assertThat(rotated.text("/secret")).isNotEqualTo(made.text("/secret"));
        tasks.create("mail");
        until("it came", () -> receiver.got("/in").size() == 1);
        Got got = receiver.got("/in").getFirst();
        new Webhook(made.text("/secret")).verify(got.body(), headers(got));
        new Webhook(rotated.text("/secret")).verify(got.body(), headers(got));
        assertThat(got.header("webhook-signature").split(" ")).hasSize(2);
        assertThat(got.header("webhook-signature-keys"))
                .isEqualTo(rotated.text("/secret_id") + " " + made.text("/secret_id"));
        assertThat(api.get(webhook).text("/former_secret_expires_at")).endsWith("Z");
        server.clock().advance(Duration.ofSeconds(61));
        tasks.create("mail");
        until("it came", () -> receiver.got("/in").size() == 2);
        assertThat(receiver.got("/in").getLast().header("webhook-signature-keys"))
                .isEqualTo(rotated.text("/secret_id"));
        assertThat(api.post(webhook + "/rotate-secret", "{\"overlap_seconds\":60}").status())
                .isEqualTo(200);
        assertThat(api.post(webhook + "/rotate-secret", "{\"overlap_seconds\":60}").status())
                .isEqualTo(200);
        assertThat(api.post(webhook + "/rotate-secret", "{\"overlap_seconds\":60}").status())
                .isEqualTo(409);
    }
}
