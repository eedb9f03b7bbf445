package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orchestrion.app.client.FaultyProxy.Fault;
import io.orchestrion.sdk.CreatedKey;
import io.orchestrion.sdk.Key;
import io.orchestrion.sdk.KeyPage;
import io.orchestrion.sdk.NewKey;
import io.orchestrion.sdk.NewTask;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.Scope;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

@Timeout(180)
class SdkKeysTest {
    private static ClientServer server;
    private OrchestrionClient client;

    @BeforeAll
    static void start() {
        server = new ClientServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        client = server.client();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private static OrchestrionException refusal(ThrowingCallable call) {
        return catchThrowableOfType(OrchestrionException.class, call);
    }

    /// L-019.
    @Test
    void a_key_is_made_named_used_and_revoked() {
        CreatedKey made =
                client.keys()
                        .create(
                                NewKey.named("ci")
                                        .withScopes(Set.of(Scope.PRODUCER))
                                        .expiringInDays(90));
        Key key = made.key();
        assertThat(key.name()).isEqualTo("ci");
        assertThat(key.scopes()).containsExactly(Scope.PRODUCER);
        assertThat(key.live()).isTrue();
        assertThat(key.current()).isFalse();
        assertThat(key.expiresAt()).isEqualTo(key.createdAt().plus(Duration.ofDays(90)));
        assertThat(made.toString()).doesNotContain(made.apiKey());

        try (var ci = OrchestrionClient.of(server.url(), made.apiKey())) {
            ci.create(NewTask.ofType("t").build());
            OrchestrionException e = refusal(() -> ci.claim("t", "me"));
            assertThat(e.code()).isEqualTo("insufficient_scope");
            assertThat(e).hasMessageContaining("admin or worker");
            assertThat(client.keys().rename(key.id(), "pipeline").name()).isEqualTo("pipeline");
            assertThat(client.keys().revoke(key.id()).status()).isEqualTo("revoked");
            assertThat(client.keys().revoke(key.id()).revokedAt()).isNotNull();
            assertThat(refusal(() -> ci.create(NewTask.ofType("t").build())).code())
                    .isEqualTo("invalid_api_key");
        }
        assertThat(client.keys().get(key.id()).live()).isFalse();
    }

    @Test
    void a_key_may_end_at_a_moment() {
        Instant now = client.keys().list().keys().getFirst().createdAt();
        Instant end = now.plus(1, ChronoUnit.HOURS);
        assertThat(client.keys().create(NewKey.named("k").expiringAt(end)).key().expiresAt())
                .isEqualTo(end);
    }

    @Test
    void lists_go_on_where_the_page_before_ended() {
        List<UUID> made = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 60; i++) {
                made.addFirst(client.keys().create(NewKey.named("k")).key().id());
            }
            made.forEach(id -> client.keys().revoke(id));
        }
        KeyPage first = client.keys().list();
        KeyPage second = client.keys().list(first.nextCursor());
        List<Key> all = new ArrayList<>(first.keys());
        all.addAll(second.keys());
        assertThat(second.nextCursor()).isNull();
        assertThat(all.subList(0, 120)).extracting(Key::id).isEqualTo(made);
        assertThat(all.getLast().current()).isTrue();
    }

    @Test
    void refusals_are_told_apart() {
        assertThat(refusal(() -> client.keys().get(UUID.randomUUID())).code())
                .isEqualTo("key_not_found");
        UUID own = client.keys().list().keys().getFirst().id();
        OrchestrionException last = refusal(() -> client.keys().revoke(own));
        assertThat(last.code()).isEqualTo("last_key");
        assertThat(last.recommended().orElseThrow().endpoint()).isEqualTo("/v1/keys");
        assertThat(refusal(() -> client.keys().create(NewKey.named(""))).code())
                .isEqualTo("invalid_request");
    }

    /// A key that nobody holds must not be made twice; a revocation must get through.
    @Test
    void revoking_is_sent_again_and_creating_is_not() {
        var waits = new ClientServer.Waits();
        try (var proxy = new FaultyProxy(server.url());
                var shaky =
                        OrchestrionClient.builder(proxy.url())
                                .key(server.newKey())
                                .retries(waits.policy())
                                .build()) {
            Key key = shaky.keys().create(NewKey.named("k")).key();
            proxy.next(Fault.LOSE_ANSWER);
            assertThat(shaky.keys().revoke(key.id()).live()).isFalse();
            proxy.next(Fault.LOSE_ANSWER);
            assertThat(refusal(() -> shaky.keys().create(NewKey.named("lost"))).code())
                    .isEqualTo(OrchestrionException.NO_ANSWER);
            assertThat(shaky.keys().list().keys())
                    .filteredOn(each -> each.name().equals("lost"))
                    .hasSize(1);
        }
    }
}
