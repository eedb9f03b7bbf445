package io.orchestrion.jobs;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/// What an attempt produced: its size and digest are kept, and a real handler's result, too.
///
/// @param sha256 64 hexadecimal digits in lower case
/// @param result JSON text; null for simulated work, whose bytes nobody needs
public record JobOutput(long sizeBytes, String sha256, @Nullable String result) {
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    /// What is wrong with it by itself; null when nothing is.
    @Nullable String flaw() {
        if (sizeBytes < 0) {
            return "the size of the output is " + sizeBytes;
        }
        return SHA256.matcher(sha256).matches() ? null : "the digest of the output is no SHA-256";
    }

    /// The part that is kept with the item as a reference, and so is shown wherever the item is.
    record Kept(String sha256, long sizeBytes) {
        /// Null for an end without output.
        static @Nullable Kept of(@Nullable String outputRef) {
            if (outputRef == null) {
                return null;
            }
            int space = outputRef.indexOf(' ');
            return new Kept(
                    outputRef.substring(0, space), Long.parseLong(outputRef.substring(space + 1)));
        }

        String outputRef() {
            return sha256 + " " + sizeBytes;
        }
    }

    Kept kept() {
        return new Kept(sha256, sizeBytes);
    }
}
