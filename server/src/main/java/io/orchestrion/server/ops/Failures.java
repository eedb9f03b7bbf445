package io.orchestrion.server.ops;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Turns what a command threw into lines for the operator and an exit code.
public final class Failures {
    private Failures() {}

    /// Applies to the command and all below it.
    public static void handledBy(CommandLine commands, PrintStream err) {
        commands.setExecutionExceptionHandler((e, _, _) -> print(e, err).number());
        commands.setParameterExceptionHandler((e, _) -> misused(e, err).number());
    }

    /// Picocli would print the whole help, and the one line that matters would scroll away.
    private static ExitCode misused(ParameterException e, PrintStream err) {
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
        return ExitCode.USAGE;
    }

    static ExitCode print(Exception e, PrintStream err) {
        ExitCode code = e instanceof StartFailure failure ? failure.code() : ExitCode.INTERNAL;
        String problem = e instanceof StartFailure failure ? failure.problem() : e.toString();
        problem.lines().forEach(line -> err.println("orchestrion: " + line));
        if (code == ExitCode.INTERNAL) {
            e.printStackTrace(err);
        }
        err.println("  next: " + code.advice().replace("`", ""));
        err.flush();
        return code;
    }
}
