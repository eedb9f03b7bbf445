package io.orchestrion.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

class UnpackingTest {
    @TempDir Path folder;

    @Test
    void two_starts_at_once_unpack_once_and_leave_one_whole_copy() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path binaries = folder.resolve("binaries");
        // What a crash in the middle of unpacking leaves.
        Files.createDirectories(binaries.resolve(".unpacking-0000/bin"));
        Files.writeString(binaries.resolve(".unpacking-0000/bin/postgres"), "half");
        ConcurrentLinkedQueue<String> progress = new ConcurrentLinkedQueue<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Callable<Void> one = () -> startAndStop(folder.resolve("one"), binaries, progress);
            Callable<Void> two = () -> startAndStop(folder.resolve("two"), binaries, progress);
            for (Future<Void> done : threads.invokeAll(List.of(one, two))) {
                done.get();
            }
        }
        assertThat(progress)
                .filteredOn(line -> line.startsWith("unpacking PostgreSQL 18."))
                .hasSize(1);
        try (Stream<Path> names = Files.list(binaries)) {
            assertThat(names.map(name -> name.getFileName().toString()))
                    .hasSize(2)
                    .contains(".unpack.lock")
                    .anyMatch(name -> name.startsWith("18."));
        }
    }

    private static Void startAndStop(
            Path data, Path binaries, ConcurrentLinkedQueue<String> progress) throws Exception {
        PostgresOptions options =
                Fixtures.quick(data).withBinariesFolder(binaries).withProgress(progress::add);
        try (EmbeddedPostgres server = EmbeddedPostgres.start(options)) {
            // Reachable for whoever runs it, so the plain path is used.
            assertThat(Fixtures.ask(server, "show data_directory"))
                    .isEqualTo(data.resolve("pg").toString());
        }
        return null;
    }
}
