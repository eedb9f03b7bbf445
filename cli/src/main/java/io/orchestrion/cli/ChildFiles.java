package io.orchestrion.cli;

import io.orchestrion.sdk.Directives;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The files through which a child and its worker tell each other more than an exit code and a
/// signal can. They lie in a folder that only the worker's user can open, and are gone when the
/// child is.
final class ChildFiles implements AutoCloseable {
    /// The files that a child may write.
    enum Kind {
        RESULT("ORCHESTRION_RESULT_FILE", "result", 262_144),
        ERROR("ORCHESTRION_ERROR_FILE", "error", 16_384),
        USAGE("ORCHESTRION_USAGE_FILE", "usage", 16_384),
        LOGS_REF("ORCHESTRION_LOGS_REF_FILE", "logs-ref", 4_096);

        private final String variable;
        private final String file;
        private final int mostBytes;

        Kind(String variable, String file, int mostBytes) {
            this.variable = variable;
            this.file = file;
            this.mostBytes = mostBytes;
        }

        /// The name of the file in messages.
        String words() {
            return file + " file";
        }
    }

    /// A file that is there and cannot be used.
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;

        Unusable(String message) {
            super(message);
        }
    }

    private static final String PAUSE_VARIABLE = "ORCHESTRION_PAUSE_FILE";

    private final Path folder;
    private final boolean reports;
    private boolean closed;

    private ChildFiles(Path folder, boolean reports) {
        this.folder = folder;
        this.reports = reports;
    }

    /// @throws IOException where the worker has no place for them
    static ChildFiles of(ChildWork work) throws IOException {
        var files = new ChildFiles(Files.createTempDirectory("orchestrion-"), work.reports());
        for (Kind kind : files.kinds()) {
            Files.createFile(files.path(kind));
        }
        return files;
    }

    private List<Kind> kinds() {
        return reports ? List.of(Kind.values()) : List.of(Kind.RESULT);
    }

    private Path path(Kind kind) {
        return folder.resolve(kind.file);
    }

    private Path pause() {
        return folder.resolve("pause");
    }

    /// Names of files that are for another child, such as a worker that is itself one, are taken
    /// out.
    void putInto(Map<String, String> environment) {
        for (Kind kind : Kind.values()) {
            environment.remove(kind.variable);
        }
        environment.remove(PAUSE_VARIABLE);
        for (Kind kind : kinds()) {
            environment.put(kind.variable, path(kind).toString());
        }
        if (reports) {
            environment.put(PAUSE_VARIABLE, pause().toString());
        }
    }

    /// What the child wrote, without blanks around it; null for nothing.
    @Nullable String written(Kind kind) throws Unusable {
        Path file = path(kind);
        if (Files.notExists(file)) {
            return null;
        }
        // Reading a pipe would wait for somebody who writes to it.
        if (!Files.isRegularFile(file)) {
            throw new Unusable("not a file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(kind.mostBytes + 1);
            if (bytes.length > kind.mostBytes && kind != Kind.RESULT) {
                throw new Unusable("larger than " + kind.mostBytes + " bytes");
            }
            String text = new String(bytes, StandardCharsets.UTF_8).strip();
            return text.isEmpty() ? null : text;
        } catch (IOException e) {
            throw new Unusable("cannot be read: " + e.getMessage());
        }
    }

    /// The pause file is there for as long as the child is asked to pause. It appears as a whole.
    /// What is asked when the child has gone is asked of nobody.
    synchronized void directed(Directives directives) throws IOException {
        if (closed) {
            return;
        }
        if (directives.pauseRequested()) {
            Path written = folder.resolve("pause.new");
            Files.writeString(written, json(directives));
            Files.move(written, pause(), StandardCopyOption.ATOMIC_MOVE);
        } else {
            Files.deleteIfExists(pause());
        }
    }

    /// In the form of the answer to the heartbeat.
    private static String json(Directives directives) {
        ObjectNode told =
                JsonMapper.shared()
                        .createObjectNode()
                        .put("pause_requested", directives.pauseRequested())
                        .put("cancel_requested", directives.cancelRequested());
        Instant deadline = directives.deadlineAt();
        told.put("deadline_at", deadline == null ? null : deadline.toString());
        return told + "\n";
    }

    /// Deletes the folder with everything that the child left in it.
    @Override
    public synchronized void close() {
        closed = true;
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            // A file that cannot be deleted is left to the system, which cleans its temporary
            // files.
        }
    }
}
