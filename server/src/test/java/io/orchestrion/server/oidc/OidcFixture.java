package io.orchestrion.server.oidc;

import io.orchestrion.server.oidc.LocalIssuer.SigningKey;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// An issuer, a verifier of its tokens, and the clocks that both go by.
final class OidcFixture implements AutoCloseable {
    static final SigningKey RSA = SigningKey.rsa("rsa-1");
    static final UUID ACCOUNT = UUID.fromString("0190aaaa-0000-7000-8000-000000000001");
    static final String AUDIENCE = "orchestrion";
    static final Duration REFRESH = Duration.ofMinutes(5);

    final LocalIssuer issuer;
    final AtomicLong nowMs = new AtomicLong(1_800_000_000_000L);
    final AtomicLong nanos = new AtomicLong(Duration.ofDays(1).toNanos());
    final JwtVerifier verifier;

    OidcFixture(SigningKey... keys) {
        this(true, OidcOptions.Claims.DEFAULT, Map.of(), Duration.ofSeconds(20), keys);
    }

    OidcFixture(
            boolean keysUrl,
            OidcOptions.Claims claims,
            Map<String, String> required,
            Duration answerTime,
            SigningKey... keys) {
        issuer = new LocalIssuer(keys);
        verifier =
                new JwtVerifier(
                        new OidcOptions(
                                issuer.url(),
                                List.of("other", AUDIENCE),
                                keysUrl ? URI.create(issuer.keysUrl()) : null,
                                Duration.ofSeconds(60),
                                Duration.ofDays(1),
                                claims,
                                ACCOUNT,
                                required,
                                OidcOptions.Pace.every(REFRESH)
                                        .withTicker(nanos::get)
                                        .withAnswerTime(answerTime)),
                        ACCOUNT::equals,
                        nowMs::get);
    }

    long seconds(int fromNow) {
        return nowMs.get() / 1000 + fromNow;
    }

    /// The claims of a good token, as members of an object.
    String claims() {
        return "\"iss\":\"%s\",\"aud\":\"%s\",\"sub\":\"worker-7\",\"exp\":%d,\"iat\":%d"
                .formatted(issuer.url(), AUDIENCE, seconds(600), seconds(-5));
    }

    String token() {
        return token(RSA);
    }

    String token(SigningKey by) {
        return token(by, "RS256");
    }

    String token(SigningKey by, String algorithm) {
        return LocalIssuer.token("{" + claims() + "}", by, algorithm);
    }

    /// A good token but for what these members say instead of, or beside, the usual ones.
    String saying(String members) {
        return LocalIssuer.token("{" + members + "}", RSA, "RS256");
    }

    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    String verdict(String token) {
        return switch (verifier.verify(token)) {
            case JwtOutcome.Good(var worker) -> "good " + worker.workerId();
            case JwtOutcome.Refused(var reason) -> reason;
            case JwtOutcome.Unavailable() -> "unavailable";
        };
    }

    @Override
    public void close() {
        verifier.close();
        issuer.close();
    }
}
