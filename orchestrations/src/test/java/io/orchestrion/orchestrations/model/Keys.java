package io.orchestrion.orchestrations.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/// The keys of steps, made a second time: SHA-256 over the parts, each after its length.
final class Keys {
    /// So many compensations of one step are looked for.
    static final int EPOCHS = 4;

    private Keys() {}

    static String of(UUID account, UUID execution, Attempt attempt) {
        boolean undo = attempt.kind.equals("compensation");
        return of(account, execution, attempt.step.id(), undo, attempt.epoch);
    }

    static String of(UUID account, UUID execution, String step, boolean undo, int epoch) {
        var bytes = new java.io.ByteArrayOutputStream();
        add(bytes, account.toString());
        add(bytes, execution.toString());
        add(bytes, step);
        if (undo) {
            add(bytes, "compensation");
        }
        if (epoch > 0) {
            add(bytes, "" + epoch);
        }
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void add(java.io.ByteArrayOutputStream to, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        for (int shift = 24; shift >= 0; shift -= 8) {
            to.write(bytes.length >> shift);
        }
        to.writeBytes(bytes);
    }
}
