package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// L-031: how a receiver that fails is treated and shown, and what its owner can do.
class CareTest extends HooksFixture {
    private Reply shown(String webhook) {
        return api.get("/v1/webhooks/" + webhook);
    }

    private int came() {
        return receiver.got("/in").size();
    }

    /// The circuit opens after failures in a row, one try shows whether the receiver is back, and
    /// all of it is to be seen.
    @Test
    void a_receiver_that_fails_is_left_alone_for_a_while() {
        receiver.answering("/in", 500);
        String webhook = webhook("/in", "task.created");
        for (int i = 0; i < 12; i++) {
            tasks.create("mail");
        }
        until("the circuit is open", () -> shown(webhook).text("/circuit").equals("open"));
        int before = came();
        assertThat(before).isBetween(6, 8);
        assertThat(shown(webhook).number("/consecutive_failures")).isEqualTo(before);
        assertThat(shown(webhook).text("/last_failure")).contains("500");
        assertThat(shown(webhook).text("/failing_since")).endsWith("Z");
        later(Duration.ofSeconds(20));
        assertThat(came()).isEqualTo(before);
        later(Duration.ofSeconds(11));
        // One probe, which fails: open again, for twice as long.
        assertThat(came()).isEqualTo(before + 1);
        later(Duration.ofSeconds(31));
        assertThat(came()).isEqualTo(before + 1);
        assertThat(shown(webhook).text("/circuit")).isEqualTo("open");
        receiver.answering("/in", 200);
        later(Duration.ofSeconds(31));
        until(
                "everything is delivered",
                () ->
                        deliveries(webhook).stream()
                                        .filter(
                                                each ->
                                                        each.get("state")
                                                                .asString()
                                                                .equals("delivered"))
                                        .count()
                                == 12);
        assertThat(shown(webhook).text("/circuit")).isEqualTo("closed");
        assertThat(shown(webhook).number("/consecutive_failures")).isZero();
        assertThat(shown(webhook).text("/last_success_at")).endsWith("Z");
    }

    /// And after long failure it is paused, with the reason, until its owner lets it go on.
    @Test
    void a_receiver_that_fails_for_days_is_paused() {
        receiver.answering("/in", 500);
        String webhook = webhook("/in", "task.created");
        tasks.create("mail");
        until("it failed", () -> came() == 1);
        server.clock().advance(Duration.ofHours(73));
        tasks.create("mail");
        until("it is paused", () -> shown(webhook).text("/state").equals("paused"));
        assertThat(shown(webhook).text("/reason"))
                .contains("Every try has failed since")
                .contains("500");
        int before = came();
        tasks.create("mail");
        later(Duration.ofHours(1));
        assertThat(came()).isEqualTo(before);
        receiver.answering("/in", 200);
        Reply resumed = api.send("PATCH", "/v1/webhooks/" + webhook, "{\"paused\":false}");
        assertThat(resumed.text("/state")).isEqualTo("active");
        assertThat(resumed.at("/reason").isNull()).isTrue();
        until(
                "what waited is delivered",
                () ->
                        deliveries(webhook).stream()
                                .allMatch(
                                        each -> each.get("state").asString().equals("delivered")));
        assertThat(deliveries(webhook)).hasSize(3);
    }

    @Test
    void a_webhook_paused_by_its_owner_keeps_what_comes() {
        String webhook = webhook("/in", "task.created");
        Reply paused = api.send("PATCH", "/v1/webhooks/" + webhook, "{\"paused\":true}");
        assertThat(paused.text("/state")).isEqualTo("paused");
        assertThat(paused.text("/reason")).isEqualTo("Paused by request.");
        tasks.create("mail");
        until("it waits", () -> deliveries(webhook).size() == 1);
        assertThat(came()).isZero();
        api.send("PATCH", "/v1/webhooks/" + webhook, "{\"paused\":false}");
        until("it came", () -> came() == 1);
    }

    @Test
    void who_is_gone_is_not_called_again() {
        receiver.answering("/in", 410);
        String webhook = webhook("/in", "task.created");
        tasks.create("mail");
        until("it was called", () -> came() == 1);
        assertThat(delivery(webhook).get("state").asString()).isEqualTo("failed");
        assertThat(shown(webhook).text("/state")).isEqualTo("paused");
        assertThat(shown(webhook).text("/reason")).contains("410 Gone");
    }

    @Test
    void a_receiver_says_when_to_come_back() {
        receiver.answering("/in", 429, "Retry-After: 120");
        String webhook = webhook("/in", "task.created");
        tasks.create("mail");
        until("it was called", () -> came() == 1);
        later(Duration.ofSeconds(100));
        assertThat(came()).isEqualTo(1);
        receiver.answering("/in", 200);
        later(Duration.ofSeconds(21));
        assertThat(came()).isEqualTo(2);
        assertThat(delivery(webhook).get("state").asString()).isEqualTo("delivered");
    }

    @Test
    void a_delivery_is_sent_again_with_the_same_words() {
        String webhook = webhook("/in", "task.created");
        tasks.create("mail");
        until("it came", () -> came() == 1);
        String id = delivery(webhook).get("delivery_id").asString();
        Reply again = api.post("/v1/webhooks/deliveries/" + id + "/redeliver");
        assertThat(again.status()).as(again.text()).isEqualTo(202);
        assertThat(again.text("/redelivery_of")).isEqualTo(id);
        assertThat(again.text("/state")).isEqualTo("pending");
        until("it came again", () -> came() == 2);
        assertThat(receiver.got("/in").get(1).body()).isEqualTo(receiver.got("/in").get(0).body());
        assertThat(receiver.got("/in").get(1).header("webhook-id"))
                .isEqualTo(receiver.got("/in").get(0).header("webhook-id"));
        String second = again.text("/delivery_id");
        assertThat(api.get("/v1/webhooks/deliveries/" + second).text("/state"))
                .isEqualTo("delivered");
        // Nobody else's, and nothing unknown.
        for (String path : List.of(id, UUID.randomUUID().toString(), "nonsense")) {
            Reply refused =
                    server.account().api().post("/v1/webhooks/deliveries/" + path + "/redeliver");
            assertThat(refused.text("/code")).isEqualTo("RFA_DELIVERY_NOT_FOUND");
            assertThat(server.account().api().get("/v1/webhooks/deliveries/" + path).status())
                    .isEqualTo(404);
        }
    }

    @Test
    void deliveries_are_listed_by_state_and_page() {
        receiver.answering("/in", 500);
        String webhook = webhook("/in", "task.created", "task.cancelled");
        for (int i = 0; i < 3; i++) {
            tasks.create("mail");
        }
        until("all were tried", () -> came() >= 3);
        String path = "/v1/webhooks/" + webhook + "/deliveries";
        assertThat(api.get(path + "?state=pending").at("/deliveries")).hasSize(3);
        assertThat(api.get(path + "?state=delivered").at("/deliveries")).isEmpty();
        Reply first = api.get(path + "?limit=2");
        assertThat(first.at("/deliveries")).hasSize(2);
        Reply rest = api.get(path + "?limit=2&cursor=" + first.text("/next_cursor"));
        assertThat(rest.at("/deliveries")).hasSize(1);
        assertThat(rest.at("/next_cursor").isNull()).isTrue();
        assertThat(api.get(path + "?state=lost").status()).isEqualTo(400);
        assertThat(api.get(path + "?cursor=nonsense").status()).isEqualTo(400);
    }

    /// What waits for one receiver is bounded; what is beyond it ends where it is seen.
    @Test
    void a_backlog_has_an_end() {
        String webhook = webhook("/in", "task.created");
        api.send("PATCH", "/v1/webhooks/" + webhook, "{\"paused\":true}");
        for (int i = 0; i < 45; i++) {
            tasks.create("mail");
        }
        until("all are listed", () -> deliveries(webhook).size() == 45);
        List<JsonNode> over =
                deliveries(webhook).stream()
                        .filter(each -> each.get("state").asString().equals("canceled"))
                        .toList();
        assertThat(over).hasSize(5);
        assertThat(over.getFirst().get("reason").asString()).contains("as much waited");
    }

    /// J-317: within a request.
    @Test
    void a_webhook_is_called_once_to_see_whether_it_answers() {
        String webhook = webhook("/in", "task.created");
        Reply good = api.post("/v1/webhooks/" + webhook + "/ping");
        assertThat(good.status()).as(good.text()).isEqualTo(200);
        assertThat(good.at("/delivered").asBoolean()).isTrue();
        assertThat(names("/in")).containsExactly("webhook.ping");
        assertThat(receiver.got("/in").getFirst().header("webhook-signature")).startsWith("v1,");
        receiver.answering("/in", 404);
        assertThat(api.post("/v1/webhooks/" + webhook + "/ping").number("/status")).isEqualTo(404);
        receiver.hanging("/in");
        Reply late = api.post("/v1/webhooks/" + webhook + "/ping");
        assertThat(late.status()).isEqualTo(504);
        assertThat(late.text("/code")).isEqualTo("RFA_DEPENDENCY_TIMEOUT");
    }

    /// What was told of an item goes with it, and a log that nobody listens to is not read.
    @Test
    void deliveries_go_with_what_they_tell_of() {
        receiver.answering("/in", 500);
        String webhook = webhook("/in", "task.created", "task.cancelled");
        String id = tasks.create("mail");
        tasks.verb(id, "cancel");
        until("it was tried", () -> came() >= 1 && deliveries(webhook).size() == 2);
        server.clock().advance(Duration.ofDays(100));
        sweep("purger");
        sweep(WebhookPurger.NAME);
        assertThat(deliveries(webhook)).isEmpty();
        Long left =
                server.database()
                        .value(
                                "select count(*) from work where queue = 'deliveries' and kind = ?",
                                webhook);
        assertThat(left).isZero();
        api.send("DELETE", "/v1/webhooks/" + webhook, null);
        tasks.create("mail");
        until(
                "its log is not read any more",
                () ->
                        server.database()
                                .rows(
                                        "select 1 from log_reader where account_id = ?"
                                                + " and queue = 'tasks'",
                                        UUID.fromString(tasks.accountId()))
                                .isEmpty());
        server.clock().advance(Duration.ofDays(2));
        sweep(WebhookPurger.NAME);
        assertThat(
                        server.database()
                                .rows(
                                        "select 1 from webhook_endpoint where endpoint_id = ?",
                                        UUID.fromString(webhook)))
                .isEmpty();
    }
}
