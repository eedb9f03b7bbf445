package io.orchestrion.runs.engine;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.AgentSql;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.StepAttempt;
import io.orchestrion.runs.tree.Task;
import io.orchestrion.runs.tree.TaskSql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/// Ends of attempts of runs of one account, one of each run: one statement reads what all of them
/// need.
final class EndsTogether {
    private final Engine engine;
    private final Tx tx;
    private final UUID account;

    EndsTogether(Engine engine, Tx tx, UUID account) {
        this.engine = engine;
        this.tx = tx;
        this.account = account;
    }

    /// @param ends of runs that this transaction has locked
    void follow(List<WorkEnd> ends) throws SQLException {
        Known known = Known.of(tx);
        Map<UUID, StepAttempt> attempts =
                known.attempts(tx, account, ends.stream().map(end -> end.item().id()).toList());
        attempts.values().removeIf(each -> each.status().isOver());
        if (attempts.isEmpty()) {
            return;
        }
        Map<UUID, Step> steps =
                known.steps(
                        tx, account, attempts.values().stream().map(StepAttempt::step).toList());
        List<Task> tasks =
                TaskSql.lock(
                        tx,
                        account,
                        steps.values().stream().map(each -> each.home().task()).toList());
        List<Agent> agents =
                AgentSql.lock(
                        tx,
                        account,
                        steps.values().stream().map(each -> each.home().agent()).toList());
        var turns = new ArrayList<Turn>();
        for (WorkEnd end : ends) {
            StepAttempt attempt = attempts.get(end.item().id());
            Run run = Objects.requireNonNull(known.run(owner(end)));
            if (attempt == null || run.times().ends().deletedMs() != null) {
                continue;
            }
            var turn = new Turn(engine.kernel(), tx, run);
            Step step = Objects.requireNonNull(steps.get(attempt.step()));
            turn.take(
                    agents.stream().filter(each -> each.id().equals(step.home().agent())).toList(),
                    tasks.stream().filter(each -> each.id().equals(step.home().task())).toList(),
                    List.of(step));
            engine.ended(turn, attempt, end);
            turns.add(turn);
        }
        Turn.writeAll(turns);
    }

    private static UUID owner(WorkEnd end) {
        return Objects.requireNonNull(end.item().owner()).id();
    }
}
