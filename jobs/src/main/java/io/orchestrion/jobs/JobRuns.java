package io.orchestrion.jobs;

import io.orchestrion.jobs.catalogue.JobDefinition;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// What runners report of the jobs that they hold. It is fenced like every report of a lease
/// holder.
final class JobRuns {
    private static final Logger log = LoggerFactory.getLogger(JobRuns.class);

    private final Kernel kernel;

    JobRuns(Kernel kernel) {
        this.kernel = kernel;
    }

    RunnerAck start(Assigned assigned) {
        if (assigned.job().definition() == null) {
            return failUnstarted(
                    assigned,
                    new JobFailure(
                            JobFailure.NO_DEFINITION,
                            "the job's definition is missing, so there is nothing to do",
                            false));
        }
        return say(assigned, new Command.Start(assigned.fence()));
    }

    RunnerAck heartbeat(Assigned assigned) {
        return say(assigned, new Command.Heartbeat(assigned.fence()));
    }

    RunnerAck complete(Assigned assigned, JobOutput output) {
        String flaw = flaw(assigned.job(), output);
        if (flaw != null) {
            return fail(assigned, new JobFailure(JobFailure.OUTPUT_INVALID, flaw, false));
        }
        String kept = output.kept().outputRef();
        try {
            return say(
                    assigned,
                    new Command.Complete(assigned.fence(), output.result(), kept, digest(kept)));
        } catch (JobEnds.ReportFailed e) {
            log.error("the report of job {} cannot be made", assigned.job().id(), e);
            return fail(
                    assigned,
                    new JobFailure(
                            JobFailure.REPORT_FAILED,
                            "the work was done, but its report could not be made",
                            true));
        }
    }

    private static @Nullable String flaw(Job job, JobOutput output) {
        if (output.flaw() != null) {
            return output.flaw();
        }
        JobDefinition definition = job.definition();
        return job.handler() == null
                        && definition != null
                        && output.sizeBytes() != definition.payloadSizeBytes()
                ? "the output has %d bytes and should have %d"
                        .formatted(output.sizeBytes(), definition.payloadSizeBytes())
                : null;
    }

    RunnerAck fail(Assigned assigned, JobFailure failure) {
        Command.Fail command = failing(assigned, failure);
        Ack ack = kernel.work().command(order(assigned, command));
        boolean unstarted =
                ack instanceof Ack.Refused(Refusal.WrongState(WorkItem item), var _)
                        && item.state() == WorkState.LEASED;
        return unstarted ? failUnstarted(assigned, failure) : answer(assigned, ack);
    }

    /// ASSIGNED cannot become FAILED, so it is RUNNING for the moment between two events.
    private RunnerAck failUnstarted(Assigned assigned, JobFailure failure) {
        Ack ack =
                kernel.database()
                        .transaction(
                                tx -> {
                                    Ack begun =
                                            execute(
                                                    tx,
                                                    assigned,
                                                    new Command.Start(assigned.fence()));
                                    return begun instanceof Ack.Refused
                                            ? begun
                                            : execute(tx, assigned, failing(assigned, failure));
                                });
        return answer(assigned, ack);
    }

    private Ack execute(Tx tx, Assigned assigned, Command command) throws SQLException {
        return kernel.verbs()
                .execute(tx, assigned.job().account(), List.of(order(assigned, command)))
                .getFirst();
    }

    private static Command.Fail failing(Assigned assigned, JobFailure failure) {
        return new Command.Fail(
                assigned.fence(),
                failure.stored(),
                null,
                failure.retryable(),
                digest(failure.stored()));
    }

    RunnerAck timeOut(Assigned assigned) {
        return say(assigned, new Command.TimeOut(assigned.fence()));
    }

    private RunnerAck say(Assigned assigned, Command command) {
        return answer(assigned, kernel.work().command(order(assigned, command)));
    }

    private static CommandRequest order(Assigned assigned, Command command) {
        return Jobs.order(assigned.job().account(), assigned.job().id(), command);
    }

    /// By this digest a report is known when a runner sends it again because the answer was lost.
    private static UUID digest(String said) {
        return UUID.nameUUIDFromBytes(said.getBytes(StandardCharsets.UTF_8));
    }

    private static RunnerAck answer(Assigned assigned, Ack ack) {
        return switch (ack) {
            case Ack.Applied(WorkItem item, var _, var _) ->
                    new RunnerAck.Applied(Items.at(assigned.job(), item));
            case Ack.Repeated(WorkItem item, var _, var _) ->
                    new RunnerAck.Applied(Items.at(assigned.job(), item));
            case Ack.Refused(Refusal refusal, var _) -> stop(refusal);
        };
    }

    private static RunnerAck.Stop stop(Refusal refusal) {
        return switch (refusal) {
            case Refusal.NotFound _ -> new RunnerAck.Stop(RunnerAck.Why.GONE, null);
            case Refusal.WrongState(WorkItem item) ->
                    new RunnerAck.Stop(
                            item.state() == WorkState.CANCELLED
                                    ? RunnerAck.Why.CANCELED
                                    : RunnerAck.Why.WRONG_STATE,
                            JobState.of(item));
            case Refusal.LeaseLost(WorkItem item) ->
                    new RunnerAck.Stop(RunnerAck.Why.LEASE_LOST, JobState.of(item));
            case Refusal.LeaseExpired(WorkItem item) ->
                    new RunnerAck.Stop(RunnerAck.Why.LEASE_EXPIRED, JobState.of(item));
            default -> throw new IllegalStateException("a runner cannot be told " + refusal);
        };
    }
}
