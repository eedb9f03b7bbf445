package io.orchestrion.orchestrations.execution;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/// The key under which everything that a step does outside is known: the same for all its
/// attempts, so that a receiver that has seen it does nothing twice.
final class StepKeys {
    private StepKeys() {}

    /// @param epoch 0 until a compensation is recorded, after which the step may take effect anew
    static String of(UUID account, UUID execution, String stepId, AttemptKind kind, int epoch) {
        MessageDigest sha = sha256();
        add(sha, account.toString());
        add(sha, execution.toString());
        add(sha, stepId);
        if (kind == AttemptKind.COMPENSATION) {
            add(sha, AttemptKind.COMPENSATION.word());
        }
        if (epoch > 0) {
            add(sha, Integer.toString(epoch));
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    /// With its length before it, so that no two lists of parts give the same bytes.
    private static void add(MessageDigest sha, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        sha.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
