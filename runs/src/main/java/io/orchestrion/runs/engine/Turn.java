package io.orchestrion.runs.engine;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.events.SubjectLog;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.RunSql;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.state.TaskStatus;
import io.orchestrion.runs.ticket.Approval;
import io.orchestrion.runs.ticket.ApprovalSql;
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
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// The work of one transaction on one run that it has locked. Rows are changed in memory and
/// written together: before a statement reads what was changed, and at the end.
final class Turn {
    /// The word of the engine in `owner_kind`.
    static final String OWNER = "run";

    /// A run has few items at once: the windows bound them.
    private static final int ITEMS = 1_000;

    private final Kernel kernel;
    private final Tx tx;
    private Run run;
    private RunStatus stored;
    private boolean runChanged;
    private boolean stopped;

    private final Rows<Agent, AgentStatus> agents =
            new Rows<>(Agent::id, Agent::status, AgentStatus::mayBecome);
    private final Rows<Task, TaskStatus> tasks =
            new Rows<>(Task::id, Task::status, TaskStatus::mayBecome);
    private final Rows<Step, StepStatus> steps =
            new Rows<>(Step::id, Step::status, StepStatus::mayBecome);
    private final List<StepAttempt> newAttempts = new ArrayList<>();
    private final List<StepAttempt> endedAttempts = new ArrayList<>();
    private final List<Approval> newApprovals = new ArrayList<>();
    private final List<Submission> submissions = new ArrayList<>();
    private final List<SubjectEvent> events = new ArrayList<>();
    private final Set<UUID> refills = new LinkedHashSet<>();
    private final List<Last> lasts = new ArrayList<>();

    /// Something to write after everything else.
    @FunctionalInterface
    interface Last {
        void write() throws SQLException;
    }

    /// @param locked by this transaction
    Turn(Kernel kernel, Tx tx, Run locked) {
        this.kernel = kernel;
        this.tx = tx;
        this.run = locked;
        this.stored = locked.status();
    }

    Kernel kernel() {
        return kernel;
    }

    Tx tx() {
        return tx;
    }

    long nowMs() {
        return tx.nowMillis();
    }

    UUID account() {
        return run.account();
    }

    UUID nextId() {
        return kernel.ids().next(nowMs());
    }

    /// As it is now, with all changes of this turn.
    Run run() {
        return run;
    }

    boolean isRunning() {
        return run.status() == RunStatus.RUNNING;
    }

    /// A change that is told of by nothing.
    Run change(Run now) {
        if (run.status() != stored
                && run.status() != now.status()
                && !stored.mayBecome(now.status())) {
            flush();
        }
        run = now;
        runChanged = true;
        return now;
    }

    /// Something that happened to the run and changes no status.
    void tell(String word, Requester by, @Nullable String reason) {
        change(run.told());
        events.add(Subjects.of(run.status(), run, word, by, reason));
    }

    /// The same, counted under its trigger or its reason.
    void tell(String word, String counted, @Nullable String reason) {
        change(run.told());
        events.add(Subjects.of(run.status(), run, word, Requester.ENGINE, reason).counted(counted));
    }

    void tell(SubjectEvent event) {
        events.add(event);
    }

    /// An agent, a task or a step has changed. Of one that is over, there is one span.
    private void tellOfPart(SubjectEvent event) {
        events.add(event.lastedMs() == null ? event : event.traced(run.asked().trace()));
    }

    Agent agent(UUID id) throws SQLException {
        Agent known = agents.find(id);
        return known == null
                ? agents.read(AgentSql.lock(tx, account(), List.of(id))).getFirst()
                : known;
    }

    /// All agents of the attempt that have not ended.
    List<Agent> openAgents() throws SQLException {
        flush();
        return agents.read(AgentSql.lockOpen(tx, account(), run.id(), run.attempt()));
    }

    Task task(UUID id) throws SQLException {
        Task known = tasks.find(id);
        return known == null
                ? tasks.read(TaskSql.lock(tx, account(), List.of(id))).getFirst()
                : known;
    }

    List<Task> nextTasks(UUID agent, int most) throws SQLException {
        flush();
        return tasks.read(TaskSql.lockNext(tx, account(), agent, most));
    }

    List<Task> activeTasks(UUID agent) throws SQLException {
        flush();
        return tasks.read(TaskSql.lockActive(tx, account(), agent));
    }

    Step step(UUID id) throws SQLException {
        Step known = steps.find(id);
        return known == null
                ? steps.read(StepSql.lock(tx, account(), List.of(id))).getFirst()
                : known;
    }

    List<Step> nextSteps(UUID task, int most) throws SQLException {
        flush();
        return steps.read(StepSql.lockNext(tx, account(), task, most));
    }

    Agent change(Agent before, Agent now) {
        if (agents.leaps(now)) {
            flush();
        }
        agents.put(now);
        if (before.status() != now.status()) {
            tellOfPart(Subjects.of(before.status(), now));
        }
        return now;
    }

    Task change(Task before, Task now) {
        if (tasks.leaps(now)) {
            flush();
        }
        tasks.put(now);
        if (before.status() != now.status()) {
            tellOfPart(Subjects.of(before.status(), now));
        }
        return now;
    }

    Step change(Step before, Step now) {
        if (steps.leaps(now)) {
            flush();
        }
        steps.put(now);
        if (before.status() != now.status()) {
            tellOfPart(Subjects.of(before.status(), now));
        }
        return now;
    }

    void begin(StepAttempt attempt) {
        newAttempts.add(attempt);
    }

    void end(StepAttempt attempt) {
        endedAttempts.add(attempt);
    }

    void ask(Approval approval) {
        newApprovals.add(approval);
        events.add(Subjects.of(approval, Requester.ENGINE));
    }

    /// There may be room for more of the agent's work.
    void refill(UUID agent) {
        refills.add(agent);
    }

    /// The agents with room, once.
    List<UUID> takeRefills() {
        List<UUID> taken = List.copyOf(refills);
        refills.clear();
        return taken;
    }

    /// An item of the run, under the id of what it stands for.
    void submit(UUID id, NewWork item) {
        submissions.add(
                Submission.of(
                                item.ownedBy(owner())
                                        .correlated(PublicId.RUN.of(run.id()))
                                        .traced(run.asked().trace()))
                        .as(id));
    }

    private OwnerRef owner() {
        return new OwnerRef(OWNER, run.id());
    }

    /// Ends open items of the run.
    void revoke(Collection<UUID> items) throws SQLException {
        stopped = true;
        submissions.removeIf(each -> items.contains(each.id()));
        if (!items.isEmpty()) {
            kernel.verbs().owned().revoke(tx, account(), owner(), List.copyOf(items));
        }
    }

    /// Ends all open items of the run, and hands in none of this turn.
    void revokeAll() throws SQLException {
        stopped = true;
        submissions.clear();
        while (kernel.verbs().owned().revoke(tx, account(), owner(), ITEMS).more()) {
            // The next ones.
        }
    }

    /// Nobody gets the items that nobody has yet. Who has one is asked to pause, and may go on.
    void holdAll() throws SQLException {
        while (kernel.verbs().owned().hold(tx, account(), owner(), ITEMS).more()) {
            // The next ones.
        }
        kernel.verbs().owned().askToPause(tx, account(), owner(), ITEMS);
    }

    void releaseAll() throws SQLException {
        while (kernel.verbs().owned().release(tx, account(), owner(), ITEMS).more()) {
            // The next ones.
        }
        kernel.verbs().owned().askToGoOn(tx, account(), owner(), ITEMS);
    }

    /// Whether it has stopped anything that was under way: attempts that were read before may be
    /// over.
    boolean hasStopped() {
        return stopped;
    }

    /// Rows below the run were changed by a statement of their own and are read anew.
    void forget() {
        stopped = true;
        flush();
        agents.clear();
        tasks.clear();
        steps.clear();
    }

    /// Writes what was changed in memory.
    void flush() {
        if (runChanged) {
            RunSql.update(tx, run);
            Known.of(tx).wrote(run);
            runChanged = false;
            stored = run.status();
        }
        agents.write(rows -> AgentSql.update(tx, account(), rows));
        tasks.write(rows -> TaskSql.update(tx, account(), rows));
        steps.write(rows -> StepSql.update(tx, account(), rows));
        if (!endedAttempts.isEmpty()) {
            AttemptSql.end(tx, account(), List.copyOf(endedAttempts));
            endedAttempts.clear();
        }
        if (!newAttempts.isEmpty()) {
            AttemptSql.insert(tx, account(), List.copyOf(newAttempts));
            newAttempts.clear();
        }
        if (!newApprovals.isEmpty()) {
            ApprovalSql.insert(tx, account(), List.copyOf(newApprovals));
            newApprovals.clear();
        }
    }

    /// Locks the balance of the account, which all of its runs share: the fewer statements follow,
    /// the sooner the next run has it.
    void last(Last last) {
        lasts.add(last);
    }

    /// What was left for the end, for something that has to see it.
    void writeLast() throws SQLException {
        for (Last last : lasts) {
            last.write();
        }
        lasts.clear();
    }

    /// Writes everything.
    void write() throws SQLException {
        writeAll(List.of(this));
    }

    /// Writes everything of turns on other runs each, of one account in one transaction. Items and
    /// events of all of them go out together.
    static void writeAll(List<Turn> turns) throws SQLException {
        if (turns.isEmpty()) {
            return;
        }
        Turn any = turns.getFirst();
        var items = new ArrayList<Submission>();
        var told = new ArrayList<SubjectEvent>();
        for (Turn turn : turns) {
            turn.flush();
            items.addAll(turn.submissions);
            told.addAll(turn.events);
            turn.submissions.clear();
            turn.events.clear();
        }
        if (!items.isEmpty()) {
            any.kernel.verbs().submit(any.tx, any.account(), items).forEach(each -> each.made());
        }
        for (int from = 0; from < told.size(); from += SubjectLog.EVENTS_MAX) {
            int to = Math.min(told.size(), from + SubjectLog.EVENTS_MAX);
            any.kernel.subjects().append(any.tx, any.account(), told.subList(from, to));
        }
        for (Turn turn : turns) {
            turn.writeLast();
        }
    }

    /// Rows that were locked for several turns at once.
    void take(List<Agent> ofRun, List<Task> ofAgents, List<Step> ofTasks) {
        agents.read(ofRun);
        tasks.read(ofAgents);
        steps.read(ofTasks);
    }
}
