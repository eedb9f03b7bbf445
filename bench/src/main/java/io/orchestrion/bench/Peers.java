package io.orchestrion.bench;

import io.orchestrion.bench.StoreSql.Address;
import io.orchestrion.bench.load.Sample;
import io.orchestrion.bench.report.Result;
import io.orchestrion.bench.scenario.Bench;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Other engines on the same PostgreSQL in the same run, each driven by a program of its own in
/// `bench/peers` of a checkout. They run in process, without HTTP.
final class Peers {
    /// All of them, as they are asked for.
    static final List<String> NAMES = List.of("graphile-worker", "pg-boss", "db-scheduler", "dbos");

    private static final List<String> QUEUES = List.of("single", "batch");
    private static final List<String> WORKFLOWS = List.of("one-step", "ten-steps");

    private final Path folder;
    private final Bench bench;

    private Peers(Path folder, Bench bench) {
        this.folder = folder;
        this.bench = bench;
    }

    /// @param folder of their programs
    /// @param names of those that are wanted
    static void run(Path folder, List<String> names, Bench bench) throws Exception {
        if (!Files.isDirectory(folder)) {
            throw new IOException(
                    "--peers needs a checkout of the project: there is no folder "
                            + folder.toAbsolutePath());
        }
        var peers = new Peers(folder, bench);
        for (String name : names) {
            switch (name) {
                case "db-scheduler" -> peers.inJava(name, QUEUES);
                case "dbos" -> peers.inJava(name, WORKFLOWS);
                default -> peers.inNode(name);
            }
        }
    }

    private void inNode(String name) throws Exception {
        prepare(
                name,
                "package-lock.json",
                "node_modules/.package-lock.json",
                "npm",
                "ci",
                "--no-audit",
                "--no-fund");
        measure(name, QUEUES, "node", "run.mjs");
    }

    private void inJava(String name, List<String> modes) throws Exception {
        prepare(name, "src", "target/peer.jar", "mvn", "-q", "-B", "package");
        // The Java that the servers run on, which need not be the one on the path.
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        measure(name, modes, java, "-jar", "target/peer.jar");
    }

    /// Installs what is not there yet, or was made of something older.
    ///
    /// @param source what it is made of
    private void prepare(String name, String source, String made, String... command)
            throws Exception {
        Path place = folder.resolve(name);
        if (Files.exists(place.resolve(made))
                && newest(place.resolve(source)) <= newest(place.resolve(made))) {
            return;
        }
        bench.say("  preparing " + name + ": " + String.join(" ", command));
        Process process =
                new ProcessBuilder(command)
                        .directory(place.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(name + " could not be prepared:\n" + said);
        }
    }

    /// When the last of the files in it was written.
    private static long newest(Path place) throws IOException {
        try (Stream<Path> files = Files.walk(place)) {
            return files.mapToLong(file -> file.toFile().lastModified()).max().orElse(0);
        }
    }

    private void measure(String name, List<String> modes, String... program) throws Exception {
        for (String mode : modes) {
            Address database = bench.lab().newDatabase();
            var command = new ArrayList<>(List.of(program));
            command.addAll(
                    List.of(
                            "--url",
                            url(database),
                            "--mode",
                            mode,
                            "--payload",
                            Sample.PAYLOAD,
                            "--seconds",
                            String.valueOf(Math.max(1, bench.scale().counted().toSeconds())),
                            "--warmup",
                            // One of them needs so long to find its pace.
                            String.valueOf(Math.max(3, bench.scale().warmUp().toSeconds()))));
            Path words = bench.lab().folder().resolve("peer.log");
            Process process =
                    new ProcessBuilder(command)
                            .directory(folder.resolve(name).toFile())
                            .redirectError(words.toFile())
                            .start();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException(
                        name
                                + " failed in mode "
                                + mode
                                + " and said:\n"
                                + Files.readString(words));
            }
            JsonNode answer = JsonMapper.shared().readTree(said.strip());
            bench.add(
                    new Result(
                            "peer",
                            name + " " + answer.path("version").asString() + ", " + mode,
                            answer.path("lifeCyclesPerSecond").asDouble(),
                            Result.LIFE_CYCLES,
                            Map.of(),
                            null,
                            Map.of()));
            bench.lab().drop(database);
        }
    }

    private static String url(Address database) {
        URI uri = URI.create(database.jdbcUrl().substring("jdbc:".length()));
        return "postgresql://"
                + URLEncoder.encode(database.user(), StandardCharsets.UTF_8)
                + ":"
                + URLEncoder.encode(database.password(), StandardCharsets.UTF_8)
                + "@"
                + uri.getAuthority()
                + uri.getPath();
    }
}
