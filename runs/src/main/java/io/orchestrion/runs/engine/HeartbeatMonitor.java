package io.orchestrion.runs.engine;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;
import io.orchestrion.runs.engine.RunsOptions.AfterOutage;
import io.orchestrion.runs.engine.RunsOptions.Heart;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.policy.StopReason;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/// Fails runs that nobody drives any more. A node that is gone loses its items earlier, and another
/// one takes over; so this meets what no node took, as after an outage of all.
final class HeartbeatMonitor implements Sweeper {
    static final String NAME = "run-heartbeat-monitor";
    private static final String LOST = "Worker heartbeat timeout";
    private static final String CODE = "HeartbeatTimeoutError";
    private static final int BATCH = 100;
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final Engine engine;
    private final Heart heart;
    private volatile boolean first = true;

    HeartbeatMonitor(Engine engine) {
        this.engine = engine;
        this.heart = engine.options().heart();
    }

    @Override
    public String name() {
        return NAME;
    }

    /// As often as the drivers are noted, where that is more often.
    @Override
    public Duration pace(Duration usual) {
        return heart.beatEvery().compareTo(EVERY) < 0 ? heart.beatEvery() : EVERY;
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public int runOnce() {
        boolean adopts = first && heart.afterOutage() == AfterOutage.ADOPT;
        List<SweepSql.Due> lost =
                engine.kernel()
                        .database()
                        .transaction(tx -> SweepSql.withoutHeartbeat(tx, before(tx), BATCH));
        int changed =
                Sweeps.each(
                        NAME,
                        lost,
                        each ->
                                Boolean.TRUE.equals(
                                                engine.kernel()
                                                        .database()
                                                        .retried(
                                                                (Tx tx) ->
                                                                        engine.withFreeRun(
                                                                                tx,
                                                                                Commit
                                                                                        .HEARTBEAT_LOST,
                                                                                each.account(),
                                                                                each.run(),
                                                                                turn ->
                                                                                        lost(
                                                                                                turn,
                                                                                                adopts))))
                                        ? 1
                                        : 0);
        if (lost.size() < BATCH) {
            first = false;
        }
        return changed;
    }

    private long before(Tx tx) {
        return tx.nowMillis() - heart.limit().toMillis();
    }

    private boolean lost(Turn turn, boolean adopts) throws SQLException {
        Run run = turn.run();
        Long beat = run.times().heartbeatMs();
        if (!turn.isRunning() || (beat != null && beat >= before(turn.tx()))) {
            return false;
        }
        if (adopts) {
            turn.change(run.with(run.times().beating(turn.nowMs())));
            return true;
        }
        turn.tell(Subjects.HEARTBEAT_LOST, Requester.ENGINE, LOST);
        new Finish(engine, turn).fail(Finish.Why.of(CODE, LOST, StopReason.TIMEOUT), null);
        return true;
    }
}
