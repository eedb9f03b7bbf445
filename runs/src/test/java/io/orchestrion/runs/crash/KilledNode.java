package io.orchestrion.runs.crash;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.testkit.TestClock;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// A process that plays a story until it is halted at a failpoint, as nothing of it may run
/// afterwards.
final class KilledNode implements AutoCloseable {
    private final Process process;

    private KilledNode(Process process) {
        this.process = process;
    }

    /// Starts it. It waits for [#play].
    static KilledNode started(DatabaseOptions database, Path folder) throws IOException {
        return new KilledNode(
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-Xmx256m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                KilledNode.class.getName(),
                                database.jdbcUrl(),
                                database.user(),
                                database.password(),
                                folder.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    /// Plays until the end and returns all that was said.
    ///
    /// @param place where it is to be halted
    List<String> play(Stories story, String place, UUID account, long aheadMs) throws IOException {
        try (var out = process.outputWriter(StandardCharsets.UTF_8)) {
            out.write(story + " " + place + " " + account + " " + aheadMs + "\n");
        }
        var said = new ArrayList<String>();
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            String line = reader.readLine();
            while (line != null) {
                said.add(line);
                line = reader.readLine();
            }
        }
        return said;
    }

    int exit() throws InterruptedException {
        if (!process.waitFor(Duration.ofMinutes(1).toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the process did not end by itself");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(String[] words) {
        var clock = new TestClock();
        var failpoints = new Failpoints();
        KernelOptions options =
                KernelOptions.on(DatabaseOptions.of(words[0], words[1], words[2]).withPoolSize(4))
                        .withClock(clock)
                        .withTicker(clock)
                        .withFailpoints(failpoints)
                        .withPace(Duration.ofMillis(50), Duration.ZERO, false);
        try {
            var node = new CrashNode(new Kernel(CrashNode.options(options)), Path.of(words[3]));
            node.kernel.database().transaction(tx -> tx.nowMillis());
            String[] told =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                            .readLine()
                            .split(" ", -1);
            clock.advance(Duration.ofMillis(Long.parseLong(told[3])));
            failpoints.arm(told[1], () -> Runtime.getRuntime().halt(137));
            new Player(node, UUID.fromString(told[2]), clock, KilledNode::say)
                    .play(Stories.valueOf(told[0]).acts(), 0, false);
        } catch (Throwable e) {
            e.printStackTrace();
        }
        // It was not halted where it should have been.
        Runtime.getRuntime().halt(1);
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
