package io.orchestrion.cli;

import io.orchestrion.sdk.ClientKey;
import io.orchestrion.sdk.Documents;

import picocli.CommandLine.Model.CommandSpec;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;

/// `orchestrion describe`, what a server says of itself, and `orchestrion clients`, accounts by the
/// words of the jobs door.
final class ServerCommands {
    private final Surroundings surroundings;

    ServerCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    private static String word(Documents.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    CommandSpec describe() {
        return Group.of(
                "describe",
                "Print what a server says of itself and of its interface, as it says it.",
                Arrays.stream(Documents.Kind.values())
                        .map(this::describe)
                        .toArray(CommandSpec[]::new));
    }

    private CommandSpec describe(Documents.Kind kind) {
        ClientCommand command =
                kind == Documents.Kind.METRICS
                        ? ClientCommand.of(word(kind), about(kind), surroundings)
                        : ClientCommand.keyless(word(kind), about(kind), surroundings);
        if (kind == Documents.Kind.PROBLEMS) {
            command.option("--code", "CODE", String.class, "Only this one, with its meaning.");
        }
        return command.withoutAnswer().does(run -> describe(run, kind));
    }

    private static String about(Documents.Kind kind) {
        return switch (kind) {
            case CAPABILITIES -> "What the interface can do, in short.";
            case TOOLS -> "The tools of an agent, in the form of MCP.";
            case OPENAPI -> "The whole interface as OpenAPI 3.1.";
            case AGENT -> "Where an agent finds what.";
            case AGENT_CARD -> "The agent card of A2A.";
            case LLMS -> "A short guide for language models.";
            case PROBLEMS -> "The errors of the jobs door.";
            case READY -> "Whether this node takes traffic.";
            case JOBS_READY -> "Whether there are runners for jobs.";
            case METRICS -> "The metrics in the form of Prometheus, for the operator's key.";
        };
    }

    private static void describe(Invocation run, Documents.Kind kind) {
        String code = run.spec().findOption("--code") == null ? null : run.value("--code");
        Documents documents = run.client().documents();
        run.out().println(code == null ? documents.get(kind) : documents.problem(code));
    }

    CommandSpec clients() {
        return Group.of(
                "clients",
                "Make accounts and their keys by the words of the jobs door.",
                create(),
                key(),
                secret(
                        ClientCommand.of(
                                "rotate", "Make another key; the old one ends.", surroundings),
                        run -> run.client().clients().rotate(run.id())),
                secret(
                        ClientCommand.of(
                                "renew", "Give the key in use a new secret.", surroundings),
                        run -> run.client().clients().renew(run.id())),
                revoke());
    }

    private CommandSpec create() {
        return ClientCommand.keyless("create", "Make a client; its key comes after.", surroundings)
                .option("--key", "KEY", String.class, "Idempotency key of this request.")
                .does(
                        run -> {
                            String key = run.value("--key");
                            UUID id =
                                    run.client()
                                            .clients()
                                            .create(
                                                    key == null
                                                            ? UUID.randomUUID().toString()
                                                            : key);
                            run.show(
                                    () ->
                                            "Client "
                                                    + id
                                                    + "\n  next: orchestrion clients key "
                                                    + id);
                        });
    }

    private CommandSpec key() {
        return secret(
                ClientCommand.keyless(
                        "key",
                        "Make the first key of a client; it is shown this once.",
                        surroundings),
                run -> run.client().clients().key(run.id()));
    }

    private CommandSpec secret(ClientCommand command, Function<Invocation, ClientKey> maker) {
        return SecretFile.option("--api-key-file", command.id(true, "The client's id."))
                .does(run -> reveal(run, maker));
    }

    private static void reveal(Invocation run, Function<Invocation, ClientKey> maker) {
        Path file = run.value("--save");
        if (file != null) {
            SecretFile.write(
                    file,
                    run,
                    "key",
                    () -> {
                        ClientKey made = maker.apply(run);
                        return new SecretFile.Saved(there(run, made), "Key " + made.keyId());
                    });
            return;
        }
        ClientKey made = maker.apply(run);
        String secret = there(run, made);
        run.show(() -> secret);
    }

    /// Only the first answer has the secret.
    private static String there(Invocation run, ClientKey made) {
        if (made.apiKey() == null) {
            run.err()
                    .println(
                            "Key "
                                    + made.keyId()
                                    + " was made before, and its secret is shown once. Replace it:"
                                    + " orchestrion clients rotate "
                                    + run.id());
            throw new ClientCommand.NotAsHoped();
        }
        return made.apiKey();
    }

    private CommandSpec revoke() {
        return ClientCommand.of("revoke", "Let a key of a client open nothing.", surroundings)
                .id(true, "The client's id.")
                .required("--key-id", "ID", "The key's id.")
                .does(
                        run -> {
                            UUID key = UUID.fromString(run.text("--key-id"));
                            run.client().clients().revoke(run.id(), key);
                            run.show(() -> "Key " + key + " opens nothing any more.");
                        });
    }
}
