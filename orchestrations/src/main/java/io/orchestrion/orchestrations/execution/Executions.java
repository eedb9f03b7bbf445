package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.redact.Redaction;
import io.orchestrion.kernel.verbs.WorkOwner;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkItem;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// Executions as the owner of their items: what follows from an end is in the transaction of that
/// end.
final class Executions implements WorkOwner {
    private final Kernel kernel;
    private final Definitions definitions;
    private final Delays delays;

    Executions(Kernel kernel, Definitions definitions, Delays delays) {
        this.kernel = kernel;
        this.definitions = definitions;
        this.delays = delays;
    }

    @Override
    public String kind() {
        return Turn.OWNER;
    }

    @Override
    public Set<UUID> lock(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        List<Execution> locked = ExecutionSql.lockFree(tx, account, ids);
        Known.of(tx).locked(locked);
        return locked.stream().map(Execution::id).collect(Collectors.toSet());
    }

    /// The attempt has begun. Its execution is not locked here, so nothing of it is touched.
    @Override
    public void started(Tx tx, UUID account, List<WorkItem> items) throws SQLException {
        List<StepAttempt> begun =
                StepSql.begin(tx, account, items.stream().map(WorkItem::id).toList());
        var correlations = new HashMap<UUID, @Nullable String>();
        items.forEach(item -> correlations.put(item.id(), item.trail().correlationId()));
        Known.of(tx).wrote(List.of(), begun);
        var events = new ArrayList<SubjectEvent>();
        for (StepAttempt attempt : begun) {
            StepStatus from =
                    attempt.times().retryAfterMs() == null
                            ? StepStatus.PENDING
                            : StepStatus.RETRYING;
            events.add(
                    Subjects.of(
                            from, attempt, correlations.get(attempt.id()), tx.nowMillis(), null));
        }
        kernel.subjects().append(tx, account, events);
    }

    /// A result that the step's own schema refuses fails the attempt.
    @Override
    public Map<UUID, WorkError> judgeAll(Tx tx, UUID account, List<Completion> all)
            throws SQLException {
        Known known = Known.of(tx);
        Map<UUID, StepAttempt> attempts =
                known.attempts(tx, account, all.stream().map(one -> one.item().id()).toList());
        attempts.values().removeIf(each -> each.place().kind() != AttemptKind.STEP);
        Set<UUID> owners =
                attempts.values().stream().map(StepAttempt::execution).collect(Collectors.toSet());
        var executions = new HashMap<UUID, Execution>();
        known.executions(tx, account, owners).forEach(each -> executions.put(each.id(), each));
        var rejected = new HashMap<UUID, WorkError>();
        for (Completion one : all) {
            StepAttempt attempt = attempts.get(one.item().id());
            Execution execution = attempt == null ? null : executions.get(attempt.execution());
            if (attempt == null || execution == null) {
                continue;
            }
            String result = one.said().result() == null ? "null" : one.said().result();
            List<String> faults =
                    definitions
                            .of(tx, account, execution.definition())
                            .resultFaults(attempt.place().stepId(), result);
            if (!faults.isEmpty()) {
                rejected.put(
                        one.item().id(),
                        WorkError.of(
                                Codes.INVALID_OUTPUT,
                                Objects.requireNonNull(
                                        Redaction.summary(String.join("; ", faults)))));
            }
        }
        return rejected;
    }

    @Override
    public void ended(Tx tx, WorkVerbs verbs, WorkEnd end) throws SQLException {
        endedAll(tx, verbs, end.item().accountId(), List.of(end));
    }

    @Override
    public void endedAll(Tx tx, WorkVerbs verbs, UUID account, List<WorkEnd> all)
            throws SQLException {
        // What was cancelled is the engine's own doing.
        List<WorkEnd> left = all.stream().filter(end -> end.event() != WorkEvent.CANCEL).toList();
        while (!left.isEmpty()) {
            left = endSome(tx, account, left);
        }
    }

    /// One end of each execution: what follows from the first may be the end of what the second is
    /// about, as where a wait and the time of its execution are over at once.
    ///
    /// @return what is left
    private List<WorkEnd> endSome(Tx tx, UUID account, List<WorkEnd> all) throws SQLException {
        Map<UUID, WorkEnd> first = new LinkedHashMap<>();
        var left = new ArrayList<WorkEnd>();
        for (WorkEnd end : all) {
            if (first.putIfAbsent(Objects.requireNonNull(end.item().owner()).id(), end) != null) {
                left.add(end);
            }
        }
        endEach(tx, account, first.keySet(), List.copyOf(first.values()));
        return left;
    }

    private void endEach(Tx tx, UUID account, Set<UUID> owners, List<WorkEnd> ends)
            throws SQLException {
        var turn = new Turn(kernel, tx, account, Known.of(tx).executions(tx, account, owners));
        Map<UUID, StepAttempt> attempts = attempts(tx, account, ends);
        for (WorkEnd end : ends) {
            StepAttempt attempt = attempts.get(end.item().id());
            if (attempt != null) {
                ended(turn, attempt, end);
            } else {
                timeIsUp(turn, end);
            }
        }
        turn.write();
    }

    private static Map<UUID, StepAttempt> attempts(Tx tx, UUID account, List<WorkEnd> ends)
            throws SQLException {
        List<UUID> ids =
                ends.stream()
                        .filter(end -> !end.item().kind().equals(ItemKinds.TIMEOUT))
                        .map(end -> end.item().id())
                        .toList();
        return Known.of(tx).attempts(tx, account, ids);
    }

    private void ended(Turn turn, StepAttempt attempt, WorkEnd end) throws SQLException {
        if (attempt.status().isTerminal()) {
            // Somebody's act has ended it before its item, or the time of its execution has.
            return;
        }
        Execution execution = turn.execution(attempt.execution());
        if (end.item().kind().equals(ItemKinds.APPROVAL)) {
            Approvals.expire(turn, execution, attempt);
        }
        advance(turn, execution).end(closing(turn, attempt, end));
    }

    private static AttemptEnd closing(Turn turn, StepAttempt attempt, WorkEnd end) {
        return switch (end.item().kind()) {
            case ItemKinds.WAIT ->
                    AttemptEnd.succeeded(
                            attempt,
                            StepStarts.waited(
                                    Objects.requireNonNullElse(
                                            end.item().turn().runAtMs(), turn.nowMs())));
            case ItemKinds.WAIT_TOO_LONG ->
                    AttemptEnd.failed(
                            attempt,
                            StepStatus.TIMED_OUT,
                            WorkError.of(
                                    Codes.STEP_TIMEOUT, "the time of the whole step was over"));
            case ItemKinds.APPROVAL ->
                    AttemptEnd.failed(
                            attempt,
                            StepStatus.TIMED_OUT,
                            WorkError.of(Codes.APPROVAL_EXPIRED, "nobody decided in time"));
            default -> AttemptEnd.of(attempt, end);
        };
    }

    /// The time of an execution is over, unless it was paused or waiting in between.
    private void timeIsUp(Turn turn, WorkEnd end) throws SQLException {
        Execution execution = turn.execution(Objects.requireNonNull(end.item().owner()).id());
        if (!end.item().id().equals(execution.times().timer())) {
            return;
        }
        Execution without = turn.change(execution.withTimer(null));
        if (execution.status() != ExecutionStatus.RUNNING) {
            // It gets a new timer when it runs again.
            return;
        }
        Long left = left(turn, without);
        if (left != null && left <= 0) {
            new Overtaking(turn).timeOut(without);
        }
    }

    /// How much is left of an execution's time; null where it has no bound.
    static @Nullable Long left(Turn turn, Execution execution) {
        Long timeout = execution.times().timeoutMs();
        return timeout == null ? null : timeout - execution.times().activeAt(turn.nowMs());
    }

    /// Begins a timer for what is left of an execution's time, if it has none.
    static void arm(Turn turn, Execution execution) {
        Long left = left(turn, execution);
        if (left == null || execution.times().timer() != null) {
            return;
        }
        UUID timer = turn.nextId();
        turn.change(execution.withTimer(timer));
        turn.submit(
                execution,
                timer,
                NewWork.of(turn.account(), Profiles.TIMERS, ItemKinds.TIMEOUT, "{}")
                        .notBefore(turn.nowMs() + Math.max(0, left)));
    }

    Advance advance(Turn turn, Execution execution) throws SQLException {
        return new Advance(
                turn,
                definitions.of(turn.tx(), execution.account(), execution.definition()),
                delays);
    }

    Advance advance(Turn turn, Published published) {
        return new Advance(turn, published, delays);
    }

    Definitions definitions() {
        return definitions;
    }

    /// Locks one execution and does something with it; null where there is none.
    <T> @Nullable T withOne(Tx tx, UUID account, UUID id, OnExecution<T> what) throws SQLException {
        List<Execution> found = ExecutionSql.lock(tx, account, List.of(id));
        if (found.isEmpty()) {
            return null;
        }
        var turn = new Turn(kernel, tx, account, found);
        T answer = what.on(turn, found.getFirst());
        turn.write();
        return answer;
    }

    interface OnExecution<T> {
        T on(Turn turn, Execution execution) throws SQLException;
    }
}
