package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// J-295. Signatures as the published library of Standard Webhooks verifies them.
class SigningTest {
    private static final String BODY = "{\"event_name\":\"job.succeeded\",\"text\":\"Grüße\"}";

    private static Map<String, List<String>> headers(String id, long seconds, String signatures) {
        var headers = new HashMap<String, List<String>>();
        headers.put("webhook-id", List.of(id));
        headers.put("webhook-timestamp", List.of(Long.toString(seconds)));
        headers.put("webhook-signature", List.of(signatures));
        return headers;
    }

    @Test
    void the_published_library_verifies_what_we_sign() throws Exception {
        SigningSecret secret = SigningSecret.make(new SecureRandom());
        long seconds = Instant.now().getEpochSecond();
        String signature = secret.sign("msg_1", seconds, BODY.getBytes(StandardCharsets.UTF_8));
        var verifier = new Webhook(secret.reveal());
        verifier.verify(BODY, headers("msg_1", seconds, signature));
        assertThatThrownBy(() -> verifier.verify(BODY + " ", headers("msg_1", seconds, signature)))
                .isInstanceOf(WebhookVerificationException.class);
        assertThatThrownBy(() -> verifier.verify(BODY, headers("msg_2", seconds, signature)))
                .isInstanceOf(WebhookVerificationException.class);
        assertThatThrownBy(() -> verifier.verify(BODY, headers("msg_1", seconds + 1, signature)))
                .isInstanceOf(WebhookVerificationException.class);
    }

    @Test
    void a_secret_is_read_as_it_was_shown_and_nothing_else_is_one() {
        SigningSecret secret = SigningSecret.make(new SecureRandom());
        SigningSecret read = SigningSecret.read(secret.reveal());
        assertThat(read).isNotNull();
        assertThat(read == null ? "" : read.reveal()).isEqualTo(secret.reveal());
        for (String bad :
                List.of(
                        "",
                        "whsec_",
                        "secret",
                        "whsec_!!!!",
                        "whsec_" + Base64.getEncoder().encodeToString(new byte[23]),
                        "whsec_" + Base64.getEncoder().encodeToString(new byte[65]),
                        "WHSEC_" + Base64.getEncoder().encodeToString(new byte[32]))) {
            assertThat(SigningSecret.read(bad)).as(bad).isNull();
        }
        assertThat(secret.toString()).doesNotContain(secret.reveal());
    }

    @Test
    void a_sealed_secret_opens_with_its_key_for_its_webhook_alone() {
        var random = new SecureRandom();
        byte[] key = new byte[32];
        random.nextBytes(key);
        byte[] other = new byte[32];
        random.nextBytes(other);
        var account = new UUID(1, 2);
        var webhook = new UUID(3, 4);
        SigningSecret secret = SigningSecret.make(random);
        var box = new SecretBox(key, random);
        byte[] sealed = box.close(account, webhook, secret);
        String text = new String(sealed, StandardCharsets.ISO_8859_1);
        assertThat(text).doesNotContain(new String(secret.bytes(), StandardCharsets.ISO_8859_1));
        SigningSecret opened = box.open(account, webhook, sealed);
        assertThat(opened == null ? "" : opened.reveal()).isEqualTo(secret.reveal());
        assertThat(box.open(account, account, sealed)).isNull();
        assertThat(new SecretBox(other, random).open(account, webhook, sealed)).isNull();
        assertThat(new SecretBox(null, random).open(account, webhook, sealed)).isNull();
        // One that was kept before there was a key.
        byte[] open = new SecretBox(null, random).close(account, webhook, secret);
        SigningSecret before = box.open(account, webhook, open);
        assertThat(before == null ? "" : before.reveal()).isEqualTo(secret.reveal());
    }
}
