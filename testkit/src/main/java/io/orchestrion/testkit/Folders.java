package io.orchestrion.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Folders of a test. In memory where there is room for it: what tests spend most of their time on
/// is making databases of hundreds of small files and removing them again.
public final class Folders {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM_BYTES = 4L << 30;
    private static final Pattern OWNED = Pattern.compile("orchestrion-.*\\.([0-9]+)\\..*");
    private static final Path BASE = base();

    private Folders() {}

    /// @param prefix begins with `orchestrion-`
    public static Path temporary(String prefix) {
        try {
            return Files.createTempDirectory(
                    BASE, prefix + "." + ProcessHandle.current().pid() + ".");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path base() {
        try {
            if (Files.isWritable(MEMORY)
                    && Files.getFileStore(MEMORY).getUsableSpace() >= ROOM_BYTES) {
                removeLeftBehind();
                return MEMORY;
            }
        } catch (IOException e) {
            // Then not.
        }
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /// Of runs that were killed: nobody else frees the memory.
    private static void removeLeftBehind() throws IOException {
        try (var folders = Files.newDirectoryStream(MEMORY, "orchestrion-*")) {
            for (Path folder : folders) {
                Matcher owned = OWNED.matcher(folder.getFileName().toString());
                if (owned.matches() && ProcessHandle.of(Long.parseLong(owned.group(1))).isEmpty()) {
                    delete(folder);
                }
            }
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
