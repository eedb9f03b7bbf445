package io.orchestrion.server.webhooks;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.TreeSet;

/// An address and the events asked for, in short: what an account has once.
final class OnceKey {
    private OnceKey() {}

    static byte[] of(String url, List<String> events) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(url.getBytes(StandardCharsets.UTF_8));
            for (String event : new TreeSet<>(events)) {
                sha.update((byte) '\n');
                sha.update(event.getBytes(StandardCharsets.UTF_8));
            }
            return sha.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
