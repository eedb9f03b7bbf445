package io.orchestrion.runs.engine;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.redact.Redaction;
import io.orchestrion.kernel.schema.CheckBudget;
import io.orchestrion.kernel.schema.SchemaFault;
import io.orchestrion.kernel.verbs.WorkOwner;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.runs.escalation.OnCall;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.plan.Plan;
import io.orchestrion.runs.plan.ReadPlan;
import io.orchestrion.runs.plan.ReadTasks;
import io.orchestrion.runs.policy.Failures;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.RunSql;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.state.TaskStatus;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.AgentSql;
import io.orchestrion.runs.tree.AttemptSql;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.StepAttempt;
import io.orchestrion.runs.tree.StepSql;
import io.orchestrion.runs.tree.Task;
import io.orchestrion.runs.tree.TaskSql;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/// Runs as the owner of their items: what follows from an end is in the transaction of that end.
final class RunOwner implements WorkOwner {
    private static final int FAULTS_MAX = 5;

    /// A driver that broke off is begun again after a moment.
    private static final long DRIVE_AGAIN_MS = 1_000;

    private final Engine engine;

    RunOwner(Engine engine) {
        this.engine = engine;
    }

    @Override
    public String kind() {
        return Turn.OWNER;
    }

    @Override
    public Set<UUID> lock(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        return Known.of(tx).locked(RunSql.lockFree(tx, account, ids));
    }

    /// Attempts have begun, and what they are a part of with them. The run is not locked here, and
    /// an agent or a task that somebody has locked is passed over: it begins with the step's end.
    @Override
    public void started(Tx tx, UUID account, List<WorkItem> items) throws SQLException {
        List<AttemptSql.Claim> claims =
                items.stream()
                        .filter(item -> !item.kind().equals(ItemKinds.DRIVE))
                        .filter(item -> !item.kind().equals(OnCall.KIND))
                        .map(item -> new AttemptSql.Claim(item.id(), item.holding().holder()))
                        .toList();
        if (claims.isEmpty()) {
            return;
        }
        Commit.STEP_BEGUN.in(tx);
        List<UUID> steps =
                AttemptSql.begin(tx, account, claims).stream().map(StepAttempt::step).toList();
        var events = new ArrayList<SubjectEvent>();
        List<Step> begun = StepSql.begin(tx, account, steps);
        begun.forEach(each -> events.add(Subjects.of(StepStatus.PENDING, each)));
        // A step that is tried again runs already. Its agent may not, after a pause.
        List<Step> given = begun.size() == steps.size() ? begun : StepSql.find(tx, account, steps);
        if (!given.isEmpty()) {
            Set<UUID> tasks = ids(given.stream().map(each -> each.home().task()).toList());
            for (Task each : TaskSql.begin(tx, account, tasks)) {
                events.add(Subjects.of(TaskStatus.PENDING, each));
            }
            Set<UUID> agents = ids(given.stream().map(each -> each.home().agent()).toList());
            for (Agent each : AgentSql.begin(tx, account, agents)) {
                events.add(Subjects.of(AgentStatus.PENDING, each));
            }
        }
        engine.kernel().subjects().append(tx, account, events);
    }

    private static Set<UUID> ids(List<UUID> all) {
        return Set.copyOf(all);
    }

    /// An output that the step's own schema refuses fails the attempt, and so does a plan that is
    /// none.
    @Override
    public Map<UUID, WorkError> judgeAll(Tx tx, UUID account, List<Completion> all)
            throws SQLException {
        Known known = Known.of(tx);
        Map<UUID, StepAttempt> attempts =
                known.attempts(
                        tx,
                        account,
                        all.stream()
                                .map(Completion::item)
                                .filter(RunOwner::isAttempt)
                                .map(WorkItem::id)
                                .toList());
        attempts.values().removeIf(each -> each.status().isOver());
        Map<UUID, Step> steps =
                known.steps(
                        tx, account, attempts.values().stream().map(StepAttempt::step).toList());
        var rejected = new HashMap<UUID, WorkError>();
        for (Completion one : all) {
            StepAttempt attempt = attempts.get(one.item().id());
            Step step = attempt == null ? null : steps.get(attempt.step());
            WorkError error = step == null ? null : judge(tx, account, step, one.said());
            if (error != null) {
                rejected.put(one.item().id(), error);
            }
        }
        return rejected;
    }

    private static boolean isAttempt(WorkItem item) {
        return !item.kind().equals(ItemKinds.DRIVE) && !item.kind().equals(OnCall.KIND);
    }

    private @Nullable WorkError judge(Tx tx, UUID account, Step step, Command.Complete said)
            throws SQLException {
        String result = Envelopes.text(said.result());
        String fault =
                switch (step.home().kind()) {
                    case TOOL -> outputFault(account, step, result);
                    case RUN_PLAN -> planFault(tx, account, step, result);
                    case AGENT_PLAN -> roundFault(tx, account, step, result);
                };
        return fault == null
                ? null
                : WorkError.of(
                        Failures.INVALID_OUTPUT, Objects.requireNonNull(Redaction.summary(fault)));
    }

    private @Nullable String outputFault(UUID account, Step step, String result) {
        String schema = step.call().outputSchema();
        if (schema == null) {
            return null;
        }
        List<SchemaFault> faults =
                engine.options()
                        .given()
                        .schemas()
                        .check(account, schema, result, new CheckBudget());
        return faults.isEmpty()
                ? null
                : String.join(
                        "; ",
                        faults.stream().limit(FAULTS_MAX).map(each -> each.of("result")).toList());
    }

    private @Nullable String planFault(Tx tx, UUID account, Step step, String result)
            throws SQLException {
        Run run = Objects.requireNonNull(RunSql.find(tx, account, step.home().run()));
        ReadPlan read =
                engine.plans().read(account, result, Planning.limits(engine.options(), run));
        Plan plan = read.plan();
        if (plan == null) {
            return read.findings().stream()
                    .limit(FAULTS_MAX)
                    .map(each -> each.pointer() + " " + each.message())
                    .reduce((one, other) -> one + "; " + other)
                    .orElse("the plan is none");
        }
        return blocked(ToolPolicies.of(run.asked().toolPolicies()).blocked(plan));
    }

    private @Nullable String roundFault(Tx tx, UUID account, Step step, String result)
            throws SQLException {
        Run run = Objects.requireNonNull(RunSql.find(tx, account, step.home().run()));
        Agent agent = Objects.requireNonNull(AgentSql.find(tx, account, step.home().agent()));
        ReadTasks read =
                engine.readRound(
                        run, agent, TaskSql.names(tx, account, agent.id()).keySet(), result);
        ReadTasks.Round round = read.round();
        if (round == null) {
            return read.findings().stream()
                    .limit(FAULTS_MAX)
                    .map(each -> each.pointer() + " " + each.message())
                    .reduce((one, other) -> one + "; " + other)
                    .orElse("the tasks are none");
        }
        return blocked(ToolPolicies.of(run.asked().toolPolicies()).blocked(round.tasks()));
    }

    private static @Nullable String blocked(@Nullable String tool) {
        return tool == null ? null : "the run's policy blocks the tool " + tool;
    }

    /// Completions of each run in a turn of its own: what is read, and what goes out, is so for all
    /// of them together. What an end stops may be what another end of the same run is about, so
    /// what comes behind it, and whatever has failed, is looked at afterwards, one by one.
    @Override
    public void endedAll(Tx tx, WorkVerbs verbs, UUID account, List<WorkEnd> all)
            throws SQLException {
        var together = new ArrayList<WorkEnd>();
        var later = new ArrayList<WorkEnd>();
        var behind = new HashSet<UUID>();
        for (WorkEnd end : all) {
            UUID run = Objects.requireNonNull(end.item().owner()).id();
            boolean alike =
                    isAttempt(end.item())
                            && end.event() != WorkEvent.CANCEL
                            && end.error() == null
                            && Known.of(tx).run(run) != null;
            if (alike && !behind.contains(run)) {
                together.add(end);
            } else {
                behind.add(run);
                later.add(end);
            }
        }
        List<WorkEnd> left = new EndsTogether(engine, tx, account).follow(together);
        for (WorkEnd end : left) {
            ended(tx, verbs, end);
        }
        for (WorkEnd end : later) {
            ended(tx, verbs, end);
        }
    }

    @Override
    public void ended(Tx tx, WorkVerbs verbs, WorkEnd end) throws SQLException {
        if (end.item().kind().equals(OnCall.KIND)) {
            Commit.CALLED_OUT.in(tx);
            engine.calledOut(tx, end);
            return;
        }
        // What was cancelled is the engine's own doing.
        if (end.event() == WorkEvent.CANCEL) {
            return;
        }
        WorkItem item = end.item();
        UUID owner = Objects.requireNonNull(item.owner()).id();
        switch (item.kind()) {
            case ItemKinds.DRIVE -> {
                if (end.error() != null) {
                    engine.withRun(
                            tx,
                            Commit.DRIVE,
                            item.accountId(),
                            owner,
                            turn -> driveAgain(turn, item));
                }
            }
            default -> {
                List<StepAttempt> attempts =
                        AttemptSql.find(tx, item.accountId(), List.of(item.id()));
                if (!attempts.isEmpty()) {
                    engine.withRun(
                            tx,
                            Commit.STEP_ENDED,
                            item.accountId(),
                            owner,
                            turn -> {
                                new Endings(engine, turn).ended(attempts.getFirst(), end);
                                return true;
                            });
                }
            }
        }
    }

    /// A driver failed, which its run has not deserved.
    private boolean driveAgain(Turn turn, WorkItem item) throws SQLException {
        if (item.id().equals(turn.run().driver())) {
            engine.enqueueDriver(turn, "after:" + item.id(), turn.nowMs() + DRIVE_AGAIN_MS);
        }
        return true;
    }
}
