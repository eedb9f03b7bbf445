package io.orchestrion.cli;

import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.RetryPolicy;
import io.orchestrion.tools.ClientExit;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

/// One command that talks to a server: its own options, and those that all such commands share.
final class ClientCommand implements Callable<Integer> {
    static final String URL_VARIABLE = "ORCHESTRION_URL";
    private static final String DEFAULT_URL = "http://127.0.0.1:8080";

    /// What the command does once there is a client.
    @FunctionalInterface
    interface Action {
        void run(Invocation invocation);
    }

    /// Ends a command that was answered, and not as hoped.
    static final class NotAsHoped extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final ClientExit exit;

        NotAsHoped() {
            this(ClientExit.REFUSED);
        }

        /// @param exit how the command ends
        NotAsHoped(ClientExit exit) {
            this.exit = exit;
        }
    }

    private final Surroundings surroundings;
    private final CommandSpec spec;
    private final boolean withKey;
    private boolean withToken;
    private boolean answers = true;
    private Action action = _ -> {};
    private volatile @Nullable String lastAnswer;

    private ClientCommand(
            String name, String description, boolean withKey, Surroundings surroundings) {
        this.surroundings = surroundings;
        this.withKey = withKey;
        spec = CommandSpec.wrapWithoutInspection(this).name(name);
        spec.usageMessage()
                .description(description, "")
                .sortOptions(false)
                .abbreviateSynopsis(false)
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(ClientExit.list());
    }

    static ClientCommand of(String name, String description, Surroundings surroundings) {
        return new ClientCommand(name, description, true, surroundings);
    }

    /// For requests that need no key.
    static ClientCommand keyless(String name, String description, Surroundings surroundings) {
        return new ClientCommand(name, description, false, surroundings);
    }

    ClientCommand option(String name, String label, Class<?> type, String description) {
        spec.addOption(
                OptionSpec.builder(name)
                        .paramLabel(label)
                        .type(type)
                        .description(description)
                        .build());
        return this;
    }

    ClientCommand required(String name, String label, String description) {
        spec.addOption(
                OptionSpec.builder(name)
                        .paramLabel(label)
                        .type(String.class)
                        .required(true)
                        .description(description)
                        .build());
        return this;
    }

    ClientCommand flag(String name, String description) {
        spec.addOption(
                OptionSpec.builder(name)
                        .type(boolean.class)
                        .arity("0")
                        .description(description)
                        .build());
        return this;
    }

    ClientCommand id(boolean required) {
        return positional("ID", UUID.class, required, "The task's id.");
    }

    ClientCommand id(boolean required, String description) {
        return positional("ID", UUID.class, required, description);
    }

    ClientCommand uuid(String label, String description) {
        return positional(label, UUID.class, true, description);
    }

    ClientCommand word(String label, String description) {
        return positional(label, String.class, true, description);
    }

    private ClientCommand positional(
            String label, Class<?> type, boolean required, String description) {
        spec.addPositional(
                PositionalParamSpec.builder()
                        .index("0")
                        .arity(required ? "1" : "0..1")
                        .paramLabel(label)
                        .type(type)
                        .required(required)
                        .description(description)
                        .build());
        return this;
    }

    /// The program to run and its arguments: everything from the first word that is no option of
    /// ours.
    ClientCommand program(String label, String description) {
        spec.parser().stopAtPositional(true);
        spec.addPositional(
                PositionalParamSpec.builder()
                        .index("0..*")
                        .arity("1..*")
                        .paramLabel(label)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .required(true)
                        .description(description)
                        .build());
        return this;
    }

    /// May also be done with the token of a worker.
    ClientCommand withToken() {
        withToken = true;
        return this;
    }

    /// Does more than to show an answer.
    ClientCommand withoutAnswer() {
        answers = false;
        return this;
    }

    ClientCommand footer(String... lines) {
        spec.usageMessage().footer(lines);
        return this;
    }

    CommandSpec does(Action action) {
        this.action = action;
        // This option was first called --url, which is misleading next to the address of a
        // receiver.
        spec.addOption(
                OptionSpec.builder("--server", "--url")
                        .paramLabel("URL")
                        .type(String.class)
                        .description(
                                "The server to talk to. Default: "
                                        + URL_VARIABLE
                                        + ", or "
                                        + DEFAULT_URL
                                        + ".")
                        .build());
        if (withToken) {
            option(
                    "--token-file",
                    "FILE",
                    Path.class,
                    "File that holds a worker token or the JWT of a worker. Default: the one in "
                            + KeySource.TOKEN_VARIABLE
                            + ", else an API key:");
        }
        if (withKey) {
            option(
                    "--api-key-file",
                    "FILE",
                    Path.class,
                    "File that holds the key. Default: the key in "
                            + KeySource.VARIABLE
                            + ", or for a server on this machine ~/.orchestrion/local.key.");
        }
        if (answers) {
            flag("--json", "Print the server's answer as it came.");
        }
        return spec;
    }

    @Override
    public Integer call() {
        ParseResult parsed = spec.commandLine().getParseResult();
        URI server = server(parsed);
        lastAnswer = null;
        try (OrchestrionClient client = client(parsed, server)) {
            boolean json = answers && parsed.hasMatchedOption("--json");
            var invocation =
                    new Invocation(client, parsed, spec, surroundings, json, () -> lastAnswer);
            return ran(invocation).number();
        } catch (KeySource.NoKey e) {
            complain(
                    String.valueOf(e.getMessage()),
                    "start ./orchestrion serve on this machine, which writes a key, or name one"
                            + " with --api-key-file or "
                            + KeySource.VARIABLE);
            return ClientExit.USAGE.number();
        } finally {
            surroundings.out().flush();
        }
    }

    private URI server(ParseResult parsed) {
        String url =
                parsed.matchedOptionValue(
                        "--server", surroundings.variable(URL_VARIABLE, DEFAULT_URL));
        try {
            return URI.create(url);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(), "a server's address is like " + DEFAULT_URL, e);
        }
    }

    /// Three tries: somebody waits at the terminal.
    private OrchestrionClient client(ParseResult parsed, URI server) throws KeySource.NoKey {
        try {
            var builder =
                    OrchestrionClient.builder(server)
                            .retries(RetryPolicy.standard().withTries(3))
                            .listener((_, _, _, body) -> lastAnswer = body);
            if (withKey) {
                builder.key(credential(parsed, server));
            }
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private String credential(ParseResult parsed, URI server) throws KeySource.NoKey {
        var source = new KeySource(surroundings);
        Path key = parsed.matchedOptionValue("--api-key-file", null);
        if (!withToken) {
            return source.find(key, server);
        }
        Path token = parsed.matchedOptionValue("--token-file", null);
        if (token != null && key != null) {
            throw new IllegalArgumentException(
                    "name a --token-file or an --api-key-file, not both");
        }
        return source.findForWorker(token, key, server);
    }

    private ClientExit ran(Invocation invocation) {
        try {
            action.run(invocation);
            return ClientExit.OK;
        } catch (NotAsHoped e) {
            return e.exit;
        } catch (IllegalArgumentException e) {
            // The client refuses to send it, such as a payload that is not JSON.
            throw invocation.misused(String.valueOf(e.getMessage()));
        } catch (OrchestrionException e) {
            String answer = lastAnswer;
            // Without an answer, the last one is of an earlier request, and was printed.
            if (invocation.json() && answer != null && e.status() != 0) {
                surroundings.out().println(answer);
            }
            return refused(e);
        }
    }

    private ClientExit refused(OrchestrionException e) {
        String message = Screen.clean(String.valueOf(e.getMessage()));
        boolean ours = e.requestId().isPresent();
        complain(
                ours ? message + " (" + e.code() + ")" : message,
                ours
                        ? Advice.of(e) + "\n  request id: " + Screen.clean(e.requestId().get())
                        : Advice.of(e));
        boolean silent =
                e.is(OrchestrionException.UNREACHABLE)
                        || e.is(OrchestrionException.NO_ANSWER)
                        || e.is(OrchestrionException.BAD_ANSWER);
        return silent ? ClientExit.UNREACHABLE : ClientExit.REFUSED;
    }

    private void complain(String problem, String next) {
        PrintStream err = surroundings.err();
        err.println("orchestrion: " + problem);
        err.println("  next: " + next);
        err.flush();
    }
}
