package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// A door is described once, in its plug. What else names a door has to be changed whenever one is
/// added, so this test lists it, for the jobs door.
class DoorNamesTest {
    private static final Pattern NAMES_IT =
            Pattern.compile(
                    "io\\.orchestrion\\.(?:server\\.)?jobs\\b|\"jobs\"|\\bProfiles\\.JOBS\\b");

    /// Files of the server outside the door's own packages. None is to be added: the list only gets
    /// shorter.
    private static final String[] OUTSIDE = {
        // The process that runs jobs and has no doors, and its command.
        "RunnerNode.java",
        "ops/RunnerCommand.java",
        // The word of the setting log-detail.
        "settings/ObserveSetting.java",
        // Published fields.
        "queue/QueueSpecs.java",
        "health/HealthSpecs.java",
    };

    @Test
    void no_further_file_of_the_server_names_the_jobs_door() throws IOException {
        Path server =
                Path.of(System.getProperty("orchestrion.root"))
                        .resolve("server/src/main/java/io/orchestrion/server");
        var found = new TreeSet<String>();
        try (var files = Files.walk(server)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                String path = server.relativize(file).toString().replace('\\', '/');
                if (!path.startsWith("jobs/")
                        && !path.equals("doors/JobsPlug.java")
                        && NAMES_IT.matcher(Files.readString(file)).find()) {
                    found.add(path);
                }
            }
        }
        assertThat(found).containsExactlyInAnyOrder(OUTSIDE);
    }
}
