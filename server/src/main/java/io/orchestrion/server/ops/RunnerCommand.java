package io.orchestrion.server.ops;

import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.settings.ObserveSetting;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingOptions;
import io.orchestrion.server.settings.Settings;
import io.orchestrion.server.settings.SettingsCatalogue;
import io.orchestrion.tools.Terminal;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;

/// `orchestrion runner`: runs jobs in a process of its own, on the database of one or more servers.
/// One line a job says what it was and how it ended.
public final class RunnerCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(RunnerCommand.class);

    private static final int MOST_AT_A_TIME = 256;

    /// How often it looks whether the server's own database is somewhere else by now.
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /// Of the server; doors say which of theirs are for runners.
    private static final Set<Setting> SETTINGS =
            Set.of(
                    Setting.DATA,
                    Setting.CONFIG,
                    Setting.DATABASE_URL,
                    Setting.DATABASE_USER,
                    Setting.DATABASE_PASSWORD_FILE,
                    Setting.DATABASE_WAIT_SECONDS,
                    Setting.RETENTION_DAYS,
                    Setting.PLANS_FILE,
                    Setting.DRAIN_SECONDS,
                    ObserveSetting.LOG_FORMAT,
                    ObserveSetting.LOG_LEVEL,
                    ObserveSetting.LOG_DETAIL,
                    ObserveSetting.OTLP_ENDPOINT,
                    ObserveSetting.TRACE_SAMPLE_PERCENT);

    private final SettingsCatalogue catalogue;
    private final DatabaseSource databases;
    private final RunnerEngine engine;
    private final Terminal terminal;
    private final PrintStream out;
    private final PrintStream err;
    private final StopSignals signals = new StopSignals();
    private final CommandSpec spec;
    private RunnerEngine.Ended ended = new RunnerEngine.Ended(0, 0, 0);

    public RunnerCommand(
            SettingsCatalogue catalogue,
            DatabaseSource databases,
            RunnerEngine engine,
            Terminal terminal,
            PrintStream out,
            PrintStream err) {
        this.catalogue = catalogue;
        this.databases = databases;
        this.engine = engine;
        this.terminal = terminal;
        this.out = out;
        this.err = err;
        spec = CommandSpec.wrapWithoutInspection(this).name("runner");
        spec.usageMessage()
                .sortOptions(false)
                .abbreviateSynopsis(true)
                .description(
                        "Run jobs in a process of its own, beside those that a server runs itself.",
                        "It needs the database: that of --database-url, or the own one of a server"
                                + " that runs on the data folder. Give it the servers' settings of"
                                + " jobs, best by the same settings file.",
                        "")
                .footer(
                        "",
                        "Examples:",
                        "  orchestrion runner",
                        "  orchestrion runner --concurrency 8 --name rack-3",
                        "  orchestrion serve --jobs-runners 0     a server that runs none itself",
                        "  ORCHESTRION_DATABASE_PASSWORD=… orchestrion runner \\",
                        "      --database-url postgresql://me@db.example:5432/orchestrion");
        spec.addOption(
                OptionSpec.builder("--name")
                        .type(String.class)
                        .paramLabel("NAME")
                        .description(
                                "What it is called in jobs and on screens. Default: host and"
                                        + " process.")
                        .build());
        spec.addOption(
                OptionSpec.builder("--concurrency")
                        .type(int.class)
                        .paramLabel("N")
                        .defaultValue("1")
                        .description("Jobs that it runs at a time, from 1 to 256. Default: 1.")
                        .build());
        SettingOptions.addTo(
                spec,
                catalogue.all().stream()
                        .filter(each -> each.ofRunners() || SETTINGS.contains(each))
                        .toList());
    }

    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() throws StartFailure, InterruptedException {
        ParseResult parsed = spec.commandLine().getParseResult();
        int concurrency = parsed.matchedOptionValue("--concurrency", 1);
        if (concurrency < 1 || concurrency > MOST_AT_A_TIME) {
            throw new StartFailure(
                    ExitCode.USAGE,
                    "--concurrency must be from 1 to " + MOST_AT_A_TIME + ", not " + concurrency);
        }
        String name = parsed.matchedOptionValue("--name", engine.defaultName());
        if (name.isBlank() || name.length() > 200) {
            throw new StartFailure(ExitCode.USAGE, "--name must have from 1 to 200 characters");
        }
        return run(SettingOptions.read(catalogue, parsed), name, concurrency).number();
    }

    private ExitCode run(Settings settings, String name, int concurrency)
            throws StartFailure, InterruptedException {
        Logging.configure(settings, terminal);
        settings.warnings().forEach(LOG::warn);
        signals.listen();
        boolean inTime = true;
        boolean first = true;
        while (!signals.arrivedOnce()) {
            OpenDatabase database = first ? open(settings) : moved(settings, null);
            RunnerEngine.Running running =
                    database == null ? null : start(database, settings, name, concurrency, first);
            if (database == null || running == null) {
                signals.awaitFirst(LOOK_EVERY);
                continue;
            }
            try {
                if (first) {
                    announce(settings, name, concurrency, database);
                    signals.serving();
                    first = false;
                }
                awaitStopOrMove(settings, database);
                if (signals.arrivedOnce()) {
                    LOG.info("stopping: no more jobs, those that run may end");
                    inTime = stop(running, settings.drainSeconds());
                }
            } finally {
                ended = ended.plus(running.ended());
                running.close();
                database.close();
            }
        }
        farewell(settings, inTime);
        return ExitCode.OK;
    }

    /// Null when the database is up again and does not serve yet, which it may do soon.
    private RunnerEngine.@Nullable Running start(
            OpenDatabase database, Settings settings, String name, int concurrency, boolean first)
            throws StartFailure {
        try {
            return engine.start(database, settings, name, concurrency);
        } catch (StartFailure e) {
            if (first) {
                throw e;
            }
            LOG.warn("not yet: {}", e.problem());
            return null;
        }
    }

    private OpenDatabase open(Settings settings) throws StartFailure {
        Progress progress =
                settings.logJson() ? Progress.SILENT : new TerminalProgress(err, terminal.live());
        try {
            return databases.open(settings, progress);
        } finally {
            progress.done();
        }
    }

    /// A second signal hurries.
    private boolean stop(RunnerEngine.Running running, int seconds) throws InterruptedException {
        var inTime = new boolean[1];
        Thread stopping =
                Thread.ofPlatform()
                        .daemon()
                        .name("stop")
                        .start(() -> inTime[0] = running.stop(Duration.ofSeconds(seconds)));
        // A little longer than it takes the runner itself to give up.
        return signals.awaitEnd(stopping, Duration.ofSeconds(seconds + 10L).toMillis())
                && inTime[0];
    }

    /// After a restart, the server's own database may be on another port, and the runner follows
    /// it.
    private void awaitStopOrMove(Settings settings, OpenDatabase database)
            throws InterruptedException {
        while (!signals.awaitFirst(LOOK_EVERY)) {
            if (settings.databaseUrl() == null && moved(settings, database) != null) {
                LOG.info("the database of the server is at another address now");
                return;
            }
        }
    }

    /// The database when it is there, and is another one than before; else null.
    private @Nullable OpenDatabase moved(Settings settings, @Nullable OpenDatabase before) {
        try {
            OpenDatabase now = databases.open(settings, Progress.SILENT);
            return before != null && now.jdbcUrl().equals(before.jdbcUrl()) ? null : now;
        } catch (StartFailure e) {
            LOG.debug("no database for now: {}", e.problem());
            return null;
        }
    }

    private void announce(Settings settings, String name, int concurrency, OpenDatabase database) {
        if (settings.logJson()) {
            LOG.atInfo()
                    .addKeyValue("runner", name)
                    .addKeyValue("concurrency", concurrency)
                    .addKeyValue("database", database.description())
                    .log("ready");
            return;
        }
        out.printf(
                "%s %s%n  %-10s%s%n  %-10s%d at a time%n  %-10s%s%n%n",
                terminal.strong("Orchestrion runner"),
                ProductVersion.current(),
                "name",
                name,
                "jobs",
                concurrency,
                "database",
                database.description());
        out.println("Ready. Ctrl-C lets the jobs that run end and stops; twice stops them too.");
        out.flush();
    }

    private void farewell(Settings settings, boolean inTime) {
        String sum =
                "Stopped%s. Jobs: %d succeeded, %d failed, %d let go."
                        .formatted(
                                inTime ? "" : " with jobs cut short",
                                ended.succeeded(),
                                ended.failed(),
                                ended.letGo());
        if (settings.logJson()) {
            LOG.info(sum);
        } else {
            out.println(sum);
            out.flush();
        }
    }
}
