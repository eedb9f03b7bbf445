package io.orchestrion.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class FoldersTest {
    private static final int ROUNDS = 20;
    private static final int FOLDERS = 50;

    @Test
    void a_folder_that_others_remove_at_the_same_moment_is_removed_without_an_error()
            throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            Path folder = Folders.temporary("orchestrion-folders");
            for (int i = 0; i < FOLDERS; i++) {
                Files.createFile(Files.createDirectory(folder.resolve("f" + i)).resolve("file"));
            }
            Parallel.run(
                    2,
                    _ ->
                            () -> {
                                Folders.delete(folder);
                                return null;
                            });
            assertThat(folder).doesNotExist();
        }
    }

    @Test
    void a_folder_that_is_gone_already_is_no_error() {
        Path folder = Folders.temporary("orchestrion-folders");
        Folders.delete(folder);
        Folders.delete(folder);
        assertThat(folder).doesNotExist();
    }
}
