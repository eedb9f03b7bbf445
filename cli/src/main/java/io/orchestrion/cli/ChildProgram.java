package io.orchestrion.cli;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The program that a worker runs for each piece of work. It gets the payload on its standard
/// input, and everything else in its environment. Its output is passed on line by line, and its
/// exit code is the outcome.
final class ChildProgram {
    private static final Duration LAST_OUTPUT = Duration.ofSeconds(2);

    /// The bound for text; a JSON object that is a task's result may be longer.
    static final int RESULT_MAX = 4_000;

    /// @param environment of the worker; its credentials do not reach the child
    /// @param directory null for the worker's own
    /// @param grace between asking a child to end and ending it
    /// @param fatalCodes exit codes after which another attempt would not help
    record Options(
            List<String> command,
            Map<String, String> environment,
            @Nullable Path directory,
            String workerId,
            Duration grace,
            Set<Integer> fatalCodes) {}

    /// Gets the lines as they come.
    interface Output {
        void line(boolean error, String line);
    }

    private final Options options;
    private final Set<ProcessTree> running = ConcurrentHashMap.newKeySet();

    ChildProgram(Options options) {
        this.options = options;
    }

    /// Ends everything at once, for a worker that has no time left.
    void killAll() {
        running.forEach(tree -> tree.end(Duration.ZERO));
    }

    /// @return the result
    /// @throws ChildFailure when it ended with another code than 0, or cannot be started
    /// @throws InterruptedException when the thread was interrupted; the child has been ended then
    String run(ChildWork work, CodexChoice codex, ChildFiles files, Output output)
            throws ChildFailure, InterruptedException {
        return ran(work, started(work, codex, files), output, files);
    }

    private ProcessTree started(ChildWork work, CodexChoice codex, ChildFiles files)
            throws ChildFailure {
        var builder = new ProcessBuilder(options.command());
        if (options.directory() != null) {
            builder.directory(options.directory().toFile());
        }
        try {
            builder.environment().clear();
            builder.environment().putAll(environment(work, codex, files));
            return ProcessTree.start(builder);
        } catch (IOException e) {
            throw new ChildFailure(
                    "cannot_start",
                    "cannot start " + options.command().getFirst() + ": " + e.getMessage(),
                    true);
        } catch (IllegalArgumentException e) {
            // A NUL in what the payload names; it will be there again.
            throw new ChildFailure(
                    "invalid_payload", "the payload does not fit an environment", false);
        }
    }

    private Map<String, String> environment(ChildWork work, CodexChoice codex, ChildFiles files) {
        var environment = new HashMap<>(options.environment());
        environment.remove(KeySource.VARIABLE);
        environment.remove(KeySource.TOKEN_VARIABLE);
        environment.put("ORCHESTRION_JOB_ID", work.id().toString());
        environment.put("ORCHESTRION_JOB_TYPE", work.type());
        environment.put("ORCHESTRION_JOB_ATTEMPT", String.valueOf(work.attempt()));
        environment.put("ORCHESTRION_JOB_MAX_ATTEMPTS", String.valueOf(work.maxAttempts()));
        environment.put("ORCHESTRION_WORKER_ID", options.workerId());
        put(environment, "ORCHESTRION_JOB_REPOSITORY", work.repository());
        put(environment, "ORCHESTRION_JOB_CORRELATION_ID", work.correlationId());
        files.putInto(environment);
        codex.putInto(environment);
        return environment;
    }

    /// A variable that the worker itself was started with must not be taken for the job's.
    private static void put(Map<String, String> into, String name, @Nullable String value) {
        if (value == null) {
            into.remove(name);
        } else {
            into.put(name, value);
        }
    }

    private String ran(ChildWork work, ProcessTree tree, Output output, ChildFiles files)
            throws ChildFailure, InterruptedException {
        long began = System.nanoTime();
        Process process = tree.process();
        var said = new LastLines();
        var complained = new LastLines();
        running.add(tree);
        var threads =
                List.of(
                        thread("in", () -> feed(process.getOutputStream(), work.payload())),
                        thread(
                                "out",
                                () ->
                                        read(
                                                process.getInputStream(),
                                                line -> {
                                                    said.add(line);
                                                    output.line(false, line);
                                                })),
                        thread(
                                "err",
                                () ->
                                        read(
                                                process.getErrorStream(),
                                                line -> {
                                                    complained.add(line);
                                                    output.line(true, line);
                                                })));
        int code;
        try {
            code = process.waitFor();
        } catch (InterruptedException e) {
            tree.end(grace(work));
            throw e;
        } finally {
            // Processes that still have the streams open would keep their readers waiting.
            tree.clear();
            threads.forEach(ChildProgram::ended);
            running.remove(tree);
        }
        String length = Times.length(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began));
        String end = "Exit code " + code + " after " + length + ".";
        if (code == 0) {
            String written = result(files, output);
            return written == null
                    ? with(end, said, RESULT_MAX)
                    : work.reports() ? written : Screen.shortened(written, RESULT_MAX);
        }
        LastLines why = complained.isEmpty() ? said : complained;
        throw new ChildFailure(
                "exit_" + code,
                with(end, why, work.reasonMax()),
                !options.fatalCodes().contains(code));
    }

    /// A child must not outlive its lease.
    private Duration grace(ChildWork work) {
        Duration third = work.lease().dividedBy(3);
        return options.grace().compareTo(third) < 0 ? options.grace() : third;
    }

    private static String with(String end, LastLines lines, int most) {
        return lines.isEmpty() ? end : end + "\n" + lines.within(most - end.length() - 1);
    }

    private static @Nullable String result(ChildFiles files, Output output) {
        try {
            return files.written(ChildFiles.Kind.RESULT);
        } catch (ChildFiles.Unusable e) {
            output.line(true, "result file: " + e.getMessage());
            return null;
        }
    }

    /// Blocking reads of pipes would hold the carriers of virtual threads.
    private static Thread thread(String name, Runnable task) {
        return Thread.ofPlatform().daemon().name("child-" + name).start(task);
    }

    private static void feed(OutputStream to, String payload) {
        try (to) {
            to.write(payload.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // A child need not read.
        }
    }

    private static void read(InputStream from, Consumer<String> each) {
        try (from) {
            new OutputLines(each).read(from);
        } catch (IOException e) {
            // The end of a child that was ended.
        }
    }

    private static void ended(Thread thread) {
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(LAST_OUTPUT);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
