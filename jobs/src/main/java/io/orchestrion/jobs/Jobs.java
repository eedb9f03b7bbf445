package io.orchestrion.jobs;

import io.orchestrion.jobs.catalogue.DefinitionSource;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.history.HistoryEntry;
import io.orchestrion.kernel.verbs.WorkOwner;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/// Jobs as the door and the runners see them. Each call returns after its commit.
public final class Jobs implements AutoCloseable {
    private final Kernel kernel;
    private final JobsOptions options;
    private final Capacity capacity;
    private final JobSubmits submits;
    private final JobClaims claims;
    private final JobRuns runs;
    private volatile BooleanSupplier anyRunner = () -> true;

    /// @param kernel one that has [#owner] among its owners, and that is not started yet: jobs
    ///     bring duties of their own
    public Jobs(Kernel kernel, JobsOptions options, DefinitionSource definitions) {
        this.kernel = kernel;
        this.options = options;
        this.capacity = new Capacity(options);
        this.submits = new JobSubmits(kernel, options, definitions, capacity);
        this.claims = new JobClaims(kernel, options, capacity);
        this.runs = new JobRuns(kernel);
        kernel.add(new AutoRetrier(kernel.database(), this));
        kernel.add(new JobCheck(kernel.database()));
    }

    /// The owner of the jobs' items. It is given to the kernel before that is made, and writes
    /// reports in the transaction that ends an attempt.
    public static WorkOwner owner() {
        return new JobEnds();
    }

    static Combiner.Lane lane(String name) {
        return new Combiner.Lane(name, 1, 10_000, 500, Duration.ofSeconds(30));
    }

    /// Sets who knows whether there is a runner. Without it there always is one.
    public void runnersKnownBy(BooleanSupplier any) {
        anyRunner = any;
    }

    public JobsOptions options() {
        return options;
    }

    public JobSubmitted submit(NewJob job) {
        if (options.rejectWithoutRunners() && !anyRunner.getAsBoolean()) {
            JobSubmitted before = job.key() == null ? null : submits.replay(job);
            return before == null ? new JobSubmitted.NoRunners() : before;
        }
        return submits.submit(job);
    }

    /// Ends an open job. On RUNNING, the runner learns of it with the next thing it says.
    public JobAck cancel(UUID account, UUID id) {
        // Read first: nothing that can fail may come after the commit, or the caller would hear
        // that nothing was done.
        return switch (get(account, id)) {
            case JobFound.Found(var job) -> cancel(job);
            case JobFound.NotFound _ -> new JobAck.NotFound();
            case JobFound.Foreign _ -> new JobAck.Foreign();
        };
    }

    private JobAck cancel(Job job) {
        return switch (kernel.work()
                .command(order(job.account(), job.id(), new Command.Cancel()))) {
            case Ack.Applied(WorkItem item, var _, var _) -> new JobAck.Done(Items.at(job, item));
            case Ack.Repeated(WorkItem item, var _, var _) -> new JobAck.Done(Items.at(job, item));
            case Ack.Refused(Refusal.WrongState(WorkItem item), var _) ->
                    new JobAck.Unchanged(Items.at(job, item));
            case Ack.Refused(Refusal.NotFound _, var _) -> new JobAck.NotFound();
            case Ack.Refused _ -> new JobAck.Raced();
        };
    }

    /// Tries a failed job once more, after its backoff.
    public JobAck retry(UUID account, UUID id) {
        try {
            return kernel.database().transaction(tx -> retry(tx, account, id));
        } catch (Capacity.Full full) {
            return new JobAck.QueueFull(full.waiting(), full.max());
        }
    }

    private JobAck retry(Tx tx, UUID account, UUID id) throws SQLException {
        Job job = JobSql.find(tx, account, List.of(id)).get(id);
        if (job == null) {
            return JobSql.anybodys(tx, id) ? new JobAck.Foreign() : new JobAck.NotFound();
        }
        long delayMs =
                Math.max(
                        1,
                        options.backoff().delayMillis(job.attempt(), ThreadLocalRandom.current()));
        Ack ack =
                kernel.verbs()
                        .execute(
                                tx,
                                account,
                                List.of(order(account, id, new Command.Retry(delayMs))))
                        .getFirst();
        return switch (ack) {
            case Ack.Applied(WorkItem item, var _, var _) -> {
                ReportSql.retried(tx, account, id);
                capacity.added(tx, 1);
                yield new JobAck.Done(Items.at(job, item));
            }
            case Ack.Refused(Refusal.WrongState(WorkItem item), var _) ->
                    item.state() == WorkState.FAILED
                            ? new JobAck.RetriesUsedUp(Items.at(job, item))
                            : new JobAck.Unchanged(Items.at(job, item));
            case Ack.Refused(Refusal.NotFound _, var _) -> new JobAck.NotFound();
            case Ack.Repeated _, Ack.Refused _ -> new JobAck.Raced();
        };
    }

    /// Removes a job that is over, with all that hangs on it.
    public JobAck delete(UUID account, UUID id) {
        return kernel.database()
                .transaction(
                        tx -> {
                            Job job = JobSql.find(tx, account, List.of(id)).get(id);
                            if (job == null) {
                                return JobSql.anybodys(tx, id)
                                        ? new JobAck.Foreign()
                                        : new JobAck.NotFound();
                            }
                            int gone =
                                    kernel.verbs().remove(tx, account, Profiles.JOBS, List.of(id));
                            return gone == 1 ? new JobAck.Done(job) : new JobAck.NotFinal(job);
                        });
    }

    public JobFound get(UUID account, UUID id) {
        return kernel.database()
                .transaction(
                        tx -> {
                            Job job = JobSql.find(tx, account, List.of(id)).get(id);
                            if (job != null) {
                                return new JobFound.Found(job);
                            }
                            return JobSql.anybodys(tx, id)
                                    ? new JobFound.Foreign()
                                    : new JobFound.NotFound();
                        });
    }

    /// The report of the newest attempt, once the job is over.
    public ReportFound report(UUID account, UUID id) {
        return kernel.database()
                .transaction(
                        tx -> {
                            Job job = JobSql.find(tx, account, List.of(id)).get(id);
                            if (job == null) {
                                return JobSql.anybodys(tx, id)
                                        ? new ReportFound.Foreign()
                                        : new ReportFound.NotFound();
                            }
                            if (!job.state().isFinal()) {
                                return new ReportFound.NotFinal(job);
                            }
                            JobReport report =
                                    ReportSql.find(tx, account, id, job.attempt(), factsOf(job));
                            return report == null
                                    ? new ReportFound.Missing(job)
                                    : new ReportFound.Found(job, report);
                        });
    }

    private static JobFacts factsOf(Job job) {
        return new JobFacts(
                job.type(),
                job.definition() == null ? null : job.definition().workKind(),
                job.callback(),
                job.maxAttempts(),
                job.handler());
    }

    /// Newest first.
    public JobPage list(JobQuery query) {
        JobState byOutcome = query.outcome() == null ? null : query.outcome().state();
        JobState state = query.state() == null ? byOutcome : query.state();
        if (byOutcome != null && byOutcome != state) {
            return new JobPage(List.of(), null);
        }
        List<Job> jobs =
                kernel.database()
                        .transaction(tx -> JobSql.page(tx, query, state, query.limit() + 1));
        boolean more = jobs.size() > query.limit();
        List<Job> page = more ? jobs.subList(0, query.limit()) : jobs;
        return new JobPage(List.copyOf(page), more ? page.getLast().id() : null);
    }

    /// The history of a job so far; empty when there is no such job.
    public List<JobEvent> events(UUID account, UUID id) {
        @Nullable JobFacts facts =
                kernel.database().transaction(tx -> facts(tx, account, List.of(id))).get(id);
        if (facts == null) {
            return List.of();
        }
        List<HistoryEntry> history = kernel.work().history(account, id);
        return history.stream().map(entry -> JobEvents.of(id, facts, entry)).toList();
    }

    /// The facts that events of these jobs need, for the jobs that exist.
    public static Map<UUID, JobFacts> facts(Tx tx, UUID account, Collection<UUID> ids)
            throws SQLException {
        return JobSql.facts(tx, account, ids);
    }

    /// The oldest queued jobs of all accounts, as many as may be active; empty when there are none.
    public List<Assigned> claim(String runner, int most) {
        return claims.claim(runner, most);
    }

    /// A job without a definition fails here, begun and ended in one transaction: there is nothing
    /// to run.
    public RunnerAck start(Assigned assigned) {
        return runs.start(assigned);
    }

    public RunnerAck heartbeat(Assigned assigned) {
        return runs.heartbeat(assigned);
    }

    /// Output that is not what the definition says fails the job.
    public RunnerAck complete(Assigned assigned, JobOutput output) {
        return runs.complete(assigned, output);
    }

    /// If the job was not begun yet, it is begun and failed in one transaction.
    public RunnerAck fail(Assigned assigned, JobFailure failure) {
        return runs.fail(assigned, failure);
    }

    /// The attempt has run for as long as it may; the runner has stopped it.
    public RunnerAck timeOut(Assigned assigned) {
        return runs.timeOut(assigned);
    }

    static CommandRequest order(UUID account, UUID id, Command command) {
        return new CommandRequest(account, Profiles.JOBS, id, command, false);
    }

    /// Finishes what waits in the lanes and stops; before the kernel is closed.
    @Override
    public void close() {
        submits.close();
        claims.close();
    }
}
