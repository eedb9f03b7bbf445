package io.orchestrion.cli;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program with all processes that it starts, to be ended together.
///
/// Where the machine has `setsid`, the program leads a session and a process group of its own. A
/// signal to the group also reaches processes whose parent has ended, and Ctrl-C at the worker's
/// terminal reaches only the worker. Processes that have left the group are found as descendants;
/// without `setsid` all are.
final class ProcessTree {
    private final Process process;
    private final boolean leads;

    private ProcessTree(Process process, boolean leads) {
        this.process = process;
        this.leads = leads;
    }

    /// @param program its environment, directory and streams
    static ProcessTree start(ProcessBuilder program) throws IOException {
        Path setsid = found("setsid", System.getenv("PATH"));
        if (setsid == null) {
            return new ProcessTree(program.start(), false);
        }
        var command = new ArrayList<String>();
        command.add(setsid.toString());
        command.addAll(program.command());
        return new ProcessTree(program.command(command).start(), true);
    }

    /// Where a shell would find it; null if nowhere.
    static @Nullable Path found(String name, @Nullable String searched) {
        if (name.contains("/")) {
            return executable(Path.of(name)) ? Path.of(name) : null;
        }
        for (String folder : (searched == null ? "" : searched).split(File.pathSeparator, -1)) {
            Path candidate = Path.of(folder.isEmpty() ? "." : folder, name);
            if (executable(candidate)) {
                return candidate;
            }
        }
        return null;
    }

    private static boolean executable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    Process process() {
        return process;
    }

    /// Asks it to end, and after a while does not ask any more.
    void end(Duration grace) {
        List<ProcessHandle> below = below();
        signal("TERM", below);
        try {
            process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // Somebody is in a hurry.
        }
        var all = new ArrayList<>(below);
        all.addAll(below());
        signal("KILL", all);
        process.onExit().join();
    }

    /// Ends the processes that a program left behind when it ended.
    void clear() {
        signal("KILL", List.of());
    }

    private List<ProcessHandle> below() {
        return process.descendants().toList();
    }

    private void signal(String name, List<ProcessHandle> below) {
        boolean reached = leads && group(name);
        boolean kill = name.equals("KILL");
        if (!reached && process.isAlive()) {
            end(process.toHandle(), kill);
        }
        // Twice is once too often for a program that counts its signals.
        below.stream().filter(each -> !reached || kill).forEach(each -> end(each, kill));
    }

    private static void end(ProcessHandle each, boolean kill) {
        if (kill) {
            each.destroyForcibly();
        } else {
            each.destroy();
        }
    }

    /// The shell's own kill: there is one on every machine.
    private boolean group(String name) {
        try {
            Process kill =
                    new ProcessBuilder(
                                    "/bin/sh",
                                    "-c",
                                    "kill -s \"$1\" -- \"-$2\"",
                                    "kill",
                                    name,
                                    String.valueOf(process.pid()))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return kill.onExit().join().exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
