package io.orchestrion.runs.engine;

import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.TaskSql;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Halts a run and has it go on. Steps that workers have may be finished in between; what follows
/// from them follows afterwards.
final class Pausing {
    private final Engine engine;
    private final Turn turn;

    Pausing(Engine engine, Turn turn) {
        this.engine = engine;
        this.turn = turn;
    }

    /// @param why what the run shows as the reason of its pause
    void pause(Requester by, @Nullable String why, @Nullable String reason) throws SQLException {
        Run run = turn.run();
        UUID driver = run.driver();
        if (driver != null) {
            turn.revoke(Set.of(driver));
        }
        turn.holdAll();
        List<Agent> open = turn.openAgents();
        for (Agent each : open) {
            turn.change(each, each.in(AgentStatus.PAUSED).with(each.clock().halted(turn.nowMs())));
        }
        turn.flush();
        TaskSql.pause(turn.tx(), turn.account(), Agents.ids(open));
        turn.forget();
        turn.change(turn.run().drivenBy(null).with(turn.run().note().paused(why)));
        Lifecycle.change(turn, RunStatus.PAUSED, by, reason);
        turn.takeRefills();
    }

    /// It is to go on: a driver sees to that.
    void resume(Requester by, @Nullable String reason) throws SQLException {
        turn.change(turn.run().with(turn.run().note().paused(null)));
        Lifecycle.change(turn, RunStatus.RESUMING, by, reason);
        engine.enqueueDriver(turn, "resume:" + turn.run().seq(), null);
    }

    /// The driver has it: agents go on, their items are given out again, and what ended in between
    /// is followed up.
    void resumed() throws SQLException {
        List<Agent> paused = turn.openAgents();
        for (Agent each : paused) {
            Agent waiting = turn.change(each, each.in(AgentStatus.PENDING));
            turn.refill(waiting.id());
        }
        turn.flush();
        TaskSql.goOn(turn.tx(), turn.account(), Agents.ids(paused));
        turn.forget();
        Lifecycle.change(turn, RunStatus.RUNNING, Requester.ENGINE, null);
        turn.releaseAll();
        new Endings(engine, turn).catchUp();
    }
}
