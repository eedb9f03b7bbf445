package io.orchestrion.server;

import io.orchestrion.server.runs.artifacts.StorePlace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// A folder for the artifacts of all servers of this process: each knows its own by its database.
/// It goes with the process.
public final class TestStores {
    private static final Path FOLDER = made();

    private TestStores() {}

    private static Path made() {
        try {
            Path folder = Files.createTempDirectory("artifacts");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println(folder + " is left behind: " + e);
        }
    }

    public static StorePlace ofProcess() {
        return in(FOLDER);
    }

    public static StorePlace in(Path folder) {
        return new StorePlace.Files(folder.resolve("artifacts"), folder.resolve("artifacts.key"));
    }
}
