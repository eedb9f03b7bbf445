package io.orchestrion.runs.artifact;

import static io.orchestrion.runs.artifact.ArtifactFixture.of;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.runs.objects.ObjectKey;
import io.orchestrion.runs.objects.ObjectStore.Found;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;

/// What is left of an upload whose process died, and who takes it away.
class CrashTest {
    @TempDir private Path folder;
    private ArtifactFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ArtifactFixture(folder, ArtifactOptions.DEFAULT);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /// A process that is killed with SIGKILL at that place. It is one of its own, as nothing of it
    /// may run afterwards.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "artifact.begun=halt",
                "object.chunk-written=halt@1",
                "object.chunk-written=halt@3",
                "object.file-written=halt",
                "object.file-linked=halt",
                "artifact.written=halt"
            })
    void a_crash_during_an_upload_leaves_no_artifact_and_after_the_sweep_no_object(String place)
            throws Exception {
        UUID run = fixture.run("running");
        Artifact other = fixture.stored(run, "other", "stays");
        assertThat(KilledUpload.run(fixture, run, place)).isEqualTo(137);

        assertThat(fixture.upload(run, "killed", "x")).isInstanceOf(UploadOutcome.NameTaken.class);
        fixture.test.clock().advance(fixture.options.lease().plusSeconds(1));
        try (var node = fixture.secondNode()) {
            assertThat(fixture.sweep() + node.kernel().sweepOnce("artifact-sweeper")).isOne();
        }
        assertThat(fixture.objects()).containsExactly(new Found(other.key(), true));
        assertThat(
                        fixture.test
                                .database()
                                .rows(
                                        "select 1 from run_artifact where name = 'killed' and state"
                                                + " = 'deleted' and discarded"))
                .hasSize(1);
        fixture.stored(run, "killed", "x");
    }

    /// After the commit it is an artifact, whatever became of the process.
    @Test
    void a_crash_after_the_commit_leaves_an_artifact() throws Exception {
        UUID run = fixture.run("running");
        assertThat(KilledUpload.run(fixture, run, "artifact.ready=halt")).isEqualTo(137);
        fixture.test.clock().advance(fixture.options.lease().plusSeconds(1));
        fixture.sweep();
        fixture.sweepOrphans();
        UUID id =
                (UUID)
                        fixture.test
                                .database()
                                .rows("select id from run_artifact where state = 'ready'")
                                .getFirst()
                                .get("id");
        assertThat(fixture.content(fixture.find(id))).hasSize(KilledUpload.BYTES);
    }

    /// A process that stood still for longer than its lease and goes on at the worst moment: its
    /// object is finished when nobody expects it any more.
    @Test
    void what_a_writer_finishes_after_it_was_swept_is_found_by_the_walk() throws Exception {
        UUID run = fixture.run("running");
        var reached = new Semaphore(0);
        var goOn = new Semaphore(0);
        fixture.test
                .failpoints()
                .arm(
                        "artifact.written",
                        () -> {
                            reached.release();
                            goOn.acquireUninterruptibly();
                            throw new Error("killed");
                        });
        Thread writer =
                Thread.ofVirtual().start(() -> ignored(() -> fixture.upload(run, "a", "x")));
        reached.acquire();
        // The row is swept before its object is there: as if the link came later.
        fixture.test
                .database()
                .execute(
                        "update run_artifact set state = 'deleted', discarded = true, deleted_ms ="
                                + " 1, due_ms = null");
        try (var node = fixture.secondNode()) {
            assertThat(fixture.objects()).hasSize(1);
            assertThat(node.kernel().sweepOnce("artifact-orphans")).isOne();
            assertThat(fixture.sweepOrphans()).isZero();
        }
        assertThat(fixture.objects()).isEmpty();
        goOn.release();
        writer.join();
    }

    private static void ignored(Runnable action) {
        try {
            action.run();
        } catch (Error e) {
            // The test's own.
        }
    }

    /// Objects without a row, and those that are not ours to judge.
    @Test
    void the_walk_removes_objects_without_a_row_and_no_others() throws IOException {
        UUID run = fixture.run("running");
        Artifact artifact = fixture.stored(run, "a", "x");
        String ours = artifact.key().text().substring(0, artifact.key().text().lastIndexOf('/'));
        List<ObjectKey> others =
                List.of(
                        new ObjectKey(
                                UUID.randomUUID()
                                        + "/"
                                        + UUID.randomUUID()
                                        + "/"
                                        + UUID.randomUUID()),
                        new ObjectKey(
                                fixture.account
                                        + "/"
                                        + UUID.randomUUID()
                                        + "/"
                                        + UUID.randomUUID()),
                        new ObjectKey("something/else"));
        for (ObjectKey each : others) {
            put(each);
        }
        put(new ObjectKey(ours + "/" + UUID.randomUUID()));
        put(new ObjectKey(ours + "/" + UUID.randomUUID()));
        assertThat(fixture.sweepOrphans()).isEqualTo(2);
        assertThat(fixture.objects())
                .extracting(Found::key)
                .containsExactlyInAnyOrder(
                        artifact.key(), others.get(0), others.get(1), others.get(2));
    }

    private void put(ObjectKey key) throws IOException {
        fixture.store.put(key, new ByteArrayInputStream(new byte[10]));
    }

    /// While an upload is under way, both sweeps of both nodes leave it alone.
    @Test
    void a_living_upload_is_left_alone() {
        UUID run = fixture.run("running");
        try (var node = fixture.secondNode()) {
            fixture.test
                    .failpoints()
                    .arm(
                            "object.file-linked",
                            () -> {
                                assertThat(fixture.sweepOrphans()).isZero();
                                assertThat(node.kernel().sweepOnce("artifact-orphans")).isZero();
                                assertThat(node.kernel().sweepOnce("artifact-sweeper")).isZero();
                            });
            fixture.test
                    .failpoints()
                    .arm(
                            "object.file-written",
                            () -> assertThat(node.kernel().sweepOnce("artifact-orphans")).isZero());
            assertThat(
                            fixture.upload(
                                    fixture.artifacts,
                                    of(run, "a"),
                                    null,
                                    new ByteArrayInputStream(new byte[100_000])))
                    .isInstanceOf(UploadOutcome.Stored.class);
        }
        assertThat(fixture.objects()).hasSize(1);
    }
}
