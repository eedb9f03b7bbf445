package io.orchestrion.cli;

import io.orchestrion.sdk.MonotonicClock;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;

/// Everything that a command takes from the place it runs in.
///
/// @param home the user's folder, where the key of a local server lies
/// @param colour whether standard output shows colours
/// @param zone in which times are shown
/// @param ticks by which a worker keeps its leases
public record Surroundings(
        PrintStream out,
        PrintStream err,
        InputStream in,
        Map<String, String> environment,
        Path home,
        boolean colour,
        ZoneId zone,
        InstantSource clock,
        MonotonicClock ticks) {
    /// On this machine's own ticks.
    public Surroundings(
            PrintStream out,
            PrintStream err,
            InputStream in,
            Map<String, String> environment,
            Path home,
            boolean colour,
            ZoneId zone,
            InstantSource clock) {
        this(out, err, in, environment, home, colour, zone, clock, MonotonicClock.SYSTEM);
    }

    /// Those of this process.
    public static Surroundings real(PrintStream out, PrintStream err, boolean colour) {
        return new Surroundings(
                out,
                err,
                System.in,
                System.getenv(),
                Path.of(System.getProperty("user.home", ".")),
                colour,
                ZoneId.systemDefault(),
                InstantSource.system());
    }

    /// An empty variable counts as not set.
    String variable(String name, String otherwise) {
        String value = environment.getOrDefault(name, "");
        return value.isBlank() ? otherwise : value.strip();
    }
}
