package io.orchestrion.postgres;

import org.jspecify.annotations.Nullable;

/// One running server process and where it listens.
///
/// @param process present when we started it; an adopted one is known by its pid only
record Postmaster(long pid, int port, @Nullable Process process) {
    boolean adopted() {
        return process == null;
    }

    /// For people, once it has ended.
    String ending() {
        if (process == null || process.isAlive()) {
            return "PostgreSQL (pid " + pid + ") is gone";
        }
        int code = process.exitValue();
        return "PostgreSQL (pid "
                + pid
                + ") ended "
                + (code > 128 ? "by signal " + (code - 128) : "with code " + code);
    }
}
