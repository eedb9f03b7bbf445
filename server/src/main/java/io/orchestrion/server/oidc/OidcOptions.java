package io.orchestrion.server.oidc;

import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Whose tokens are taken, and what they are read for.
///
/// @param issuer exactly as the tokens name it in `iss`
/// @param audiences one of which a token must be for
/// @param jwksUrl where its keys are; null to ask its discovery document
/// @param clockSkew how far the issuer's clock may be from the database's
/// @param lifetimeMax a token that ends later than this is refused, so that none is for ever
/// @param claims where in a token things are
/// @param account for which its workers work, unless a claim says so
/// @param required claims that a token must have with these values
public record OidcOptions(
        String issuer,
        List<String> audiences,
        @Nullable URI jwksUrl,
        Duration clockSkew,
        Duration lifetimeMax,
        Claims claims,
        UUID account,
        Map<String, String> required,
        Pace pace) {

    /// The names of claims.
    ///
    /// @param account null when all tokens are for one account
    public record Claims(
            String worker,
            @Nullable String account,
            String repositories,
            String kinds,
            String capabilities) {
        public static final Claims DEFAULT =
                new Claims(
                        "sub", null, "allowed_repositories", "allowed_job_types", "capabilities");
    }

    /// How often and for how long the issuer is asked for its keys.
    ///
    /// @param refresh after which keys are fetched anew while those at hand are used on
    /// @param pause between two looks that a token with an unknown key causes
    /// @param kept after which keys that could not be fetched anew are no longer used
    /// @param answerTime for one whole answer
    /// @param ticker which a test moves
    public record Pace(
            Duration refresh,
            Duration pause,
            Duration kept,
            Duration connectTime,
            Duration answerTime,
            NanoTicker ticker) {
        public static final Pace DEFAULT = every(Duration.ofMinutes(5));

        public static Pace every(Duration refresh) {
            return new Pace(
                    refresh,
                    Duration.ofSeconds(30),
                    refresh.multipliedBy(12),
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(5),
                    NanoTicker.SYSTEM);
        }

        public Pace withTicker(NanoTicker other) {
            return new Pace(refresh, pause, kept, connectTime, answerTime, other);
        }

        public Pace withAnswerTime(Duration other) {
            return new Pace(refresh, pause, kept, connectTime, other, ticker);
        }
    }

    public OidcOptions {
        audiences = List.copyOf(audiences);
        required = Map.copyOf(required);
        if (issuer.isBlank() || audiences.isEmpty()) {
            throw new IllegalArgumentException("an issuer and an audience are needed");
        }
    }
}
