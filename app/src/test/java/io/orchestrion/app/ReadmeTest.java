package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Folders;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The lines that a newcomer copies work as they stand.
class ReadmeTest {
    private static final Pattern FIRST_TASK =
            Pattern.compile("## A first task in a minute\n\n```sh\n(.*?)```", Pattern.DOTALL);

    @Test
    void the_first_task_of_the_readme_runs_from_create_to_completed() throws Exception {
        Path root = Path.of(System.getProperty("orchestrion.root"));
        Matcher block = FIRST_TASK.matcher(Files.readString(root.resolve("README.md")));
        assertThat(block.find()).isTrue();
        Path data = Folders.temporary("orchestrion-readme-");
        try (var server = ServerProcess.start(data)) {
            String lines =
                    block.group(1)
                            .replace("~/.orchestrion", data.toString())
                            .replace("http://127.0.0.1:8080", server.address());
            Process shell =
                    new ProcessBuilder("bash", "-euc", lines).redirectErrorStream(true).start();
            String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(shell.waitFor()).as(said).isZero();
            String last = said.substring(said.lastIndexOf("{\"task\""));
            assertThat(last).contains("\"status\":\"completed\"", "hello world");
        } finally {
            Folders.delete(data);
        }
    }
}
