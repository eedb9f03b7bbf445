package io.orchestrion.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file of the repository that is made from the code: checked by tests, and rewritten by them
/// when asked to with `-Dorchestrion.generate=true`.
public final class GeneratedFile {
    private GeneratedFile() {}

    public static void isFresh(String file, String text) {
        Path path = Path.of(System.getProperty("orchestrion.root", "..")).resolve(file);
        if (Boolean.getBoolean("orchestrion.generate")) {
            write(path, text);
        }
        assertThat(path)
                .as("stale: run ./mvnw verify -Dorchestrion.generate=true")
                .hasContent(text);
    }

    private static void write(Path path, String text) {
        try {
            Files.writeString(path, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
