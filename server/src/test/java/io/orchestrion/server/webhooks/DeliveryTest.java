package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.orchestrion.kernel.signals.DeliverySeen;
import io.orchestrion.server.TaskApi;
import io.orchestrion.testkit.HookReceiver;
import io.orchestrion.testkit.HookReceiver.Got;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// How events reach receivers, and what becomes of those who do not answer as they should.
class DeliveryTest extends HooksFixture {
    private static final Duration A_SECOND = Duration.ofMillis(1200);

    /// L-008 for the queue.
    @Test
    void changes_of_the_queue_are_delivered() {
        registered("/queue", "queue.enqueued");
        Reply job = api.post("/api/queue/jobs", "{\"type\":\"build\",\"payload\":{}}");
        assertThat(job.status()).as(job.text()).isEqualTo(201);
        until("it came", () -> receiver.got("/queue").size() == 1);
        assertThat(names("/queue")).containsExactly("queue.enqueued");
    }

    /// J-268, J-272, J-274, J-275, J-284, J-292, J-293, J-294, J-382, J-387: a delivery is tried
    /// again by policy, each try is recorded, the id stays, and after the last it has failed.
    @Test
    void a_failed_delivery_is_tried_again_until_no_try_is_left() {
        receiver.answering("/in", 500);
        String webhook = webhook("/in", "task.created");
        tasks.create("mail");
        until("first try", () -> receiver.got("/in").size() == 1);
        JsonNode first = delivery(webhook);
        assertThat(first.get("state").asString()).isEqualTo("pending");
        assertThat(first.at("/attempts/0/status").asInt()).isEqualTo(500);
        assertThat(first.at("/attempts/0/next_attempt_at").asString()).endsWith("Z");
        assertThat(first.get("next_attempt_at").asString())
                .isEqualTo(first.at("/attempts/0/next_attempt_at").asString());
        pump();
        assertThat(receiver.got("/in")).hasSize(1);
        later(A_SECOND);
        assertThat(receiver.got("/in")).hasSize(2);
        receiver.hanging("/in");
        later(Duration.ofSeconds(3));
        assertThat(receiver.got("/in")).hasSize(3);
        assertThat(delivery(webhook).at("/attempts/2/error").asString())
                .isEqualTo("RFA_DEPENDENCY_TIMEOUT");
        later(Duration.ofMinutes(4));
        assertThat(receiver.got("/in")).hasSize(3);
        receiver.answering("/in", 503);
        later(Duration.ofMinutes(2));
        assertThat(receiver.got("/in")).hasSize(4);
        JsonNode last = delivery(webhook);
        assertThat(last.get("state").asString()).isEqualTo("failed");
        assertThat(last.get("attempts")).hasSize(4);
        assertThat(last.get("reason").asString()).contains("503");
        assertThat(last.get("next_attempt_at").isNull()).isTrue();
        later(Duration.ofHours(10));
        assertThat(receiver.got("/in")).hasSize(4);
        assertThat(receiver.got("/in"))
                .extracting(got -> got.header("webhook-id"))
                .containsOnly(last.get("event_id").asString());
        List<Instant> times = new ArrayList<>();
        last.get("attempts").forEach(each -> times.add(Instant.parse(each.get("at").asString())));
        assertThat(times).isSorted().doesNotHaveDuplicates();
        for (int i = 0; i < 3; i++) {
            assertThat(Instant.parse(last.at("/attempts/" + i + "/next_attempt_at").asString()))
                    .isAfter(times.get(i))
                    .isBeforeOrEqualTo(times.get(i + 1));
        }
    }

    /// J-346, J-374: whoever logs, counts and traces hears of each try how it ended and to which
    /// trace it belongs.
    @Test
    void each_try_is_told_of() {
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        receiver.answering("/in", 503);
        String webhook = webhook("/in", "task.created");
        String task =
                api.with("traceparent", "00-" + trace + "-00f067aa0ba902b7-01")
                        .post("/v1/tasks", "{\"type\":\"mail\",\"payload\":{}}")
                        .text("/task/id");
        until("first try", () -> receiver.got("/in").size() == 1);
        receiver.answering("/in", 200);
        later(A_SECOND);
        assertThat(seen(webhook))
                .extracting(DeliverySeen::attempt, DeliverySeen::outcome, DeliverySeen::status)
                .containsExactly(tuple(1, "failed", 503), tuple(2, "delivered", 200));
        assertThat(seen(webhook))
                .allMatch(each -> each.accountId().toString().equals(tasks.accountId()))
                .allMatch(each -> String.valueOf(each.workId()).equals(task))
                .allMatch(each -> each.event().equals("task.created"))
                .allMatch(each -> String.valueOf(each.trace()).contains(trace));
        assertThat(seen(webhook).getFirst().reason()).contains("503");
    }

    /// The failures before are in its attempts.
    @Test
    void a_delivery_that_came_at_last_shows_no_failure_as_its_own() {
        receiver.answering("/in", 500);
        String webhook = webhook("/in", "task.created");
        tasks.create("mail");
        until("first try", () -> receiver.got("/in").size() == 1);
        assertThat(delivery(webhook).get("reason").asString()).contains("500");
        receiver.answering("/in", 200);
        later(A_SECOND);
        JsonNode delivered = delivery(webhook);
        assertThat(delivered.get("state").asString()).isEqualTo("delivered");
        assertThat(delivered.get("reason").isNull()).isTrue();
        assertThat(delivered.at("/attempts/0/status").asInt()).isEqualTo(500);
        assertThat(delivered.at("/attempts/1/status").asInt()).isEqualTo(200);
    }

    /// J-268: nobody listens there.
    @Test
    void an_unreachable_receiver_is_a_failure() {
        var gone = new HookReceiver();
        gone.close();
        Reply made = register(gone.url("/in"), "task.created");
        tasks.create("mail");
        until(
                "it was tried",
                () ->
                        !deliveries(made.text("/webhook_id")).isEmpty()
                                && delivery(made.text("/webhook_id")).get("attempts").size() == 1);
        assertThat(delivery(made.text("/webhook_id")).at("/attempts/0/error").asString())
                .isEqualTo("connection_failed");
    }

    /// J-296: a redirect is a failure and leads nowhere.
    @Test
    void a_redirect_is_not_followed() {
        receiver.answering("/in", 302, "Location: " + receiver.url("/elsewhere"));
        String webhook = webhook("/in", "task.created");
        tasks.create("mail");
        until("it came", () -> receiver.got("/in").size() == 1);
        assertThat(delivery(webhook).at("/attempts/0/status").asInt()).isEqualTo(302);
        assertThat(delivery(webhook).get("state").asString()).isEqualTo("pending");
        assertThat(receiver.got("/elsewhere")).isEmpty();
    }

    /// Whatever a receiver says without end, the call ends in time and little of it is kept.
    @Test
    void answers_without_end_are_cut_off() {
        receiver.dripping("/headers", "HTTP/1.1 200 OK\r\nX-Endless: ");
        receiver.dripping("/body", "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n");
        receiver.on(
                "/flood",
                (_, out) -> {
                    out.write("HTTP/1.1 500 Oops\r\nContent-Length: 1000000000\r\n\r\n".getBytes());
                    byte[] much = "0\u0000123456789".repeat(10_000).getBytes();
                    for (int i = 0; i < 1000; i++) {
                        out.write(much);
                    }
                });
        receiver.on("/nonsense", (_, out) -> out.write("hello\r\n\r\n".getBytes()));
        String headers = webhook("/headers", "task.created");
        String body = webhook("/body", "task.created");
        String flood = webhook("/flood", "task.created");
        String nonsense = webhook("/nonsense", "task.created");
        tasks.create("mail");
        until(
                "all were tried",
                () ->
                        List.of(headers, body, flood, nonsense).stream()
                                .allMatch(
                                        each ->
                                                !deliveries(each).isEmpty()
                                                        && delivery(each).get("attempts").size()
                                                                >= 1));
        assertThat(delivery(headers).at("/attempts/0/error").asString())
                .isEqualTo("RFA_DEPENDENCY_TIMEOUT");
        assertThat(delivery(headers).at("/attempts/0/duration_ms").asLong()).isLessThan(20_000);
        // It has said that it took the delivery.
        assertThat(delivery(body).get("state").asString()).isEqualTo("delivered");
        assertThat(delivery(body).at("/attempts/0/duration_ms").asLong()).isLessThan(20_000);
        JsonNode flooded = delivery(flood).at("/attempts/0");
        assertThat(flooded.get("status").asInt()).isEqualTo(500);
        assertThat(flooded.get("response").asString()).hasSizeBetween(500, 1024);
        assertThat(flooded.get("response").asString()).doesNotContain("\u0000");
        assertThat(delivery(nonsense).at("/attempts/0/error").asString())
                .isEqualTo("connection_failed");
    }

    /// Whoever answers gets everything while another never does. That jobs end meanwhile is in
    /// JobHooksTest.
    @Test
    void a_dead_receiver_keeps_nobody_else_from_anything() {
        receiver.hanging("/dead");
        webhook("/dead", "task.created");
        webhook("/live", "task.created");
        for (int i = 0; i < 8; i++) {
            tasks.create("mail");
        }
        until("all came", () -> receiver.got("/live").size() == 8);
    }

    /// However much is due for an account that has all the calls it may have, others are looked at.
    @Test
    void an_account_with_hundreds_of_dead_receivers_delays_no_other() {
        receiver.hanging("/dead");
        receiver.hanging("/dead2");
        String dead = webhook("/dead", "task.created");
        String dead2 = webhook("/dead2", "task.created");
        tasks.create("mail");
        tasks.create("mail");
        passOn(dead, 2);
        passOn(dead2, 2);
        TaskApi other = server.account();
        Reply made =
                other.api()
                        .post(
                                "/v1/webhooks",
                                "{\"url\":\"%s\",\"events\":[\"task.created\"]}"
                                        .formatted(receiver.url("/live")));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String live = made.text("/webhook_id");
        other.create("mail");
        passOn(live, 1);
        // Its turn comes when the account with the dead ones has all its calls, and before they
        // end.
        String turn = "update webhook_endpoint set next_ms = %d where endpoint_id = '%s'";
        server.database().execute(turn.formatted(Long.MAX_VALUE, live));
        assertThat(sweep(Deliverer.NAME)).as("as many as it may have").isGreaterThanOrEqualTo(4);
        server.database()
                .execute(
                        turn.formatted(1, live)
                                + "; insert into webhook_endpoint (account_id, endpoint_id, kind,"
                                + " url, events, once, description, state, from_position,"
                                + " created_ms, updated_ms, last_place, failures, opened, next_ms)"
                                + " select e.account_id, gen_random_uuid(), 'callback',"
                                + " 'http://127.0.0.1:9', '{}', decode(lpad(to_hex(i), 64, '0'),"
                                + " 'hex'), '', 'active', 0, 0, 0, 0, 0, 0, 0 from"
                                + " webhook_endpoint e, generate_series(1, 250) i where"
                                + " e.endpoint_id = '"
                                + dead
                                + "'");
        assertThat(sweep(Deliverer.NAME)).as("calls begun").isPositive();
        until("it came", () -> receiver.got("/live").size() == 1);
    }

    /// Until so many deliveries to it are ready; the log is passed on up to the oldest open
    /// transaction.
    private static void passOn(String webhook, long deliveries) {
        Until.isTrue(
                "the log was passed on",
                PATIENCE,
                () -> {
                    sweep(FanOut.NAME);
                    Long ready =
                            server.database()
                                    .value(
                                            "select count(*) from work where queue = 'deliveries'"
                                                    + " and state = 'ready' and kind = '"
                                                    + webhook
                                                    + "'");
                    return ready != null && ready == deliveries;
                });
    }

    /// J-294: of one task's events a later one does not overtake an earlier one that is being tried
    /// again; other tasks' go on.
    @Test
    void deliveries_of_one_task_begin_in_order() {
        var refused = new AtomicInteger();
        String[] first = new String[1];
        receiver.on(
                "/in",
                (got, out) -> {
                    boolean refuse =
                            got.json().get("task_id").asString().equals(first[0])
                                    && refused.getAndIncrement() == 0;
                    HookReceiver.say(out, refuse ? 500 : 200, "");
                });
        webhook("/in", "task.created", "task.claimed", "task.completed");
        first[0] = tasks.create("mail");
        tasks.claim("mail");
        tasks.verb(first[0], "complete", "{}");
        String second = tasks.create("other");
        until("the second came", () -> receiver.got("/in").size() >= 2);
        pump();
        assertThat(of(first[0])).containsExactly("task.created");
        assertThat(of(second)).containsExactly("task.created");
        later(A_SECOND);
        assertThat(of(first[0]))
                .containsExactly("task.created", "task.created", "task.claimed", "task.completed");
    }

    private List<String> of(String task) {
        var names = new ArrayList<String>();
        for (Got got : receiver.got("/in")) {
            if (got.json().get("task_id").asString().equals(task)) {
                names.add(got.json().get("event_name").asString());
            }
        }
        return names;
    }

    /// J-134, J-271.
    @Test
    void after_its_deletion_nothing_more_is_delivered() {
        receiver.answering("/in", 500);
        String webhook = webhook("/in", "task.created");
        for (int i = 0; i < 5; i++) {
            tasks.create("mail");
        }
        until("tried", () -> receiver.got("/in").size() >= 5);
        int before = receiver.got("/in").size();
        assertThat(api.send("DELETE", "/v1/webhooks/" + webhook, null).status()).isEqualTo(200);
        tasks.create("mail");
        later(Duration.ofHours(1));
        later(Duration.ofHours(12));
        assertThat(receiver.got("/in")).hasSize(before);
        Long open =
                server.database()
                        .value(
                                "select count(*) from work where queue = 'deliveries' and kind = ?"
                                        + " and state in ('waiting', 'ready', 'running')",
                                webhook);
        assertThat(open).isZero();
    }
}
