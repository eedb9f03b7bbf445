package io.orchestrion.cli;

import io.orchestrion.sdk.NewArtifact;
import io.orchestrion.sdk.RunArtifact;
import io.orchestrion.sdk.RunArtifacts;
import io.orchestrion.sdk.SharedAddress;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// `orchestrion runs artifacts`: files that belong to runs.
final class ArtifactCommands {
    private static final String ID = "The artifact's id.";
    private static final int SHARED_SECONDS = 3_600;

    private final Surroundings surroundings;

    ArtifactCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec spec() {
        return Group.of(
                "artifacts",
                "Files that belong to runs.",
                list(),
                show(),
                upload(),
                download(),
                url());
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private static RunArtifacts of(Invocation run) {
        return run.client().runs().artifacts();
    }

    private CommandSpec list() {
        return Shown.paged(command("list", "List the artifacts of a run, newest first."))
                .word("RUN", RunCommands.ID)
                .option("--state", "STATE", String.class, "Only in this state, such as ready.")
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "STATE=state",
                                                "ARTIFACT=id",
                                                "NAME=name",
                                                "BYTES=size",
                                                "TYPE=content_type",
                                                "STEP=source_step_id",
                                                "CREATED=created_at",
                                                "EXPIRES=expires_at"),
                                        (limit, cursor) ->
                                                of(run).list(
                                                                run.word(),
                                                                run.value("--state"),
                                                                limit,
                                                                cursor),
                                        RunArtifact::json,
                                        "No artifacts."));
    }

    private CommandSpec show() {
        return command("show", "Show what is known of an artifact.")
                .word("ID", ID)
                .does(
                        run -> {
                            RunArtifact found = of(run).get(run.word());
                            run.show(() -> RunShown.part("Artifact", found.json(), run));
                        });
    }

    private CommandSpec upload() {
        return command("upload", "Upload a file for a run.")
                .word("RUN", RunCommands.ID)
                .required("--file", "FILE", "What to upload, or - for standard input.")
                .option("--name", "NAME", String.class, "Default: the name of the file.")
                .option(
                        "--type",
                        "TYPE",
                        String.class,
                        "Its media type. Default: application/octet-stream.")
                .option("--step", "ID", String.class, "The step that made it.")
                .option(
                        "--sha256",
                        "HEX",
                        String.class,
                        "Of its content: what arrives with another is refused.")
                .does(ArtifactCommands::upload);
    }

    private static void upload(Invocation run) {
        String file = run.text("--file");
        boolean stream = file.equals("-");
        String name = run.value("--name");
        if (name == null && stream) {
            throw run.misused("standard input has no name: add --name");
        }
        Path path = Path.of(file);
        if (!stream && !Files.isRegularFile(path)) {
            throw run.misused("--file: cannot read " + file);
        }
        String type = run.value("--type");
        NewArtifact artifact =
                NewArtifact.named(name == null ? String.valueOf(path.getFileName()) : name)
                        .ofStep(run.value("--step"))
                        .withSha256(run.value("--sha256"));
        artifact = type == null ? artifact : artifact.withType(type);
        RunArtifact made =
                stream
                        ? of(run).upload(run.word(), artifact, run.surroundings().in())
                        : of(run).upload(run.word(), artifact, path);
        run.show(
                () ->
                        "Artifact "
                                + Screen.clean(made.id())
                                + " has "
                                + made.size()
                                + " bytes, SHA-256 "
                                + made.checksum()
                                + ".");
    }

    private CommandSpec download() {
        return command("download", "Download an artifact.")
                .word("ID", ID)
                .required("--to", "FILE", "Where to write it, or - for standard output.")
                .withoutAnswer()
                .does(ArtifactCommands::download);
    }

    private static void download(Invocation run) {
        String to = run.text("--to");
        try {
            if (to.equals("-")) {
                try (InputStream content = of(run).open(run.word())) {
                    content.transferTo(run.out());
                }
            } else {
                Path file = Path.of(to);
                of(run).download(run.word(), file);
                run.out().println("Written to " + file + ", " + Files.size(file) + " bytes.");
            }
        } catch (IOException e) {
            run.err().println("orchestrion: the download to " + to + " broke: " + e.getMessage());
            run.err().println("  next: try again; no partial file is left");
            throw new ClientCommand.NotAsHoped();
        }
    }

    private CommandSpec url() {
        return command("url", "Make an address under which anybody gets an artifact for a while.")
                .word("ID", ID)
                .option(
                        "--seconds",
                        "N",
                        Integer.class,
                        "How long it is good. Default: " + SHARED_SECONDS + ".")
                .does(
                        run -> {
                            SharedAddress made =
                                    of(run).share(
                                                    run.word(),
                                                    Duration.ofSeconds(
                                                            run.number(
                                                                    "--seconds", SHARED_SECONDS)));
                            run.show(
                                    () ->
                                            made.url()
                                                    + "\n"
                                                    + run.screen()
                                                            .faint(
                                                                    "good until "
                                                                            + run.times()
                                                                                    .full(
                                                                                            made
                                                                                                    .expiresAt())));
                        });
    }
}
