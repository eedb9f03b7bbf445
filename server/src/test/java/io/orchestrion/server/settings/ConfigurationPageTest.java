package io.orchestrion.server.settings;

import io.orchestrion.server.doors.Doors;
import io.orchestrion.testkit.GeneratedFile;

import org.junit.jupiter.api.Test;

class ConfigurationPageTest {
    @Test
    void the_page_says_what_the_code_does() {
        GeneratedFile.isFresh(
                "docs/reference/configuration.md", ConfigurationPage.render(Doors.SETTINGS));
    }
}
