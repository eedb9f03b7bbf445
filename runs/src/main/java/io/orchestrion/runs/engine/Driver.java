package io.orchestrion.runs.engine;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.pool.Charge;
import io.orchestrion.kernel.pool.Handler;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.policy.StopReason;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.RunStatus;

import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/// Drives one run: picks it up, has it go on after a pause, begins its next attempt, and then holds
/// its item as long as it runs. Everything else follows from the ends of steps. When this node is
/// gone, another one gets the item and finds the run as it is.
final class Driver implements Handler {
    private final Engine engine;
    private final Driven driven;

    Driver(Engine engine, Driven driven) {
        this.engine = engine;
        this.driven = driven;
    }

    @Override
    public Outcome run(Charge charge) throws InterruptedException {
        UUID account = charge.item().accountId();
        OwnerRef owner = Objects.requireNonNull(charge.item().owner());
        UUID item = charge.item().id();
        if (drive(account, owner.id(), item)) {
            try (var _ = driven.holding(account, owner.id(), item)) {
                // The end of the run takes the item away, which interrupts this thread.
                new CountDownLatch(1).await();
            }
        }
        return new Outcome.Completed(null);
    }

    /// Whether the run runs now, and so is to be held.
    private boolean drive(UUID account, UUID run, UUID item) {
        try {
            return inOne(account, run, turn -> drive(turn, item));
        } catch (StoreException e) {
            // The item goes on with another try, or another node.
            throw e;
        } catch (RuntimeException e) {
            RunLines.notDriven(run, e);
            if (inOne(account, run, turn -> failResume(turn, e))) {
                return false;
            }
            throw e;
        }
    }

    private boolean inOne(UUID account, UUID run, Engine.OnRun<Boolean> what) {
        Boolean answer =
                engine.kernel()
                        .database()
                        .retried((Tx tx) -> engine.withRun(tx, Commit.DRIVE, account, run, what));
        return Boolean.TRUE.equals(answer);
    }

    private boolean drive(Turn turn, UUID item) throws SQLException {
        Run run = turn.run();
        if (!item.equals(run.driver())) {
            return false;
        }
        return switch (run.status()) {
            case PENDING -> {
                Commit.PICK_UP.in(turn.tx());
                Lifecycle.change(turn, RunStatus.RUNNING, Requester.ENGINE, "picked up");
                new Planning(engine, turn).begin();
                yield true;
            }
            case RESUMING -> {
                Commit.GO_ON.in(turn.tx());
                new Pausing(engine, turn).resumed();
                yield turn.isRunning();
            }
            case RETRYING -> {
                Commit.NEXT_ATTEMPT.in(turn.tx());
                Lifecycle.change(turn, RunStatus.PENDING, Requester.ENGINE, "retry is due");
                engine.enqueueDriver(turn, "start", null);
                yield false;
            }
            case RUNNING -> {
                // Taken over from a node that is gone.
                Commit.TAKE_OVER.in(turn.tx());
                turn.change(run.with(run.times().beating(turn.nowMs())));
                turn.openAgents().forEach(agent -> turn.refill(agent.id()));
                yield true;
            }
            case CREATED, PAUSED, COMPLETED, FAILED, CANCELLED, SKIPPED -> false;
        };
    }

    /// A resume that cannot be done ends the run, as nothing else would.
    private boolean failResume(Turn turn, RuntimeException why) throws SQLException {
        if (turn.run().status() != RunStatus.RESUMING) {
            return false;
        }
        new Finish(engine, turn)
                .fail(
                        Finish.Why.of(
                                "ResumeError",
                                "the run could not go on: " + why.getClass().getSimpleName(),
                                StopReason.NON_RETRYABLE),
                        null);
        return true;
    }
}
