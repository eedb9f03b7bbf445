package io.orchestrion.postgres;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Asks `/proc` which processes are the server of one data folder, and sends them signals. A pid
/// alone proves nothing: it may be a zombie, or by now belong to a stranger who must be neither
/// adopted nor killed.
final class Processes {
    private static final Logger LOG = LoggerFactory.getLogger(Processes.class);
    private static final Path PROC = Path.of("/proc");

    private final Path pgData;
    private final String clusterName;

    /// @param pgData the real path, as the kernel reports it for a process working in it
    Processes(Path pgData, String clusterName) {
        this.pgData = pgData;
        this.clusterName = clusterName;
    }

    /// A zombie counts as dead: it holds no files and no memory, only its number until the parent
    /// looks. PostgreSQL's own check, kill(pid, 0), takes it for alive and would refuse to start.
    static boolean alive(long pid) {
        Stat stat = stat(pid);
        return stat.state() != 'Z' && stat.state() != 'X';
    }

    /// Whether this pid is, now, a live process of the server on our data folder.
    boolean isOurs(long pid) {
        Stat stat = stat(pid);
        if (stat.state() == 'Z' || stat.state() == 'X' || !stat.command().equals("postgres")) {
            return false;
        }
        Path process = PROC.resolve(Long.toString(pid));
        try {
            // Every PostgreSQL process works in its data folder.
            return Files.readSymbolicLink(process.resolve("cwd")).equals(pgData);
        } catch (IOException e) {
            // Root without CAP_SYS_PTRACE, as in a plain container, may not look at another user's
            // cwd. The command line is open to all: the postmaster's has our arguments, its
            // children's title starts with the cluster name.
            return commandLineIsOurs(process);
        }
    }

    private boolean commandLineIsOurs(Path process) {
        try {
            String line = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
            return line.contains(clusterName)
                    || List.of(line.split("\0")).contains(pgData.toString());
        } catch (IOException e) {
            return false;
        }
    }

    /// Every live process of our server: after a postmaster was killed, the backends it left
    /// behind.
    List<Long> ours() {
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path entry : entries) {
                long pid = Long.parseLong(entry.getFileName().toString());
                if (isOurs(pid)) {
                    found.add(pid);
                }
            }
        } catch (IOException | NumberFormatException e) {
            LOG.warn("cannot list processes in /proc: {}", e.toString());
        }
        return found;
    }

    /// Sends a signal by name, unless the pid has meanwhile become someone else's.
    void signal(long pid, String name) {
        if (!isOurs(pid)) {
            return;
        }
        try {
            // Java itself can send TERM and KILL only, and INT is the one that means "fast
            // shutdown".
            Process kill =
                    new ProcessBuilder(
                                    "sh", "-c", "kill -s \"$0\" \"$1\"", name, Long.toString(pid))
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            boolean sent = kill.waitFor(10, TimeUnit.SECONDS) && kill.exitValue() == 0;
            if (!sent && isOurs(pid)) {
                LOG.warn("could not send SIG{} to PostgreSQL process {}", name, pid);
            }
        } catch (IOException e) {
            LOG.warn("could not send SIG{} to PostgreSQL process {}: {}", name, pid, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Polls until the condition holds; false when the time is over or the thread was interrupted.
    static boolean await(Duration atMost, BooleanSupplier condition) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return condition.getAsBoolean();
            }
        }
        return true;
    }

    private record Stat(String command, char state) {}

    private static Stat stat(long pid) {
        try {
            String line =
                    Files.readString(
                            PROC.resolve(Long.toString(pid)).resolve("stat"),
                            StandardCharsets.ISO_8859_1);
            // The command may itself hold parentheses, so the last one counts.
            int end = line.lastIndexOf(')');
            return new Stat(line.substring(line.indexOf('(') + 1, end), line.charAt(end + 2));
        } catch (IOException | StringIndexOutOfBoundsException e) {
            return new Stat("", 'X');
        }
    }
}
