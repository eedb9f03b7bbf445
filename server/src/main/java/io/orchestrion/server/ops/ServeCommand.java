package io.orchestrion.server.ops;

import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.settings.SettingOptions;
import io.orchestrion.server.settings.Settings;
import io.orchestrion.server.settings.SettingsCatalogue;
import io.orchestrion.tools.Terminal;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import picocli.CommandLine.Model.CommandSpec;

import java.io.PrintStream;
import java.util.concurrent.Callable;

/// `orchestrion serve`: settings, logging, database, engine, banner; then waits for a signal and
/// stops in the opposite order.
public final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    private final SettingsCatalogue catalogue;
    private final ServerLife life;
    private final Terminal terminal;
    private final PrintStream out;
    private final PrintStream err;
    private final StopSignals signals;
    private final CommandSpec spec;

    public ServeCommand(
            SettingsCatalogue catalogue,
            DatabaseSource databases,
            Engine engine,
            Terminal terminal,
            PrintStream out,
            PrintStream err) {
        this(catalogue, databases, engine, terminal, out, err, new StopSignals());
    }

    ServeCommand(
            SettingsCatalogue catalogue,
            DatabaseSource databases,
            Engine engine,
            Terminal terminal,
            PrintStream out,
            PrintStream err,
            StopSignals signals) {
        this.catalogue = catalogue;
        this.life = new ServerLife(databases, engine);
        this.terminal = terminal;
        this.out = out;
        this.err = err;
        this.signals = signals;
        spec = CommandSpec.wrapWithoutInspection(this).name("serve");
        spec.usageMessage()
                .sortOptions(false)
                .abbreviateSynopsis(true)
                .description(
                        "Start the server, with its own database unless --database-url names"
                                + " another.",
                        "Every option is also a variable (--port: ORCHESTRION_PORT) and a line of"
                                + " the settings file (port = 8080); options win, then variables.",
                        "")
                .footer(
                        "",
                        "Examples:",
                        "  orchestrion serve",
                        "  orchestrion serve --port 9000 --data ./data",
                        "  ORCHESTRION_DATABASE_PASSWORD=… orchestrion serve \\",
                        "      --database-url postgresql://me@db.example:5432/orchestrion");
        SettingOptions.addTo(spec, catalogue.all());
    }

    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() throws StartFailure, InterruptedException {
        return serve(SettingOptions.read(catalogue, spec.commandLine().getParseResult())).number();
    }

    ExitCode serve(Settings settings) throws StartFailure, InterruptedException {
        Logging.configure(settings, terminal);
        settings.warnings().forEach(LOG::warn);
        signals.listen();
        // For every end but a signal to a running server: System.exit in a core loop, a signal
        // during the start, a terminal that is closed.
        var hook = new Thread(life::close, "stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Preflight.check(settings);
            announce(settings, life.start(settings, progress(settings)));
            signals.serving();
            signals.awaitFirst();
            LOG.info("stopping; a second signal hurries");
            boolean drained = life.drain(settings.drainSeconds(), signals);
            LOG.info(drained ? "all requests have ended" : "stopping with requests in flight");
        } finally {
            life.close();
            removed(hook);
        }
        LOG.info("stopped");
        return ExitCode.OK;
    }

    /// In a container both streams are one, and a line that is not JSON breaks its reader.
    private Progress progress(Settings settings) {
        return settings.logJson()
                ? new LoggedProgress()
                : new TerminalProgress(err, terminal.live());
    }

    private void announce(Settings settings, Banner banner) {
        if (!settings.logJson()) {
            out.println(banner.render(terminal));
            out.flush();
            return;
        }
        LOG.atInfo()
                .addKeyValue("version", banner.version().version())
                .addKeyValue("commit", banner.version().commit())
                .addKeyValue("address", banner.url())
                .addKeyValue("database", banner.database())
                .addKeyValue("data", banner.data())
                .addKeyValue("key_file", banner.keyFile())
                .addKeyValue("start_millis", banner.startMillis())
                .log("ready");
    }

    private static void removed(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The virtual machine is going down already, and the hook runs or has run.
        }
    }

    private static final class LoggedProgress implements Progress {
        @Override
        public void step(String what) {
            LOG.info(what);
        }

        @Override
        public void done() {}
    }
}
