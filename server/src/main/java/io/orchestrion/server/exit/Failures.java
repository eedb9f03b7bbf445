package io.orchestrion.server.exit;

import io.orchestrion.tools.CommandLines;

import picocli.CommandLine;

import java.io.PrintStream;

/// Turns what a command threw into lines for the operator and an exit code.
public final class Failures {
    private Failures() {}

    /// Applies to the command and all below it.
    public static void handledBy(CommandLine commands, PrintStream err) {
        commands.setExecutionExceptionHandler((e, _, _) -> print(e, err).number());
        CommandLines.misuseTold(commands, err);
    }

    public static ExitCode print(Exception e, PrintStream err) {
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
