package io.orchestrion.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.catalogue.DefinitionSource;
import io.orchestrion.jobs.catalogue.Definitions;
import io.orchestrion.jobs.catalogue.GeneratorOptions;
import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.work.Backoff;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestKernel;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

/// The engine on a fresh database; nothing runs by itself in it.
public final class JobsFixture implements AutoCloseable {
    static final DefinitionSource DEFINITIONS =
            Definitions.source(new GeneratorOptions(Duration.ofSeconds(120), 0.2));

    final TestKernel test;
    final Jobs jobs;
    final UUID account;

    /// What was given to a runner last.
    Assigned last;

    JobsFixture() {
        this(JobsOptions.DEFAULT);
    }

    JobsFixture(JobsOptions options) {
        this(options, kernel -> kernel);
    }

    JobsFixture(JobsOptions options, UnaryOperator<KernelOptions> with) {
        test = new TestKernel(kernel -> with.apply(kernel.withOwners(List.of(Jobs.owner()))));
        jobs = new Jobs(test.kernel(), options, DEFINITIONS);
        account = test.account();
    }

    /// The defaults with other bounds.
    static JobsOptions bounds(int maxActive, int maxWaiting, int fairShare) {
        JobsOptions usual = JobsOptions.DEFAULT;
        return new JobsOptions(
                usual.types(),
                usual.maxRetries(),
                usual.backoff(),
                usual.maxRuntime(),
                maxActive,
                maxWaiting,
                usual.maxPayloadBytes(),
                fairShare,
                usual.rejectWithoutRunners(),
                usual.failureProbability(),
                usual.timeScale());
    }

    /// The defaults with another policy of retries.
    static JobsOptions retries(int maxRetries, Duration base, Duration cap) {
        JobsOptions usual = JobsOptions.DEFAULT;
        return new JobsOptions(
                EnumSet.allOf(JobType.class),
                maxRetries,
                new Backoff(base, cap, 0.2),
                usual.maxRuntime(),
                usual.maxActive(),
                usual.maxWaiting(),
                usual.maxPayloadBytes(),
                0,
                false,
                usual.failureProbability(),
                usual.timeScale());
    }

    TestDatabase database() {
        return test.database();
    }

    Kernel kernel() {
        return test.kernel();
    }

    void advance(Duration by) {
        test.clock().advance(by);
    }

    int sweep(String name) {
        return test.kernel().sweepOnce(name);
    }

    long now() {
        return test.kernel().database().transaction(tx -> tx.nowMillis());
    }

    NewJob draft() {
        return NewJob.of(account, JobType.EXECUTE).of("SUCCESS_FAST");
    }

    Job submit() {
        return submit(draft());
    }

    Job submit(NewJob job) {
        JobSubmitted submitted = jobs.submit(job);
        assertThat(submitted).isInstanceOf(JobSubmitted.Accepted.class);
        return ((JobSubmitted.Accepted) submitted).job();
    }

    Assigned assigned() {
        List<Assigned> claimed = jobs.claim("runner", 1);
        assertThat(claimed).hasSize(1);
        last = claimed.getFirst();
        return last;
    }

    Assigned running() {
        Assigned assigned = assigned();
        assertThat(state(jobs.start(assigned))).isEqualTo(JobState.RUNNING);
        return assigned;
    }

    static JobState state(RunnerAck ack) {
        return ack instanceof RunnerAck.Applied(Job job) ? job.state() : null;
    }

    static JobOutput output(Assigned assigned) {
        return new JobOutput(assigned.job().definition().payloadSizeBytes(), "0".repeat(64), null);
    }

    static JobFailure failure() {
        return new JobFailure(JobFailure.SIMULATED, "as its kind says", true);
    }

    /// A job of its own in that state.
    Job in(JobState state) {
        Job job = state == JobState.CREATED ? submit(draft().at(now() + 3_600_000)) : submit();
        switch (state) {
            case CREATED, QUEUED -> {}
            case ASSIGNED -> assigned();
            case RUNNING -> running();
            case SUCCEEDED -> {
                Assigned assigned = running();
                jobs.complete(assigned, output(assigned));
            }
            case FAILED -> jobs.fail(running(), failure());
            case CANCELED -> jobs.cancel(account, job.id());
        }
        assertThat(job(job.id()).state()).isEqualTo(state);
        return job(job.id());
    }

    Job job(UUID id) {
        JobFound found = jobs.get(account, id);
        assertThat(found).isInstanceOf(JobFound.Found.class);
        return ((JobFound.Found) found).job();
    }

    JobReport report(UUID id) {
        ReportFound found = jobs.report(account, id);
        assertThat(found).isInstanceOf(ReportFound.Found.class);
        return ((ReportFound.Found) found).report();
    }

    List<String> names(UUID id) {
        return jobs.events(account, id).stream().map(JobEvent::name).toList();
    }

    /// Final jobs without outcome or report: none, ever.
    List<Map<String, Object>> unaccounted() {
        return database()
                .rows(
                        "select j.job_id, j.state from job_readable j left join job_report r on"
                                + " r.account_id = j.account_id and r.job_id = j.job_id and"
                                + " r.attempt = j.attempt where j.state in ('SUCCEEDED', 'FAILED',"
                                + " 'CANCELED') and (j.outcome is null or r.job_id is null or"
                                + " r.outcome <> j.outcome)");
    }

    /// Events that do not follow from the one before, or that no job may take.
    List<Map<String, Object>> impossible() {
        return database()
                .rows(
                        """
                        select * from (
                          select e.*, lag(e.next_state) over (partition by e.job_id order by e.seq) as before,
                                 lag(e.timestamp) over (partition by e.job_id order by e.seq) as time_before
                            from job_events e) e
                         where e.prev_state is distinct from e.before
                            or e.timestamp <= e.time_before
                            or (e.event_name = 'job.lease_expired')
                               <> (coalesce(e.prev_state, '') = 'ASSIGNED' and e.next_state = 'QUEUED')
                            or (e.event_name <> 'job.lease_expired'
                                and coalesce(e.prev_state, '') || ' ' || e.next_state not in
                                    (' CREATED', 'CREATED QUEUED', 'CREATED CANCELED', 'QUEUED ASSIGNED',
                                     'QUEUED CANCELED', 'ASSIGNED RUNNING', 'ASSIGNED CANCELED',
                                     'RUNNING SUCCEEDED', 'RUNNING FAILED', 'RUNNING CANCELED',
                                     'FAILED QUEUED'))
                        """);
    }

    /// As if nothing had happened, but for the time.
    void clear() {
        database()
                .execute(
                        "truncate work, event_chunk, idempotency, job, job_definition, job_report,"
                                + " job_retry, job_problem");
        database().execute("update job_capacity set max = 0, spare = 0");
    }

    @Override
    public void close() {
        jobs.close();
        test.close();
    }
}
