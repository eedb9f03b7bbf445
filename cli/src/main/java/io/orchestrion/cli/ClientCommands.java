package io.orchestrion.cli;

import io.orchestrion.sdk.Health;
import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.Registration;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Collectors;

/// All commands that talk to a server.
public final class ClientCommands {
    private ClientCommands() {}

    /// Adds `tasks`, `keys`, `billing` and `health` to a program.
    public static void addTo(CommandSpec root, Surroundings surroundings) {
        // Otherwise --payload @file would be taken for a file of arguments.
        root.parser().expandAtFiles(false);
        root.addSubcommand("tasks", new TaskCommands(surroundings).spec());
        root.addSubcommand("keys", keys(surroundings));
        root.addSubcommand("billing", new BillingCommands(surroundings).spec());
        root.addSubcommand("health", health(surroundings));
    }

    private static CommandSpec keys(Surroundings surroundings) {
        CommandSpec keys = CommandSpec.create().name("keys");
        keys.usageMessage()
                .description("Make API keys.", "")
                .synopsisSubcommandLabel("COMMAND")
                .commandListHeading("%nCommands:%n");
        keys.addSubcommand(
                "register",
                ClientCommand.keyless(
                                "register",
                                "Make an account and its key, which is shown this once.",
                                surroundings)
                        .option("--name", "NAME", String.class, "What the account is called.")
                        .option(
                                "--save",
                                "FILE",
                                Path.class,
                                "Write the key to a new file that only you can read, for"
                                        + " --api-key-file, instead of printing it.")
                        .does(ClientCommands::register));
        return keys;
    }

    private static void register(Invocation run) {
        Path file = run.value("--save");
        if (file != null) {
            registerInto(file, run);
            return;
        }
        Registration made = registered(run);
        run.show(
                () ->
                        "Account "
                                + made.accountId()
                                + "\n  "
                                + made.apiKey()
                                + "\nThe key is shown this once; keep it where only you can read"
                                + " it.");
    }

    private static Registration registered(Invocation run) {
        String name = run.value("--name");
        return run.client().register(name == null ? "default" : name);
    }

    /// The file is made first: a key that cannot be written down would be lost.
    private static void registerInto(Path file, Invocation run) {
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        var ownerOnly =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var out = Channels.newOutputStream(Files.newByteChannel(file, options, ownerOnly))) {
            Registration made = registered(run);
            out.write((made.apiKey() + "\n").getBytes(StandardCharsets.UTF_8));
            run.out().println("Account " + made.accountId() + ", its key is in " + file + ".");
        } catch (OrchestrionException e) {
            file.toFile().delete();
            throw e;
        } catch (FileAlreadyExistsException e) {
            throw run.misused(file + " exists already");
        } catch (IOException e) {
            throw run.misused("cannot write " + file);
        }
    }

    private static CommandSpec health(Surroundings surroundings) {
        return ClientCommand.keyless("health", "Ask a server how it is.", surroundings)
                .footer("", "It ends with 1 when the server is not well.")
                .does(ClientCommands::health);
    }

    private static void health(Invocation run) {
        Health health = run.client().health();
        run.show(() -> words(health, run.screen()));
        if (!health.ok()) {
            throw new ClientCommand.NotAsHoped();
        }
    }

    private static String words(Health health, Screen screen) {
        int width = health.jobs().stream().mapToInt(job -> job.name().length()).max().orElse(0);
        String head =
                screen.strong(health.ok() ? "ok" : "unhealthy")
                        + ", version "
                        + Screen.clean(health.version());
        return health.jobs().stream()
                .map(
                        job ->
                                "\n  "
                                        + Screen.padded(Screen.clean(job.name()), width)
                                        + (job.healthy() ? "  ok         " : "  unhealthy  ")
                                        + ran(job))
                .collect(Collectors.joining("", head, ""));
    }

    private static String ran(Health.Job job) {
        return job.ran()
                ? "ran " + Times.length(job.secondsSinceLastRun()) + " ago"
                : "has not run yet";
    }
}
