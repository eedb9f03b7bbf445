package io.orchestrion.runs.artifact;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.runs.Runs;
import io.orchestrion.runs.RunsSchema;
import io.orchestrion.runs.objects.FileStore;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// A process that uploads one artifact and dies on the way.
final class KilledUpload {
    static final int BYTES = 300_000;

    private KilledUpload() {}

    /// The exit status of the process.
    static int run(ArtifactFixture fixture, UUID run, String failpoint) throws Exception {
        DatabaseOptions database = fixture.test.database().options();
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-Dorchestrion.failpoints=" + failpoint,
                                "-cp",
                                System.getProperty("java.class.path"),
                                KilledUpload.class.getName(),
                                database.jdbcUrl(),
                                database.user(),
                                database.password(),
                                fixture.folder.toString(),
                                fixture.account.toString(),
                                run.toString())
                        .inheritIO()
                        .start();
        if (!process.waitFor(Duration.ofMinutes(2).toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the process did not end by itself");
        }
        return process.exitValue();
    }

    public static void main(String[] words) throws Exception {
        KernelOptions options = KernelOptions.on(DatabaseOptions.of(words[0], words[1], words[2]));
        var kernel =
                new Kernel(
                        options.withFailpoints(Failpoints.fromSystemProperty())
                                .withSubjects(Runs.SUBJECTS)
                                .withSchema(options.schema().plus(List.of(RunsSchema.PART))));
        Path folder = Path.of(words[3]);
        var artifacts =
                new Artifacts(
                        kernel,
                        FileStore.in(
                                folder.resolve("artifacts"),
                                folder.resolve("artifacts.key"),
                                new Random(),
                                kernel.database().failpoints()),
                        ArtifactOptions.DEFAULT);
        var of = new Artifact.Of(UUID.fromString(words[5]), "killed", "text/plain", null);
        var content = new ByteArrayInputStream(new byte[BYTES]);
        System.err.println(artifacts.upload(UUID.fromString(words[4]), of, null, content));
    }
}
