package io.orchestrion.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.catalogue.Expected.Need;
import io.orchestrion.jobs.catalogue.WorkKind;
import io.orchestrion.testkit.GeneratedFile;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/// The table of kinds in docs/guides/jobs.md is made from the catalogue of work kinds.
class JobsPageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("orchestrion.root"), "docs", "guides", "jobs.md");
    private static final Pattern TABLE =
            Pattern.compile("<!-- kinds -->\n(.*?)<!-- /kinds -->", Pattern.DOTALL);

    private static String table() {
        var text =
                new StringBuilder(
                        "| kind | takes | output | its first attempt | ends | needs |\n"
                                + "|---|---|---|---|---|---|\n");
        for (WorkKind kind : WorkKind.values()) {
            boolean over = kind.durationMs(1) != kind.durationMs(2);
            String takes =
                    over
                            ? "runtime limit + 1 s"
                            : String.valueOf(kind.durationMs(1) / 1000.0).replaceAll("\\.0$", "")
                                    + " s";
            Need need = kind.expected().need();
            text.append(
                    String.format(
                            Locale.ROOT,
                            "| `%s` | %s | %d KB | %s | %s | %s |%n",
                            kind.name(),
                            takes,
                            kind.payloadSizeBytes() / 1024,
                            kind.shouldFail() ? "fails" : "succeeds",
                            kind.expected().end(),
                            need == Need.NOTHING ? "" : need.name().toLowerCase(Locale.ROOT)));
        }
        return text.toString();
    }

    @Test
    void the_table_of_kinds_is_that_of_the_catalogue() throws Exception {
        String page = Files.readString(PAGE);
        var table = TABLE.matcher(page);
        assertThat(table.find()).isTrue();
        GeneratedFile.isFresh(
                "docs/guides/jobs.md",
                page.substring(0, table.start(1)) + table() + page.substring(table.end(1)));
    }
}
