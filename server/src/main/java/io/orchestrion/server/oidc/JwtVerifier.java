package io.orchestrion.server.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

import org.jspecify.annotations.Nullable;

import java.security.GeneralSecurityException;
import java.text.ParseException;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Checks tokens of the configured issuer. All that can be checked without its keys comes first, so
/// that a token that would be refused anyway makes nobody ask for them; what a token itself says
/// about where its key is found is never followed.
public final class JwtVerifier implements AutoCloseable {
    public static final int TOKEN_CHARS_MAX = 12 * 1024;

    /// How many keys are tried for a token that names none.
    private static final int TRIED_MAX = 10;

    private static final Pattern FORM = Pattern.compile("[\\w-]+\\.[\\w-]+\\.[\\w-]+");

    /// Types of tokens that are made to be sent to servers such as this one.
    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

    private final OidcOptions options;
    private final IssuerKeys keys;
    private final ClaimReader claims;
    private final LongSupplier nowMillis;

    /// @param accounts whether there is such an account
    /// @param nowMillis the database's time, to within a moment
    public JwtVerifier(OidcOptions options, Predicate<UUID> accounts, LongSupplier nowMillis) {
        this.options = options;
        this.keys = new IssuerKeys(options);
        this.claims = new ClaimReader(options, accounts);
        this.nowMillis = nowMillis;
    }

    /// Why a token is refused.
    static final class Bad extends Exception {
        private static final long serialVersionUID = 1;

        Bad(String reason) {
            super(reason, null, false, false);
        }
    }

    public JwtOutcome verify(String token) {
        try {
            SignedJWT jwt = parsed(token);
            checkHeader(jwt.getHeader());
            Map<String, Object> said = jwt.getPayload().toJSONObject();
            checkAddressee(jwt.getJWTClaimsSet());
            checkRequired(said);
            // The token may be meant for us. Nothing that it says counts before the signature is
            // checked.
            return switch (keys.find(jwt.getHeader())) {
                case IssuerKeys.Answer.Unavailable() -> new JwtOutcome.Unavailable();
                case IssuerKeys.Answer.Unknown() -> new JwtOutcome.Refused("unknown key");
                case IssuerKeys.Answer.Found(var found) ->
                        signed(jwt, found)
                                ? new JwtOutcome.Good(claims.worker(said))
                                : new JwtOutcome.Refused("bad signature");
            };
        } catch (Bad e) {
            return new JwtOutcome.Refused(String.valueOf(e.getMessage()));
        } catch (ParseException e) {
            return new JwtOutcome.Refused("malformed");
        }
    }

    private static SignedJWT parsed(String token) throws Bad, ParseException {
        if (token.length() > TOKEN_CHARS_MAX) {
            throw new Bad("too long");
        }
        if (!FORM.matcher(token).matches()) {
            throw new Bad("no signed token");
        }
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            jwt.getJWTClaimsSet();
            return jwt;
        } catch (RuntimeException e) {
            throw new Bad("malformed");
        }
    }

    private static void checkHeader(JWSHeader header) throws Bad {
        if (!KeySet.takes(header.getAlgorithm())) {
            throw new Bad("algorithm");
        }
        if (header.getCriticalParams() != null || header.getIncludedParams().contains("crit")) {
            throw new Bad("critical parameters");
        }
        for (String name : List.of("jwk", "jku", "x5u", "x5c", "b64", "zip")) {
            if (header.getIncludedParams().contains(name)) {
                throw new Bad("header with " + name);
            }
        }
        if (header.getType() != null
                && TYPES.stream().noneMatch(header.getType().getType()::equalsIgnoreCase)) {
            throw new Bad("type");
        }
    }

    private void checkAddressee(JWTClaimsSet said) throws Bad {
        if (!options.issuer().equals(said.getIssuer())) {
            throw new Bad("issuer");
        }
        if (said.getAudience().stream().noneMatch(options.audiences()::contains)) {
            throw new Bad("audience");
        }
        long now = nowMillis.getAsLong();
        long skew = options.clockSkew().toMillis();
        Date ends = said.getExpirationTime();
        if (ends == null) {
            throw new Bad("no exp");
        }
        if (ends.getTime() <= now - skew) {
            throw new Bad("expired");
        }
        if (ends.getTime() > now + skew + options.lifetimeMax().toMillis()) {
            throw new Bad("ends too late");
        }
        if (later(said.getNotBeforeTime(), now + skew) || later(said.getIssueTime(), now + skew)) {
            throw new Bad("not valid yet");
        }
    }

    private void checkRequired(Map<String, Object> said) throws Bad {
        for (Map.Entry<String, String> each : options.required().entrySet()) {
            if (!ClaimReader.has(said, each.getKey(), each.getValue())) {
                throw new Bad("required claim");
            }
        }
    }

    private static boolean later(@Nullable Date time, long thanMs) {
        return time != null && time.getTime() > thanMs;
    }

    private static boolean signed(SignedJWT jwt, List<JWK> by) {
        return by.stream().limit(TRIED_MAX).anyMatch(key -> signed(jwt, key));
    }

    private static boolean signed(SignedJWT jwt, JWK by) {
        JWSHeader header = jwt.getHeader();
        byte[] content = jwt.getSigningInput();
        try {
            return switch (by) {
                case RSAKey rsa ->
                        new RSASSAVerifier(rsa.toRSAPublicKey())
                                .verify(header, content, jwt.getSignature());
                case ECKey ec ->
                        new ECDSAVerifier(ec.toECPublicKey())
                                .verify(header, content, jwt.getSignature());
                case OctetKeyPair pair ->
                        Ed25519Verifier.verifies(pair, content, jwt.getSignature().decode());
                default -> false;
            };
        } catch (JOSEException | GeneralSecurityException | RuntimeException e) {
            return false;
        }
    }

    @Override
    public void close() {
        keys.close();
    }
}
