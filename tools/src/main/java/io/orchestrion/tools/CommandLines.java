package io.orchestrion.tools;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What every command line of the program has: help, colours, and one line for what is written
/// wrong.
public final class CommandLines {
    private CommandLines() {}

    /// The command and all below it, to be executed.
    public static CommandLine of(
            CommandSpec root, Terminal terminal, PrintStream out, PrintStream err) {
        helpFor(root);
        var commands = new CommandLine(root);
        commands.setColorScheme(
                Help.defaultColorScheme(terminal.colour() ? Help.Ansi.ON : Help.Ansi.OFF));
        commands.setUsageHelpAutoWidth(false);
        commands.setUsageHelpWidth(100);
        commands.setOut(new PrintWriter(out, true));
        commands.setErr(new PrintWriter(err, true));
        misuseTold(commands, err);
        return commands;
    }

    private static void helpFor(CommandSpec command) {
        command.addOption(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Print this help and exit.")
                        .build());
        command.subcommands().values().forEach(below -> helpFor(below.getCommandSpec()));
    }

    /// What is written wrong is told in a line and ends with [ClientExit#USAGE], which is that of
    /// all commands.
    public static void misuseTold(CommandLine commands, PrintStream err) {
        commands.setParameterExceptionHandler(
                (e, _) -> {
                    misused(e, err);
                    return ClientExit.USAGE.number();
                });
    }

    /// Picocli would print the whole help, and the one line that matters would scroll away.
    private static void misused(ParameterException e, PrintStream err) {
        CommandLine command = e.getCommandLine();
        CommandSpec spec = command.getCommandSpec();
        List<String> names =
                new ArrayList<>(
                        command.getSubcommands().entrySet().stream()
                                .filter(
                                        sub ->
                                                !sub.getValue()
                                                        .getCommandSpec()
                                                        .usageMessage()
                                                        .hidden())
                                .map(Map.Entry::getKey)
                                .toList());
        names.addAll(spec.optionsMap().keySet());
        String written =
                e instanceof UnmatchedArgumentException unmatched
                        ? unmatched.getUnmatched().getFirst().replaceFirst("=.*", "")
                        : "";
        err.println(
                "orchestrion: "
                        + e.getMessage()
                        + (written.isEmpty() ? "" : Suggestion.didYouMean(written, names)));
        err.println("  next: " + spec.qualifiedName() + " --help tells what it takes");
        err.flush();
    }
}
