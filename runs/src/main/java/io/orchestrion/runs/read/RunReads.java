package io.orchestrion.runs.read;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.SubjectLine;
import io.orchestrion.runs.read.ReadSql.Level;
import io.orchestrion.runs.run.Decision;
import io.orchestrion.runs.run.PlanVersion;
import io.orchestrion.runs.run.RecordSql;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.RunAttempt;
import io.orchestrion.runs.run.RunQuery;
import io.orchestrion.runs.run.RunSql;
import io.orchestrion.runs.run.Transition;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Runs as people look at them. A deleted run is not there any more, nor is anything of it.
public final class RunReads {
    private final Kernel kernel;

    public RunReads(Kernel kernel) {
        this.kernel = kernel;
    }

    /// Reads something of a run.
    @FunctionalInterface
    public interface OfRun<T> {
        @Nullable T read(Tx tx, Run run) throws SQLException;
    }

    /// Something of a run, together with it.
    ///
    /// @param found null where the run has no such thing
    public record Seen<T>(Run run, @Nullable T found, long nowMs) {
        /// For something that every run has.
        public T get() {
            if (found == null) {
                throw new IllegalStateException("the run has nothing of the kind");
            }
            return found;
        }
    }

    /// Null where the account has no such run.
    public <T> @Nullable Seen<T> of(UUID account, UUID id, OfRun<T> what) {
        return kernel.database()
                .transaction(
                        tx -> {
                            Run run = find(tx, account, id);
                            return run == null
                                    ? null
                                    : new Seen<>(run, what.read(tx, run), tx.nowMillis());
                        });
    }

    public @Nullable Run find(UUID account, UUID id) {
        return kernel.database().transaction(tx -> find(tx, account, id));
    }

    /// Null where there is none, or it was deleted.
    public static @Nullable Run find(Tx tx, UUID account, UUID id) throws SQLException {
        Run run = RunSql.find(tx, account, id);
        return run == null || run.times().ends().deletedMs() != null ? null : run;
    }

    public List<Run> list(RunQuery query) {
        return kernel.database().transaction(tx -> RunSql.page(tx, query));
    }

    public static OfRun<List<RunAttempt>> attempts(int after, int most) {
        return (tx, run) -> ReadSql.attempts(tx, run.account(), run.id(), after, most);
    }

    public static OfRun<List<Transition>> transitions(int after, int most) {
        return (tx, run) -> ReadSql.transitions(tx, run.account(), run.id(), after, most);
    }

    public static OfRun<List<Decision>> decisions(@Nullable UUID after, int most) {
        return (tx, run) -> RecordSql.decisions(tx, run.account(), run.id(), after, most);
    }

    public static OfRun<List<PlanVersion>> plans(int afterAttempt, int afterVersion, int most) {
        return (tx, run) ->
                ReadSql.plans(tx, run.account(), run.id(), afterAttempt, afterVersion, most);
    }

    /// @param attempt of the run; null for all
    public static OfRun<List<AgentView>> agents(
            @Nullable Integer attempt, @Nullable UUID after, int most) {
        return (tx, run) -> ReadSql.agents(tx, run.account(), run.id(), attempt, after, most);
    }

    public static OfRun<AgentView> agent(UUID id) {
        return (tx, run) -> ReadSql.agent(tx, run.account(), run.id(), id);
    }

    /// Tasks of an agent.
    ///
    /// @param tasks in their order
    public record Tasks(AgentView agent, List<TaskView> tasks) {}

    /// @param after the place of the last one; -1 for the first page
    public static OfRun<Tasks> tasks(UUID agent, int after, int most) {
        return (tx, run) -> {
            AgentView of = ReadSql.agent(tx, run.account(), run.id(), agent);
            return of == null
                    ? null
                    : new Tasks(of, ReadSql.tasks(tx, run.account(), agent, after, most));
        };
    }

    public static OfRun<TaskView> task(UUID id) {
        return (tx, run) -> ReadSql.task(tx, run.account(), run.id(), id);
    }

    /// Steps of a task.
    ///
    /// @param costs what they have used so far, by their ids
    public record Steps(List<StepView> steps, Map<UUID, Spent> costs) {}

    /// @param after the place of the last one; -1 for the first page
    public static OfRun<Steps> steps(UUID task, int after, int most) {
        return (tx, run) -> {
            if (ReadSql.task(tx, run.account(), run.id(), task) == null) {
                return null;
            }
            List<StepView> steps = ReadSql.steps(tx, run.account(), task, after, most);
            return new Steps(
                    steps,
                    ReadSql.costs(
                            tx,
                            run.account(),
                            Level.STEP,
                            steps.stream().map(StepView::id).toList()));
        };
    }

    /// A step with its attempts.
    ///
    /// @param cost what it has used so far; null for nothing
    public record StepSeen(StepView step, List<StepAttemptView> attempts, @Nullable Spent cost) {}

    public static OfRun<StepSeen> step(UUID id, @Nullable UUID after, int most) {
        return (tx, run) -> {
            StepView step = ReadSql.step(tx, run.account(), run.id(), id);
            return step == null
                    ? null
                    : new StepSeen(
                            step,
                            ReadSql.stepAttempts(tx, run.account(), id, after, most),
                            ReadSql.costs(tx, run.account(), Level.STEP, List.of(id)).get(id));
        };
    }

    /// A step of any run of the account that was not deleted, without its input and output; null
    /// where there is none.
    public static @Nullable StepView step(Tx tx, UUID account, UUID id) throws SQLException {
        return ReadSql.stepAnywhere(tx, account, id);
    }

    /// The tree of an attempt of the run, a page of it.
    public static OfRun<RunTree> tree(int attempt, RunTree.@Nullable Place after, int most) {
        return (tx, run) -> RunTree.read(tx, run, attempt, after, most);
    }

    /// Changes of the run's status and what else it tells, oldest first.
    ///
    /// @param after the `seq` to go on from, 0 for the beginning
    public List<SubjectLine> events(UUID account, UUID id, int after, int most) {
        return kernel.subjects().of(account, id, after, most);
    }

    /// Calls that people are asked about, oldest first.
    public List<ApprovalView> approvals(
            UUID account,
            @Nullable String status,
            @Nullable UUID run,
            @Nullable UUID after,
            int most) {
        return kernel.database()
                .transaction(tx -> ReadSql.approvals(tx, account, status, run, after, most));
    }

    public @Nullable ApprovalView approval(UUID account, UUID id) {
        return kernel.database().transaction(tx -> ReadSql.approval(tx, account, id));
    }

    /// Null where there is none.
    public static @Nullable ApprovalView approval(Tx tx, UUID account, UUID id)
            throws SQLException {
        return ReadSql.approval(tx, account, id);
    }

    /// Tickets, newest first.
    public List<TicketView> tickets(
            UUID account,
            @Nullable String status,
            @Nullable UUID run,
            @Nullable UUID before,
            int most) {
        return kernel.database()
                .transaction(tx -> ReadSql.tickets(tx, account, status, run, before, most));
    }

    public @Nullable TicketView ticket(UUID account, UUID id) {
        return kernel.database().transaction(tx -> ReadSql.ticket(tx, account, id));
    }

    /// Null where there is none.
    public static @Nullable TicketView ticket(Tx tx, UUID account, UUID id) throws SQLException {
        return ReadSql.ticket(tx, account, id);
    }

    /// Whose run it is, for the server's operator; null where no account has it.
    public static @Nullable UUID owner(Tx tx, UUID run) throws SQLException {
        return ReadSql.owner(tx, run);
    }

    /// Runs of all accounts that run for too long, or that nobody drives.
    ///
    /// @param silentMs how long a run may be without a heartbeat
    /// @param longestMs how long an attempt may run
    public List<StuckRun> stuck(
            long silentMs,
            long longestMs,
            @Nullable UUID afterAccount,
            @Nullable UUID after,
            int most) {
        return kernel.database()
                .transaction(
                        tx ->
                                ReadSql.stuck(
                                        tx,
                                        afterAccount,
                                        after,
                                        tx.nowMillis() - silentMs,
                                        longestMs,
                                        most));
    }
}
