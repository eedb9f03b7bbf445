package io.orchestrion.postgres;

import io.orchestrion.postgres.PostgresStartException.Reason;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;

/// Turns what went wrong below into the exception a person reads.
final class Failures {
    private Failures() {}

    /// An I/O error on one of our folders, sorted by what the operating system said.
    static PostgresStartException notWritable(Path path, IOException cause) {
        if (isDiskFull(String.valueOf(cause.getMessage()))) {
            return new PostgresStartException(
                    Reason.NO_DISK,
                    "the disk that holds " + path + " is full; free some space",
                    cause);
        }
        return new PostgresStartException(
                Reason.NOT_WRITABLE,
                path
                        + " cannot be created or written ("
                        + cause
                        + "); check its owner and permissions or choose another folder",
                cause);
    }

    /// A program of ours ended badly; its last lines say why.
    static PostgresStartException fromOutput(
            String what, Path folder, String lastLines, @Nullable Throwable cause) {
        Reason reason = Reason.FAILED;
        if (isDiskFull(lastLines)) {
            reason = Reason.NO_DISK;
        } else if (lastLines.contains("Permission denied")
                || lastLines.contains("Read-only file system")) {
            reason = Reason.NOT_WRITABLE;
        } else if (lastLines.contains("are incompatible with server")) {
            reason = Reason.WRONG_VERSION;
        }
        String words = lastLines.isBlank() ? "it said nothing" : "its last lines:\n" + lastLines;
        return new PostgresStartException(reason, what + " (" + folder + "); " + words, cause);
    }

    static boolean isDiskFull(String text) {
        return text.contains("No space left on device") || text.contains("Disk quota exceeded");
    }
}
