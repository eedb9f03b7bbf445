package io.orchestrion.server.oidc;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.JSONObjectUtils;

import org.jspecify.annotations.Nullable;

import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The keys of an issuer that signatures may be checked with. What is no such key is passed over:
/// secrets shared by both sides, keys for encryption, weak ones, kinds that are not known here.
///
/// @param atNanos when they were asked for, by the node's timer
record KeySet(List<JWK> keys, long atNanos) {
    private static final int KEYS_MAX = 100;
    private static final int RSA_BITS_MIN = 2048;
    private static final int RSA_BITS_MAX = 8192;

    /// Which algorithms there are, and the curve that each is for; null for those of RSA.
    static @Nullable Curve curveOf(JWSAlgorithm algorithm) {
        return switch (algorithm.getName()) {
            case "ES256" -> Curve.P_256;
            case "ES384" -> Curve.P_384;
            case "ES512" -> Curve.P_521;
            case "EdDSA", "Ed25519" -> Curve.Ed25519;
            default -> null;
        };
    }

    static boolean takes(JWSAlgorithm algorithm) {
        return JWSAlgorithm.Family.RSA.contains(algorithm) || curveOf(algorithm) != null;
    }

    static KeySet read(String json, long atNanos) throws ParseException {
        var usable = new ArrayList<JWK>();
        Map<String, Object> document = JSONObjectUtils.parse(json);
        if (!(document.get("keys") instanceof List<?> list)) {
            throw new ParseException("there is no list of keys", 0);
        }
        for (Object each : list) {
            JWK key = each instanceof Map<?, ?> map ? key(map) : null;
            if (key != null && usable.size() < KEYS_MAX) {
                usable.add(key);
            }
        }
        return new KeySet(List.copyOf(usable), atNanos);
    }

    @SuppressWarnings("unchecked")
    private static @Nullable JWK key(Map<?, ?> json) {
        try {
            JWK key = JWK.parse((Map<String, Object>) json);
            return forSignatures(key) && strong(key) ? key.toPublicJWK() : null;
        } catch (ParseException | RuntimeException e) {
            return null;
        }
    }

    private static boolean forSignatures(JWK key) {
        return (key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
                && (key.getKeyOperations() == null
                        || key.getKeyOperations().contains(KeyOperation.VERIFY));
    }

    private static boolean strong(JWK key) {
        return switch (key) {
            case RSAKey rsa -> rsa.size() >= RSA_BITS_MIN && rsa.size() <= RSA_BITS_MAX;
            case ECKey ec -> List.of(Curve.P_256, Curve.P_384, Curve.P_521).contains(ec.getCurve());
            case OctetKeyPair pair -> pair.getCurve().equals(Curve.Ed25519);
            default -> false;
        };
    }

    /// The keys that may have signed a token with this header: of the id that it names, of the kind
    /// that its algorithm is for.
    List<JWK> matching(JWSHeader header) {
        String id = header.getKeyID();
        return keys.stream()
                .filter(key -> id == null || id.equals(key.getKeyID()))
                .filter(key -> fits(key, header.getAlgorithm()))
                .toList();
    }

    private static boolean fits(JWK key, JWSAlgorithm algorithm) {
        Curve curve = curveOf(algorithm);
        boolean kind =
                switch (key) {
                    case RSAKey _ -> JWSAlgorithm.Family.RSA.contains(algorithm);
                    case ECKey ec -> ec.getCurve().equals(curve);
                    case OctetKeyPair pair -> pair.getCurve().equals(curve);
                    default -> false;
                };
        return kind
                && (key.getAlgorithm() == null
                        || key.getAlgorithm().equals(algorithm)
                        // Two names of the same.
                        || Curve.Ed25519.equals(curve));
    }
}
