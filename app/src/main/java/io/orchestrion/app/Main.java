package io.orchestrion.app;

import io.orchestrion.bench.BenchCommand;
import io.orchestrion.cli.ClientCommands;
import io.orchestrion.cli.ClientProgram;
import io.orchestrion.cli.Surroundings;
import io.orchestrion.server.RunnerNode;
import io.orchestrion.server.Spreading;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.exit.Failures;
import io.orchestrion.server.ops.AotTrainCommand;
import io.orchestrion.server.ops.ConfigCommand;
import io.orchestrion.server.ops.DatabaseCommand;
import io.orchestrion.server.ops.OutsideDatabase;
import io.orchestrion.server.ops.ProductVersion;
import io.orchestrion.server.ops.RunnerCommand;
import io.orchestrion.server.ops.ServeCommand;
import io.orchestrion.simulator.SimulateCommand;
import io.orchestrion.tools.CommandLines;
import io.orchestrion.tools.Terminal;

import org.slf4j.bridge.SLF4JBridgeHandler;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The commands of `./orchestrion`.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        if (args.length > 0 && ClientCommands.names().contains(args[0])) {
            ClientProgram.main(args);
        }
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        // Somebody who writes nothing after the name asks what there is.
        String[] asked = args.length == 0 ? new String[] {"--help"} : args;
        System.exit(
                commands(Parts.real(), Terminal.current(), System.out, System.err).execute(asked));
    }

    static CommandLine commands(Parts parts, Terminal terminal, PrintStream out, PrintStream err) {
        CommandSpec root = CommandSpec.create().name("orchestrion");
        root.usageMessage()
                .description(
                        "The durable work engine for AI agents and the people who run them.", "")
                .commandListHeading("%nCommands:%n")
                .synopsisSubcommandLabel("COMMAND")
                .footer(
                        "",
                        "Examples:",
                        "  orchestrion serve                 start a server on"
                                + " http://127.0.0.1:8080",
                        "  orchestrion serve --port 9000     on another port",
                        "  orchestrion config                show every setting and where it came"
                                + " from",
                        "  orchestrion tasks create --type hello --payload"
                                + " '{\"name\":\"world\"}'",
                        "  orchestrion tasks list            see what there is to do",
                        "",
                        "orchestrion COMMAND --help tells more. Settings and exit codes:"
                                + " docs/reference/configuration.md, or orchestrion config"
                                + " --reference.");
        var serve =
                new ServeCommand(
                        Doors.SETTINGS, parts.databases(), parts.engine(), terminal, out, err);
        root.addSubcommand("serve", serve.spec());
        root.addSubcommand(
                "runner",
                new RunnerCommand(
                                Doors.SETTINGS,
                                Parts.ofRunners(),
                                new RunnerNode(),
                                terminal,
                                out,
                                err)
                        .spec());
        root.addSubcommand("config", new ConfigCommand(Doors.SETTINGS, out, err).spec());
        root.addSubcommand(
                "database",
                new DatabaseCommand(
                                Doors.SETTINGS,
                                new OutsideDatabase(),
                                new Spreading(),
                                terminal,
                                out)
                        .spec());
        ClientCommands.addTo(root, Surroundings.real(out, err, terminal.colour()));
        root.addSubcommand(
                "bench",
                new BenchCommand(program(), ProductVersion.current().toString(), out).spec());
        root.addSubcommand(
                "simulate", new SimulateCommand(program(), out, err, terminal.live()).spec());
        root.addSubcommand("version", version(out));
        root.addSubcommand(
                "aot-train",
                new AotTrainCommand(Doors.SETTINGS, parts.databases(), parts.engine()).spec());
        root.versionProvider(() -> new String[] {"Orchestrion " + ProductVersion.current()});
        root.addOption(
                OptionSpec.builder("-V", "--version")
                        .versionHelp(true)
                        .description("Print the version and exit.")
                        .build());
        CommandLine commands = CommandLines.of(root, terminal, out, err);
        Failures.handledBy(commands, err);
        return commands;
    }

    /// What starts this program once more, under the same Java with the same flags.
    private static List<String> program() {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        return command;
    }

    private static CommandSpec version(PrintStream out) {
        Runnable print =
                () -> {
                    out.println("Orchestrion " + ProductVersion.current());
                    out.printf(
                            "Java %s (%s), %s %s%n",
                            Runtime.version(),
                            System.getProperty("java.vendor"),
                            System.getProperty("os.name"),
                            System.getProperty("os.arch"));
                };
        CommandSpec spec = CommandSpec.wrapWithoutInspection(print).name("version");
        spec.usageMessage().description("Print the version of the program and of its Java.");
        return spec;
    }
}
