package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Items are read and written in `kernel/work`. Engines and doors get what they need of them from
/// there: as the end that an owner is told of, or by a method.
class WorkTableTest {
    private static final Pattern NAMES_IT =
            Pattern.compile("\\b(?:from|join|update|into|using)\\s+(?:work|work_event)\\b(?!_)");

    /// Files outside of it that name the table. None is to be added: the list only gets shorter.
    private static final String[] ALSO = {
        "jobs/src/main/resources/io/orchestrion/jobs/capacity.sql",
        "jobs/src/main/resources/io/orchestrion/jobs/jobs.sql",
        "jobs/src/main/resources/io/orchestrion/jobs/reports.sql",
        "kernel/src/main/resources/io/orchestrion/kernel/bulk/bulk.sql",
        "kernel/src/main/resources/io/orchestrion/kernel/events/events.sql",
        "kernel/src/main/resources/io/orchestrion/kernel/flow/flow.sql",
        "kernel/src/main/resources/io/orchestrion/kernel/joblog/joblog.sql",
        "kernel/src/main/resources/io/orchestrion/kernel/plan/plan.sql",
        "kernel/src/main/resources/io/orchestrion/kernel/pool/held.sql",
        "kernel/src/main/resources/io/orchestrion/kernel/pool/pool.sql",
        "kernel/src/main/resources/io/orchestrion/kernel/schedule/schedule.sql",
        "kernel/src/main/resources/io/orchestrion/kernel/type/type.sql",
        "server/src/main/resources/io/orchestrion/server/webhooks/delivery.sql",
    };

    @Test
    void no_further_file_names_the_table_of_work() throws IOException {
        Path root = Path.of(System.getProperty("orchestrion.root"));
        var found = new TreeSet<String>();
        try (var modules = Files.newDirectoryStream(root, Files::isDirectory)) {
            for (Path module : modules) {
                Path resources = module.resolve("src/main/resources");
                if (Files.isDirectory(resources)) {
                    try (var files = Files.walk(resources)) {
                        for (Path file : files.filter(WorkTableTest::isStatements).toList()) {
                            if (NAMES_IT.matcher(Files.readString(file)).find()) {
                                found.add(root.relativize(file).toString().replace('\\', '/'));
                            }
                        }
                    }
                }
            }
        }
        assertThat(found).containsExactlyInAnyOrder(ALSO);
    }

    private static boolean isStatements(Path file) {
        String path = file.toString().replace('\\', '/');
        return path.endsWith(".sql")
                && !path.contains("/migration/")
                && !path.contains("/kernel/work/");
    }
}
