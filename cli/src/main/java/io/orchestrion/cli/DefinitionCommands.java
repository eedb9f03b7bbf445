package io.orchestrion.cli;

import io.orchestrion.sdk.DefinitionVersion;
import io.orchestrion.sdk.Definitions;
import io.orchestrion.sdk.Finding;
import io.orchestrion.sdk.Validation;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/// The definitions of `orchestrion orchestrations`.
final class DefinitionCommands {
    private static final String ID = "The definition's id.";
    private static final String NEWEST = "Which version. Default: the newest.";
    private static final String FILE = "The document: a file, or - for standard input.";
    private static final String DOCUMENT =
            "The document: JSON as it stands, @FILE, or - for standard input.";

    private final Surroundings surroundings;

    DefinitionCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec[] specs() {
        return new CommandSpec[] {
            validate(),
            create(),
            replace(),
            addVersion(),
            publish(),
            deprecate(),
            list(),
            get(),
            versions(),
            graph(),
            schema()
        };
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private static Definitions definitions(Invocation run) {
        return OrchestrationCommands.of(run).definitions();
    }

    /// The text of the file that the command names.
    private static String file(Invocation run) {
        String name = run.word();
        try {
            return name.equals("-")
                    ? new String(run.surroundings().in().readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(name), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw run.misused("cannot read " + name);
        }
    }

    private static int version(Invocation run) {
        Integer written = run.value("--version");
        return written == null ? definitions(run).get(run.id()).version() : written;
    }

    private CommandSpec validate() {
        return command("validate", "Say all that is wrong with a definition; store nothing.")
                .word("FILE", FILE)
                .footer("", "It ends with 1 when the definition cannot be published as it is.")
                .does(
                        run -> {
                            Validation said = definitions(run).validate(file(run));
                            run.show(() -> findings(said, run.screen()));
                            if (!said.valid()) {
                                throw new ClientCommand.NotAsHoped();
                            }
                        });
    }

    private static String findings(Validation said, Screen screen) {
        long errors = said.findings().stream().filter(Finding::isError).count();
        long others = said.findings().size() - errors;
        String head =
                said.valid()
                        ? screen.ending("ok", "It can be published")
                        : screen.ending("error", "It cannot be published");
        return findings(said.findings(), screen)
                + head
                + ": "
                + counted(errors, "error")
                + ", "
                + counted(others, "warning")
                + ".";
    }

    private static String counted(long n, String word) {
        return n + " " + word + (n == 1 ? "" : "s");
    }

    private static String findings(List<Finding> findings, Screen screen) {
        var text = new StringBuilder();
        for (Finding finding : findings) {
            String colour = finding.isError() ? "error" : "pending";
            text.append(screen.ending(colour, Screen.clean(finding.severity())))
                    .append(" at ")
                    .append(screen.strong(where(finding)))
                    .append(" (")
                    .append(Screen.clean(finding.code()))
                    .append(")\n  ")
                    .append(Screen.clean(finding.message()))
                    .append("\n  next: ")
                    .append(Screen.clean(finding.hint()))
                    .append("\n");
        }
        return text.toString();
    }

    private static String where(Finding finding) {
        return finding.pointer().isEmpty() ? "the whole document" : Screen.clean(finding.pointer());
    }

    private CommandSpec create() {
        return command("create", "Make a definition; its first version is a draft.")
                .word("FILE", FILE)
                .footer("", "Example:", "  orchestrion orchestrations create refund.json")
                .does(run -> changed(run, definitions(run).create(file(run))));
    }

    private CommandSpec replace() {
        return command("replace", "Replace the document of a draft.")
                .id(true, ID)
                .option("--version", "N", Integer.class, NEWEST)
                .required("--document", "JSON", DOCUMENT)
                .does(
                        run ->
                                changed(
                                        run,
                                        definitions(run)
                                                .rewrite(
                                                        run.id(),
                                                        version(run),
                                                        String.valueOf(
                                                                run.document("--document")))));
    }

    private CommandSpec addVersion() {
        return command("add-version", "Make a draft of the next version.")
                .id(true, ID)
                .option(
                        "--document",
                        "JSON",
                        String.class,
                        DOCUMENT + " Default: a copy of the newest version.")
                .does(
                        run ->
                                changed(
                                        run,
                                        definitions(run)
                                                .addVersion(run.id(), run.document("--document"))));
    }

    private CommandSpec publish() {
        return command("publish", "Publish a draft; nothing of it changes from then on.")
                .id(true, ID)
                .option("--version", "N", Integer.class, NEWEST)
                .does(run -> changed(run, definitions(run).publish(run.id(), version(run))));
    }

    private CommandSpec deprecate() {
        return command("deprecate", "Have no new execution follow a version.")
                .id(true, ID)
                .option("--version", "N", Integer.class, NEWEST)
                .does(run -> changed(run, definitions(run).deprecate(run.id(), version(run))));
    }

    private static void changed(Invocation run, DefinitionVersion version) {
        run.show(
                () -> {
                    var card = new Card("Definition " + version.id(), run);
                    card.text("name", version.name());
                    card.row("version", String.valueOf(version.version()));
                    card.row("status", run.screen().ending(version.status(), version.status()));
                    card.row("next", next(version));
                    return card + "\n" + findings(version.findings(), run.screen()).stripTrailing();
                });
    }

    private static String next(DefinitionVersion version) {
        String id = " " + version.id();
        return switch (version.status()) {
            case "draft" ->
                    "orchestrion orchestrations publish" + id + " --version " + version.version();
            case "published" -> "orchestrion orchestrations start" + id + " --target TYPE/ID";
            default -> "orchestrion orchestrations add-version" + id;
        };
    }

    private CommandSpec list() {
        return Shown.paged(command("definitions", "List definitions, newest first."))
                .option("--status", "STATUS", String.class, "draft, published or deprecated.")
                .option("--name", "NAME", String.class, "Only of this whole name.")
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "STATUS=status",
                                                "NAME=name",
                                                "ID=orchestration_definition_id",
                                                "VERSION=version",
                                                "CHANGED=updated_at",
                                                "PUBLISHED=published_at"),
                                        (limit, cursor) ->
                                                definitions(run)
                                                        .list(
                                                                run.value("--status"),
                                                                run.value("--name"),
                                                                limit,
                                                                cursor),
                                        DefinitionVersion::json,
                                        "No definitions."));
    }

    private CommandSpec get() {
        return command("definition", "Show a definition with its document.")
                .id(true, ID)
                .option("--version", "N", Integer.class, NEWEST)
                .does(
                        run -> {
                            Integer version = run.value("--version");
                            UUID id = run.id();
                            DefinitionVersion found =
                                    version == null
                                            ? definitions(run).get(id)
                                            : definitions(run).get(id, version);
                            run.show(
                                    () ->
                                            Shown.card(
                                                    "Definition " + id,
                                                    OrchestrationCommands.known(found.json()),
                                                    run));
                        });
    }

    private CommandSpec versions() {
        return Shown.paged(command("versions", "List the versions of a definition."))
                .id(true, ID)
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "STATUS=status",
                                                "VERSION=version",
                                                "NAME=name",
                                                "CREATED=created_at",
                                                "PUBLISHED=published_at",
                                                "DEPRECATED=deprecated_at"),
                                        (limit, cursor) ->
                                                definitions(run).versions(run.id(), limit, cursor),
                                        DefinitionVersion::json,
                                        "No versions."));
    }

    private CommandSpec graph() {
        return command("definition-graph", "Show the steps of a definition and where each leads.")
                .id(true, ID)
                .option("--version", "N", Integer.class, NEWEST)
                .flag("--mermaid", "As a flow chart in Mermaid's language.")
                .does(
                        run -> {
                            int version = version(run);
                            if (run.has("--mermaid")) {
                                run.out().println(definitions(run).mermaid(run.id(), version));
                                return;
                            }
                            var graph = definitions(run).graph(run.id(), version);
                            run.show(() -> StepGraph.text(graph, run.screen()));
                        });
    }

    private CommandSpec schema() {
        return command("schema", "Print the JSON Schema of definitions, for editors and agents.")
                .does(run -> run.out().println(definitions(run).schema()));
    }
}
