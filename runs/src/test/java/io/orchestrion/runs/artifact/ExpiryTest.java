package io.orchestrion.runs.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.runs.artifact.Artifacts.Got;
import io.orchestrion.runs.objects.ObjectStore;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/// How long artifacts stay, and how they go.
class ExpiryTest {
    private static final Duration KEPT = Duration.ofDays(30);

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

    private Artifact ended(String content) {
        UUID run = fixture.run("running");
        Artifact artifact = fixture.stored(run, "a", content);
        fixture.end(run, "completed");
        return artifact;
    }

    private long expires(Artifact artifact) {
        Long at = fixture.find(artifact.id()).times().expiresMs();
        assertThat(at).isNotNull();
        return at;
    }

    private Got get(Artifact artifact) {
        return fixture.artifacts.get(fixture.account, artifact.id());
    }

    /// At the end of the run, whichever it is.
    @Test
    void the_end_of_the_run_says_when_its_artifacts_expire() {
        for (String status : List.of("completed", "failed", "skipped", "cancelled")) {
            UUID run = fixture.run("running");
            Artifact artifact = fixture.stored(run, "a", "x");
            assertThat(fixture.find(artifact.id()).times().expiresMs()).isNull();
            long at = fixture.now();
            fixture.ended(run, at);
            assertThat(expires(artifact)).as(status).isEqualTo(at + KEPT.toMillis());
        }
    }

    /// A run that failed and was retried completes later.
    @Test
    void each_end_of_a_run_counts_anew_for_what_is_still_there() {
        UUID run = fixture.run("running");
        Artifact old = fixture.stored(run, "old", "x");
        fixture.ended(run, fixture.now());
        fixture.test.clock().advance(KEPT.minusDays(1));
        Artifact young = fixture.stored(run, "young", "x");
        long at = fixture.now();
        fixture.ended(run, at);
        assertThat(expires(old)).isEqualTo(at + KEPT.toMillis());
        assertThat(expires(young)).isEqualTo(at + KEPT.toMillis());
    }

    ///
    @Test
    void access_makes_the_time_longer_and_never_shorter() {
        Artifact artifact = ended("x");
        long end = expires(artifact);
        assertThat(get(artifact)).isInstanceOf(Got.Here.class);
        assertThat(expires(artifact)).isEqualTo(end);

        fixture.test.clock().advance(KEPT.minusMinutes(1));
        assertThat(get(artifact)).isInstanceOf(Got.Here.class);
        long longer = expires(artifact);
        assertThat(longer)
                .isGreaterThan(end)
                .isBetween(fixture.now() + 3_590_000, fixture.now() + 3_600_000);

        fixture.test.clock().advance(Duration.ofMinutes(59));
        assertThat(get(artifact)).isInstanceOf(Got.Here.class);
        assertThat(expires(artifact)).isGreaterThan(longer);
    }

    /// It would never expire at the right time otherwise.
    @Test
    void access_before_the_end_of_the_run_sets_no_time() {
        Artifact artifact = fixture.stored(fixture.run("running"), "a", "x");
        assertThat(get(artifact)).isInstanceOf(Got.Here.class);
        assertThat(fixture.find(artifact.id()).times().expiresMs()).isNull();
        fixture.test.clock().advance(KEPT.multipliedBy(3));
        fixture.sweep();
        assertThat(get(artifact)).isInstanceOf(Got.Here.class);
    }

    ///
    @Test
    void after_its_time_the_object_is_gone_and_the_record_stays() {
        Artifact artifact = ended("x");
        Artifact other = ended("y");
        fixture.test.clock().advance(KEPT.minusMinutes(10));
        get(other);
        assertThat(fixture.sweep()).isZero();

        fixture.test.clock().advance(Duration.ofMinutes(11));
        // Not swept yet, and out of reach all the same.
        assertThat(get(artifact)).isInstanceOf(Got.Expired.class);
        assertThat(fixture.objects()).hasSize(2);
        assertThat(fixture.sweep()).isOne();
        assertThat(fixture.told("expired")).isOne();

        assertThat(fixture.objects())
                .extracting(ObjectStore.Found::key)
                .containsExactly(other.key());
        Artifact kept = fixture.find(artifact.id());
        assertThat(kept.state()).isEqualTo(ArtifactState.DELETED);
        assertThat(kept.discarded()).isFalse();
        assertThat(kept.times().deletedMs()).isNotNull();
        assertThat(kept.size()).isEqualTo(1);
        assertThat(get(artifact)).isEqualTo(new Got.Expired(kept));
        assertThat(get(other)).isInstanceOf(Got.Here.class);
        assertThat(fixture.sweep()).isZero();
        assertThatThrownBy(
                        () ->
                                fixture.test
                                        .database()
                                        .execute(
                                                "update run_artifact set state = 'ready',"
                                                        + " deleted_ms = null, due_ms = expires_ms"
                                                        + " where id = ?",
                                                artifact.id()))
                .hasStackTraceContaining("cannot become ready");
    }

    ///
    @Test
    void a_download_that_was_begun_before_goes_on_to_its_end() throws IOException {
        String content = "0123456789".repeat(500_000);
        Artifact artifact = ended(content);
        byte[] all = content.getBytes(StandardCharsets.UTF_8);
        try (InputStream in = fixture.artifacts.open(artifact, 0, all.length)) {
            assertThat(in.readNBytes(1000)).isEqualTo(Arrays.copyOf(all, 1000));
            fixture.test.clock().advance(KEPT.plusDays(1));
            assertThat(fixture.sweep()).isOne();
            assertThat(fixture.objects()).isEmpty();
            assertThat(get(artifact)).isInstanceOf(Got.Expired.class);
            assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(all, 1000, all.length));
        }
        assertThatThrownBy(() -> fixture.artifacts.open(artifact, 0, all.length))
                .isInstanceOf(ObjectStore.NoSuchObject.class);
    }

    /// Between the choice of what goes and its removal nobody can get it back.
    @Test
    void access_and_expiry_at_the_same_moment_have_one_winner() {
        Artifact artifact = ended("x");
        fixture.test.clock().advance(KEPT);
        fixture.test
                .failpoints()
                .arm(
                        "artifact.claimed-for-removal",
                        () -> assertThat(get(artifact)).isInstanceOf(Got.Expired.class));
        assertThat(fixture.sweep()).isOne();

        Artifact second = ended("y");
        fixture.test.clock().advance(KEPT.minusSeconds(1));
        assertThat(get(second)).isInstanceOf(Got.Here.class);
        fixture.test.clock().advance(Duration.ofMinutes(30));
        assertThat(fixture.sweep()).isZero();
        assertThat(get(second)).isInstanceOf(Got.Here.class);
    }

    /// A node that is killed between marking and removing.
    @Test
    void what_a_dead_node_has_marked_another_removes() {
        Artifact artifact = ended("x");
        fixture.test.clock().advance(KEPT.plusDays(1));
        try (var other = fixture.secondNode()) {
            for (String place : List.of("artifact.claimed-for-removal", "artifact.removed")) {
                fixture.test
                        .failpoints()
                        .arm(
                                place,
                                () -> {
                                    throw new Failpoints.Injected(place);
                                });
                assertThatThrownBy(fixture::sweep).hasMessageContaining(place);
                assertThat(fixture.find(artifact.id()).state()).isEqualTo(ArtifactState.DELETED);
                assertThat(other.kernel().sweepOnce("artifact-sweeper")).isZero();
                fixture.test.clock().advance(Duration.ofMinutes(3));
                fixture.test.failpoints().disarm(place);
            }
            assertThat(other.kernel().sweepOnce("artifact-sweeper")).isOne();
        }
        assertThat(fixture.objects()).isEmpty();
        fixture.test.clock().advance(Duration.ofMinutes(3));
        assertThat(fixture.sweep()).isZero();
    }

    @Test
    void two_nodes_that_sweep_at_once_expire_each_artifact_once() {
        UUID run = fixture.run("running");
        for (int i = 0; i < 120; i++) {
            fixture.stored(run, "n" + i, "x");
        }
        fixture.end(run, "completed");
        fixture.test.clock().advance(KEPT.plusSeconds(1));
        try (var other = fixture.secondNode()) {
            int swept = 0;
            int last = 1;
            while (last > 0) {
                var there =
                        CompletableFuture.supplyAsync(
                                () -> other.kernel().sweepOnce("artifact-sweeper"));
                last = fixture.sweep() + there.join();
                swept += last;
            }
            assertThat(swept).isEqualTo(120);
            assertThat(fixture.told("expired")).isEqualTo(120);
        }
        assertThat(fixture.objects()).isEmpty();
    }

    @Test
    void a_run_that_is_dropped_takes_its_artifacts_along() {
        UUID run = fixture.run("running");
        fixture.stored(run, "a", "x");
        fixture.test
                .kernel()
                .database()
                .retried(
                        tx -> {
                            ArtifactEnds.dropped(tx, fixture.account, run);
                            assertThat(ArtifactEnds.purge(tx, fixture.account, run, 10)).isZero();
                            return run;
                        });
        assertThat(fixture.sweep()).isOne();
        int purged =
                fixture.test
                        .kernel()
                        .database()
                        .retried(tx -> ArtifactEnds.purge(tx, fixture.account, run, 10));
        assertThat(purged).isOne();
        assertThat(fixture.test.database().rows("select id from run_artifact")).isEmpty();
        assertThat(fixture.objects()).isEmpty();
    }

    ///
    @Test
    void the_view_has_the_words_of_the_contract() {
        Artifact artifact = ended("x");
        Map<String, Object> row =
                fixture.test
                        .database()
                        .rows(
                                "select id, run_id, s3_key, status, checksum, expires_at -"
                                        + " created_at > interval '29 days' as long from artifacts")
                        .getFirst();
        assertThat(row)
                .containsEntry("id", "art_" + artifact.id())
                .containsEntry("run_id", "run_" + artifact.of().run())
                .containsEntry("s3_key", artifact.key().text())
                .containsEntry("status", "ready")
                .containsEntry("checksum", artifact.sha256())
                .containsEntry("long", true);
    }
}
