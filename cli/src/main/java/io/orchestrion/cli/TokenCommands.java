package io.orchestrion.cli;

import io.orchestrion.sdk.CreatedWorkerToken;
import io.orchestrion.sdk.NewWorkerToken;
import io.orchestrion.sdk.WorkerToken;
import io.orchestrion.sdk.WorkerTokenPage;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// `orchestrion worker-tokens`: what a worker may claim, and the secret that says so.
final class TokenCommands {
    private static final List<String> HEAD =
            List.of(
                    "STATUS",
                    "WORKER",
                    "ID",
                    "TYPES",
                    "REPOSITORIES",
                    "CAPABILITIES",
                    "LAST USED",
                    "NOTE");
    private static final int LIST_MAX = 40;

    private static final List<Field> CHANGES =
            List.of(
                    Field.text("--description", "TEXT", "description", "What it is for."),
                    Field.words("--types", "TYPES", "allowedJobTypes", "Types it may claim."),
                    Field.words(
                            "--repositories",
                            "NAMES",
                            "allowedRepositories",
                            "Repositories whose jobs it may claim."),
                    Field.words(
                            "--capabilities",
                            "WORDS",
                            "capabilities",
                            "What the worker can do at most."),
                    Field.time("--expires-at", "expiresAt", "From then on it opens nothing."),
                    Field.number("--expires-days", "expiresInDays", "The same, in days from now."));

    private final Surroundings surroundings;

    TokenCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        return Group.of(
                "worker-tokens",
                "Make and look after the tokens of workers.",
                create(),
                list(),
                get(),
                change(),
                deactivate(),
                reactivate(),
                rotate());
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private CommandSpec create() {
        return SecretFile.option(
                        "--token-file",
                        command("create", "Make a token for a worker.")
                                .required("--worker", "NAME", "The worker that it is bound to.")
                                .option(
                                        "--description",
                                        "TEXT",
                                        String.class,
                                        "What it is for, in your own lists.")
                                .option(
                                        "--types",
                                        "TYPES",
                                        String.class,
                                        "Job types it may claim, with commas between them. Default:"
                                                + " all.")
                                .option(
                                        "--repositories",
                                        "NAMES",
                                        String.class,
                                        "Repositories whose jobs it may claim: owner/name or"
                                                + " owner/*. Default: all jobs.")
                                .option(
                                        "--capabilities",
                                        "WORDS",
                                        String.class,
                                        "What the worker can do at most. Default: whatever it"
                                                + " says.")
                                .option(
                                        "--expires-days",
                                        "N",
                                        Integer.class,
                                        "Days after which it opens nothing. Default: never."))
                .footer(
                        "",
                        "The token alone goes to standard output, so that it can be piped; what"
                                + " else there is to",
                        "say goes to standard error.",
                        "",
                        "Example:",
                        "  orchestrion worker-tokens create --worker executor-01 --types codex_exec"
                                + " --save worker.token")
                .does(run -> reveal(run, () -> run.client().workerTokens().create(newToken(run))));
    }

    private static NewWorkerToken newToken(Invocation run) {
        NewWorkerToken token = NewWorkerToken.of(run.text("--worker"));
        String description = run.value("--description");
        if (description != null) {
            token = token.withDescription(description);
        }
        List<String> types = run.words("--types");
        if (types != null) {
            token = token.withTypes(types);
        }
        List<String> repositories = run.words("--repositories");
        if (repositories != null) {
            token = token.withRepositories(repositories);
        }
        List<String> capabilities = run.words("--capabilities");
        if (capabilities != null) {
            token = token.withCapabilities(capabilities);
        }
        Integer days = run.value("--expires-days");
        return days == null ? token : token.expiringInDays(days);
    }

    /// Once, to a file or to standard output.
    private static void reveal(Invocation run, Supplier<CreatedWorkerToken> maker) {
        Path file = run.value("--save");
        if (file != null) {
            SecretFile.write(
                    file,
                    run,
                    "token",
                    () -> {
                        CreatedWorkerToken made = maker.get();
                        return new SecretFile.Saved(made.secret(), about(made.token()));
                    });
            return;
        }
        CreatedWorkerToken made = maker.get();
        run.show(made::secret);
        if (!run.json()) {
            run.err()
                    .println(
                            about(made.token())
                                    + ".\nIt is shown this once; keep it where only you can read"
                                    + " it.");
            run.err().flush();
        }
    }

    private static String about(WorkerToken token) {
        return "Token " + token.id() + " of worker " + Screen.clean(token.workerId());
    }

    private CommandSpec list() {
        return command("list", "List the tokens, newest first.")
                .option("--worker", "NAME", String.class, "Only tokens of this worker.")
                .flag("--all", "Also those that open nothing any more.")
                .does(this::list);
    }

    private void list(Invocation run) {
        var shown = new ArrayList<WorkerToken>();
        int hidden = 0;
        String cursor = null;
        do {
            WorkerTokenPage page = run.client().workerTokens().list(run.value("--worker"), cursor);
            if (run.json()) {
                run.show(() -> "");
            }
            for (WorkerToken token : page.tokens()) {
                if (run.has("--all") || token.active()) {
                    shown.add(token);
                } else {
                    hidden++;
                }
            }
            cursor = page.nextCursor();
        } while (cursor != null);
        if (run.json()) {
            return;
        }
        Screen screen = run.screen();
        var table =
                new PagedTable<WorkerToken>(
                        run,
                        HEAD,
                        token -> row(token, run.times()),
                        (token, text) -> token.active() ? text : screen.faint(text));
        table.add(shown);
        table.end(false, "No tokens.");
        if (hidden > 0) {
            run.out().println(screen.faint(hidden + " open nothing any more; --all shows them."));
        }
    }

    private static List<String> row(WorkerToken token, Times times) {
        String used = token.lastUsedAt() == null ? "never" : times.relative(token.lastUsedAt());
        String from =
                token.lastUsedFrom() == null ? "" : " from " + Screen.clean(token.lastUsedFrom());
        return List.of(
                status(token),
                Screen.clean(token.workerId()),
                token.id().toString(),
                words(token.allowedJobTypes()),
                words(token.allowedRepositories()),
                words(token.capabilities()),
                used + from,
                note(token, times));
    }

    private static String status(WorkerToken token) {
        String status = token.status();
        return status == null ? (token.active() ? "active" : "inactive") : Screen.clean(status);
    }

    private static String note(WorkerToken token, Times times) {
        String description = token.description() == null ? "" : Screen.clean(token.description());
        String expiry =
                token.expiresAt() == null ? "" : "expires " + times.relative(token.expiresAt());
        boolean both = !description.isEmpty() && !expiry.isEmpty();
        return Screen.shortened(description + (both ? ", " : "") + expiry, LIST_MAX);
    }

    private static String words(@Nullable List<String> list) {
        if (list == null) {
            return "all";
        }
        return list.isEmpty()
                ? "none"
                : Screen.shortened(Screen.clean(String.join(",", list)), LIST_MAX);
    }

    private CommandSpec get() {
        return command("get", "Show what a token allows.")
                .id(true, "The token's id.")
                .does(run -> shown(run, run.client().workerTokens().get(run.id())));
    }

    private static void shown(Invocation run, WorkerToken token) {
        run.show(
                () -> {
                    var card = new Card(about(token), run);
                    card.row("status", status(token));
                    card.row("types", words(token.allowedJobTypes()));
                    card.row("repos", words(token.allowedRepositories()));
                    card.row("can do", words(token.capabilities()));
                    card.text("about", token.description());
                    card.time("expires", token.expiresAt());
                    card.time("last used", token.lastUsedAt());
                    card.time("created", token.createdAt());
                    return card.toString();
                });
    }

    private CommandSpec change() {
        return Field.addWithDocument(
                        command("change", "Change what a token allows, from the next claim on.")
                                .id(true, "The token's id."),
                        CHANGES)
                .footer(
                        "",
                        "What is left out stays. To allow everything again: --from"
                                + " '{\"allowedJobTypes\":null}'.")
                .does(
                        run ->
                                shown(
                                        run,
                                        run.client()
                                                .workerTokens()
                                                .change(
                                                        run.id(),
                                                        Field.body(run, CHANGES).toString())));
    }

    private CommandSpec deactivate() {
        return command("deactivate", "Make a token open nothing; it can be reactivated.")
                .id(true, "The token's id.")
                .does(
                        run -> {
                            WorkerToken token = run.client().workerTokens().deactivate(run.id());
                            run.show(() -> about(token) + " is inactive");
                        });
    }

    private CommandSpec reactivate() {
        return command("reactivate", "Make a token work again.")
                .id(true, "The token's id.")
                .does(
                        run -> {
                            WorkerToken token = run.client().workerTokens().reactivate(run.id());
                            run.show(() -> about(token) + " is active");
                        });
    }

    private CommandSpec rotate() {
        return SecretFile.option(
                        "--token-file",
                        command("rotate", "Give a token a new secret; the old one ends later.")
                                .id(true, "The token's id.")
                                .option(
                                        "--overlap-seconds",
                                        "N",
                                        Integer.class,
                                        "How long the old secret still works."))
                .does(
                        run -> {
                            Integer overlap = run.value("--overlap-seconds");
                            reveal(
                                    run,
                                    () ->
                                            run.client()
                                                    .workerTokens()
                                                    .rotate(
                                                            run.id(),
                                                            overlap == null
                                                                    ? null
                                                                    : Duration.ofSeconds(overlap)));
                        });
    }
}
