package io.orchestrion.cli;

import io.orchestrion.sdk.CreatedKey;
import io.orchestrion.sdk.Key;
import io.orchestrion.sdk.KeyPage;
import io.orchestrion.sdk.NewKey;
import io.orchestrion.sdk.Registration;
import io.orchestrion.sdk.Scope;

import picocli.CommandLine.Model.CommandSpec;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
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
        return Group.of(
                "keys",
                "Make, look at and revoke API keys.",
                register(),
                create(),
                list(),
                get(),
                rename(),
                revoke());
    }

    private CommandSpec register() {
        return SecretFile.option(
                        "--api-key-file",
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

    private static void register(Invocation run) {
        Path file = run.value("--save");
        if (file != null) {
            SecretFile.write(
                    file,
                    run,
                    "key",
                    () -> {
                        Registration made = registered(run);
                        return new SecretFile.Saved(made.apiKey(), "Account " + made.accountId());
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
        return SecretFile.option(
                        "--api-key-file",
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
            SecretFile.write(
                    file,
                    run,
                    "key",
                    () -> {
                        CreatedKey made = created(run);
                        return new SecretFile.Saved(made.apiKey(), about(made.key()));
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

    private CommandSpec get() {
        return ClientCommand.of("get", "Show a key, without its secret.", surroundings)
                .id(true, "The key's id.")
                .does(
                        run -> {
                            Key key = run.client().keys().get(run.id());
                            if (run.json()) {
                                run.show(() -> "");
                                return;
                            }
                            var table = new KeyTable(run);
                            table.add(List.of(key));
                            table.print(true);
                        });
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
