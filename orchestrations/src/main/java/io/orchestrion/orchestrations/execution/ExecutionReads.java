package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.SubjectLine;
import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.orchestrations.definition.DefinitionGraph;
import io.orchestrion.orchestrations.definition.StepSpec;
import io.orchestrion.orchestrations.definition.StepType;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/// Executions as people look at them.
public final class ExecutionReads {
    private final Kernel kernel;
    private final Definitions definitions;

    ExecutionReads(Kernel kernel, Definitions definitions) {
        this.kernel = kernel;
        this.definitions = definitions;
    }

    /// An execution with the first page of its history.
    ///
    /// @param steps attempts, oldest first
    /// @param blockedOn what it waits for, wherever that is in the history
    /// @param transitions changes of its status, oldest first
    public record Seen(
            Execution execution,
            List<StepAttempt> steps,
            List<Blocked> blockedOn,
            List<SubjectLine> transitions) {}

    /// Why an execution does not go on by itself.
    ///
    /// @param untilMs when that is over without anybody doing something: a timer, a retry, or the
    ///     end of the time that the step or the question has; null for never
    public record Blocked(On on, UUID id, @Nullable String stepId, @Nullable Long untilMs) {
        public enum On {
            APPROVAL,
            RETRY_WAIT,
            TIMER,
            UNCLAIMED_WORK,
            LEASED_WORK,
            COMPENSATION,
            PAUSED
        }
    }

    /// The execution alone; null where there is none.
    public @Nullable Execution find(UUID account, UUID id) {
        return kernel
                .database()
                .transaction(tx -> ExecutionSql.find(tx, account, List.of(id)))
                .stream()
                .findFirst()
                .orElse(null);
    }

    /// Null where there is none.
    ///
    /// @param most attempts and transitions
    public @Nullable Seen get(UUID account, UUID id, int most) {
        Seen seen =
                kernel.database()
                        .transaction(
                                tx -> {
                                    List<Execution> found =
                                            ExecutionSql.find(tx, account, List.of(id));
                                    if (found.isEmpty()) {
                                        return null;
                                    }
                                    var query = new StepQuery(account, id, null, null, null, most);
                                    return new Seen(
                                            found.getFirst(),
                                            StepSql.page(tx, query),
                                            blockedOn(tx, found.getFirst()),
                                            List.of());
                                });
        return seen == null
                ? null
                : new Seen(
                        seen.execution(),
                        seen.steps(),
                        seen.blockedOn(),
                        kernel.subjects().of(account, id, 0, most));
    }

    private static List<Blocked> blockedOn(Tx tx, Execution execution) throws SQLException {
        var blocked = new ArrayList<Blocked>();
        if (execution.status().isTerminal()) {
            return blocked;
        }
        UUID account = execution.account();
        List<StepAttempt> open = StepSql.open(tx, account, execution.id());
        List<Approval> asked = ApprovalSql.pending(tx, account, execution.id());
        Map<UUID, Long> timers = timers(tx, account, open);
        if (execution.status() == ExecutionStatus.PAUSED) {
            blocked.add(new Blocked(Blocked.On.PAUSED, execution.id(), null, null));
        }
        for (Approval approval : asked) {
            blocked.add(
                    new Blocked(
                            Blocked.On.APPROVAL,
                            approval.id(),
                            approval.stepId(),
                            approval.question().dueMs()));
        }
        for (StepAttempt attempt : open) {
            Blocked one = blockedOn(tx.nowMillis(), attempt, timers.get(attempt.id()));
            if (one != null) {
                blocked.add(one);
            }
        }
        return blocked;
    }

    private static Map<UUID, Long> timers(Tx tx, UUID account, List<StepAttempt> open)
            throws SQLException {
        List<UUID> waits =
                open.stream()
                        .filter(each -> each.status() == StepStatus.RUNNING)
                        .filter(each -> each.place().type() == StepType.WAIT)
                        .map(StepAttempt::id)
                        .toList();
        return waits.isEmpty() ? Map.of() : ExecutionSql.timers(tx, account, waits);
    }

    /// @param timerMs when it goes on by itself; null where it has no timer
    private static @Nullable Blocked blockedOn(
            long nowMs, StepAttempt attempt, @Nullable Long timerMs) {
        String stepId = attempt.place().stepId();
        Long until = attempt.times().retryAfterMs();
        boolean waits = until != null && until > nowMs;
        return switch (attempt.status()) {
            case RETRYING, PENDING ->
                    waits
                            ? new Blocked(Blocked.On.RETRY_WAIT, attempt.id(), stepId, until)
                            : new Blocked(
                                    attempt.place().kind() == AttemptKind.COMPENSATION
                                            ? Blocked.On.COMPENSATION
                                            : Blocked.On.UNCLAIMED_WORK,
                                    attempt.id(),
                                    stepId,
                                    null);
            case RUNNING ->
                    new Blocked(
                            switch (attempt.place().type()) {
                                case WAIT -> Blocked.On.TIMER;
                                case TASK, DECISION, EXTERNAL_CALL, NOTIFY, HUMAN_APPROVAL ->
                                        attempt.place().kind() == AttemptKind.COMPENSATION
                                                ? Blocked.On.COMPENSATION
                                                : Blocked.On.LEASED_WORK;
                            },
                            attempt.id(),
                            stepId,
                            timerMs == null ? attempt.times().deadlineMs() : timerMs);
            case AWAITING_APPROVAL, SUCCEEDED, FAILED, TIMED_OUT, SKIPPED -> null;
        };
    }

    /// Whether a failed execution can be retried.
    public enum Retriable {
        NO,
        YES,
        /// Only by who says that a step may be repeated that is not safe to repeat.
        UNSAFE
    }

    /// What a retry of the execution would meet now.
    public Retriable retriable(Execution execution) {
        if (execution.status() != ExecutionStatus.FAILED) {
            return Retriable.NO;
        }
        return kernel.database().transaction(tx -> retriable(tx, execution));
    }

    private static Retriable retriable(Tx tx, Execution execution) throws SQLException {
        StepAttempt last = StepSql.last(tx, execution.account(), execution.id());
        if (last == null) {
            return Retriable.NO;
        }
        boolean unsafe =
                last.status() != StepStatus.SUCCEEDED
                        && last.key().declared() == SafeRetry.NOT_SAFE_TO_RETRY;
        return unsafe ? Retriable.UNSAFE : Retriable.YES;
    }

    /// What the steps of the definition are called, by their ids.
    public Map<String, String> stepNames(UUID account, Execution.DefinitionRef definition) {
        return kernel.database()
                .transaction(
                        tx ->
                                definitions
                                        .of(tx, account, definition)
                                        .definition()
                                        .steps()
                                        .stream()
                                        .collect(Collectors.toMap(StepSpec::id, StepSpec::name)));
    }

    /// Changes of an execution's status, oldest first.
    ///
    /// @param after the `seq` to go on from, 0 for the beginning
    public List<SubjectLine> transitions(UUID account, UUID id, int after, int most) {
        return kernel.subjects().of(account, id, after, most);
    }

    public List<Execution> list(ExecutionQuery query) {
        return kernel.database().transaction(tx -> ExecutionSql.page(tx, query));
    }

    /// Null where there is no such execution.
    public @Nullable List<StepAttempt> steps(StepQuery query) {
        return kernel.database()
                .transaction(
                        tx ->
                                ExecutionSql.find(tx, query.account(), List.of(query.execution()))
                                                .isEmpty()
                                        ? null
                                        : StepSql.page(tx, query));
    }

    /// The graph of an execution's definition, and the newest attempt of each step.
    public record Drawn(
            Execution execution, DefinitionGraph graph, Map<String, StepAttempt> newest) {}

    /// Null where there is none.
    public @Nullable Drawn graph(UUID account, UUID id) {
        return kernel.database()
                .transaction(
                        tx -> {
                            List<Execution> found = ExecutionSql.find(tx, account, List.of(id));
                            if (found.isEmpty()) {
                                return null;
                            }
                            var newest = new HashMap<String, StepAttempt>();
                            StepSql.newestOfSteps(tx, account, id)
                                    .forEach(each -> newest.put(each.place().stepId(), each));
                            Execution execution = found.getFirst();
                            return new Drawn(
                                    execution,
                                    definitions
                                            .of(tx, account, execution.definition())
                                            .definition()
                                            .graph(),
                                    newest);
                        });
    }
}
