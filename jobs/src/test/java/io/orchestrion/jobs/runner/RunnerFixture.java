package io.orchestrion.jobs.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.Job;
import io.orchestrion.jobs.JobAck;
import io.orchestrion.jobs.JobEvent;
import io.orchestrion.jobs.JobFound;
import io.orchestrion.jobs.JobReport;
import io.orchestrion.jobs.JobState;
import io.orchestrion.jobs.JobSubmitted;
import io.orchestrion.jobs.Jobs;
import io.orchestrion.jobs.JobsOptions;
import io.orchestrion.jobs.NewJob;
import io.orchestrion.jobs.ReportFound;
import io.orchestrion.jobs.catalogue.DefinitionSource;
import io.orchestrion.jobs.catalogue.Definitions;
import io.orchestrion.jobs.catalogue.GeneratorOptions;
import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.jobs.handler.JobHandler;
import io.orchestrion.jobs.registry.Runners;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.Backoff;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestKernel;
import io.orchestrion.testkit.Until;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;

/// Jobs with real runners on a fresh database. Runners are quick to look and to beat; the
/// database's clock is the test's, and sweeps are done by hand.
final class RunnerFixture implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration QUICK = Duration.ofMillis(20);

    final TestKernel test = new TestKernel(each -> each.withOwners(List.of(Jobs.owner())));
    final UUID account;
    final Runners registry;
    private final JobsOptions options;
    private final Jobs jobs;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    RunnerFixture() {
        this(Duration.ofSeconds(120));
    }

    RunnerFixture(Duration maxRuntime) {
        JobsOptions usual = JobsOptions.DEFAULT;
        options =
                new JobsOptions(
                        usual.types(),
                        3,
                        new Backoff(Duration.ofMillis(1), Duration.ofMillis(2), 0.2),
                        maxRuntime,
                        usual.maxActive(),
                        usual.maxWaiting(),
                        usual.maxPayloadBytes(),
                        0,
                        false,
                        0.2,
                        1.0);
        account = test.account();
        jobs = new Jobs(test.kernel(), options, definitions());
        registry = new Runners(test.kernel().database());
    }

    private DefinitionSource definitions() {
        return Definitions.source(new GeneratorOptions(options.maxRuntime(), 0.2));
    }

    Jobs jobs() {
        return jobs;
    }

    TestDatabase database() {
        return test.database();
    }

    static RunnerOptions quick(String name, int concurrency, double scale) {
        return RunnerOptions.named(name)
                .withConcurrency(concurrency)
                .withTimeScale(scale)
                .withPace(QUICK, QUICK, QUICK)
                .withStopPatience(Duration.ofSeconds(2));
    }

    RunnerPool run(RunnerOptions how, JobHandler... handlers) {
        return run(test.kernel(), jobs, how, RunnerListener.NONE, handlers);
    }

    RunnerPool run(
            Kernel kernel,
            Jobs on,
            RunnerOptions how,
            RunnerListener listener,
            JobHandler... handlers) {
        var pool = new RunnerPool(kernel, on, registry, how, Handlers.of(handlers), listener);
        open.push(pool);
        pool.start();
        return pool;
    }

    /// A runner as another process has it: on a kernel of its own.
    RunnerPool runElsewhere(RunnerOptions how, RunnerListener listener, JobHandler... handlers) {
        Kernel kernel = test.anotherNode(each -> each.withOwners(List.of(Jobs.owner())));
        open.push(kernel);
        var theirs = new Jobs(kernel, options, definitions());
        open.push(theirs);
        return run(kernel, theirs, how, listener, handlers);
    }

    Job submit(String kind) {
        return submit(NewJob.of(account, JobType.EXECUTE).of(kind));
    }

    Job submitFor(String handler, String payload) {
        return submit(
                new NewJob(
                        account,
                        JobType.EXECUTE,
                        null,
                        null,
                        payload,
                        null,
                        null,
                        false,
                        handler,
                        null));
    }

    Job submit(NewJob job) {
        JobSubmitted submitted = jobs.submit(job);
        assertThat(submitted).isInstanceOf(JobSubmitted.Accepted.class);
        return ((JobSubmitted.Accepted) submitted).job();
    }

    Job job(UUID id) {
        JobFound found = jobs.get(account, id);
        assertThat(found).isInstanceOf(JobFound.Found.class);
        return ((JobFound.Found) found).job();
    }

    Job await(UUID id, JobState state) {
        Until.isTrue(
                "job " + id + " is " + state, SOON, () -> job(id).state() == state);
        return job(id);
    }

    JobReport report(UUID id) {
        ReportFound found = jobs.report(account, id);
        assertThat(found).isInstanceOf(ReportFound.Found.class);
        return ((ReportFound.Found) found).report();
    }

    List<String> events(UUID id) {
        return jobs.events(account, id).stream().map(JobEvent::name).toList();
    }

    void cancel(UUID id) {
        assertThat(jobs.cancel(account, id)).isInstanceOf(JobAck.Done.class);
    }

    void retry(UUID id) {
        assertThat(jobs.retry(account, id)).isInstanceOf(JobAck.Done.class);
    }

    /// The lease of whoever holds something has run out, and the sweeper sees it.
    int expire() {
        test.clock().advance(Duration.ofSeconds(31));
        return test.kernel().sweepOnce("lease-reaper");
    }

    @Override
    public void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        jobs.close();
        test.close();
    }
}
