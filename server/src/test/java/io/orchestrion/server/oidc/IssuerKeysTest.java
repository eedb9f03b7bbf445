package io.orchestrion.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.oidc.LocalIssuer.Behaviour;
import io.orchestrion.server.oidc.LocalIssuer.SigningKey;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/// When the issuer is asked for its keys, and what happens when it does not answer.
@Timeout(180)
class IssuerKeysTest {
    private static final SigningKey RSA = OidcFixture.RSA;
    private static final SigningKey NEW = SigningKey.ec("new", "secp256r1");

    private final OidcFixture oidc = new OidcFixture(RSA);

    @AfterEach
    void close() {
        oidc.close();
    }

    private OidcFixture discovering() {
        return new OidcFixture(
                false, OidcOptions.Claims.DEFAULT, Map.of(), Duration.ofSeconds(20), RSA);
    }

    private void askedTimes(int times) {
        Until.isTrue(
                "the issuer was asked " + times + " times",
                Duration.ofSeconds(20),
                () -> oidc.issuer.asked() == times);
    }

    ///
    @Test
    void keys_are_asked_for_once_and_kept() {
        List<String> verdicts = Parallel.run(50, _ -> () -> oidc.verdict(oidc.token()));
        assertThat(verdicts).containsOnly("good worker-7");
        assertThat(oidc.issuer.asked()).isEqualTo(1);
        oidc.pass(OidcFixture.REFRESH.minusSeconds(1));
        oidc.verdict(oidc.token());
        assertThat(oidc.issuer.asked()).isEqualTo(1);
    }

    @Test
    void the_discovery_document_says_where_the_keys_are() {
        try (var found = discovering()) {
            assertThat(found.verdict(found.token())).isEqualTo("good worker-7");
            assertThat(found.issuer.asked()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Behaviour.class,
            names = {"OF_ANOTHER_ISSUER", "KEYS_IN_THE_OPEN"})
    void a_discovery_document_that_cannot_be_trusted_gives_no_keys(Behaviour behaviour) {
        try (var found = discovering()) {
            found.issuer.behave(behaviour);
            assertThat(found.verdict(found.token())).isEqualTo("unavailable");
            assertThat(found.issuer.asked()).as("its jwks_uri was not followed").isEqualTo(1);
        }
    }

    /// Key rotation: a new key works at once.
    @Test
    void a_new_key_is_asked_for_at_once() {
        oidc.verdict(oidc.token());
        oidc.pass(Duration.ofSeconds(31));
        oidc.issuer.publish(RSA, NEW);
        assertThat(oidc.verdict(oidc.token(NEW, "ES256"))).isEqualTo("good worker-7");
        assertThat(oidc.verdict(oidc.token())).isEqualTo("good worker-7");
        assertThat(oidc.issuer.asked()).isEqualTo(2);
    }

    /// Removed key: refused once the keys have been fetched anew.
    @Test
    void a_key_that_is_gone_is_refused_after_the_refresh() {
        oidc.verdict(oidc.token());
        oidc.issuer.publish(NEW);
        oidc.pass(OidcFixture.REFRESH);
        oidc.verdict(oidc.token());
        Until.isTrue(
                "the removed key is refused",
                Duration.ofSeconds(20),
                () -> oidc.verdict(oidc.token()).equals("unknown key"));
        assertThat(oidc.verdict(oidc.token(NEW, "ES256"))).isEqualTo("good worker-7");
        assertThat(oidc.issuer.asked()).isEqualTo(2);
    }

    @Test
    void an_issuer_that_withdraws_all_keys_is_believed() {
        oidc.verdict(oidc.token());
        oidc.issuer.publish();
        oidc.pass(Duration.ofSeconds(31));
        assertThat(oidc.verdict(oidc.token(NEW, "ES256"))).isEqualTo("unknown key");
        assertThat(oidc.verdict(oidc.token())).isEqualTo("unknown key");
    }

    /// Made-up tokens cause no storm.
    @Test
    void unknown_keys_make_the_issuer_be_asked_at_most_twice_a_minute() {
        oidc.verdict(oidc.token());
        oidc.pass(Duration.ofSeconds(31));
        Parallel.run(50, i -> () -> oidc.verdict(oidc.token(RSA.named("made-up-" + i))));
        assertThat(oidc.issuer.asked()).isEqualTo(2);
        oidc.pass(Duration.ofSeconds(29));
        assertThat(oidc.verdict(oidc.token(RSA.named("another")))).isEqualTo("unknown key");
        assertThat(oidc.issuer.asked()).isEqualTo(2);
        oidc.pass(Duration.ofSeconds(2));
        assertThat(oidc.verdict(oidc.token(RSA.named("another")))).isEqualTo("unknown key");
        assertThat(oidc.issuer.asked()).isEqualTo(3);
    }

    /// Each bad answer: nobody can tell, and the next caller does not ask again at once.
    @ParameterizedTest
    @EnumSource(
            value = Behaviour.class,
            names = {"GOOD", "HANGING", "OF_ANOTHER_ISSUER", "KEYS_IN_THE_OPEN"},
            mode = Mode.EXCLUDE)
    void without_keys_nobody_can_tell_and_nobody_asks_all_the_time(Behaviour behaviour) {
        oidc.issuer.behave(behaviour);
        for (int i = 0; i < 10; i++) {
            assertThat(oidc.verdict(oidc.token())).isEqualTo("unavailable");
        }
        assertThat(oidc.issuer.asked()).isEqualTo(1);
        oidc.issuer.behave(Behaviour.GOOD);
        oidc.pass(Duration.ofSeconds(6));
        assertThat(oidc.verdict(oidc.token())).isEqualTo("good worker-7");
    }

    @Test
    void an_issuer_that_is_gone_is_an_issuer_without_keys() {
        oidc.issuer.close();
        assertThat(oidc.verdict(oidc.token())).isEqualTo("unavailable");
    }

    /// A forged token is refused all the same: what can be told without keys is told.
    @Test
    void while_the_issuer_is_away_bad_claims_are_still_refused() {
        oidc.issuer.behave(Behaviour.BROKEN);
        assertThat(oidc.verdict(oidc.saying("\"iss\":\"https://other.example\"")))
                .isEqualTo("issuer");
    }

    /// Keys at hand are used on while the issuer is away, and not for ever.
    @Test
    void known_keys_are_used_on_for_an_hour_while_the_issuer_is_away() {
        oidc.verdict(oidc.token());
        oidc.issuer.behave(Behaviour.BROKEN);
        oidc.pass(OidcFixture.REFRESH);
        assertThat(oidc.verdict(oidc.token())).isEqualTo("good worker-7");
        askedTimes(2);
        oidc.pass(Duration.ofMinutes(54));
        assertThat(oidc.verdict(oidc.token())).isEqualTo("good worker-7");
        askedTimes(3);
        assertThat(oidc.verdict(oidc.token(RSA.named("newer"))))
                .as("it may be a new one")
                .isEqualTo("unavailable");
        oidc.pass(Duration.ofMinutes(1));
        assertThat(oidc.verdict(oidc.token())).isEqualTo("unavailable");
        oidc.issuer.behave(Behaviour.GOOD);
        oidc.pass(Duration.ofSeconds(31));
        assertThat(oidc.verdict(oidc.token())).isEqualTo("good worker-7");
    }

    /// A refresh that hangs holds nobody.
    @Test
    void while_keys_are_fetched_anew_those_at_hand_are_used() {
        oidc.verdict(oidc.token());
        oidc.issuer.behave(Behaviour.HANGING);
        oidc.pass(OidcFixture.REFRESH);
        for (int i = 0; i < 20; i++) {
            assertThat(oidc.verdict(oidc.token())).isEqualTo("good worker-7");
        }
        askedTimes(2);
    }

    /// The first to come wait for the issuer for a bounded time.
    @Test
    void an_issuer_that_hangs_is_given_up_after_its_time() {
        try (var impatient =
                new OidcFixture(
                        true, OidcOptions.Claims.DEFAULT, Map.of(), Duration.ofMillis(300), RSA)) {
            impatient.issuer.behave(Behaviour.HANGING);
            List<String> verdicts =
                    Parallel.run(100, _ -> () -> impatient.verdict(impatient.token()));
            assertThat(verdicts).containsOnly("unavailable");
            assertThat(impatient.issuer.asked()).isEqualTo(1);
        }
    }

    @Test
    void what_is_no_key_among_the_keys_is_passed_over() {
        oidc.issuer.publish(
                RSA.saying("},7,null,[],{},{\"kty\":\"XYZ\"},{\"kty\":\"RSA\",\"n\":\"?\""));
        assertThat(oidc.verdict(oidc.token())).isEqualTo("good worker-7");
    }
}
