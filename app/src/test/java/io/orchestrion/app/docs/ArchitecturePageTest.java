package io.orchestrion.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.Tables;
import io.orchestrion.server.doors.Doors;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// What docs/internals/architecture.md says is stored is what is stored.
class ArchitecturePageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("orchestrion.root"), "docs", "internals", "architecture.md");
    private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");

    private static List<String> tablesOfThePage() throws IOException {
        String section =
                Files.readString(PAGE)
                        .replaceFirst("(?s).*\n## What is stored where\n", "")
                        .replaceFirst("(?s)\n## .*", "");
        return section.lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|")[1])
                .flatMap(cell -> NAME.matcher(cell).results().map(name -> name.group(1)))
                .toList();
    }

    @Test
    void the_page_has_each_table_once_and_no_other() throws IOException {
        List<String> tables =
                Arrays.stream(Tables.Place.values())
                        .flatMap(place -> Doors.SCHEMA.at(place).stream())
                        .toList();
        assertThat(tablesOfThePage()).containsExactlyInAnyOrderElementsOf(tables);
    }
}
