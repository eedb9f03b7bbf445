package io.orchestrion.server.oidc;

import com.nimbusds.jose.jwk.OctetKeyPair;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;

/// Checks signatures of Ed25519 with what the JDK has; the library would need another one for it.
final class Ed25519Verifier {
    private static final int KEY_BYTES = 32;
    private static final int SIGNATURE_BYTES = 64;

    /// What comes before the key in its usual encoding (RFC 8410).
    private static final byte[] PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private Ed25519Verifier() {}

    static boolean verifies(OctetKeyPair key, byte[] signed, byte[] signature)
            throws GeneralSecurityException {
        byte[] point = key.getDecodedX();
        if (point.length != KEY_BYTES || signature.length != SIGNATURE_BYTES) {
            return false;
        }
        byte[] encoded = new byte[PREFIX.length + KEY_BYTES];
        System.arraycopy(PREFIX, 0, encoded, 0, PREFIX.length);
        System.arraycopy(point, 0, encoded, PREFIX.length, KEY_BYTES);
        PublicKey made =
                KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
        Signature check = Signature.getInstance("Ed25519");
        check.initVerify(made);
        check.update(signed);
        try {
            return check.verify(signature);
        } catch (SignatureException e) {
            return false;
        }
    }
}
