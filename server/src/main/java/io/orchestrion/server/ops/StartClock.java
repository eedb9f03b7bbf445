package io.orchestrion.server.ops;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// How long the start took, counted from when somebody pressed Enter where the system tells it.
final class StartClock {
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final long created = System.nanoTime();

    long millis() {
        // After a build the process is minutes old, and what is asked is how long the server took.
        if (!Boolean.getBoolean("orchestrion.built")) {
            try {
                long age =
                        ageMillis(
                                Files.readString(Path.of("/proc/self/stat")),
                                Files.readString(Path.of("/proc/uptime")));
                if (age >= 0 && age < LONGEST.toMillis()) {
                    return age;
                }
            } catch (IOException | RuntimeException e) {
                // Not Linux, or one of its imitations: the time since Java read this class will do.
            }
        }
        return Duration.ofNanos(System.nanoTime() - created).toMillis();
    }

    /// The process began with the launcher script, which becomes Java. `ProcessHandle` knows the
    /// same moment, but as a time of day that was off by up to a second.
    static long ageMillis(String stat, String uptime) {
        // The name of the program is in brackets and may hold blanks; the start is field 22, in
        // hundredths of a second since the system came up.
        String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long began = Long.parseLong(afterName[19]) * 10;
        return Math.round(Double.parseDouble(uptime.split(" ")[0]) * 1000) - began;
    }
}
