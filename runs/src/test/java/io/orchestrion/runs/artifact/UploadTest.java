package io.orchestrion.runs.artifact;

import static io.orchestrion.runs.artifact.ArtifactFixture.bytes;
import static io.orchestrion.runs.artifact.ArtifactFixture.of;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.runs.objects.StalledSource;
import io.orchestrion.runs.state.RunStatus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/// What a run may have, and what is left when an upload is refused or breaks off.
class UploadTest {
    private static final long LIMIT = 1_000_000;

    @TempDir private Path folder;
    private ArtifactFixture fixture;

    @BeforeEach
    void open() {
        fixture =
                new ArtifactFixture(
                        folder,
                        ArtifactOptions.DEFAULT.withBytesPerRun(LIMIT).withArtifactsPerRun(30));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /// An upload that has sent all of its bytes and does not end.
    private record Stalled(StalledSource source, CompletableFuture<UploadOutcome> outcome) {
        UploadOutcome goOn() {
            source.goOn.release();
            return outcome.join();
        }
    }

    private Stalled stalled(Artifacts node, UUID run, String name, int size) throws Exception {
        var source = new StalledSource(new byte[size]);
        var outcome = new CompletableFuture<UploadOutcome>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                outcome.complete(
                                        fixture.upload(node, of(run, name), (long) size, source));
                            } catch (Throwable e) {
                                outcome.completeExceptionally(e);
                            }
                        });
        source.stalled.acquire();
        return new Stalled(source, outcome);
    }

    ///
    @Test
    void an_artifact_has_what_was_handed_in_and_belongs_to_its_run() throws IOException {
        UUID run = fixture.run("running");
        Artifact stored = fixture.stored(run, "report.txt", "what was found");

        assertThat(stored.of().run()).isEqualTo(run);
        assertThat(stored.state()).isEqualTo(ArtifactState.READY);
        assertThat(stored.size()).isEqualTo(14);
        assertThat(stored.times().createdMs()).isLessThanOrEqualTo(fixture.now());
        assertThat(stored.times().expiresMs()).isNull();
        assertThat(fixture.find(stored.id())).isEqualTo(stored);
        assertThat(fixture.content(stored)).isEqualTo("what was found");
        assertThat(fixture.upload(UUID.randomUUID(), "x", "x"))
                .isInstanceOf(UploadOutcome.NoRun.class);
        assertThatThrownBy(
                        () ->
                                fixture.test
                                        .database()
                                        .execute(
                                                "update run_artifact set run_id = ?",
                                                UUID.randomUUID()))
                .hasStackTraceContaining("does not change");
    }

    ///
    @Test
    void a_name_is_given_once_in_a_run_also_while_its_upload_is_under_way() throws Exception {
        UUID run = fixture.run("running");
        Artifact first = fixture.stored(run, "a", "1");
        assertThat(fixture.upload(run, "a", "2")).isEqualTo(new UploadOutcome.NameTaken(first));
        assertThat(fixture.content(first)).isEqualTo("1");
        assertThat(fixture.upload(fixture.run("running"), "a", "2"))
                .isInstanceOf(UploadOutcome.Stored.class);

        Stalled open = stalled(fixture.artifacts, run, "b", 10);
        assertThat(fixture.upload(run, "b", "2")).isInstanceOf(UploadOutcome.NameTaken.class);
        assertThat(open.goOn()).isInstanceOf(UploadOutcome.Stored.class);
        assertThat(fixture.objects()).hasSize(3);
    }

    /// The key is the artifact's own, and a name that is free again gets another.
    @Test
    void no_key_is_used_twice() throws Exception {
        UUID run = fixture.run("running");
        assertThatThrownBy(() -> fixture.upload(fixture.artifacts, of(run, "a"), null, broken()))
                .hasMessageContaining("the client is gone");
        fixture.stored(run, "a", "2");
        List<Map<String, Object>> rows =
                fixture.test
                        .database()
                        .rows(
                                "select object_key, s3_key from run_artifact f join artifacts a on"
                                        + " a.s3_key = f.object_key");
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0).get("s3_key")).isNotEqualTo(rows.get(1).get("s3_key"));
        assertThatThrownBy(
                        () ->
                                fixture.test
                                        .database()
                                        .execute("update run_artifact set object_key = 'x'"))
                .hasStackTraceContaining("does not change");
    }

    private static InputStream broken() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the client is gone");
            }
        };
    }

    /// E-149.
    @Test
    void what_a_step_makes_is_unique_by_run_step_and_name() throws Exception {
        UUID run = fixture.run("running");
        UUID step = fixture.step(run);
        var of = new Artifact.Of(run, "out", "text/plain", step);
        UploadOutcome made =
                fixture.upload(fixture.artifacts, of, 1L, new ByteArrayInputStream(bytes("1")));
        assertThat(made).isInstanceOf(UploadOutcome.Stored.class);
        assertThat(((UploadOutcome.Stored) made).artifact().of().step()).isEqualTo(step);
        assertThat(fixture.upload(fixture.artifacts, of, 1L, new ByteArrayInputStream(bytes("2"))))
                .isInstanceOf(UploadOutcome.NameTaken.class);
        var strange = new Artifact.Of(fixture.run("running"), "out", "text/plain", step);
        assertThat(fixture.upload(fixture.artifacts, strange, 1L, InputStream.nullInputStream()))
                .isInstanceOf(UploadOutcome.NoStep.class);
    }

    ///
    @Test
    void the_upload_that_would_pass_the_total_of_the_run_is_refused_and_leaves_nothing() {
        UUID run = fixture.run("running");
        fixture.stored(run, "most", "x".repeat((int) LIMIT - 10));
        assertThat(fixture.upload(run, "much", "12345678901"))
                .isEqualTo(new UploadOutcome.TooLarge(LIMIT, LIMIT - 10));
        // The length is not known before.
        assertThat(
                        fixture.upload(
                                fixture.artifacts,
                                of(run, "unknown"),
                                null,
                                new ByteArrayInputStream(new byte[300_000])))
                .isEqualTo(new UploadOutcome.TooLarge(LIMIT, LIMIT - 10));
        assertThat(fixture.objects()).hasSize(1);
        assertThat(fixture.upload(run, "rest", "1234567890"))
                .isInstanceOf(UploadOutcome.Stored.class);
        assertThat(fixture.upload(run, "empty", "")).isInstanceOf(UploadOutcome.Stored.class);
    }

    /// What is under way counts, on whichever node.
    @Test
    void uploads_at_once_do_not_pass_the_total_together() throws Exception {
        UUID run = fixture.run("running");
        try (var other = fixture.secondNode()) {
            Stalled open = stalled(other.artifacts(), run, "half", 600_000);
            assertThat(fixture.upload(run, "more", "x".repeat(500_000)))
                    .isEqualTo(new UploadOutcome.TooLarge(LIMIT, 600_000));
            assertThat(open.goOn()).isInstanceOf(UploadOutcome.Stored.class);
        }
        assertThat(total(run)).isEqualTo(600_000);
    }

    private long total(UUID run) {
        return fixture.test
                .database()
                .value(
                        "select coalesce(sum(size), 0)::bigint from run_artifact where state ="
                                + " 'ready' and run_id = '"
                                + run
                                + "'");
    }

    /// Many at once, of lengths that nobody knows before.
    @Test
    void a_race_of_uploads_fills_the_total_at_the_most() throws Exception {
        UUID run = fixture.run("running");
        var outcomes = new ArrayList<CompletableFuture<UploadOutcome>>();
        try (var other = fixture.secondNode();
                var threads = Executors.newFixedThreadPool(6)) {
            for (int i = 0; i < 12; i++) {
                String name = "race-" + i;
                Artifacts node = i % 2 == 0 ? fixture.artifacts : other.artifacts();
                Long length = i % 3 == 0 ? null : Long.valueOf(200_000);
                outcomes.add(
                        CompletableFuture.supplyAsync(
                                () ->
                                        fixture.upload(
                                                node,
                                                of(run, name),
                                                length,
                                                new ByteArrayInputStream(new byte[200_000])),
                                threads));
            }
            long stored =
                    outcomes.stream()
                            .map(CompletableFuture::join)
                            .filter(UploadOutcome.Stored.class::isInstance)
                            .count();
            assertThat(stored).isBetween(1L, 5L);
            assertThat(total(run)).isEqualTo(stored * 200_000);
            assertThat(fixture.objects()).hasSize((int) stored);
        }
    }

    ///
    @Test
    void the_eleventh_upload_of_a_run_at_once_is_refused_on_every_node() throws Exception {
        UUID run = fixture.run("running");
        var open = new ArrayList<Stalled>();
        try (var other = fixture.secondNode()) {
            for (int i = 0; i < 10; i++) {
                open.add(
                        stalled(
                                i % 2 == 0 ? fixture.artifacts : other.artifacts(),
                                run,
                                "open-" + i,
                                10));
            }
            for (Artifacts node : List.of(fixture.artifacts, other.artifacts())) {
                assertThat(
                                fixture.upload(
                                        node,
                                        of(run, "one more"),
                                        0L,
                                        InputStream.nullInputStream()))
                        .isEqualTo(new UploadOutcome.TooManyUploads(10));
            }
            assertThat(fixture.upload(fixture.run("running"), "other run", "x"))
                    .isInstanceOf(UploadOutcome.Stored.class);
            assertThat(open.getFirst().goOn()).isInstanceOf(UploadOutcome.Stored.class);
            assertThat(fixture.upload(run, "one more", "x"))
                    .isInstanceOf(UploadOutcome.Stored.class);
            for (Stalled each : open.subList(1, 10)) {
                assertThat(each.goOn()).isInstanceOf(UploadOutcome.Stored.class);
            }
        }
    }

    @Test
    void a_run_has_so_many_artifacts_at_the_most() {
        UUID run = fixture.run("running");
        for (int i = 0; i < 30; i++) {
            fixture.stored(run, "n" + i, "");
        }
        assertThat(fixture.upload(run, "n30", ""))
                .isEqualTo(new UploadOutcome.TooManyArtifacts(30));
    }

    @Test
    void no_account_has_all_places_of_a_node() {
        var transfers = new Transfers(5, 2);
        UUID one = UUID.randomUUID();
        var places = new ArrayList<Transfers.Place>();
        places.add(transfers.enter(one));
        places.add(transfers.enter(one));
        assertThat(transfers.enter(one)).isNull();
        for (int i = 0; i < 3; i++) {
            places.add(transfers.enter(UUID.randomUUID()));
        }
        assertThat(places).doesNotContainNull();
        assertThat(transfers.enter(UUID.randomUUID())).isNull();
        places.getFirst().close();
        places.getFirst().close();
        assertThat(transfers.underWay()).isEqualTo(4);
        assertThat(transfers.enter(one)).isNotNull();
    }

    ///
    @Test
    void a_run_that_is_over_takes_nothing_and_any_other_does() {
        for (String status : List.of("completed", "failed", "skipped", "cancelled")) {
            assertThat(fixture.upload(fixture.run(status), "late", "x"))
                    .isEqualTo(new UploadOutcome.RunOver(RunStatus.of(status), false));
        }
        for (String status : List.of("created", "running")) {
            assertThat(fixture.upload(fixture.run(status), "early", "x"))
                    .isInstanceOf(UploadOutcome.Stored.class);
        }
        UUID deleted = fixture.rows().run("created", Map.of("deleted_ms", 1));
        assertThat(fixture.upload(deleted, "late", "x"))
                .isEqualTo(new UploadOutcome.RunOver(RunStatus.CREATED, true));
        assertThat(fixture.objects()).hasSize(2);
    }

    ///
    @Test
    void an_upload_that_the_end_of_its_run_overtakes_is_discarded() throws Exception {
        UUID run = fixture.run("running");
        Stalled open = stalled(fixture.artifacts, run, "slow", 100_000);
        Artifact done = fixture.stored(run, "quick", "x");
        fixture.end(run, "completed");

        assertThat(
                        fixture.test
                                .database()
                                .rows(
                                        "select state, discarded from run_artifact where name ="
                                                + " 'slow'"))
                .containsExactly(Map.of("state", "deleted", "discarded", true));
        assertThat(open.goOn()).isEqualTo(new UploadOutcome.RunOver(RunStatus.COMPLETED, false));
        assertThat(fixture.objects()).extracting(each -> each.key()).containsExactly(done.key());
    }

    ///
    @Test
    void an_upload_that_was_taken_for_dead_ends_in_nothing() throws Exception {
        UUID run = fixture.run("running");
        Stalled open = stalled(fixture.artifacts, run, "paused", 100_000);
        fixture.test.clock().advance(fixture.options.lease().plusSeconds(1));
        assertThat(fixture.sweep()).isOne();
        assertThat(fixture.objects()).isEmpty();
        fixture.stored(run, "paused", "by another");

        assertThat(open.goOn()).isEqualTo(new UploadOutcome.Lost());
        assertThat(fixture.objects()).hasSize(1);
    }

    ///
    @Test
    void an_upload_whose_client_goes_away_leaves_nothing_and_its_name_is_free() {
        UUID run = fixture.run("running");
        assertThatThrownBy(() -> fixture.upload(fixture.artifacts, of(run, "a"), 100L, broken()))
                .hasMessageContaining("the client is gone");
        assertThat(fixture.objects()).isEmpty();
        assertThat(fixture.upload(run, "a", "again")).isInstanceOf(UploadOutcome.Stored.class);
        fixture.sweep();
        assertThat(
                        fixture.test
                                .database()
                                .rows("select id from run_artifact where due_ms is not null"))
                .isEmpty();
        assertThat(fixture.objects()).hasSize(1);
    }

    /// The commit is there and its answer is lost: the object must not be taken away.
    @Test
    void an_artifact_whose_commit_was_in_doubt_keeps_its_object() throws IOException {
        UUID run = fixture.run("running");
        fixture.test
                .failpoints()
                .arm(
                        "artifact.ready",
                        () -> {
                            throw new StoreException(
                                    StoreException.Kind.OUTCOME_UNKNOWN, "the answer was lost");
                        });
        assertThatThrownBy(() -> fixture.upload(run, "doubt", "content"))
                .hasMessageContaining("the answer was lost");
        fixture.sweep();
        fixture.sweepOrphans();
        UUID id =
                (UUID)
                        fixture.test
                                .database()
                                .rows("select id from run_artifact where state = 'ready'")
                                .getFirst()
                                .get("id");
        assertThat(fixture.content(fixture.find(id))).isEqualTo("content");
    }
}
