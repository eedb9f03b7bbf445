package io.orchestrion.runs.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.runs.Runs;
import io.orchestrion.runs.RunsSchema;
import io.orchestrion.runs.check.Rows;
import io.orchestrion.runs.objects.FileStore;
import io.orchestrion.runs.objects.ObjectStore;
import io.orchestrion.testkit.TestKernel;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;

/// A kernel with artifacts in a folder, one account, and runs in whatever state the test needs.
final class ArtifactFixture implements AutoCloseable {
    final TestKernel test = new TestKernel(ArtifactFixture::withRuns);
    final Path folder;
    final ArtifactOptions options;
    final ObjectStore store;
    final Artifacts artifacts;
    final UUID account = test.account();

    ArtifactFixture(Path folder, ArtifactOptions options) {
        this.folder = folder;
        this.options = options;
        store = store(test.failpoints());
        artifacts = new Artifacts(test.kernel(), store, options);
    }

    private static KernelOptions withRuns(KernelOptions options) {
        return options.withSubjects(Runs.SUBJECTS)
                .withSchema(options.schema().plus(List.of(RunsSchema.PART)));
    }

    private ObjectStore store(Failpoints failpoints) {
        try {
            return FileStore.in(
                    folder.resolve("artifacts"),
                    folder.resolve("artifacts.key"),
                    new Random(),
                    failpoints);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Another node on the same database and folder.
    record Node(Kernel kernel, Artifacts artifacts) implements AutoCloseable {
        @Override
        public void close() {
            kernel.close();
        }
    }

    Node secondNode() {
        Kernel kernel = test.anotherNode(ArtifactFixture::withRuns);
        return new Node(
                kernel, new Artifacts(kernel, store(kernel.database().failpoints()), options));
    }

    /// How many events of artifacts the account's log has with that word.
    long told(String event) {
        return test.database()
                .value(
                        "select count(*) from subject_event where kind = 'run_artifact' and event ="
                                + " ?",
                        event);
    }

    Rows rows() {
        return new Rows(test.database(), account, now());
    }

    UUID run(String status) {
        boolean paid = !status.equals("created");
        int charged = paid && !status.equals("running") ? 1 : 0;
        return rows().run(
                        status,
                        Map.of("credits_reserved", paid ? 1 : 0, "credits_charged", charged));
    }

    UUID step(UUID run) {
        Rows rows = rows();
        UUID agent = rows.agent(run, 0, "running", Map.of());
        return rows.step(run, agent, rows.task(run, agent, Map.of()));
    }

    long now() {
        return test.kernel().database().transaction(tx -> tx.nowMillis());
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Artifact.Of of(UUID run, String name) {
        return new Artifact.Of(run, name, "text/plain", null);
    }

    UploadOutcome upload(UUID run, String name, String content) {
        byte[] bytes = bytes(content);
        return upload(
                artifacts, of(run, name), (long) bytes.length, new ByteArrayInputStream(bytes));
    }

    UploadOutcome upload(
            Artifacts node, Artifact.Of of, @Nullable Long length, InputStream content) {
        try {
            return node.upload(account, of, length, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Artifact stored(UUID run, String name, String content) {
        UploadOutcome outcome = upload(run, name, content);
        assertThat(outcome).isInstanceOf(UploadOutcome.Stored.class);
        return ((UploadOutcome.Stored) outcome).artifact();
    }

    /// As the engine does it: the run's row and its artifacts in one transaction.
    void end(UUID run, String status) {
        long now = now();
        test.database()
                .execute(
                        "update run set status = ?, completed_ms = ?, duration_ms = 1,"
                                + " last_error = 'it did not work', credits_charged = 1,"
                                + " running_since_ms = null where id = ?",
                        status,
                        now,
                        run);
        ended(run, now);
    }

    void ended(UUID run, long at) {
        test.kernel()
                .database()
                .retried(
                        tx -> {
                            ArtifactEnds.ended(tx, account, run, at);
                            return run;
                        });
    }

    Artifact find(UUID id) {
        return Objects.requireNonNull(
                test.kernel().database().transaction(tx -> ArtifactSql.find(tx, account, id)));
    }

    String content(Artifact artifact) throws IOException {
        try (InputStream in = artifacts.open(artifact, 0, artifact.size())) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// All that the store holds, finished or not.
    List<ObjectStore.Found> objects() {
        try {
            return store.list(null, 1_000).found();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int sweep() {
        return test.kernel().sweepOnce("artifact-sweeper");
    }

    int sweepOrphans() {
        return test.kernel().sweepOnce("artifact-orphans");
    }

    @Override
    public void close() {
        test.close();
    }
}
