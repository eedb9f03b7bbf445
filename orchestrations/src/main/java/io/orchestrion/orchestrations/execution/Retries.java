package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.orchestrations.definition.DefinitionGraph;
import io.orchestrion.orchestrations.definition.DefinitionGraph.Edge;
import io.orchestrion.orchestrations.definition.DefinitionGraph.Target;
import io.orchestrion.orchestrations.definition.StepSpec;
import io.orchestrion.orchestrations.execution.DeadLetter.Compensation;
import io.orchestrion.orchestrations.execution.StepStarts.Wanted;
import io.orchestrion.orchestrations.execution.Subjects.Cause;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// Steps that are begun again after somebody asked for it: numbers go on, the budget is a new one.
final class Retries {
    private final Turn turn;

    Retries(Turn turn) {
        this.turn = turn;
    }

    /// The next attempt of a step that has failed. Its dead letter is closed by that. Where what it
    /// had done was undone, it gets another key, so that it may take effect anew; otherwise a step
    /// that has a guard is not repeated before the guard was asked.
    Wanted anew(StepSpec spec, StepAttempt last, Cause cause) throws SQLException {
        DeadLetter letter = newestLetter(last);
        if (letter != null && letter.status() == DeadLetter.Status.OPEN) {
            turn.change(
                    letter,
                    letter.with(
                            DeadLetter.Status.REPROCESSED,
                            turn.nowMs(),
                            cause.by(),
                            cause.reason()));
        }
        boolean undone = letter != null && isUndone(letter, last);
        boolean begun = last.times().startedMs() != null;
        boolean guarded =
                last.key().declared() == SafeRetry.SAFE_TO_RETRY_WITH_GUARD && begun && !undone;
        // A guard that failed has the number of the attempt that it went before.
        int number = Math.max(last.place().number(), newestGuard(last)) + 1;
        return new Wanted(
                spec,
                guarded ? AttemptKind.GUARD : AttemptKind.STEP,
                number,
                number,
                last.key().epoch() + (undone ? 1 : 0),
                null,
                null);
    }

    private @Nullable DeadLetter newestLetter(StepAttempt last) throws SQLException {
        DeadLetter read =
                DeadLetterSql.newest(
                        turn.tx(), turn.account(), last.execution(), last.place().stepId());
        return read == null ? null : turn.letter(read);
    }

    private int newestGuard(StepAttempt last) throws SQLException {
        return StepSql.newest(turn.tx(), turn.account(), last.execution(), last.place().stepId())
                .stream()
                .filter(each -> each.place().kind() == AttemptKind.GUARD)
                .mapToInt(each -> each.place().number())
                .findFirst()
                .orElse(0);
    }

    /// Whether what the step had done was undone since its last attempt.
    private boolean isUndone(DeadLetter letter, StepAttempt last) throws SQLException {
        Compensation compensation = letter.handling().compensation();
        if (compensation != Compensation.DONE && compensation != Compensation.MARKED) {
            return false;
        }
        // That of a guard, which is numbered as the attempt that it went before, or of the step.
        List<StepAttempt> of =
                StepSql.find(turn.tx(), turn.account(), List.of(letter.stepExecution()));
        return last.place().number() <= of.getFirst().place().number();
    }

    /// A step that is not safe to repeat and would be, were this attempt's step begun again: that
    /// step, or one that failed before and that it may lead to. Null for none.
    @Nullable String unsafe(Published published, StepAttempt last) throws SQLException {
        return unsafe(turn.tx(), turn.account(), published, last);
    }

    /// The same for who only looks.
    static @Nullable String unsafe(Tx tx, UUID account, Published published, StepAttempt last)
            throws SQLException {
        if (last.key().declared() == SafeRetry.NOT_SAFE_TO_RETRY) {
            return last.place().stepId();
        }
        Set<String> ahead = after(published.definition().graph(), last.place().stepId());
        return StepSql.unsafe(tx, account, last.execution()).entrySet().stream()
                .filter(each -> each.getValue() != StepStatus.SUCCEEDED)
                .map(Map.Entry::getKey)
                .filter(ahead::contains)
                .findFirst()
                .orElse(null);
    }

    private static Set<String> after(DefinitionGraph graph, String stepId) {
        Map<String, Set<String>> next = new HashMap<>();
        for (Edge edge : graph.edges()) {
            if (edge.to() instanceof Target.Step(String id)) {
                next.computeIfAbsent(edge.from(), _ -> new HashSet<>()).add(id);
            }
        }
        var reached = new HashSet<String>();
        var open = new ArrayDeque<>(List.of(stepId));
        while (!open.isEmpty()) {
            for (String id : next.getOrDefault(open.remove(), Set.of())) {
                if (reached.add(id)) {
                    open.add(id);
                }
            }
        }
        return reached;
    }
}
