package io.orchestrion.cli;

import io.orchestrion.sdk.Worker;
import io.orchestrion.sdk.WorkerBuilder;
import io.orchestrion.sdk.WorkerEvent;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// `orchestrion worker`: claims work, runs a program for each piece of it, and reports how it
/// ended.
final class WorkerCommand {
    private static final Duration LONG_POLL = Duration.ofSeconds(8);
    private static final int STOP_SECONDS = 30;
    private static final int KILL_SECONDS = 10;
    private static final int LEASE_SECONDS = 120;

    private final Surroundings surroundings;
    private final StopRequests stops;

    WorkerCommand(Surroundings surroundings) {
        this(surroundings, new StopRequests());
    }

    WorkerCommand(Surroundings surroundings, StopRequests stops) {
        this.surroundings = surroundings;
        this.stops = stops;
    }

    CommandSpec spec() {
        return ClientCommand.of(
                        "worker",
                        "Claim jobs of the queue, or tasks, and run a program for each.",
                        surroundings)
                .option(
                        "--types",
                        "TYPES",
                        String.class,
                        "Only these, with commas between them. Default: all that the token allows;"
                                + " needed with --door tasks.")
                .option(
                        "--capabilities",
                        "WORDS",
                        String.class,
                        "What this worker can do, such as git,gh; a job that requires more goes to"
                                + " others. Default: what the token says.")
                .option(
                        "--worker",
                        "NAME",
                        String.class,
                        "The worker's name; with a token, the one it is bound to. Default: this"
                                + " machine's name and the process id.")
                .option("--concurrency", "N", Integer.class, "Programs at a time. Default: 1.")
                .flag(
                        "--once",
                        "Do one piece of work, if there is one, and end; with 1 if it did not"
                                + " succeed.")
                .option(
                        "--door",
                        "DOOR",
                        String.class,
                        "Where the work is: queue or tasks. Default: queue.")
                .option(
                        "--lease-seconds",
                        "N",
                        Integer.class,
                        "How long a job stays ours when nothing is heard of us, 3 to 3600."
                                + " Default: 120.")
                .option(
                        "--codex-model",
                        "NAME",
                        String.class,
                        "The model for jobs that name none in codex.model.")
                .option(
                        "--codex-effort",
                        "WORD",
                        String.class,
                        "The effort for jobs that name none in codex.effort.")
                .option(
                        "--fatal-codes",
                        "CODES",
                        String.class,
                        "Exit codes after which a job is not tried again, such as 2,64-78.")
                .option(
                        "--kill-seconds",
                        "N",
                        Integer.class,
                        "From asking a program to end (TERM) to ending it (KILL). Default: 10.")
                .option(
                        "--stop-seconds",
                        "N",
                        Integer.class,
                        "How long running programs may take when the worker is to stop, before"
                                + " their jobs are given back. Default: 30.")
                .option("--directory", "DIR", Path.class, "Where the program runs.")
                .flag("--quiet", "Do not show the programs' output here.")
                .program("COMMAND", "The program and its arguments, after --.")
                .withToken()
                .withoutAnswer()
                .footer(
                        "",
                        "The program reads the payload as JSON from its standard input and has in"
                                + " its environment:",
                        "  ORCHESTRION_JOB_ID, _JOB_TYPE, _JOB_ATTEMPT, _JOB_MAX_ATTEMPTS,"
                                + " _JOB_REPOSITORY,",
                        "  ORCHESTRION_CODEX_MODEL, _CODEX_EFFORT, _WORKER_ID, and _RESULT_FILE,"
                                + " where it may write its result.",
                        "What it prints becomes events of the job. Exit code 0 completes the job,"
                                + " any other fails it.",
                        "",
                        "For a task it has also _JOB_CORRELATION_ID, files to write to, _ERROR_FILE"
                                + " and _USAGE_FILE (JSON)",
                        "and _LOGS_REF_FILE, and _PAUSE_FILE, which is there for as long as the"
                                + " task is asked to pause.",
                        "",
                        "Ctrl-C or TERM finishes what runs; a second one gives it back at once.",
                        "",
                        "Example:",
                        "  orchestrion worker --capabilities git,gh --types codex_exec --"
                                + " ./run-job.sh")
                .does(this::work);
    }

    private void work(Invocation run) {
        boolean queue = queueDoor(run);
        ChildProgram program = new ChildProgram(options(run));
        var screen = new WorkerScreen(surroundings, run.has("--quiet"));
        var ending = new WorkerEnding();
        var hook = new Thread(program::killAll, "children");
        Runtime.getRuntime().addShutdownHook(hook);
        try (var _ = stops.listen()) {
            screen.say(banner(run));
            Worker worker =
                    queue
                            ? queueWorker(run, program, screen, ending)
                            : taskWorker(run, program, screen, ending);
            Thread.ofVirtual().start(() -> awaited(worker, ending));
            Thread.ofVirtual().start(() -> awaitSignal(ending, screen, run));
            ending.await();
            stopped(worker, run.number("--stop-seconds", STOP_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            removed(hook);
        }
        if (run.has("--once") && ending.hadNothing()) {
            screen.say("there is nothing to do");
        }
        ending.judge(run.has("--once"));
    }

    private static void awaited(Worker worker, WorkerEnding ending) {
        try {
            worker.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ending.over();
    }

    private void awaitSignal(WorkerEnding ending, WorkerScreen screen, Invocation run) {
        try {
            stops.awaitFirst();
            screen.say(
                    "stopping: what runs has "
                            + Times.length(run.number("--stop-seconds", STOP_SECONDS))
                            + " to end; a second signal gives it back at once");
            ending.over();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void stopped(Worker worker, int seconds) throws InterruptedException {
        Thread closing = Thread.ofVirtual().start(worker::close);
        if (!stops.ends(closing, seconds)) {
            worker.stop();
            closing.join();
        }
    }

    private static void removed(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The virtual machine is going down already, and the hook runs or has run.
        }
    }

    private Worker queueWorker(
            Invocation run, ChildProgram program, WorkerScreen screen, WorkerEnding ending) {
        Duration lease = Duration.ofSeconds(leaseSeconds(run));
        Worker.QueueBuilder builder =
                common(Worker.ofQueue(run.client()), run, screen::told, ending)
                        .lease(lease)
                        .handler(new JobChild(program, run, screen, lease)::handle);
        List<String> types = run.words("--types");
        if (types != null) {
            builder.types(Set.copyOf(types));
        }
        List<String> capabilities = run.words("--capabilities");
        if (capabilities != null) {
            builder.capabilities(Set.copyOf(capabilities));
        }
        return builder.start();
    }

    private <W, B extends WorkerBuilder<W, B>> B common(
            B builder, Invocation run, Consumer<WorkerEvent<W>> screen, WorkerEnding ending) {
        B with =
                builder.workerId(workerId(run))
                        .clock(surroundings.ticks())
                        .longPoll(run.has("--once") ? Duration.ZERO : LONG_POLL)
                        .concurrency(run.number("--concurrency", 1))
                        .listener(
                                event -> {
                                    screen.accept(event);
                                    ending.heard(event);
                                });
        return run.has("--once") ? with.once() : with;
    }

    private Worker taskWorker(
            Invocation run, ChildProgram program, WorkerScreen screen, WorkerEnding ending) {
        List<String> types = run.words("--types");
        if (types == null || types.isEmpty()) {
            throw run.misused("--door tasks needs --types");
        }
        return common(Worker.builder(run.client()), run, screen::toldOfTask, ending)
                .types(types)
                .handler(new TaskChild(program, run, screen)::handle)
                .start();
    }

    private static boolean queueDoor(Invocation run) {
        String door = run.value("--door");
        if (door == null || door.equals("queue")) {
            return true;
        }
        if (!door.equals("tasks")) {
            throw run.misused("--door must be queue or tasks, not " + door);
        }
        for (String option : new String[] {"--capabilities", "--lease-seconds", "--token-file"}) {
            if (run.has(option)) {
                throw run.misused(option + " is for the queue; --door tasks knows no such thing");
            }
        }
        return false;
    }

    private ChildProgram.Options options(Invocation run) {
        Path directory = run.value("--directory");
        if (directory != null && !Files.isDirectory(directory)) {
            throw run.misused("--directory: there is no folder " + directory);
        }
        checked(run.program().getFirst(), directory, run);
        return new ChildProgram.Options(
                run.program(),
                surroundings.environment(),
                directory,
                workerId(run),
                Duration.ofSeconds(bounded(run, "--kill-seconds", KILL_SECONDS, 0, 3600)),
                fatalCodes(run));
    }

    /// A name that is wrong is found now, and not by every job in turn.
    private void checked(String program, @Nullable Path directory, Invocation run) {
        String name =
                program.contains("/") && directory != null
                        ? directory.resolve(program).toString()
                        : program;
        if (ProcessTree.found(name, surroundings.variable("PATH", "")) == null) {
            throw run.misused("there is no program " + program + " that could be run");
        }
    }

    private static int leaseSeconds(Invocation run) {
        return bounded(run, "--lease-seconds", LEASE_SECONDS, 3, 3600);
    }

    private static int bounded(Invocation run, String option, int otherwise, int least, int most) {
        int number = run.number(option, otherwise);
        if (number < least || number > most) {
            throw run.misused(option + " must be " + least + " to " + most + ", not " + number);
        }
        return number;
    }

    private static Set<Integer> fatalCodes(Invocation run) {
        var codes = new HashSet<Integer>();
        List<String> written = run.words("--fatal-codes");
        for (String range : written == null ? List.<String>of() : written) {
            if (!range.matches("[0-9]{1,3}(-[0-9]{1,3})?")) {
                throw run.misused("--fatal-codes are like 2,64-78, not " + range);
            }
            String[] ends = range.split("-", -1);
            int last = Integer.parseInt(ends[ends.length - 1]);
            for (int code = Integer.parseInt(ends[0]); code <= last; code++) {
                codes.add(code);
            }
        }
        return codes;
    }

    private static String workerId(Invocation run) {
        String named = run.value("--worker");
        return named == null ? machine() + "-" + ProcessHandle.current().pid() : named;
    }

    /// The name that the machine gives itself; asking a name server could take long.
    private static String machine() {
        try {
            String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            return name.isEmpty() ? "worker" : name;
        } catch (IOException e) {
            return "worker";
        }
    }

    private static String banner(Invocation run) {
        List<String> types = run.words("--types");
        List<String> capabilities = run.words("--capabilities");
        return "worker "
                + run.screen().strong(Screen.clean(workerId(run)))
                + " runs "
                + Screen.clean(String.join(" ", run.program()))
                + " for "
                + (types == null ? "every type" : Screen.clean(String.join(", ", types)))
                + (capabilities == null
                        ? ""
                        : ", can do " + Screen.clean(String.join(", ", capabilities)))
                + "; Ctrl-C ends it";
    }
}
