package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.cli.ClientCommands;
import io.orchestrion.cli.ClientProgram;
import io.orchestrion.tools.ClientExit;

import org.junit.jupiter.api.Test;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The client commands as the launcher starts them: on their own libraries, without the server's.
class ClientProgramTest {
    private static final Path SCRIPT =
            Path.of(System.getProperty("orchestrion.root", ".."), "orchestrion");

    private static List<String> listed(String name) throws Exception {
        Matcher line =
                Pattern.compile("(?m)^" + name + "=\"(.*)\"$").matcher(Files.readString(SCRIPT));
        assertThat(line.find()).as(name).isTrue();
        return List.of(line.group(1).split(" "));
    }

    @Test
    void the_launcher_knows_every_client_command() throws Exception {
        assertThat(listed("CLIENT_COMMANDS")).isEqualTo(ClientCommands.names());
    }

    /// What is missing there, and what of the server is needed after all, ends the command.
    @Test
    void a_client_command_needs_no_class_of_the_server() throws Exception {
        List<String> libraries = listed("CLIENT_LIBRARIES");
        String path =
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(entry -> libraries.stream().anyMatch(name -> isOf(entry, name)))
                        .collect(Collectors.joining(File.pathSeparator));
        assertThat(path).contains("sdk", "cli", "tools").doesNotContain("server", "kernel");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                path,
                                ClientProgram.class.getName(),
                                "client-train")
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(ClientExit.OK.number());
        assertThat(said).isEmpty();
    }

    /// An archive `name-1.2.jar`, or the folder of classes of our module of that name.
    private static boolean isOf(String entry, String library) {
        String module = library.replaceFirst("^orchestrion-", "");
        return entry.matches(".*/" + library + "-[0-9][^/]*\\.jar")
                || (library.startsWith("orchestrion-")
                        && entry.matches(".*/" + module + "(/target)?/classes/?"));
    }
}
