package io.orchestrion.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.schema.SchemaLimit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The page on types is written by hand, and its numbers are those of the code.
class TypesPageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("orchestrion.root"), "docs", "guides", "types.md");

    @ParameterizedTest
    @EnumSource
    void the_page_names_the_limits_as_they_are(SchemaLimit limit) throws IOException {
        assertThat(Files.readString(PAGE)).containsPattern("\\b" + limit.said() + "\\b");
    }
}
