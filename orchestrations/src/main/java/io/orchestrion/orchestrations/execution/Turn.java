package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.events.SubjectLog;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/// The work of one transaction on executions of one account that it has locked. Rows are changed in
/// memory, and at the end all changes are written with a few statements, however many executions
/// there are.
final class Turn {
    /// The word of the engine in `owner_kind`.
    static final String OWNER = "execution";

    private final Kernel kernel;
    private final Tx tx;
    private final UUID account;

    private final Map<UUID, Execution> executions = new HashMap<>();
    private final Map<UUID, ExecutionStatus> statusesBefore = new HashMap<>();

    /// What has to be written on the way: the database follows one change of status at a time.
    private final Map<UUID, Execution> between = new LinkedHashMap<>();

    private final Set<UUID> changedExecutions = new LinkedHashSet<>();
    private final Map<UUID, StepAttempt> newSteps = new LinkedHashMap<>();
    private final Map<UUID, StepAttempt> changedSteps = new LinkedHashMap<>();
    private final Map<UUID, Map<String, @Nullable String>> results = new HashMap<>();
    private final Map<UUID, Approval> newApprovals = new LinkedHashMap<>();
    private final Map<UUID, Approval> changedApprovals = new LinkedHashMap<>();
    private final Map<UUID, DeadLetter> newLetters = new LinkedHashMap<>();
    private final Map<UUID, DeadLetter> changedLetters = new LinkedHashMap<>();
    private final List<Submission> submissions = new ArrayList<>();
    private final Map<UUID, List<UUID>> revoked = new LinkedHashMap<>();
    private final List<SubjectEvent> events = new ArrayList<>();

    /// @param locked all executions that it may change
    Turn(Kernel kernel, Tx tx, UUID account, Collection<Execution> locked) {
        this.kernel = kernel;
        this.tx = tx;
        this.account = account;
        locked.forEach(
                execution -> {
                    executions.put(execution.id(), execution);
                    statusesBefore.put(execution.id(), execution.status());
                });
    }

    Tx tx() {
        return tx;
    }

    long nowMs() {
        return tx.nowMillis();
    }

    UUID account() {
        return account;
    }

    UUID nextId() {
        return kernel.ids().next(nowMs());
    }

    /// As it is now, with all changes of this turn.
    Execution execution(UUID id) {
        return Objects.requireNonNull(executions.get(id));
    }

    /// Tells of an execution that was just inserted.
    void started(Execution execution) {
        events.add(Subjects.of(null, execution, nowMs(), Subjects.Cause.ENGINE));
    }

    Execution change(Execution execution, ExecutionStatus to, Subjects.Cause cause) {
        Execution now = execution.in(to, nowMs());
        events.add(Subjects.of(execution, now, nowMs(), cause));
        ExecutionStatus before = Objects.requireNonNull(statusesBefore.get(now.id()));
        if (before != execution.status() && before != to && !before.mayBecome(to)) {
            between.put(now.id(), execution);
        }
        return change(now);
    }

    /// A change that is told of by nothing.
    Execution change(Execution now) {
        executions.put(now.id(), now);
        changedExecutions.add(now.id());
        return now;
    }

    private String correlation(UUID execution) {
        return execution(execution).asked().correlationId();
    }

    StepAttempt add(StepAttempt step) {
        newSteps.put(step.id(), step);
        tell(null, step);
        return step;
    }

    StepAttempt change(StepAttempt before, StepAttempt now) {
        if (newSteps.containsKey(now.id())) {
            newSteps.put(now.id(), now);
        } else {
            changedSteps.put(now.id(), now);
        }
        if (now.status() != before.status()) {
            tell(before.status(), now);
            boolean given =
                    now.status() == StepStatus.SUCCEEDED && now.place().kind() == AttemptKind.STEP;
            if (given) {
                results.computeIfAbsent(now.execution(), _ -> new HashMap<>())
                        .put(now.place().stepId(), now.ended().result());
            }
        }
        return now;
    }

    private void tell(@Nullable StepStatus from, StepAttempt now) {
        ErrorClass retried =
                from == null && now.status() == StepStatus.RETRYING ? failure(now) : null;
        SubjectEvent event = Subjects.of(from, now, correlation(now.execution()), nowMs(), retried);
        // One span for an attempt, which is over.
        events.add(
                now.status().isTerminal()
                        ? event.traced(execution(now.execution()).asked().trace())
                        : event);
    }

    /// Why an attempt is made again: its last one is of this turn.
    private @Nullable ErrorClass failure(StepAttempt again) {
        ErrorClass found = null;
        for (StepAttempt each : changedSteps.values()) {
            StepError error = each.ended().error();
            if (error != null
                    && each.execution().equals(again.execution())
                    && each.place().stepId().equals(again.place().stepId())) {
                found = error.errorClass();
            }
        }
        return found;
    }

    /// What these steps have given, as far as they have, this turn included.
    Map<String, @Nullable String> results(Execution execution, Set<String> stepIds)
            throws SQLException {
        Map<String, @Nullable String> known =
                results.computeIfAbsent(execution.id(), _ -> new HashMap<>());
        List<String> missing = stepIds.stream().filter(id -> !known.containsKey(id)).toList();
        if (!missing.isEmpty()) {
            known.putAll(StepSql.results(tx, account, execution.id(), missing));
        }
        return known;
    }

    void add(Approval approval) {
        newApprovals.put(approval.id(), approval);
        events.add(Subjects.of(approval, correlation(approval.execution())));
    }

    void change(Approval now) {
        changedApprovals.put(now.id(), now);
        events.add(Subjects.of(now, correlation(now.execution())));
    }

    void add(DeadLetter letter) {
        newLetters.put(letter.id(), letter);
        events.add(Subjects.of(null, letter));
    }

    void change(DeadLetter before, DeadLetter now) {
        if (newLetters.containsKey(now.id())) {
            newLetters.put(now.id(), now);
        } else {
            changedLetters.put(now.id(), now);
        }
        if (now.status() != before.status() || now.reason() != before.reason()) {
            events.add(Subjects.of(before, now));
        }
    }

    /// The newest attempt of a step that this turn has begun; null for none.
    @Nullable StepAttempt newest(UUID execution, String stepId) {
        return newSteps.values().stream()
                .filter(
                        each ->
                                each.execution().equals(execution)
                                        && each.place().stepId().equals(stepId))
                .reduce((_, later) -> later)
                .orElse(null);
    }

    /// A dead letter with the changes of this turn.
    DeadLetter letter(DeadLetter read) {
        return changedLetters.getOrDefault(read.id(), read);
    }

    /// The open dead letter of a step; null for none.
    @Nullable DeadLetter openLetter(UUID execution, String stepId) throws SQLException {
        for (Map<UUID, DeadLetter> letters : List.of(newLetters, changedLetters)) {
            for (DeadLetter letter : letters.values()) {
                if (letter.origin().execution().equals(execution)
                        && letter.stepId().equals(stepId)) {
                    return letter.status() == DeadLetter.Status.OPEN ? letter : null;
                }
            }
        }
        return DeadLetterSql.open(tx, account, execution, stepId);
    }

    /// An item of an execution, under the id of what it stands for.
    void submit(Execution execution, UUID id, NewWork item) {
        submissions.add(
                Submission.of(
                                item.ownedBy(new OwnerRef(OWNER, execution.id()))
                                        .correlated(execution.asked().correlationId())
                                        .traced(execution.asked().trace()))
                        .as(id));
    }

    /// Ends an open item of an execution.
    void revoke(UUID execution, UUID item) {
        revoked.computeIfAbsent(execution, _ -> new ArrayList<>()).add(item);
    }

    /// Ends all open items of an execution, at once.
    ///
    /// @throws IllegalStateException where there are more than so many
    void revokeAll(UUID execution, int most) throws SQLException {
        var done = kernel.verbs().owned().revoke(tx, account, new OwnerRef(OWNER, execution), most);
        if (done.more()) {
            throw new IllegalStateException("execution " + execution + " has too many items");
        }
    }

    /// Nobody gets the items of an execution that nobody has yet, until they are released. Who has
    /// one is asked to pause, and may go on all the same.
    void holdAll(UUID execution, int most) throws SQLException {
        var owner = new OwnerRef(OWNER, execution);
        kernel.verbs().owned().hold(tx, account, owner, most);
        kernel.verbs().owned().askToPause(tx, account, owner, most);
    }

    void releaseAll(UUID execution, int most) throws SQLException {
        var owner = new OwnerRef(OWNER, execution);
        kernel.verbs().owned().release(tx, account, owner, most);
        kernel.verbs().owned().askToGoOn(tx, account, owner, most);
    }

    /// Whatever runs within a time has a timer.
    private void armTimers() {
        for (Execution execution : changedExecutions.stream().map(this::execution).toList()) {
            if (execution.status() == ExecutionStatus.RUNNING) {
                Executions.arm(this, execution);
            }
        }
    }

    /// Writes everything.
    void write() throws SQLException {
        armTimers();
        writeRows();
        for (var entry : revoked.entrySet()) {
            kernel.verbs()
                    .owned()
                    .revoke(tx, account, new OwnerRef(OWNER, entry.getKey()), entry.getValue());
        }
        if (!submissions.isEmpty()) {
            kernel.verbs().submit(tx, account, submissions).forEach(each -> each.made());
        }
        for (int from = 0; from < events.size(); from += SubjectLog.EVENTS_MAX) {
            int to = Math.min(events.size(), from + SubjectLog.EVENTS_MAX);
            kernel.subjects().append(tx, account, events.subList(from, to));
        }
    }

    private void writeRows() {
        Known.of(tx).wrote(executions.values(), changedSteps.values());
        if (!between.isEmpty()) {
            ExecutionSql.update(tx, account, List.copyOf(between.values()));
        }
        List<Execution> changed = changedExecutions.stream().map(this::execution).toList();
        if (!changed.isEmpty()) {
            ExecutionSql.update(tx, account, changed);
        }
        // Before what is new: an attempt that ends makes room for the next one of its step.
        if (!changedSteps.isEmpty()) {
            StepSql.update(tx, account, List.copyOf(changedSteps.values()));
        }
        if (!newSteps.isEmpty()) {
            StepSql.insert(tx, account, List.copyOf(newSteps.values()));
        }
        if (!changedApprovals.isEmpty()) {
            ApprovalSql.update(tx, account, List.copyOf(changedApprovals.values()));
        }
        if (!newApprovals.isEmpty()) {
            ApprovalSql.insert(tx, account, List.copyOf(newApprovals.values()));
        }
        if (!changedLetters.isEmpty()) {
            DeadLetterSql.update(tx, account, List.copyOf(changedLetters.values()));
        }
        if (!newLetters.isEmpty()) {
            DeadLetterSql.insert(tx, account, List.copyOf(newLetters.values()));
        }
    }
}
