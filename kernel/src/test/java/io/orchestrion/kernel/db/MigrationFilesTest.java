package io.orchestrion.kernel.db;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class MigrationFilesTest {
    private static final Path FOLDER =
            Path.of("src/main/resources/io/orchestrion/kernel/db/migration");

    /// One that is not on the list would lie there and never run.
    @Test
    void every_migration_is_on_the_list_and_in_order() throws IOException {
        try (var files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(KernelSchema.PART.files());
        }
        assertThat(KernelSchema.PART.files().stream().filter(name -> name.startsWith("V")))
                .isSorted();
    }
}
