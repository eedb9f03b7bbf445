package io.orchestrion.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.oidc.LocalIssuer.SigningKey;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Every way in which a token can be wrong, each against an issuer with real keys.
@Timeout(180)
class ForgedTokenTest {
    private static final SigningKey RSA = OidcFixture.RSA;
    private static final SigningKey OTHER_RSA = SigningKey.rsa("rsa-2");
    private static final SigningKey P256 = SigningKey.ec("p256", "secp256r1");
    private static final SigningKey P384 = SigningKey.ec("p384", "secp384r1");
    private static final SigningKey P521 = SigningKey.ec("p521", "secp521r1");
    private static final SigningKey ED = SigningKey.ed25519("ed");
    private static final SigningKey STRANGER = SigningKey.rsa("rsa-1");

    private final OidcFixture oidc = new OidcFixture(RSA, OTHER_RSA, P256, P384, P521, ED);

    @AfterEach
    void close() {
        oidc.close();
    }

    private static SigningKey key(String name) {
        return switch (name) {
            case "rsa" -> RSA;
            case "p256" -> P256;
            case "p384" -> P384;
            case "p521" -> P521;
            default -> ED;
        };
    }

    ///
    @ParameterizedTest
    @CsvSource({
        "rsa, RS256",
        "rsa, RS384",
        "rsa, RS512",
        "rsa, PS256",
        "rsa, PS384",
        "rsa, PS512",
        "p256, ES256",
        "p384, ES384",
        "p521, ES512",
        "ed, EdDSA",
        "ed, Ed25519"
    })
    void a_token_signed_with_a_published_key_is_good(String by, String algorithm) {
        assertThat(oidc.verdict(oidc.token(key(by), algorithm))).isEqualTo("good worker-7");
    }

    /// for each kind of key.
    @ParameterizedTest
    @CsvSource({"rsa, RS256", "rsa, PS256", "p256, ES256", "p521, ES512", "ed, EdDSA"})
    void one_changed_bit_anywhere_is_refused(String by, String algorithm) {
        String token = oidc.token(key(by), algorithm);
        String[] parts = token.split("\\.");
        for (int part = 0; part < 3; part++) {
            byte[] bytes = Base64.getUrlDecoder().decode(parts[part]);
            for (int place : new int[] {0, bytes.length / 2, bytes.length - 1}) {
                byte[] changed = bytes.clone();
                changed[place] ^= 1;
                String[] forged = parts.clone();
                forged[part] = Base64.getUrlEncoder().withoutPadding().encodeToString(changed);
                assertThat(oidc.verifier.verify(String.join(".", forged)))
                        .as("part %d, byte %d", part, place)
                        .isInstanceOf(JwtOutcome.Refused.class);
            }
        }
    }

    /// a signature of nothing at all, and one of ECDSA whose numbers are all zero.
    @ParameterizedTest
    @CsvSource({"ES256, p256, 64", "ES512, p521, 132", "EdDSA, ed, 64", "RS256, rsa-1, 256"})
    void a_signature_of_zeros_is_refused(String algorithm, String kid, int bytes) {
        String header = "{\"alg\":\"%s\",\"kid\":\"%s\"}".formatted(algorithm, kid);
        String content =
                LocalIssuer.encoded(header) + "." + LocalIssuer.encoded("{" + oidc.claims() + "}");
        String zeros = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[bytes]);
        assertThat(oidc.verdict(content + "." + zeros)).isEqualTo("bad signature");
    }

    ///
    @ParameterizedTest
    @ValueSource(strings = {"none", "None", "NONE", "nOnE", ""})
    void an_unsigned_token_is_refused(String algorithm) {
        String content =
                LocalIssuer.encoded("{\"alg\":\"%s\",\"kid\":\"rsa-1\"}".formatted(algorithm))
                        + "."
                        + LocalIssuer.encoded("{" + oidc.claims() + "}");
        for (String signature : List.of("", "AA", "bm9uZQ")) {
            assertThat(oidc.verifier.verify(content + "." + signature))
                    .isInstanceOf(JwtOutcome.Refused.class);
        }
        assertThat(oidc.issuer.asked()).isZero();
    }

    /// the public key, which everybody has, taken for a shared secret.
    @ParameterizedTest
    @ValueSource(strings = {"HS256", "HS384", "HS512"})
    void a_shared_secret_made_of_the_public_key_is_refused(String algorithm)
            throws GeneralSecurityException {
        String header = "{\"alg\":\"%s\",\"kid\":\"rsa-1\"}".formatted(algorithm);
        String content =
                LocalIssuer.encoded(header) + "." + LocalIssuer.encoded("{" + oidc.claims() + "}");
        byte[] der = RSA.pair().getPublic().getEncoded();
        byte[] pem =
                ("-----BEGIN PUBLIC KEY-----\n"
                                + Base64.getMimeEncoder().encodeToString(der)
                                + "\n-----END PUBLIC KEY-----\n")
                        .getBytes(StandardCharsets.US_ASCII);
        byte[] jwk = RSA.jwk().getBytes(StandardCharsets.US_ASCII);
        for (byte[] secret : List.of(der, pem, jwk)) {
            Mac mac = Mac.getInstance("HmacSHA" + algorithm.substring(2));
            mac.init(new SecretKeySpec(secret, "HMAC"));
            String signature =
                    Base64.getUrlEncoder()
                            .withoutPadding()
                            .encodeToString(
                                    mac.doFinal(content.getBytes(StandardCharsets.US_ASCII)));
            assertThat(oidc.verdict(content + "." + signature)).isEqualTo("algorithm");
        }
        assertThat(oidc.issuer.asked()).isZero();
    }

    /// a shared secret that the issuer itself publishes by mistake is no key either.
    @Test
    void a_published_shared_secret_is_not_used() throws GeneralSecurityException {
        try (var issuer =
                new OidcFixture(
                        RSA.saying(
                                ",\"note\":1},{\"kty\":\"oct\",\"k\":\"c2VjcmV0\",\"kid\":\"s\""))) {
            String content =
                    LocalIssuer.encoded("{\"alg\":\"HS256\",\"kid\":\"s\"}")
                            + "."
                            + LocalIssuer.encoded("{" + issuer.claims() + "}");
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec("secret".getBytes(StandardCharsets.US_ASCII), "HMAC"));
            String signature =
                    Base64.getUrlEncoder()
                            .withoutPadding()
                            .encodeToString(
                                    mac.doFinal(content.getBytes(StandardCharsets.US_ASCII)));
            assertThat(issuer.verdict(issuer.token())).startsWith("good");
            assertThat(issuer.verdict(content + "." + signature)).isEqualTo("algorithm");
        }
    }

    /// all of these are refused without a question to the issuer.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "issuer        | 'iss':'https://other.example','aud':'orchestrion','exp':EXP",
                "issuer        | 'iss':'ISS/','aud':'orchestrion','exp':EXP",
                "issuer        | 'aud':'orchestrion','exp':EXP",
                "audience      | 'iss':'ISS','aud':'orchestrion2','exp':EXP",
                "audience      | 'iss':'ISS','aud':['a','b'],'exp':EXP",
                "audience      | 'iss':'ISS','aud':[],'exp':EXP",
                "audience      | 'iss':'ISS','exp':EXP",
                "no exp        | 'iss':'ISS','aud':'orchestrion'",
                "expired       | 'iss':'ISS','aud':'orchestrion','exp':PAST",
                "expired       | 'iss':'ISS','aud':'orchestrion','exp':0",
                "expired       | 'iss':'ISS','aud':'orchestrion','exp':-1",
                "malformed     | 'iss':'ISS','aud':'orchestrion','exp':'tomorrow'",
                "ends too late | 'iss':'ISS','aud':'orchestrion','exp':DECADE",
                "ends too late | 'iss':'ISS','aud':'orchestrion','exp':9000000000000",
                "not valid yet | 'iss':'ISS','aud':'orchestrion','exp':EXP,'nbf':LATER",
                "not valid yet | 'iss':'ISS','aud':'orchestrion','exp':EXP,'iat':LATER",
            })
    void claims_that_are_not_for_us_are_refused(String reason, String members) {
        String token =
                oidc.saying(
                        ("'sub':'w'," + members)
                                .replace('\'', '"')
                                .replace("ISS", oidc.issuer.url())
                                .replace("EXP", "" + oidc.seconds(600))
                                .replace("PAST", "" + oidc.seconds(-61))
                                .replace("LATER", "" + oidc.seconds(120))
                                .replace("DECADE", "" + oidc.seconds(315_360_000)));
        assertThat(oidc.verdict(token)).isEqualTo(reason);
        assertThat(oidc.issuer.asked()).isZero();
    }

    /// within the skew that is allowed, and not beyond it.
    @Test
    void the_issuers_clock_may_be_a_minute_off() {
        String base = "\"iss\":\"%s\",\"aud\":[\"x\",\"orchestrion\"],\"sub\":\"worker-7\",";
        String members = base.formatted(oidc.issuer.url());
        assertThat(oidc.verdict(oidc.saying(members + "\"exp\":" + oidc.seconds(-59))))
                .isEqualTo("good worker-7");
        assertThat(oidc.verdict(oidc.saying(members + "\"exp\":" + oidc.seconds(-60))))
                .isEqualTo("expired");
        String ahead = "\"exp\":" + oidc.seconds(600) + ",\"nbf\":";
        assertThat(oidc.verdict(oidc.saying(members + ahead + oidc.seconds(60))))
                .isEqualTo("good worker-7");
        assertThat(oidc.verdict(oidc.saying(members + ahead + oidc.seconds(61))))
                .isEqualTo("not valid yet");
    }

    /// what a token says about where its key is, is never followed.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"jku\":\"URL/keys\"",
                "\"x5u\":\"URL/keys\"",
                "\"jwk\":JWK",
                "\"x5c\":[\"MIIB\"]",
                "\"crit\":[\"exp\"]",
                "\"crit\":[]",
                "\"crit\":[\"b64\"],\"b64\":false",
                "\"b64\":false",
                "\"typ\":\"logout+jwt\"",
                "\"typ\":\"JWE\"",
            })
    void headers_that_lead_elsewhere_are_refused_and_nobody_is_asked(String more) {
        try (var elsewhere = new LocalIssuer(STRANGER)) {
            String header =
                    "{\"alg\":\"RS256\",\"kid\":\"rsa-1\","
                            + more.replace("URL", elsewhere.url()).replace("JWK", STRANGER.jwk())
                            + "}";
            for (SigningKey by : List.of(STRANGER, RSA)) {
                String token = LocalIssuer.token(header, "{" + oidc.claims() + "}", by, "RS256");
                assertThat(oidc.verifier.verify(token)).isInstanceOf(JwtOutcome.Refused.class);
            }
            assertThat(elsewhere.asked()).isZero();
            assertThat(oidc.issuer.asked()).isZero();
        }
    }

    /// under a name that is published, by a key that is not.
    @Test
    void a_strangers_key_under_a_known_name_is_refused() {
        assertThat(oidc.verdict(oidc.token(STRANGER))).isEqualTo("bad signature");
    }

    ///
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nobody",
                "../../../../etc/passwd",
                "rsa-1' or '1'='1",
                "http://127.0.0.1/keys",
                ""
            })
    void an_unknown_key_is_refused(String kid) {
        assertThat(oidc.verdict(oidc.token(STRANGER.named(kid)))).isEqualTo("unknown key");
    }

    /// signed by one published key and named after another.
    @ParameterizedTest
    @CsvSource({
        "rsa-2, rsa, RS256, bad signature",
        "p256, rsa, RS256, unknown key",
        "rsa-1, p256, ES256, unknown key",
        "p384, p256, ES256, unknown key",
        "ed, p256, ES256, unknown key",
    })
    void the_name_of_another_key_is_refused(
            String kid, String by, String algorithm, String reason) {
        assertThat(oidc.verdict(oidc.token(key(by).named(kid), algorithm))).isEqualTo(reason);
    }

    /// an algorithm that the key is not for.
    @Test
    void a_key_that_says_its_algorithm_is_used_for_that_alone() {
        try (var strict =
                new OidcFixture(
                        RSA.saying(",\"alg\":\"PS256\",\"use\":\"sig\""),
                        OTHER_RSA.saying(",\"use\":\"enc\""),
                        P256.saying(",\"key_ops\":[\"sign\"]"),
                        SigningKey.rsa("weak", 1024))) {
            assertThat(strict.verdict(strict.token(RSA, "PS256"))).isEqualTo("good worker-7");
            assertThat(strict.verdict(strict.token(RSA, "RS256"))).isEqualTo("unknown key");
            assertThat(strict.verdict(strict.token(OTHER_RSA))).isEqualTo("unknown key");
            assertThat(strict.verdict(strict.token(P256, "ES256"))).isEqualTo("unknown key");
            assertThat(strict.verdict(strict.token(RSA.named("weak"), "RS256")))
                    .isEqualTo("unknown key");
        }
    }

    /// A token that does not say which key is tried with those that fit.
    @Test
    void without_a_name_every_key_that_fits_is_tried() {
        String header = "{\"alg\":\"RS256\"}";
        String claims = "{" + oidc.claims() + "}";
        assertThat(oidc.verdict(LocalIssuer.token(header, claims, OTHER_RSA, "RS256")))
                .isEqualTo("good worker-7");
        int asked = oidc.issuer.asked();
        assertThat(oidc.verdict(LocalIssuer.token(header, claims, STRANGER, "RS256")))
                .isEqualTo("bad signature");
        assertThat(oidc.issuer.asked()).isEqualTo(asked);
    }

    /// cut short, put together from several, too long, or no token at all.
    @Test
    void what_is_no_whole_token_is_refused() {
        String token = oidc.token();
        String[] parts = token.split("\\.");
        for (int end = 0; end < token.length(); end += 7) {
            assertThat(oidc.verifier.verify(token.substring(0, end)))
                    .isInstanceOf(JwtOutcome.Refused.class);
        }
        for (String bad :
                List.of(
                        "",
                        ".",
                        "..",
                        "...",
                        "a.b.c",
                        parts[0] + "." + parts[1],
                        token + ".",
                        "." + token,
                        token + "." + parts[2],
                        token + "\n",
                        token + "=",
                        token.replace('.', ','),
                        "{" + token + "}",
                        parts[1] + "." + parts[0] + "." + parts[2],
                        parts[0] + "." + parts[1] + "x." + parts[2],
                        parts[0] + "." + parts[1] + "." + parts[2] + parts[2],
                        LocalIssuer.encoded("[]") + "." + parts[1] + "." + parts[2],
                        LocalIssuer.encoded("null") + "." + parts[1] + "." + parts[2],
                        LocalIssuer.encoded("{}") + "." + parts[1] + "." + parts[2],
                        "a.b.c.d.e",
                        "\u0000.\u0000.\u0000",
                        "x".repeat(JwtVerifier.TOKEN_CHARS_MAX + 1))) {
            assertThat(oidc.verifier.verify(bad))
                    .as(bad.length() > 200 ? "long" : bad)
                    .isInstanceOf(JwtOutcome.Refused.class);
        }
    }

    /// a good signature does not help a token that is too long or too deep.
    @Test
    void a_signed_token_that_is_too_long_or_too_deep_is_refused() {
        String members = oidc.claims() + ",\"x\":";
        assertThat(oidc.verdict(oidc.saying(members + "\"" + "x".repeat(8_000) + "\"")))
                .isEqualTo("good worker-7");
        assertThat(oidc.verdict(oidc.saying(members + "\"" + "x".repeat(12_000) + "\"")))
                .isEqualTo("too long");
        assertThat(
                        oidc.verifier.verify(
                                oidc.saying(members + "[".repeat(3_000) + "]".repeat(3_000))))
                .isInstanceOf(JwtOutcome.Refused.class);
        assertThat(oidc.verifier.verify(oidc.saying("[1]"))).isInstanceOf(JwtOutcome.Refused.class);
    }

    /// two values of one claim, of which each reader might take another.
    @Test
    void a_claim_or_a_header_said_twice_is_refused() {
        assertThat(oidc.verdict(oidc.saying(oidc.claims() + ",\"sub\":\"admin\"")))
                .isEqualTo("malformed");
        String header = "{\"alg\":\"RS256\",\"kid\":\"rsa-2\",\"kid\":\"rsa-1\"}";
        assertThat(oidc.verdict(LocalIssuer.token(header, "{" + oidc.claims() + "}", RSA, "RS256")))
                .isEqualTo("malformed");
    }
}
