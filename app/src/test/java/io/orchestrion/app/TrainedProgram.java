package io.orchestrion.app;

import io.orchestrion.testkit.Folders;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What tests start the program from. Half of what a start takes is loading classes, and these
/// tests start it more than a hundred times; so it is trained once, as the launcher does it, and
/// later starts find a cache. A cache is for archives only, so folders of classes become archives.
///
/// Whoever comes first trains; what another process of the run starts meanwhile starts without.
final class TrainedProgram {
    private static final int TRAINING_SECONDS = 120;
    private static final List<Path> CLASS_PATH =
            Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .map(Path::of)
                    .filter(Files::exists)
                    .toList();
    private static final Path FOLDER = Path.of("target", "program").toAbsolutePath();
    private static final Path MINE = FOLDER.resolve(hash(state()));
    private static final Path CACHE = MINE.resolve("program.aot");
    private static boolean tried;

    private TrainedProgram() {}

    /// Java's options up to the class path.
    static List<String> options() {
        train();
        if (!Files.exists(CACHE)) {
            return List.of("-cp", System.getProperty("java.class.path"));
        }
        // What Java says of the cache would stand in the program's output.
        return List.of("-Xlog:disable", "-XX:AOTCache=" + CACHE, "-cp", archives());
    }

    private static synchronized void train() {
        if (tried) {
            return;
        }
        tried = true;
        try {
            Files.createDirectories(FOLDER);
            try (FileChannel file =
                            FileChannel.open(
                                    FOLDER.resolve("lock"),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE);
                    FileLock lock = file.tryLock()) {
                if (lock != null && !Files.exists(CACHE)) {
                    make();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void make() throws IOException, InterruptedException {
        try (Stream<Path> earlier = Files.list(FOLDER).filter(Files::isDirectory)) {
            earlier.forEach(Folders::delete);
        }
        Files.createDirectories(MINE);
        for (Path folder : CLASS_PATH.stream().filter(Files::isDirectory).toList()) {
            ToolProvider.findFirst("jar")
                    .orElseThrow()
                    .run(
                            System.out,
                            System.err,
                            "--create",
                            "--file=" + archive(folder),
                            "-C",
                            folder.toString(),
                            ".");
        }
        Path made = MINE.resolve("made.aot");
        Process training =
                ServerProcess.java(
                                List.of("-XX:AOTCacheOutput=" + made, "-cp", archives()),
                                "aot-train")
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (training.waitFor(TRAINING_SECONDS, TimeUnit.SECONDS) && Files.exists(made)) {
            Files.move(made, CACHE, StandardCopyOption.ATOMIC_MOVE);
        } else {
            training.destroyForcibly();
            System.err.println("The program could not be trained: tests start it without a cache.");
        }
    }

    private static String archives() {
        return CLASS_PATH.stream()
                .map(entry -> Files.isDirectory(entry) ? archive(entry) : entry)
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path archive(Path folder) {
        return MINE.resolve(hash(folder.toString()) + ".jar");
    }

    /// Changes with everything that the program is made of.
    private static String state() {
        var state = new StringBuilder(Runtime.version().toString());
        for (Path entry : CLASS_PATH) {
            try (Stream<Path> files = Files.walk(entry)) {
                for (Path file : files.sorted().toList()) {
                    FileTime changed = Files.getLastModifiedTime(file);
                    state.append(file).append(Files.size(file)).append(changed);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return state.toString();
    }

    private static String hash(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
