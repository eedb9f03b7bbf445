package io.orchestrion.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// Folders of a test.
public final class Folders {
    private Folders() {}

    public static Path temporary(String prefix) {
        try {
            return Files.createTempDirectory(prefix);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// With all that is in it; what cannot be removed now is removed at the end of the process.
    public static void delete(Path folder) {
        try (var walk = Files.walk(folder)) {
            walk.sorted(Comparator.reverseOrder()).forEach(Folders::deleteOne);
        } catch (IOException e) {
            folder.toFile().deleteOnExit();
        }
    }

    private static void deleteOne(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            path.toFile().deleteOnExit();
        }
    }
}
