package io.orchestrion.bench.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A folder on a volume of its own that is soon full, where the system lets us mount one in memory;
/// an ordinary folder elsewhere.
final class SmallVolume implements AutoCloseable {
    private static final String SIZE = "size=900m";
    private static final int BLOCK = 64 * 1024;

    private final Path folder;
    private final boolean small;

    SmallVolume(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        Files.createDirectories(folder);
        this.small =
                ran("mount", "-t", "tmpfs", "-o", SIZE, "orchestrion-bench", folder.toString());
    }

    private static boolean ran(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    boolean small() {
        return small;
    }

    /// Takes all the room that is left until it is closed.
    AutoCloseable filled() throws IOException {
        Path filler = folder.resolve("filler");
        byte[] block = new byte[BLOCK];
        try (var out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            if (Files.size(filler) == 0) {
                throw full;
            }
        }
        return () -> Files.delete(filler);
    }

    @Override
    public void close() throws InterruptedException {
        if (small) {
            ran("umount", folder.toString());
        }
    }
}
