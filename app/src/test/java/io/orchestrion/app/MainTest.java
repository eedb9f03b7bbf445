package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.tools.Terminal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import picocli.CommandLine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... words) {
        var nothing =
                new Parts(
                        (_, _) -> {
                            throw new StartFailure(ExitCode.NO_DISK, "the disk is full");
                        },
                        (_, _) -> {
                            throw new AssertionError("not reached");
                        });
        CommandLine commands =
                Main.commands(
                        nothing,
                        Terminal.PLAIN,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        return commands.execute(words);
    }

    @ParameterizedTest
    @CsvSource({
        "--help, Examples:",
        "serve --help, --database-url=URL",
        "config --help, --reference",
        "--version, Orchestrion 0.",
        "version, Java 2",
        "tasks --help, requeue",
        "schedules --help, fires",
        "webhooks create --help, --server",
        "tasks create --help, --payload=JSON",
        "tasks list --help, Exit codes:",
        "keys register --help, --save=FILE",
        "health --help, --url=URL",
        "queue --help, dead-letters",
        "queue submit --help, --requires=WORDS",
        "worker --help, --capabilities=WORDS",
        "jobs --help, kinds",
        "jobs submit --help, --auto-retry",
        "webhooks --help, redeliver",
        "simulate --help, receivers that accept",
        "worker-tokens --help, rotate",
        "database --help, distribute",
        "database distribute --help, --dry-run",
        "config --reference, # Configuration",
        "config --port 9000, option --port",
    })
    void a_command_that_is_fine_ends_with_0(String line, String printed) {
        assertThat(run(line.split(" "))).isZero();
        assertThat(out.toString()).contains(printed);
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "srve, 64, did you mean serve?",
        "serve --prot 1, 64, did you mean --port?",
        "serve --port, 64, orchestrion serve --help",
        "serve --port x, 78, port must be a whole number from 0 to 65535",
        "database distribute --shards 0, 64, --shards must be from 1 to 1024",
        "database distribute, 78, database-url is not set",
        "serve --port 0 --data target/disk, 83, the disk is full",
        "serve --port 0 --data target/disk, 83, next: Free some space",
    })
    void a_command_that_is_not_says_why_and_what_next(String line, int code, String printed) {
        assertThat(run(line.split(" "))).isEqualTo(code);
        assertThat(err.toString()).contains(printed).doesNotContain("\tat ");
    }

    @Test
    void the_hidden_training_is_not_in_the_help() {
        run("--help");
        assertThat(out.toString()).doesNotContain("aot-train");
    }

    @Test
    void the_launcher_has_the_numbers_of_the_catalogue() throws IOException {
        String script =
                Files.readString(
                        Path.of(System.getProperty("orchestrion.root", ".."), "orchestrion"));
        for (ExitCode code :
                new ExitCode[] {ExitCode.NO_JAVA, ExitCode.BAD_SETTINGS, ExitCode.BUILD_FAILED}) {
            assertThat(script).contains("EXIT_" + code.name() + "=" + code.number());
        }
    }

    @Test
    void the_version_is_that_of_the_build() {
        run("version");
        assertThat(out.toString()).doesNotContain("${").doesNotContain("unversioned");
    }
}
