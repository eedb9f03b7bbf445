package io.orchestrion.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What `postmaster.pid` says: the postmaster writes it, line by line, as it comes up, and pg_ctl
/// reads it the same way.
///
/// @param status the eighth line: `starting`, `ready`, `standby` or `stopping`; empty while it is
///     not yet written
record PidFile(long pid, int port, String status) {
    private static final int PID = 0;
    private static final int PORT = 3;
    private static final int STATUS = 7;

    static Path of(Path pgData) {
        return pgData.resolve("postmaster.pid");
    }

    /// Empty when there is no file, or one too short or strange to name a process.
    static Optional<PidFile> read(Path pgData) throws IOException {
        String text;
        try {
            text = Files.readString(of(pgData), StandardCharsets.ISO_8859_1);
        } catch (java.nio.file.NoSuchFileException e) {
            return Optional.empty();
        }
        List<String> lines = text.lines().toList();
        try {
            // A single-user postgres writes its pid negated.
            long pid = Math.abs(Long.parseLong(line(lines, PID)));
            String port = line(lines, PORT);
            return pid == 0
                    ? Optional.empty()
                    : Optional.of(
                            new PidFile(
                                    pid,
                                    port.isEmpty() ? 0 : Integer.parseInt(port),
                                    line(lines, STATUS)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    boolean ready() {
        return status.equals("ready") && port > 0;
    }

    private static String line(List<String> lines, int number) {
        return number < lines.size() ? lines.get(number).strip() : "";
    }
}
