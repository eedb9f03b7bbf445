package io.orchestrion.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
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

    /// Of runs that were killed: nobody else frees the memory. Two processes of a run begin at the
    /// same time and find the same folders.
    private static void removeLeftBehind() throws IOException {
        try (var folders = Files.newDirectoryStream(MEMORY, "orchestrion-*")) {
            for (Path folder : folders) {
                Matcher owned = OWNED.matcher(folder.getFileName().toString());
                if (owned.matches() && ProcessHandle.of(Long.parseLong(owned.group(1))).isEmpty()) {
                    delete(folder);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /// With all that is in it, also while somebody else adds to it or removes it; what cannot be
    /// removed now is removed at the end of the process.
    public static void delete(Path folder) {
        try {
            Files.walkFileTree(folder, new Removal());
        } catch (IOException e) {
            folder.toFile().deleteOnExit();
        }
    }

    /// Files.walk ends at the first file that vanishes under it.
    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            return remove(file);
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return remove(file);
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, IOException e) {
            return remove(folder);
        }

        private static FileVisitResult remove(Path path) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                path.toFile().deleteOnExit();
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
