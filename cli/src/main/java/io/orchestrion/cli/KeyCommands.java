package io.orchestrion.cli;

import io.orchestrion.sdk.CreatedKey;
import io.orchestrion.sdk.Key;
import io.orchestrion.sdk.KeyPage;
import io.orchestrion.sdk.NewKey;
import io.orchestrion.sdk.Registration;
import io.orchestrion.sdk.Scope;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// `orchestrion keys`: an account's keys, and how to get a first one.
final class KeyCommands {
    private static final String SCOPES =
            Arrays.stream(Scope.values())
                    .filter(scope -> scope != Scope.UNKNOWN)
                    .map(Scope::word)
                    .collect(Collectors.joining(", "));

    private final Surroundings surroundings;

    KeyCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        CommandSpec keys = CommandSpec.create().name("keys");
        keys.usageMessage()
                .description("Make, look at and revoke API keys.", "")
                .synopsisSubcommandLabel("COMMAND")
                .commandListHeading("%nCommands:%n");
        for (CommandSpec verb :
                new CommandSpec[] {register(), create(), list(), rename(), revoke()}) {
            keys.addSubcommand(verb.name(), verb);
        }
        return keys;
    }

    private CommandSpec register() {
        return saving(
                        ClientCommand.keyless(
                                        "register",
                                        "Make an account and its key, which is shown this once.",
                                        surroundings)
                                .option(
                                        "--name",
                                        "NAME",
                                        String.class,
                                        "What the account is called."))
                .does(KeyCommands::register);
    }

    private static ClientCommand saving(ClientCommand command) {
        return command.option(
                "--save",
                "FILE",
                Path.class,
                "Write the key to a new file that only you can read, for --api-key-file, instead of"
                        + " printing it.");
    }

    private static void register(Invocation run) {
        Path file = run.value("--save");
        if (file != null) {
            saved(
                    file,
                    run,
                    () -> {
                        Registration made = registered(run);
                        return new Saved(made.apiKey(), "Account " + made.accountId());
                    });
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

    private CommandSpec create() {
        return saving(
                        ClientCommand.of("create", "Make another key of the account.", surroundings)
                                .required("--name", "NAME", "What the key is called.")
                                .option(
                                        "--scopes",
                                        "SCOPES",
                                        String.class,
                                        "What it is for, with commas between them: "
                                                + SCOPES
                                                + ". Default: what your own key is for.")
                                .option(
                                        "--expires-days",
                                        "N",
                                        Integer.class,
                                        "Days after which it opens nothing, 1 to 3650. Default:"
                                                + " never."))
                .footer(
                        "",
                        "The key alone goes to standard output, so that it can be piped; what else"
                                + " there is to",
                        "say goes to standard error.",
                        "",
                        "Example:",
                        "  orchestrion keys create --name ci --scopes producer --expires-days 90")
                .does(KeyCommands::create);
    }

    private static void create(Invocation run) {
        Path file = run.value("--save");
        if (file != null) {
            saved(
                    file,
                    run,
                    () -> {
                        CreatedKey made = created(run);
                        return new Saved(made.apiKey(), about(made.key()));
                    });
            return;
        }
        CreatedKey made = created(run);
        run.show(made::apiKey);
        if (!run.json()) {
            run.err()
                    .println(
                            about(made.key())
                                    + ".\nThe key is shown this once; keep it where only you can"
                                    + " read it.");
            run.err().flush();
        }
    }

    private static String about(Key key) {
        return "Key "
                + key.id()
                + " ("
                + Screen.clean(key.name())
                + ") for "
                + KeyTable.scopes(key);
    }

    private static CreatedKey created(Invocation run) {
        NewKey key = NewKey.named(run.text("--name"));
        String scopes = run.value("--scopes");
        if (scopes != null) {
            key = key.withScopes(scopes(scopes, run));
        }
        Integer days = run.value("--expires-days");
        return run.client().keys().create(days == null ? key : key.expiringInDays(days));
    }

    private static Set<Scope> scopes(String written, Invocation run) {
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        for (String word : written.split(",", -1)) {
            Scope scope = Scope.of(word.strip());
            if (scope == Scope.UNKNOWN) {
                throw run.misused("--scopes must be of " + SCOPES + ", not " + written);
            }
            scopes.add(scope);
        }
        return scopes;
    }

    /// @param about what to say instead of the secret
    private record Saved(String secret, String about) {}

    /// The file is made first: a key that cannot be written down would be lost.
    private static void saved(Path file, Invocation run, Supplier<Saved> maker) {
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        var ownerOnly =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var out = Channels.newOutputStream(Files.newByteChannel(file, options, ownerOnly))) {
            Saved made = maker.get();
            out.write((made.secret() + "\n").getBytes(StandardCharsets.UTF_8));
            run.out().println(made.about() + ", its key is in " + file + ".");
        } catch (RuntimeException e) {
            file.toFile().delete();
            throw e;
        } catch (FileAlreadyExistsException e) {
            throw run.misused(file + " exists already");
        } catch (IOException e) {
            throw run.misused("cannot write " + file);
        }
    }

    private CommandSpec list() {
        return ClientCommand.of("list", "List the account's keys, newest first.", surroundings)
                .flag("--all", "Also those that are revoked or expired.")
                .does(KeyCommands::list);
    }

    private static void list(Invocation run) {
        var table = new KeyTable(run);
        String cursor = null;
        do {
            KeyPage page = run.client().keys().list(cursor);
            if (run.json()) {
                run.show(() -> "");
            } else {
                table.add(page.keys());
            }
            cursor = page.nextCursor();
        } while (cursor != null);
        if (!run.json()) {
            table.print(run.has("--all"));
        }
    }

    private CommandSpec rename() {
        return ClientCommand.of("rename", "Give a key another name.", surroundings)
                .id(true, "The key's id.")
                .required("--name", "NAME", "What the key is to be called.")
                .does(
                        run -> {
                            Key key = run.client().keys().rename(run.id(), run.text("--name"));
                            run.show(() -> about(key));
                        });
    }

    private CommandSpec revoke() {
        return ClientCommand.of("revoke", "Revoke a key: it opens nothing any more.", surroundings)
                .id(true, "The key's id.")
                .footer(
                        "",
                        "The last key that can manage keys is not revoked; make another one first.")
                .does(
                        run -> {
                            Key key = run.client().keys().revoke(run.id());
                            run.show(() -> about(key) + " is revoked");
                        });
    }
}
