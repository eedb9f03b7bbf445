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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Ends of attempts of runs of one account: one statement reads what all of them need, and each run
/// has one turn.
final class EndsTogether {
    private final Engine engine;
    private final Tx tx;
    private final UUID account;

    EndsTogether(Engine engine, Tx tx, UUID account) {
        this.engine = engine;
        this.tx = tx;
        this.account = account;
    }

    /// An end, with the attempt that it is the end of.
    record One(StepAttempt attempt, WorkEnd end) {}

    /// @param ends of runs that this transaction has locked
    /// @return those that are to be looked at anew, because an earlier one of the same run has
    ///     stopped something
    List<WorkEnd> follow(List<WorkEnd> ends) throws SQLException {
        Known known = Known.of(tx);
        Map<UUID, StepAttempt> attempts =
                known.attempts(tx, account, ends.stream().map(end -> end.item().id()).toList());
        attempts.values().removeIf(each -> each.status().isOver());
        if (attempts.isEmpty()) {
            return List.of();
        }
        Map<UUID, Step> steps =
                known.steps(
                        tx, account, attempts.values().stream().map(StepAttempt::step).toList());
        List<Task> tasks = TaskSql.lock(tx, account, ids(steps, step -> step.home().task()));
        List<Agent> agents = AgentSql.lock(tx, account, ids(steps, step -> step.home().agent()));
        var byRun = new LinkedHashMap<UUID, List<One>>();
        for (WorkEnd end : ends) {
            StepAttempt attempt = attempts.get(end.item().id());
            if (attempt != null) {
                byRun.computeIfAbsent(owner(end), _ -> new ArrayList<>())
                        .add(new One(attempt, end));
            }
        }
        var turns = new ArrayList<Turn>();
        var left = new ArrayList<WorkEnd>();
        for (var entry : byRun.entrySet()) {
            Run run = Objects.requireNonNull(known.run(entry.getKey()));
            if (run.times().ends().deletedMs() != null) {
                continue;
            }
            List<One> mine = entry.getValue();
            Map<UUID, Step> own = new LinkedHashMap<>();
            for (One one : mine) {
                Step step = Objects.requireNonNull(steps.get(one.attempt().step()));
                own.put(step.id(), step);
            }
            Set<UUID> ofTasks = ids(own, step -> step.home().task());
            Set<UUID> ofAgents = ids(own, step -> step.home().agent());
            var turn = new Turn(engine.kernel(), tx, run);
            turn.take(
                    agents.stream().filter(each -> ofAgents.contains(each.id())).toList(),
                    tasks.stream().filter(each -> ofTasks.contains(each.id())).toList(),
                    List.copyOf(own.values()));
            int followed = engine.ended(turn, mine);
            mine.stream().skip(followed).map(One::end).forEach(left::add);
            turns.add(turn);
        }
        Turn.writeAll(turns);
        return left;
    }

    private static Set<UUID> ids(Map<UUID, Step> steps, Function<Step, UUID> of) {
        return steps.values().stream().map(of).collect(Collectors.toCollection(TreeSet::new));
    }

    private static UUID owner(WorkEnd end) {
        return Objects.requireNonNull(end.item().owner()).id();
    }
}
