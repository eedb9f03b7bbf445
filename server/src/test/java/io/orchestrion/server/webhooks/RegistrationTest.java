package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Registering, listing, changing and deleting webhooks.
class RegistrationTest extends HooksFixture {
    private static final String WEBHOOKS = "/v1/webhooks";

    private static String code(Reply reply) {
        return reply.status() + " " + reply.text("/code");
    }

    /// J-127.
    @Test
    void a_webhook_is_registered() {
        Reply made = registered("/in", "job.succeeded", "task.completed");
        assertThat(UUID.fromString(made.text("/webhook_id"))).isNotNull();
        assertThat(made.text("/created_at")).endsWith("Z");
        assertThat(made.text("/secret")).startsWith("whsec_");
        assertThat(made.text("/state")).isEqualTo("active");
        assertThat(made.header("Cache-Control")).isEqualTo("no-store");
    }

    /// J-128, J-270.
    @Test
    void what_is_no_webhook_is_refused_by_its_field() {
        assertThat(code(register("not a url", "job.failed")))
                .isEqualTo("400 RFA_JOB_VALIDATION_FAILED");
        assertThat(code(register("ftp://example.com/", "job.failed")))
                .isEqualTo("400 RFA_JOB_VALIDATION_FAILED");
        assertThat(code(register("http://10.0.0.1/", "job.failed")))
                .isEqualTo("400 RFA_JOB_VALIDATION_FAILED");
        assertThat(code(register(receiver.url("/in"), "job.unheard_of")))
                .isEqualTo("400 RFA_JOB_VALIDATION_FAILED");
        assertThat(code(register(receiver.url("/in"), "job.failed", "job.failed")))
                .isEqualTo("400 RFA_JOB_VALIDATION_FAILED");
        for (String body :
                List.of(
                        "{}",
                        "{\"events\":[\"job.failed\"]}",
                        "{\"url\":\"https://example.com/\"}",
                        "{\"url\":\"https://example.com/\",\"events\":[]}",
                        "{\"url\":\"https://example.com/\",\"events\":\"job.failed\"}",
                        "{\"url\":5,\"events\":[\"job.failed\"]}")) {
            assertThat(code(api.post(WEBHOOKS, body)))
                    .as(body)
                    .isEqualTo("400 RFA_REQUEST_MALFORMED");
        }
        Reply secret =
                api.post(
                        WEBHOOKS,
                        "{\"url\":\"%s\",\"events\":[\"job.failed\"],\"secret\":\"%s\"}"
                                .formatted(receiver.url("/in"), "a".repeat(50)));
        assertThat(code(secret)).isEqualTo("400 RFA_JOB_VALIDATION_FAILED");
        assertThat(api.get(WEBHOOKS).at("/webhooks")).isEmpty();
    }

    /// J-129: and a revoked key 403.
    @Test
    void without_a_good_key_there_is_none() {
        Api anonymous = server.anonymous();
        String body = "{\"url\":\"" + receiver.url("/in") + "\",\"events\":[\"job.failed\"]}";
        assertThat(code(anonymous.post(WEBHOOKS, body)))
                .isEqualTo("401 RFA_AUTH_INVALID_CREDENTIALS");
        Reply key = api.post("/v1/keys", "{\"name\":\"short-lived\"}");
        assertThat(key.status()).as(key.text()).isEqualTo(201);
        Api other = anonymous.withKey(key.text("/apiKey"));
        String id = key.text("/key/id").isEmpty() ? key.text("/id") : key.text("/key/id");
        Reply revoked = api.send("DELETE", "/v1/keys/" + id, null);
        assertThat(revoked.status()).as(revoked.text() + key.text()).isLessThan(300);
        assertThat(code(other.post(WEBHOOKS, body))).isEqualTo("403 RFA_AUTH_API_KEY_DISABLED");
    }

    /// J-130.
    @Test
    void the_same_address_with_the_same_events_is_there_once() {
        registered("/in", "job.failed", "job.succeeded");
        assertThat(code(register(receiver.url("/in"), "job.succeeded", "job.failed")))
                .isEqualTo("409 RFA_WEBHOOK_CONFLICT");
        registered("/in", "job.failed");
        registered("/other", "job.failed", "job.succeeded");
        // Another account has its own.
        Reply others =
                server.account()
                        .api()
                        .post(
                                WEBHOOKS,
                                "{\"url\":\"%s\",\"events\":[\"job.failed\"]}"
                                        .formatted(receiver.url("/in")));
        assertThat(others.status()).isEqualTo(201);
    }

    /// J-057.
    @Test
    void a_request_sent_again_with_its_key_makes_one_and_shows_no_secret_again() {
        Api once = api.with("Idempotency-Key", "hook-1");
        String body = "{\"url\":\"" + receiver.url("/in") + "\",\"events\":[\"job.failed\"]}";
        Reply first = once.post(WEBHOOKS, body);
        Reply again = once.post(WEBHOOKS, body);
        assertThat(first.status()).isEqualTo(201);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(again.text("/webhook_id")).isEqualTo(first.text("/webhook_id"));
        assertThat(again.at("/secret").isNull()).isTrue();
        assertThat(code(once.post(WEBHOOKS, body.replace("job.failed", "job.canceled"))))
                .isEqualTo("409 RFA_EXEC_IDEMPOTENCY_CONFLICT");
        List<Object> kept =
                server.database().rows("select answer from idempotency").stream()
                        .map(row -> row.get("answer"))
                        .toList();
        assertThat(kept).noneMatch(answer -> String.valueOf(answer).contains("whsec_"));
    }

    /// J-132, J-133, J-215.
    @Test
    void deleting_is_for_the_owner_and_once() {
        String id = webhook("/in", "job.failed");
        Api stranger = server.account().api();
        for (String path : List.of("", "/deliveries")) {
            assertThat(code(stranger.get(WEBHOOKS + "/" + id + path)))
                    .isEqualTo("403 RFA_AUTH_FORBIDDEN");
        }
        assertThat(code(stranger.send("DELETE", WEBHOOKS + "/" + id, null)))
                .isEqualTo("403 RFA_AUTH_FORBIDDEN");
        assertThat(code(stranger.send("PATCH", WEBHOOKS + "/" + id, "{\"paused\":true}")))
                .isEqualTo("403 RFA_AUTH_FORBIDDEN");
        assertThat(code(stranger.post(WEBHOOKS + "/" + id + "/rotate-secret", "{}")))
                .isEqualTo("403 RFA_AUTH_FORBIDDEN");
        assertThat(code(server.anonymous().send("DELETE", WEBHOOKS + "/" + id, null)))
                .isEqualTo("401 RFA_AUTH_INVALID_CREDENTIALS");
        assertThat(code(api.send("DELETE", WEBHOOKS + "/" + UUID.randomUUID(), null)))
                .isEqualTo("404 RFA_WEBHOOK_NOT_FOUND");
        assertThat(api.get(WEBHOOKS + "/" + id).text("/state")).isEqualTo("active");
        Reply deleted = api.send("DELETE", WEBHOOKS + "/" + id, null);
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(deleted.at("/deleted").asBoolean()).isTrue();
        assertThat(code(api.get(WEBHOOKS + "/" + id))).isEqualTo("404 RFA_WEBHOOK_NOT_FOUND");
        assertThat(code(api.send("DELETE", WEBHOOKS + "/" + id, null)))
                .isEqualTo("404 RFA_WEBHOOK_NOT_FOUND");
        registered("/in", "job.failed");
        Long secrets =
                server.database()
                        .value(
                                "select count(*) from webhook_secret where endpoint_id = ?",
                                UUID.fromString(id));
        assertThat(secrets).isZero();
    }

    /// L-031: own webhooks are listed, page by page, without secrets.
    @Test
    void webhooks_are_listed() {
        for (int i = 0; i < 5; i++) {
            webhook("/in" + i, "task.created");
        }
        var seen = new ArrayList<String>();
        String next = WEBHOOKS + "?limit=2";
        while (next != null) {
            Reply page = api.get(next);
            for (JsonNode each : page.at("/webhooks")) {
                seen.add(each.get("url").asString().replaceAll(".*/", ""));
                assertThat(each.has("secret")).isFalse();
            }
            String cursor = page.text("/next_cursor");
            next = cursor.isEmpty() ? null : WEBHOOKS + "?limit=2&cursor=" + cursor;
        }
        assertThat(seen).containsExactly("in4", "in3", "in2", "in1", "in0");
        assertThat(code(api.get(WEBHOOKS + "?cursor=nonsense")))
                .isEqualTo("400 RFA_JOB_VALIDATION_FAILED");
    }

    @Test
    void events_are_changed_and_every_change_is_in_the_audit_log() {
        String id = webhook("/in", "task.created");
        registered("/in", "task.completed");
        Reply changed = api.send("PATCH", WEBHOOKS + "/" + id, "{\"events\":[\"task.cancelled\"]}");
        assertThat(changed.at("/events").toString()).isEqualTo("[\"task.cancelled\"]");
        assertThat(
                        code(
                                api.send(
                                        "PATCH",
                                        WEBHOOKS + "/" + id,
                                        "{\"events\":[\"task.completed\"]}")))
                .isEqualTo("409 RFA_WEBHOOK_CONFLICT");
        assertThat(
                        code(
                                api.send(
                                        "PATCH",
                                        WEBHOOKS + "/" + id,
                                        "{\"url\":\"https://example.com/\"}")))
                .isEqualTo("400 RFA_REQUEST_MALFORMED");
        api.send("PATCH", WEBHOOKS + "/" + id, "{\"paused\":true}");
        api.send("PATCH", WEBHOOKS + "/" + id, "{\"paused\":false}");
        api.post(WEBHOOKS + "/" + id + "/rotate-secret", "{}");
        api.send("DELETE", WEBHOOKS + "/" + id, null);
        var actions = new ArrayList<String>();
        for (var row :
                server.database()
                        .rows(
                                "select action from audit where account_id = ?"
                                        + " and subject_id = ? order by seq",
                                UUID.fromString(tasks.accountId()),
                                id)) {
            actions.add(String.valueOf(row.get("action")));
        }
        assertThat(actions)
                .containsExactly(
                        "webhook.create",
                        "webhook.change",
                        "webhook.pause",
                        "webhook.resume",
                        "webhook.rotate_secret",
                        "webhook.delete");
    }

    /// J-131: and the same when one is deleted. Nothing of it is kept.
    @Test
    void a_failing_store_is_told_from_a_failing_server() {
        Failpoints failpoints = server.kernel().failpoints();
        String place = "pool.before-commit";
        String id = webhook("/there", "job.failed");
        String body = "{\"url\":\"" + receiver.url("/in") + "\",\"events\":[\"job.failed\"]}";
        try {
            failpoints.arm(
                    place,
                    () -> {
                        throw new StoreException(StoreException.Kind.UNAVAILABLE, "it is away");
                    });
            assertThat(code(api.post(WEBHOOKS, body))).isEqualTo("503 RFA_STORAGE_UNAVAILABLE");
            assertThat(code(api.send("DELETE", WEBHOOKS + "/" + id, null)))
                    .isEqualTo("503 RFA_STORAGE_UNAVAILABLE");
            failpoints.arm(
                    place,
                    () -> {
                        throw new IllegalStateException("a mistake");
                    });
            Reply broken = api.post(WEBHOOKS, body);
            assertThat(code(broken)).isEqualTo("500 RFA_INTERNAL");
            assertThat(broken.text()).doesNotContain("a mistake");
            assertThat(code(api.send("DELETE", WEBHOOKS + "/" + id, null)))
                    .isEqualTo("500 RFA_INTERNAL");
        } finally {
            failpoints.disarm(place);
        }
        assertThat(api.get(WEBHOOKS).at("/webhooks")).hasSize(1);
    }
}
