package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.orchestrations.definition.Policies;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// How many executions of a definition may be under way at once, as its policies say. Whoever makes
/// one, or begins an ended one again, counts under the lock of the definition, and takes that lock
/// before the lock of any execution.
final class ConcurrencyLimits {
    private ConcurrencyLimits() {}

    /// A limit that leaves no room for one more.
    ///
    /// @param limit its name in the definition
    record Reached(String limit, int most) {}

    static boolean any(Policies policies) {
        return policies.maxRunningPerTarget() != null || policies.maxRunningPerDefinition() != null;
    }

    static @Nullable Reached reached(Policies policies, int ofTarget, int ofDefinition) {
        Integer perTarget = policies.maxRunningPerTarget();
        Integer perDefinition = policies.maxRunningPerDefinition();
        if (perTarget != null && ofTarget >= perTarget) {
            return new Reached("max_running_per_target", perTarget);
        }
        if (perDefinition != null && ofDefinition >= perDefinition) {
            return new Reached("max_running_per_definition", perDefinition);
        }
        return null;
    }

    /// Takes the lock under which one more of the same definition may be counted, where the
    /// definition has a limit. The execution is not locked yet.
    static void awaitTurn(Tx tx, UUID account, Definitions definitions, UUID execution)
            throws SQLException {
        for (Execution found : ExecutionSql.find(tx, account, List.of(execution))) {
            if (any(definitions.of(tx, account, found.definition()).definition().policies())) {
                DefinitionSql.serialize(tx, account, Set.of(found.definition().id()));
            }
        }
    }

    /// What refuses that an ended execution is under way again; null for nothing. The caller has
    /// had its turn.
    static @Nullable Reached reached(Turn turn, Definitions definitions, Execution ended)
            throws SQLException {
        UUID account = turn.account();
        UUID definition = ended.definition().id();
        Policies policies =
                definitions.of(turn.tx(), account, ended.definition()).definition().policies();
        return any(policies)
                ? reached(
                        policies,
                        ExecutionSql.activeOfTarget(
                                turn.tx(), account, definition, ended.asked().target()),
                        ExecutionSql.activeOfDefinition(turn.tx(), account, definition))
                : null;
    }
}
