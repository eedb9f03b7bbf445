package io.orchestrion.server.ops;

import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingOptions;
import io.orchestrion.server.settings.Settings;
import io.orchestrion.server.settings.SettingsCatalogue;
import io.orchestrion.tools.Terminal;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;

/// `orchestrion database`: what operators do to a database while no server runs on it.
public final class DatabaseCommand {

    /// Does it.
    @FunctionalInterface
    public interface Distributor {
        /// Spreads the tables over the machines of the database.
        ///
        /// @param really whether to do it, or only to say what is left to do
        /// @return the statements
        List<String> distribute(
                OpenDatabase database, Settings settings, int shards, boolean really)
                throws StartFailure;
    }

    private static final int MOST_SHARDS = 1024;

    /// What the extension itself takes.
    private static final int USUAL_SHARDS = 32;

    private static final List<Setting> SETTINGS =
            List.of(
                    Setting.CONFIG,
                    Setting.DATABASE_URL,
                    Setting.DATABASE_USER,
                    Setting.DATABASE_PASSWORD_FILE,
                    Setting.DATABASE_WAIT_SECONDS);

    private final SettingsCatalogue catalogue;
    private final DatabaseSource databases;
    private final Distributor distributor;
    private final Terminal terminal;
    private final PrintStream out;
    private final CommandSpec spec = CommandSpec.create().name("database");

    /// @param databases that are reached over the network: a server's own is one machine
    public DatabaseCommand(
            SettingsCatalogue catalogue,
            DatabaseSource databases,
            Distributor distributor,
            Terminal terminal,
            PrintStream out) {
        this.catalogue = catalogue;
        this.databases = databases;
        this.distributor = distributor;
        this.terminal = terminal;
        this.out = out;
        spec.usageMessage()
                .description("Work on a database while no server runs on it.", "")
                .commandListHeading("%nCommands:%n")
                .synopsisSubcommandLabel("COMMAND");
        spec.addSubcommand("distribute", distribute());
    }

    public CommandSpec spec() {
        return spec;
    }

    private CommandSpec distribute() {
        var command = new Distribute();
        CommandSpec made = command.spec;
        made.usageMessage()
                .sortOptions(false)
                .abbreviateSynopsis(true)
                .description(
                        "Spread the tables of a PostgreSQL with the extension Citus over its"
                                + " workers, by account. Stop all servers first. It can be said"
                                + " again: what is done already is left as it is.",
                        "")
                .footer(
                        "",
                        "Examples:",
                        "  orchestrion database distribute --dry-run \\",
                        "      --database-url postgresql://me@db.example:5432/orchestrion",
                        "",
                        "What was tried and what is not supported: docs/guides/distributed.md.");
        made.addOption(
                OptionSpec.builder("--dry-run")
                        .type(boolean.class)
                        .arity("0")
                        .description("Print the statements that are left to say, and say none.")
                        .build());
        made.addOption(
                OptionSpec.builder("--shards")
                        .type(int.class)
                        .paramLabel("N")
                        .defaultValue(Integer.toString(USUAL_SHARDS))
                        .description(
                                "Parts that each table has, from 1 to "
                                        + MOST_SHARDS
                                        + "; the number of workers can grow up to it. Default: "
                                        + USUAL_SHARDS
                                        + ".")
                        .build());
        SettingOptions.addTo(made, SETTINGS);
        return made;
    }

    private final class Distribute implements Callable<Integer> {
        private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this).name("distribute");

        @Override
        public Integer call() throws StartFailure {
            ParseResult parsed = spec.commandLine().getParseResult();
            int shards = parsed.matchedOptionValue("--shards", USUAL_SHARDS);
            if (shards < 1 || shards > MOST_SHARDS) {
                throw new StartFailure(
                        ExitCode.USAGE,
                        "--shards must be from 1 to " + MOST_SHARDS + ", not " + shards);
            }
            Settings settings = SettingOptions.read(catalogue, parsed);
            Logging.configure(settings, terminal);
            boolean really = !parsed.hasMatchedOption("--dry-run");
            try (OpenDatabase database = databases.open(settings, Progress.SILENT)) {
                print(distributor.distribute(database, settings, shards, really), really);
            }
            return ExitCode.OK.number();
        }

        private void print(List<String> statements, boolean really) {
            statements.forEach(statement -> out.println(statement + ";"));
            if (statements.isEmpty()) {
                out.println("Nothing to do: all tables are where they belong.");
            } else if (really) {
                out.println("Done: all tables are where they belong.");
            }
            out.flush();
        }
    }
}
