package io.orchestrion.server.ops;

import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.Failures;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.Settings;
import io.orchestrion.server.settings.SettingsCatalogue;
import io.orchestrion.tools.Terminal;

import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// `orchestrion aot-train`, which the launcher runs with `-XX:AOTCacheOutput`: starts a server on a
/// throw-away folder, makes the calls a first user makes, and stops. What it loads and links is
/// what later starts find ready in the cache.
public final class AotTrainCommand implements Callable<Integer> {
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"");
    // Enough for the profiles of the request path; the cache did not get better with more.
    private static final int ROUNDS = 50;
    private static final List<String> DOCUMENTS =
            List.of("/v1/capabilities", "/v1/tool", "/v1/schema", "/llms.txt", "/ready");

    private final SettingsCatalogue catalogue;
    private final DatabaseSource databases;
    private final Engine engine;
    private final CommandSpec spec;

    public AotTrainCommand(SettingsCatalogue catalogue, DatabaseSource databases, Engine engine) {
        this.catalogue = catalogue;
        this.databases = databases;
        this.engine = engine;
        spec = CommandSpec.wrapWithoutInspection(this).name("aot-train");
        spec.usageMessage().hidden(true).description("Make the start-up cache.");
    }

    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() throws StartFailure, IOException, InterruptedException {
        Path folder = Files.createTempDirectory("orchestrion-train");
        // The embedded database of root runs as another user, who has to get through here.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        var life = new ServerLife(databases, engine);
        try {
            Settings settings =
                    catalogue.of(Map.of(Setting.DATA, folder.toString(), Setting.PORT, "0"));
            Logging.configure(settings, Terminal.PLAIN);
            Preflight.check(settings);
            Banner banner = life.start(settings, Progress.SILENT);
            banner.render(Terminal.PLAIN);
            exercise(banner);
            life.drain(1, new StopSignals());
        } catch (StartFailure e) {
            // Where no embedded database runs, a cache of what was loaded up to here is better than
            // none.
            Failures.print(e, System.err);
        } finally {
            life.close();
            delete(folder);
        }
        return ExitCode.OK.number();
    }

    /// Answers do not matter here: a call that is refused has loaded its classes too.
    private static void exercise(Banner banner) throws IOException, InterruptedException {
        Path keyFile = Path.of(banner.keyFile());
        String key = Files.exists(keyFile) ? Files.readString(keyFile).strip() : "";
        try (HttpClient client = HttpClient.newHttpClient()) {
            var caller = new Caller(client, banner.url(), key);
            for (String document : DOCUMENTS) {
                caller.get(document);
            }
            for (int i = 0; i < ROUNDS; i++) {
                caller.get("/health");
                String task =
                        caller.post(
                                "/v1/tasks",
                                "{\"type\":\"hello\",\"payload\":{\"name\":\"world\"}}");
                caller.post("/v1/tasks/claim", "{\"type\":\"hello\",\"workerId\":\"training\"}");
                Matcher id = ID.matcher(task);
                if (id.find()) {
                    String path = "/v1/tasks/" + id.group(1);
                    caller.post(path + "/heartbeat", "{}");
                    caller.post(path + "/complete", "{\"result\":{\"ok\":true}}");
                    caller.get(path);
                }
                caller.get("/v1/tasks?limit=5");
            }
        }
    }

    private record Caller(HttpClient client, String url, String key) {
        String get(String path) throws IOException, InterruptedException {
            return send(request(path).GET());
        }

        String post(String path, String body) throws IOException, InterruptedException {
            return send(
                    request(path)
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString(body)));
        }

        private HttpRequest.Builder request(String path) {
            return HttpRequest.newBuilder(URI.create(url + path))
                    .timeout(Duration.ofSeconds(5))
                    .header("Authorization", "Bearer " + key);
        }

        private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
            HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
            return answer.body();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
