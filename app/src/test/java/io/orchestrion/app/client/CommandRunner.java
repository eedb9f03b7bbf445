package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.cli.ClientCommands;
import io.orchestrion.cli.Surroundings;
import io.orchestrion.sdk.MonotonicClock;
import io.orchestrion.server.exit.Failures;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Runs client commands as somebody at a terminal or a script does, with a home and an environment
/// of their own.
final class CommandRunner {
    final Map<String, String> environment = new HashMap<>();
    String input = "";
    boolean colour;
    MonotonicClock ticks = MonotonicClock.SYSTEM;

    private final Path home;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /// @param key as a server on this machine left it
    CommandRunner(Path home, URI server, String key) throws IOException {
        this.home = home;
        Files.createDirectory(home.resolve(".orchestrion"));
        Files.writeString(home.resolve(".orchestrion/local.key"), key + "\n");
        environment.put("ORCHESTRION_URL", server.toString());
        environment.put("PATH", System.getenv("PATH"));
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    /// @return the exit code
    int run(String... words) {
        out.reset();
        err.reset();
        CommandSpec root = CommandSpec.create().name("orchestrion");
        var printed = new PrintStream(out, true, StandardCharsets.UTF_8);
        var complained = new PrintStream(err, true, StandardCharsets.UTF_8);
        ClientCommands.addTo(
                root,
                new Surroundings(
                        printed,
                        complained,
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        environment,
                        home,
                        colour,
                        ZoneId.of("Asia/Tokyo"),
                        InstantSource.system(),
                        ticks));
        var commands = new CommandLine(root);
        Failures.handledBy(commands, complained);
        return commands.execute(words);
    }

    /// What it printed, having complained of nothing.
    String ran(String... words) {
        assertThat(run(words)).as(err()).isZero();
        assertThat(err()).isEmpty();
        return out();
    }

    JsonNode json(String... words) {
        var more = new ArrayList<>(List.of(words));
        more.add("--json");
        return JsonMapper.shared().readTree(ran(more.toArray(String[]::new)));
    }
}
