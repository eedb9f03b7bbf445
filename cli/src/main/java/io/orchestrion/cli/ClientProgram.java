package io.orchestrion.cli;

import io.orchestrion.tools.ClientExit;
import io.orchestrion.tools.CommandLines;
import io.orchestrion.tools.Terminal;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

import java.io.PrintStream;

/// The client commands as a program of their own, without anything of the server: most of what a
/// command takes is the time to start.
public final class ClientProgram {
    /// The word with which the launcher makes the start-up cache.
    static final String TRAIN = "client-train";

    private ClientProgram() {}

    /// @param args the first one is among [ClientCommands#names]
    public static void main(String[] args) {
        int code =
                args[0].equals(TRAIN)
                        ? ClientTraining.run()
                        : run(
                                Surroundings.real(
                                        System.out, System.err, Terminal.current().colour()),
                                args);
        System.exit(code);
    }

    static int run(Surroundings surroundings, String... args) {
        CommandSpec root = CommandSpec.create().name("orchestrion");
        ClientCommands.addTo(root, surroundings, args[0]);
        PrintStream err = surroundings.err();
        CommandLine commands =
                CommandLines.of(
                        root, new Terminal(false, surroundings.colour()), surroundings.out(), err);
        commands.setExecutionExceptionHandler(
                (e, _, _) -> {
                    err.println("orchestrion: " + e);
                    e.printStackTrace(err);
                    err.println("  next: if it comes back, report it with the lines above");
                    return ClientExit.INTERNAL.number();
                });
        return commands.execute(args);
    }
}
