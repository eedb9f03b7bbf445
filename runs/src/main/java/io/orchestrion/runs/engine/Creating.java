package io.orchestrion.runs.engine;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.plan.Plan;
import io.orchestrion.runs.plan.ReadPlan;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.RunSql;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.SQLException;

/// Makes runs. Nothing is reserved and nothing begins before the start.
final class Creating {
    private final Engine engine;

    Creating(Engine engine) {
        this.engine = engine;
    }

    /// What is wrong with what is asked for; null where nothing is. For before the transaction:
    /// schemas of a plan may take a while.
    @Nullable Created refused(NewRun asked) {
        String document = asked.asked().plan();
        if (document == null) {
            return null;
        }
        ReadPlan read =
                engine.plans()
                        .read(
                                asked.account(),
                                document,
                                engine.options().plans().withAgents(asked.bounds().agents()));
        Plan plan = read.plan();
        if (plan == null) {
            return new Created.BadPlan(read.findings());
        }
        String blocked = ToolPolicies.of(asked.asked().toolPolicies()).blocked(plan);
        return blocked == null ? null : new Created.BlockedTool(blocked);
    }

    /// What the account has is looked at as advice; the start looks again, under the lock.
    Created create(Tx tx, NewRun asked) throws SQLException {
        Commit.CREATE.in(tx);
        BigDecimal needed = engine.options().prices().reservation(asked.bounds().tokens());
        BigDecimal available = engine.ledger().balance(tx, asked.account()).available();
        if (available.compareTo(needed) < 0) {
            return new Created.InsufficientCredits(needed, available);
        }
        Run run =
                Run.created(
                        asked.account(),
                        engine.kernel().ids().next(tx.nowMillis()),
                        asked.asked(),
                        asked.bounds(),
                        tx.nowMillis());
        RunSql.insert(tx, run);
        var turn = new Turn(engine.kernel(), tx, run);
        Lifecycle.created(turn, asked.by());
        turn.write();
        return new Created.Made(run);
    }
}
