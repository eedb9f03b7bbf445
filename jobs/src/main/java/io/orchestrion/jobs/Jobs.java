package io.orchestrion.jobs;

import io.orchestrion.jobs.catalogue.DefinitionSource;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.WorkOwner;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/// Jobs as the door and the runners see them. Each call returns after its commit.
public final class Jobs implements AutoCloseable {
    public Jobs(Kernel kernel, JobsOptions options, DefinitionSource definitions) {
        throw new UnsupportedOperationException();
    }

    /// To be among the kernel's owners before it is made: it writes reports in the transaction that
    /// ends an attempt.
    public static WorkOwner owner() {
        throw new UnsupportedOperationException();
    }

    /// Who is asked whether there is a runner; without it there always is one.
    public void runnersKnownBy(BooleanSupplier anyRunner) {
        throw new UnsupportedOperationException();
    }

    public JobsOptions options() {
        throw new UnsupportedOperationException();
    }

    public JobSubmitted submit(NewJob job) {
        throw new UnsupportedOperationException();
    }

    public JobAck cancel(UUID account, UUID id) {
        throw new UnsupportedOperationException();
    }

    public JobAck retry(UUID account, UUID id) {
        throw new UnsupportedOperationException();
    }

    public JobAck delete(UUID account, UUID id) {
        throw new UnsupportedOperationException();
    }

    public JobFound get(UUID account, UUID id) {
        throw new UnsupportedOperationException();
    }

    public ReportFound report(UUID account, UUID id) {
        throw new UnsupportedOperationException();
    }

    public JobPage list(JobQuery query) {
        throw new UnsupportedOperationException();
    }

    /// The history of a job so far; empty when there is no such job.
    public List<JobEvent> events(UUID account, UUID id) {
        throw new UnsupportedOperationException();
    }

    /// What is needed to tell events of these jobs, for those that there are.
    public Map<UUID, JobFacts> facts(UUID account, Collection<UUID> ids) {
        throw new UnsupportedOperationException();
    }

    /// The oldest queued jobs of all accounts, as many as may be active; empty when there are none.
    public List<Assigned> claim(String runner, int most) {
        throw new UnsupportedOperationException();
    }

    public RunnerAck start(Assigned assigned) {
        throw new UnsupportedOperationException();
    }

    public RunnerAck heartbeat(Assigned assigned) {
        throw new UnsupportedOperationException();
    }

    public RunnerAck complete(Assigned assigned, JobOutput output) {
        throw new UnsupportedOperationException();
    }

    public RunnerAck fail(Assigned assigned, JobFailure failure) {
        throw new UnsupportedOperationException();
    }

    /// The attempt has run for as long as it may; the runner has stopped it.
    public RunnerAck timeOut(Assigned assigned) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
