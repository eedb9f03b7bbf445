package io.orchestrion.jobs.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.Job;
import io.orchestrion.jobs.JobAck;
import io.orchestrion.jobs.JobFailure;
import io.orchestrion.jobs.JobOutcome;
import io.orchestrion.jobs.JobReport;
import io.orchestrion.jobs.JobState;
import io.orchestrion.jobs.catalogue.Expected;
import io.orchestrion.jobs.catalogue.JobDefinition;
import io.orchestrion.jobs.catalogue.WorkKind;
import io.orchestrion.jobs.handler.Produced;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/// Every work kind, run by a real runner a thousand times faster than it says.
@Timeout(180)
class CatalogueRunTest {
    private static final double FAST = 0.001;

    private final RunnerFixture fixture = new RunnerFixture();

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    /// J-022, J-023..J-035, J-040..J-052 as far as the run itself goes.
    @Test
    void every_kind_that_is_left_alone_ends_as_the_catalogue_says() {
        var ids = new EnumMap<WorkKind, UUID>(WorkKind.class);
        for (WorkKind kind : WorkKind.values()) {
            if (!kind.refused()) {
                ids.put(kind, fixture.submit(kind.name()).id());
            }
        }
        fixture.run(RunnerFixture.quick("fast", 8, FAST));
        ids.forEach(
                (kind, id) ->
                        Until.isTrue(
                                kind + " ends",
                                RunnerFixture.SOON,
                                () -> fixture.job(id).state().isFinal()));
        for (Map.Entry<WorkKind, UUID> each : ids.entrySet()) {
            WorkKind kind = each.getKey();
            Job job = fixture.job(each.getValue());
            assertThat(job.state())
                    .as(kind.name())
                    .isEqualTo(kind.shouldFail() ? JobState.FAILED : JobState.SUCCEEDED);
            JobReport report = fixture.report(job.id());
            if (kind.shouldFail()) {
                assertThat(report.outcome()).isEqualTo(JobOutcome.FAILED);
                assertThat(report.outputBytes()).isNull();
            } else {
                JobDefinition definition = Objects.requireNonNull(job.definition());
                Produced output = SimulatedOutput.of(definition.seedMs(), kind.payloadSizeBytes());
                assertThat(report.outcome()).as(kind.name()).isEqualTo(JobOutcome.SUCCESS);
                assertThat(report.outputBytes()).isEqualTo(kind.payloadSizeBytes());
                assertThat(report.outputSha256()).isEqualTo(output.sha256());
            }
        }
        assertThat(code(ids, WorkKind.FAIL_IMMEDIATE)).isEqualTo(JobFailure.SIMULATED);
        assertThat(failure(ids, WorkKind.FAIL_AFTER_RETRYABLE).retryable()).isTrue();
        assertThat(failure(ids, WorkKind.FAIL_AFTER_PROGRESS).retryable()).isFalse();
        assertThat(code(ids, WorkKind.RUNS_OVER_TIMEOUT)).isEqualTo(JobFailure.TIMED_OUT);
        assertThat(fixture.events(ids.get(WorkKind.RUNS_OVER_TIMEOUT)))
                .containsExactly(
                        "job.created",
                        "job.queued",
                        "job.assigned",
                        "job.running",
                        "job.timed_out");
    }

    private JobFailure failure(Map<WorkKind, UUID> ids, WorkKind kind) {
        UUID id = Objects.requireNonNull(ids.get(kind));
        return Objects.requireNonNull(fixture.job(id).failure());
    }

    private String code(Map<WorkKind, UUID> ids, WorkKind kind) {
        return failure(ids, kind).code();
    }

    /// J-028: it fails, says that it may be tried again, and is.
    @Test
    void what_says_that_it_may_be_tried_again_is() {
        UUID id = fixture.submit(WorkKind.FAIL_AFTER_RETRYABLE.name()).id();
        fixture.run(RunnerFixture.quick("fast", 1, FAST));
        Job failed = fixture.await(id, JobState.FAILED);
        assertThat(failed.attempt()).isEqualTo(1);
        assertThat(Objects.requireNonNull(failed.failure()).retryable()).isTrue();
        JobDefinition definition = Objects.requireNonNull(failed.definition());
        assertThat(definition.durationMs()).isEqualTo(5_000);
        assertThat(definition.shouldFail()).isTrue();
        assertThat(definition.payloadSizeBytes()).isEqualTo(8 * 1024);
        fixture.retry(id);
        Until.isTrue(
                "it was run again",
                RunnerFixture.SOON,
                () -> fixture.job(id).attempt() == 2 && fixture.job(id).state() == JobState.FAILED);
        assertThat(fixture.events(id))
                .containsExactly(
                        "job.created",
                        "job.queued",
                        "job.assigned",
                        "job.running",
                        "job.failed",
                        "job.retried",
                        "job.assigned",
                        "job.running",
                        "job.failed");
    }

    /// J-038.
    @Test
    void what_fails_once_succeeds_when_it_is_retried() {
        UUID id = fixture.submit(WorkKind.RETRY_ON_FAIL.name()).id();
        fixture.run(RunnerFixture.quick("fast", 1, FAST));
        fixture.await(id, JobState.FAILED);
        fixture.retry(id);
        Job done = fixture.await(id, JobState.SUCCEEDED);
        assertThat(done.attempt()).isEqualTo(2);
        assertThat(WorkKind.RETRY_ON_FAIL.expected()).isEqualTo(Expected.FAILED_THEN_SUCCEEDED);
    }

    /// J-039, J-196.
    @Test
    void what_always_fails_fails_until_no_retry_is_left() {
        UUID id = fixture.submit(WorkKind.RETRY_LIMIT_REACHED.name()).id();
        fixture.run(RunnerFixture.quick("fast", 1, FAST));
        for (int attempt = 1; attempt <= 4; attempt++) {
            int now = attempt;
            Until.isTrue(
                    "attempt " + now + " failed",
                    RunnerFixture.SOON,
                    () ->
                            fixture.job(id).state() == JobState.FAILED
                                    && fixture.job(id).attempt() == now);
            if (attempt < 4) {
                fixture.retry(id);
            }
        }
        assertThat(fixture.jobs().retry(fixture.account, id))
                .isInstanceOf(JobAck.RetriesUsedUp.class);
    }

    /// J-036.
    @Test
    void what_is_canceled_in_the_queue_is_never_run() {
        UUID id = fixture.submit(WorkKind.CANCEL_BEFORE_START.name()).id();
        fixture.cancel(id);
        UUID after = fixture.submit(WorkKind.SUCCESS_FAST.name()).id();
        fixture.run(RunnerFixture.quick("fast", 1, FAST));
        fixture.await(after, JobState.SUCCEEDED);
        assertThat(fixture.job(id).state()).isEqualTo(JobState.CANCELED);
        assertThat(fixture.events(id)).containsExactly("job.created", "job.queued", "job.canceled");
    }

    /// J-037, J-104.
    @Test
    void what_is_canceled_while_it_runs_stops_at_once() {
        UUID id = fixture.submit(WorkKind.CANCEL_DURING_RUN.name()).id();
        // Unscaled: it would run for ten seconds.
        RunnerPool pool = fixture.run(RunnerFixture.quick("slow", 1, 1));
        fixture.await(id, JobState.RUNNING);
        fixture.cancel(id);
        Until.isTrue("its place is free", java.time.Duration.ofSeconds(5), () -> pool.busy() == 0);
        assertThat(fixture.job(id).state()).isEqualTo(JobState.CANCELED);
        assertThat(fixture.report(id).outcome()).isEqualTo(JobOutcome.CANCELED);
    }

    /// J-010: the stored definition is what its seed makes.
    @Test
    void the_same_work_gives_the_same_output_in_pieces_and_at_once() {
        var pieces = new SimulatedOutput(17);
        for (int i = 0; i < 64; i++) {
            pieces.write(256);
        }
        assertThat(pieces.produced()).isEqualTo(SimulatedOutput.of(17, 64 * 256));
        assertThat(SimulatedOutput.of(18, 64 * 256)).isNotEqualTo(SimulatedOutput.of(17, 64 * 256));
        assertThat(SimulatedOutput.of(17, 0).sizeBytes()).isZero();
    }
}
