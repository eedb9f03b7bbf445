package io.orchestrion.runs.artifact;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.UUID;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs addresses under which an artifact can be got for a while without a key. A signature is
/// good for one artifact of one account and one end.
public final class SignedAddresses {
    private static final String ALGORITHM = "HmacSHA256";
    private final Spaces spaces;

    SignedAddresses(Spaces spaces) {
        this.spaces = spaces;
    }

    /// @param untilSeconds when it ends, since the epoch
    public String sign(UUID account, UUID artifact, long untilSeconds) {
        return signature(spaces.of(account), artifact, untilSeconds);
    }

    /// Whether we have signed this. Whether it is over is not looked at.
    public boolean isSigned(UUID account, UUID artifact, long untilSeconds, String signature) {
        Space space = spaces.find(account);
        return space != null
                && MessageDigest.isEqual(
                        signature(space, artifact, untilSeconds).getBytes(StandardCharsets.UTF_8),
                        signature.getBytes(StandardCharsets.UTF_8));
    }

    private static String signature(Space space, UUID artifact, long untilSeconds) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(space.urlKey(), ALGORITHM));
            String text = "artifact\n" + space.account() + "\n" + artifact + "\n" + untilSeconds;
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JDK has " + ALGORITHM, e);
        }
    }
}
