package io.orchestrion.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class ConfigurationPageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("orchestrion.root", ".."), "docs", "configuration.md");

    @Test
    void the_page_says_what_the_code_does() throws IOException {
        if ("write".equals(System.getProperty("orchestrion.docs"))) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, ConfigurationPage.render());
        }
        assertThat(Files.readString(PAGE))
                .as("out of date; write it anew with -Dorchestrion.docs=write")
                .isEqualTo(ConfigurationPage.render());
    }
}
